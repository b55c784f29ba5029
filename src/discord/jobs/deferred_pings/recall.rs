//! Recovers the pings that an earlier process owed. Its note holds the time up to which all due pings were
//! sent, and the pings that were put off because of quiet hours or an outage. Later ones are found in the
//! journal: boards and results posted within a minute of an action of their recipients.

use futures_util::TryStreamExt;
use jiff::Timestamp;
use rookery_table::ports::{Card, Filter, Stage, StoreError, walk_pages};
use rookery_table::teams::TeamMembers;
use rookery_table::{OutboxItem, RoleId, Table, TableId, UserId};

use super::{DeferredPing, PingTarget, deferred};
use crate::discord::state::context::Context;
use crate::discord::state::deferred_pings::PRESENCE_PERIOD;
use crate::discord::wire::snowflake::written_at;
use rookery_table::millis;

/// The key of the note with the time up to which all pings were sent.
const GIVEN_NOTE: &str = "deferred-pings";
/// The key of the note with the pings that are owed.
const OWED_NOTE: &str = "deferred-pings-owed";
/// The most pings in a note.
const MAX_NOTED: usize = 2_000;

/// Notes the owed pings, and that all others due at a moment were sent.
pub(super) async fn note(ctx: &Context, given: Timestamp) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    let text = written(&ctx.deferred_pings.all());
    // Usually the note is empty and stays so.
    if journal.note(OWED_NOTE).await?.unwrap_or_default() != text {
        journal.store_note(OWED_NOTE, &text).await?;
    }
    journal.store_note(GIVEN_NOTE, &given.as_millisecond().to_string()).await
}

/// Recovers the pings that the previous process owed when it ended.
pub(super) async fn recall(ctx: &Context) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    let Some(given) =
        journal.note(GIVEN_NOTE).await?.and_then(|text| text.parse().ok()).map(millis::timestamp)
    else {
        return Ok(());
    };
    for (table, target, owed) in read(&journal.note(OWED_NOTE).await?.unwrap_or_default()) {
        ctx.deferred_pings.restore(table, target, owed);
    }
    for stage in [Stage::Running, Stage::Over] {
        let filter = Filter { stage: Some(stage), ..Filter::default() };
        let mut latest = walk_pages(|page| journal.list(&filter, page));
        while let Some(card) = latest.try_next().await?.filter(|card| card.at >= given - PRESENCE_PERIOD) {
            recall_at(ctx, &card, given).await?;
        }
    }
    Ok(())
}

/// Recovers the pings owed at a table. Those due at the time of the note were sent, or are in the note.
async fn recall_at(ctx: &Context, card: &Card, given: Timestamp) -> Result<(), StoreError> {
    let Ok(table) = ctx.registry.table(card.id).await else { return Ok(()) };
    let say =
        if card.stage == Stage::Over { OutboxItem::Result } else { OutboxItem::Board { ply: card.ply } };
    let Some(message) = ctx.registry.journal().posted(card.id, &say).await? else { return Ok(()) };
    for target in ping_targets(ctx, &table, card) {
        let owed = deferred(ctx, &table, target, written_at(message.message));
        if let Some(owed) = owed.filter(|owed| owed.due > given) {
            ctx.deferred_pings.restore(table.id(), target, owed);
        }
    }
    Ok(())
}

/// Returns the recipients of a table's latest board or result.
fn ping_targets(ctx: &Context, table: &Table, card: &Card) -> Vec<PingTarget> {
    if card.stage == Stage::Over {
        let people = ctx.view().result(table).map(|post| post.pings).unwrap_or_default();
        return people.into_iter().map(PingTarget::Result).collect();
    }
    let role = match table.team_to_move().map(|team| &team.members) {
        Some(TeamMembers::Role { role }) => Some(*role).filter(|role| table.pings_role(*role)),
        _ => None,
    };
    card.waited_for().into_iter().map(PingTarget::Mover).chain(role.map(PingTarget::Team)).collect()
}

/// Formats the owed pings, one per line, the oldest first.
fn written(all: &[(TableId, PingTarget, DeferredPing)]) -> String {
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by_key(|(_, _, owed)| owed.posted_at);
    let line = |(table, target, owed): &(TableId, PingTarget, DeferredPing)| {
        let (kind, number) = match target {
            PingTarget::Mover(who) => ("mover", who.0),
            PingTarget::Team(role) => ("team", role.0),
            PingTarget::Result(who) => ("result", who.0),
        };
        format!(
            "{table} {kind} {number} {} {} {}",
            owed.since,
            owed.posted_at.as_millisecond(),
            owed.due.as_millisecond()
        )
    };
    all.into_iter().take(MAX_NOTED).map(line).collect::<Vec<_>>().join("\n")
}

/// Parses the owed pings; invalid lines are left out.
fn read(text: &str) -> Vec<(TableId, PingTarget, DeferredPing)> {
    let line = |line: &str| {
        let [table, kind, number, since, posted_at, due] =
            line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let number = number.parse().ok()?;
        let target = match kind {
            "mover" => PingTarget::Mover(UserId(number)),
            "team" => PingTarget::Team(RoleId(number)),
            "result" => PingTarget::Result(UserId(number)),
            _ => return None,
        };
        let (posted_at, due) =
            (millis::timestamp(posted_at.parse().ok()?), millis::timestamp(due.parse().ok()?));
        Some((table.parse().ok()?, target, DeferredPing { since: since.parse().ok()?, posted_at, due }))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again() {
        let table: TableId = "K7Q2AB".parse().unwrap();
        let owed = |posted_at| DeferredPing { since: 3, posted_at, due: posted_at + PRESENCE_PERIOD };
        let all = [
            (table, PingTarget::Mover(UserId(u64::MAX)), owed(millis::timestamp(1))),
            (table, PingTarget::Team(RoleId(7)), owed(millis::timestamp(2))),
            (table, PingTarget::Result(UserId(1)), owed(millis::timestamp(3))),
        ];
        let text = written(&all);
        assert_eq!(read(&text), all);
        assert_eq!(read(&format!("{text} more\nK7Q2AB guest 1 2 3 4\n")), all[..2]);
        assert_eq!((read(""), written(&[])), (vec![], String::new()));
    }
}
