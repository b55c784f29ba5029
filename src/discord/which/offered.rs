//! Which tables are offered to somebody who begins to name one.

use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{Person, TableId};

use super::super::desk::Desk;
use super::super::limits::COMPLETIONS_MOST;
use super::{Spot, Want, watched};

/// Names of tables that begin with what somebody typed and are what they want, as many as can be offered: their
/// own first, then those of others that may be told of where they ask; a banned person is offered none of those.
pub async fn complete(desk: &Desk, who: Person, spot: Spot, typed: &str, want: Want) -> Vec<String> {
    let typed = typed.trim().trim_start_matches('#').to_ascii_uppercase();
    let begins = |id: &TableId| id.as_str().starts_with(&typed);
    let mut found = match want {
        Want::Unwatch => watched(desk, who).await.unwrap_or_default(),
        _ => own(desk, who, want).await,
    };
    found.retain(begins);
    let is_banned = desk.hall.is_banned(spot.guild, who).await;
    let others = if is_banned { Vec::new() } else { others(desk, spot, want).await };
    for card in others {
        // Who may read where is looked up, which takes a while: no more of that than needed.
        if found.len() >= COMPLETIONS_MOST {
            break;
        }
        if begins(&card.id) && !card.has(who) && desk.may_list(&card, spot.channel).await {
            found.push(card.id);
        }
    }
    found.iter().map(ToString::to_string).collect()
}

/// Somebody's own tables, the latest first.
async fn own(desk: &Desk, who: Person, want: Want) -> Vec<TableId> {
    let theirs = Filter { person: Some(who), ..Filter::default() };
    let filter = match want {
        Want::See | Want::Act | Want::Answer => Filter { unfinished: true, ..theirs },
        Want::Replay => theirs,
        Want::Review => Filter { stage: Some(Stage::Over), ..theirs },
        Want::Watch | Want::Unwatch => return Vec::new(),
    };
    let cards = desk.hall.list(&filter).await.unwrap_or_default();
    let has_something = |card: &&Card| want != Want::Review || card.ply > 0;
    cards.iter().filter(has_something).map(|card| card.id).collect()
}

/// The tables of a server, or of a direct message, the latest first.
async fn others(desk: &Desk, spot: Spot, want: Want) -> Vec<Card> {
    let stages: &[Stage] = match want {
        Want::See | Want::Watch => &[Stage::Running],
        Want::Replay => &[Stage::Running, Stage::Over],
        Want::Review => &[Stage::Over],
        Want::Act | Want::Answer | Want::Unwatch => return Vec::new(),
    };
    let channel = spot.guild.is_none().then_some(spot.channel);
    let filter = Filter { guild: spot.guild, channel, ..Filter::default() };
    let mut found = Vec::new();
    for stage in stages {
        let cards = desk.hall.list(&Filter { stage: Some(*stage), ..filter.clone() }).await;
        found.extend(cards.unwrap_or_default());
    }
    found.retain(|card| card.stage == Stage::Running || card.ply > 0);
    found
}
