//! Autocomplete for options that name a table.

use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{TableId, UserId};

use super::{Location, TablePurpose, watched};
use crate::discord::state::context::Context;
use crate::discord::wire::limits::MAX_COMPLETIONS;

/// Returns the ids of fitting tables that begin with the typed text, up to Discord's limit: first the
/// person's own tables, then those of others that may be listed in the channel. A banned person is offered
/// only their own.
pub async fn complete(
    ctx: &Context,
    who: UserId,
    location: Location,
    typed: &str,
    purpose: TablePurpose,
) -> Vec<String> {
    let typed = typed.trim().trim_start_matches('#').to_ascii_uppercase();
    let begins = |id: &TableId| id.as_str().starts_with(&typed);
    let mut found = match purpose {
        TablePurpose::Unwatch => watched(ctx, who).await.unwrap_or_default(),
        _ => own(ctx, who, purpose).await,
    };
    found.retain(begins);
    let is_banned = ctx.registry.is_banned(location.guild, who).await;
    let others = if is_banned { Vec::new() } else { others(ctx, location, purpose).await };
    for card in others {
        // Permissions are looked up for each further table, which takes a while.
        if found.len() >= MAX_COMPLETIONS {
            break;
        }
        if begins(&card.id) && !card.has(who) && ctx.may_list(&card, location.channel).await {
            found.push(card.id);
        }
    }
    found.iter().map(ToString::to_string).collect()
}

/// Returns the person's own tables, the latest first.
async fn own(ctx: &Context, who: UserId, purpose: TablePurpose) -> Vec<TableId> {
    let theirs = Filter { person: Some(who), ..Filter::default() };
    let filter = match purpose {
        TablePurpose::See | TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk => {
            Filter { unfinished: true, ..theirs }
        }
        TablePurpose::Replay => theirs,
        TablePurpose::Review => Filter { stage: Some(Stage::Over), ..theirs },
        TablePurpose::Watch | TablePurpose::Unwatch => return Vec::new(),
    };
    let cards = ctx.registry.list(&filter).await.unwrap_or_default();
    let has_something = |card: &&Card| purpose != TablePurpose::Review || card.ply > 0;
    cards.iter().filter(has_something).map(|card| card.id).collect()
}

/// Returns the tables of a server, or of a direct message, the latest first.
async fn others(ctx: &Context, location: Location, purpose: TablePurpose) -> Vec<Card> {
    let stages: &[Stage] = match purpose {
        TablePurpose::See | TablePurpose::Watch => &[Stage::Running],
        TablePurpose::Replay => &[Stage::Running, Stage::Over],
        TablePurpose::Review => &[Stage::Over],
        TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk | TablePurpose::Unwatch => {
            return Vec::new();
        }
    };
    let channel = location.guild.is_none().then_some(location.channel);
    let filter = Filter { guild: location.guild, channel, ..Filter::default() };
    let mut found = Vec::new();
    for stage in stages {
        let cards = ctx.registry.list(&Filter { stage: Some(*stage), ..filter.clone() }).await;
        found.extend(cards.unwrap_or_default());
    }
    found.retain(|card| card.stage == Stage::Running || card.ply > 0);
    found
}
