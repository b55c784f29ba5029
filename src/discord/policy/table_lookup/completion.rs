//! Autocomplete for options that name a table.

use futures_util::TryStreamExt;
use rookery_table::ports::{Filter, Stage};
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
        _ => own(ctx, who, purpose, begins).await,
    };
    found.retain(begins);
    if !ctx.registry.is_banned(location.guild, who).await {
        add_others(ctx, (who, location), purpose, (&mut found, &typed)).await;
    }
    found.iter().map(ToString::to_string).collect()
}

/// Returns enough of the person's own tables with a fitting id, the latest first.
async fn own(
    ctx: &Context,
    who: UserId,
    purpose: TablePurpose,
    begins: impl Fn(&TableId) -> bool,
) -> Vec<TableId> {
    let theirs = Filter { person: Some(who), ..Filter::default() };
    let filter = match purpose {
        TablePurpose::See
        | TablePurpose::Board
        | TablePurpose::Act
        | TablePurpose::Answer
        | TablePurpose::Talk => Filter { unfinished: true, ..theirs },
        TablePurpose::Replay => theirs,
        TablePurpose::Review => Filter { stage: Some(Stage::Over), ..theirs },
        TablePurpose::Watch | TablePurpose::Unwatch => return Vec::new(),
    };
    let (mut cards, mut found) = (ctx.registry.latest(&filter), Vec::new());
    while found.len() < MAX_COMPLETIONS
        && let Ok(Some(card)) = cards.try_next().await
    {
        let has_something = purpose != TablePurpose::Review || card.ply > 0;
        found.extend((has_something && begins(&card.id)).then_some(card.id));
    }
    found
}

/// Adds tables of a server, or of a direct message, up to Discord's limit, the latest first.
async fn add_others(
    ctx: &Context,
    (who, location): (UserId, Location),
    purpose: TablePurpose,
    (found, typed): (&mut Vec<TableId>, &str),
) {
    let stages: &[Stage] = match purpose {
        TablePurpose::See | TablePurpose::Board | TablePurpose::Watch => &[Stage::Running],
        TablePurpose::Replay => &[Stage::Running, Stage::Over],
        TablePurpose::Review => &[Stage::Over],
        TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk | TablePurpose::Unwatch => {
            return;
        }
    };
    let channel = location.guild.is_none().then_some(location.channel);
    let filter = Filter { guild: location.guild, channel, ..Filter::default() };
    for stage in stages {
        let filter = Filter { stage: Some(*stage), ..filter.clone() };
        let mut cards = ctx.registry.latest(&filter);
        // Permissions are looked up for each further table, which takes a while.
        while found.len() < MAX_COMPLETIONS
            && let Ok(Some(card)) = cards.try_next().await
        {
            let has_something = card.stage == Stage::Running || card.ply > 0;
            if has_something
                && card.id.as_str().starts_with(typed)
                && !card.has(who)
                && ctx.may_list(&card, location.channel).await
            {
                found.push(card.id);
            }
        }
    }
}
