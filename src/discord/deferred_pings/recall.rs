//! What an earlier process still owed. Its note says up to when all pings were given that were due, and which were
//! put off and are still owed: in quiet hours, or because Discord could not be reached. What came after the note is
//! found in the journal: boards and results that were posted within a minute of something that their readers did.

use rookery_table::ports::{Card, Filter, JournalError, Stage};
use rookery_table::teams::Crowd;
use rookery_table::{Person, Say, Table, TableId};

use super::super::desk::Desk;
use super::super::in_place::written_ms;
use super::super::pings::PRESENT_MS;
use super::{Called, Owed, owed};

/// Under which name it is noted up to when all were given, in milliseconds since 1970.
const GIVEN_NOTE: &str = "deferred-pings";
/// Under which name the pings are noted that are owed.
const OWED_NOTE: &str = "deferred-pings-owed";
/// Tables looked through at a start, of those that go on and of those that are over.
const MAX_TABLES: usize = 10_000;
/// Pings that are noted.
const MAX_NOTED: usize = 2_000;

/// Notes what is owed, and that all else was given that was due at a moment, in milliseconds since 1970.
pub(super) async fn note(desk: &Desk, given_ms: i64) -> Result<(), JournalError> {
    let journal = desk.hall.journal();
    let text = written(&desk.deferred_pings.all());
    // Most of the time nothing is owed, and nothing was.
    if journal.note(OWED_NOTE).await?.unwrap_or_default() != text {
        journal.keep_note(OWED_NOTE, &text).await?;
    }
    journal.keep_note(GIVEN_NOTE, &given_ms.to_string()).await
}

/// Finds what the process before still owed when it ended.
pub(super) async fn recall(desk: &Desk) -> Result<(), JournalError> {
    let journal = desk.hall.journal();
    let Some(given_ms) = journal.note(GIVEN_NOTE).await?.and_then(|text| text.parse::<i64>().ok()) else {
        return Ok(());
    };
    for (table, called, owed) in read(&journal.note(OWED_NOTE).await?.unwrap_or_default()) {
        desk.deferred_pings.owe_again(table, called, owed);
    }
    for stage in [Stage::Running, Stage::Over] {
        let filter = Filter { stage: Some(stage), most: MAX_TABLES, ..Filter::default() };
        let cards = journal.list(&filter).await?;
        for card in cards.iter().take_while(|card| card.at_ms >= given_ms - PRESENT_MS) {
            recall_at(desk, card, given_ms).await?;
        }
    }
    Ok(())
}

/// Finds what is owed at a table; what was due when it was noted was given, or is in the note.
async fn recall_at(desk: &Desk, card: &Card, given_ms: i64) -> Result<(), JournalError> {
    let Ok(table) = desk.hall.see(card.id).await else { return Ok(()) };
    let say = if card.stage == Stage::Over { Say::Result } else { Say::Board { ply: card.ply } };
    let Some(message) = desk.hall.journal().posted(card.id, &say).await? else { return Ok(()) };
    for called in called(desk, &table, card) {
        let owed = owed(desk, &table, called, written_ms(message.message));
        if let Some(owed) = owed.filter(|owed| owed.due_ms > given_ms) {
            desk.deferred_pings.owe_again(table.id(), called, owed);
        }
    }
    Ok(())
}

/// Whom the latest board of a table calls, or its result.
fn called(desk: &Desk, table: &Table, card: &Card) -> Vec<Called> {
    if card.stage == Stage::Over {
        let people = desk.layout().result(table).map(|post| post.pings).unwrap_or_default();
        return people.into_iter().map(Called::Result).collect();
    }
    let role = match table.team_to_move().map(|team| &team.crowd) {
        Some(Crowd::Role { role }) => Some(*role).filter(|role| table.pings_role(*role)),
        _ => None,
    };
    card.waited_for().into_iter().map(Called::Mover).chain(role.map(Called::Team)).collect()
}

/// What is owed, one in a line, the oldest first.
fn written(all: &[(TableId, Called, Owed)]) -> String {
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by_key(|(_, _, owed)| owed.posted_ms);
    let line = |(table, called, owed): &(TableId, Called, Owed)| {
        let (kind, number) = match called {
            Called::Mover(who) => ("mover", who.0),
            Called::Team(role) => ("team", *role),
            Called::Result(who) => ("result", who.0),
        };
        format!("{table} {kind} {number} {} {} {}", owed.since, owed.posted_ms, owed.due_ms)
    };
    all.into_iter().take(MAX_NOTED).map(line).collect::<Vec<_>>().join("\n")
}

/// The same, read; what cannot be read is left out.
fn read(text: &str) -> Vec<(TableId, Called, Owed)> {
    let line = |line: &str| {
        let [table, kind, number, since, posted_ms, due_ms] =
            line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let number = number.parse().ok()?;
        let called = match kind {
            "mover" => Called::Mover(Person(number)),
            "team" => Called::Team(number),
            "result" => Called::Result(Person(number)),
            _ => return None,
        };
        let (posted_ms, due_ms) = (posted_ms.parse().ok()?, due_ms.parse().ok()?);
        Some((table.parse().ok()?, called, Owed { since: since.parse().ok()?, posted_ms, due_ms }))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again() {
        let table: TableId = "K7Q2AB".parse().unwrap();
        let owed = |posted_ms| Owed { since: 3, posted_ms, due_ms: posted_ms + PRESENT_MS };
        let all = [
            (table, Called::Mover(Person(u64::MAX)), owed(1)),
            (table, Called::Team(7), owed(2)),
            (table, Called::Result(Person(1)), owed(3)),
        ];
        let text = written(&all);
        assert_eq!(read(&text), all);
        assert_eq!(read(&format!("{text} more\nK7Q2AB guest 1 2 3 4\n")), all[..2]);
        assert_eq!((read(""), written(&[])), (vec![], String::new()));
    }
}
