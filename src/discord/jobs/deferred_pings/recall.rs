//! What an earlier process still owed. Its note says up to when all pings were given that were due, and which were
//! put off and are still owed: in quiet hours, or because Discord could not be reached. What came after the note is
//! found in the journal: boards and results that were posted within a minute of something that their readers did.

use rookery_table::ports::{Card, Filter, Stage, StoreError};
use rookery_table::teams::TeamMembers;
use rookery_table::{OutboxItem, Person, Table, TableId};

use super::{DeferredPing, PingTarget, deferred};
use crate::discord::state::context::Context;
use crate::discord::state::deferred_pings::PRESENT_MS;
use crate::discord::wire::snowflake::written_ms;

/// Under which name it is noted up to when all were given, in milliseconds since 1970.
const GIVEN_NOTE: &str = "deferred-pings";
/// Under which name the pings are noted that are owed.
const OWED_NOTE: &str = "deferred-pings-owed";
/// Tables looked through at a start, of those that go on and of those that are over.
const MAX_TABLES: usize = 10_000;
/// Pings that are noted.
const MAX_NOTED: usize = 2_000;

/// Notes what is owed, and that all else was given that was due at a moment, in milliseconds since 1970.
pub(super) async fn note(ctx: &Context, given_ms: i64) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    let text = written(&ctx.deferred_pings.all());
    // Most of the time nothing is owed, and nothing was.
    if journal.note(OWED_NOTE).await?.unwrap_or_default() != text {
        journal.keep_note(OWED_NOTE, &text).await?;
    }
    journal.keep_note(GIVEN_NOTE, &given_ms.to_string()).await
}

/// Finds what the process before still owed when it ended.
pub(super) async fn recall(ctx: &Context) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    let Some(given_ms) = journal.note(GIVEN_NOTE).await?.and_then(|text| text.parse::<i64>().ok()) else {
        return Ok(());
    };
    for (table, called, owed) in read(&journal.note(OWED_NOTE).await?.unwrap_or_default()) {
        ctx.deferred_pings.owe_again(table, called, owed);
    }
    for stage in [Stage::Running, Stage::Over] {
        let filter = Filter { stage: Some(stage), most: MAX_TABLES, ..Filter::default() };
        let cards = journal.list(&filter).await?;
        for card in cards.iter().take_while(|card| card.at_ms >= given_ms - PRESENT_MS) {
            recall_at(ctx, card, given_ms).await?;
        }
    }
    Ok(())
}

/// Finds what is owed at a table; what was due when it was noted was given, or is in the note.
async fn recall_at(ctx: &Context, card: &Card, given_ms: i64) -> Result<(), StoreError> {
    let Ok(table) = ctx.registry.table(card.id).await else { return Ok(()) };
    let say =
        if card.stage == Stage::Over { OutboxItem::Result } else { OutboxItem::Board { ply: card.ply } };
    let Some(message) = ctx.registry.journal().posted(card.id, &say).await? else { return Ok(()) };
    for called in called(ctx, &table, card) {
        let owed = deferred(ctx, &table, called, written_ms(message.message));
        if let Some(owed) = owed.filter(|owed| owed.due_ms > given_ms) {
            ctx.deferred_pings.owe_again(table.id(), called, owed);
        }
    }
    Ok(())
}

/// Whom the latest board of a table calls, or its result.
fn called(ctx: &Context, table: &Table, card: &Card) -> Vec<PingTarget> {
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

/// What is owed, one in a line, the oldest first.
fn written(all: &[(TableId, PingTarget, DeferredPing)]) -> String {
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by_key(|(_, _, owed)| owed.posted_ms);
    let line = |(table, called, owed): &(TableId, PingTarget, DeferredPing)| {
        let (kind, number) = match called {
            PingTarget::Mover(who) => ("mover", who.0),
            PingTarget::Team(role) => ("team", *role),
            PingTarget::Result(who) => ("result", who.0),
        };
        format!("{table} {kind} {number} {} {} {}", owed.since, owed.posted_ms, owed.due_ms)
    };
    all.into_iter().take(MAX_NOTED).map(line).collect::<Vec<_>>().join("\n")
}

/// The same, read; what cannot be read is left out.
fn read(text: &str) -> Vec<(TableId, PingTarget, DeferredPing)> {
    let line = |line: &str| {
        let [table, kind, number, since, posted_ms, due_ms] =
            line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let number = number.parse().ok()?;
        let called = match kind {
            "mover" => PingTarget::Mover(Person(number)),
            "team" => PingTarget::Team(number),
            "result" => PingTarget::Result(Person(number)),
            _ => return None,
        };
        let (posted_ms, due_ms) = (posted_ms.parse().ok()?, due_ms.parse().ok()?);
        Some((table.parse().ok()?, called, DeferredPing { since: since.parse().ok()?, posted_ms, due_ms }))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again() {
        let table: TableId = "K7Q2AB".parse().unwrap();
        let owed = |posted_ms| DeferredPing { since: 3, posted_ms, due_ms: posted_ms + PRESENT_MS };
        let all = [
            (table, PingTarget::Mover(Person(u64::MAX)), owed(1)),
            (table, PingTarget::Team(7), owed(2)),
            (table, PingTarget::Result(Person(1)), owed(3)),
        ];
        let text = written(&all);
        assert_eq!(read(&text), all);
        assert_eq!(read(&format!("{text} more\nK7Q2AB guest 1 2 3 4\n")), all[..2]);
        assert_eq!((read(""), written(&[])), (vec![], String::new()));
    }
}
