//! What the journal says of a game's clock, computed from its entries alone, beside what is stored and shown.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use rookery_table::clock::{GRACE, TimeSpan};
use rookery_table::ports::{Entry, Journal, walk_pages};
use rookery_table::{EndCause, Event, Status, Table, TableId};

use futures_util::TryStreamExt;

/// The time of a person who plays on the first seat, by the entries.
struct TimeUsed {
    /// What they have used by the latest entry.
    used: SignedDuration,
    /// Since when they are to move.
    turn_since: Option<Timestamp>,
    started_at: Timestamp,
    latest: Timestamp,
}

/// Adds up the turns of the first seat, without the time that was given back.
fn time_used(entries: &[Entry]) -> TimeUsed {
    let start = entries.iter().find(|entry| matches!(entry.event, Event::Started { .. })).unwrap().at;
    let mut account =
        TimeUsed { used: SignedDuration::ZERO, turn_since: Some(start), started_at: start, latest: start };
    for entry in entries.iter().filter(|entry| entry.at >= start) {
        if account.turn_since.is_some() {
            account.used += entry.at.duration_since(account.latest);
        }
        match &entry.event {
            Event::Lost { spans } if account.turn_since.is_some() => {
                account.used -= spans.iter().map(|span| length(*span)).sum::<SignedDuration>();
            }
            Event::Moved { seat, .. } => {
                account.turn_since = (*seat != Seat::FIRST).then_some(entry.at);
            }
            _ => {}
        }
        account.latest = account.latest.max(entry.at);
    }
    account
}

fn length(span: TimeSpan) -> SignedDuration {
    span.until.duration_since(span.from)
}

/// Checks a game of a person on the first seat against the bot, if it has a clock without an increment: the time used,
/// the deadline, the moment that is stored, and that nobody lost on time.
pub(super) async fn check(journal: &dyn Journal, id: TableId) {
    let (entries, stored) = at_one_moment(journal, id).await;
    let table = Table::replay(id, &entries).unwrap().unwrap();
    let Some(clock) = table.clock() else { return };
    if let Status::Over(ending) = table.status() {
        assert!(!matches!(ending.cause, EndCause::OnTime), "{id}: {ending:?}");
        return;
    }
    let account = time_used(&entries);
    let left = clock.terms().initial - account.used;
    assert_eq!(clock.left(Seat::FIRST, account.latest), left, "{id}: the time left, by its entries");
    let deadline = account.turn_since.map(|_| (account.latest + left).max(account.started_at + GRACE));
    assert_eq!(clock.deadline(), deadline, "{id}: the deadline, by its entries");
    // A reminder may come before the deadline.
    assert_eq!(stored, table.next_due(), "{id}: what is stored");
    assert!(deadline.is_none_or(|deadline| stored.is_some_and(|stored| stored <= deadline)), "{id}");
}

/// Returns the entries of a table, and when it is due, as they belong together.
async fn at_one_moment(journal: &dyn Journal, id: TableId) -> (Vec<Entry>, Option<Timestamp>) {
    loop {
        let entries = journal.load(id).await.unwrap();
        let timers: Vec<(TableId, Timestamp)> =
            walk_pages(|page| journal.timers(Timestamp::MAX, page)).try_collect().await.unwrap();
        if journal.load(id).await.unwrap().len() == entries.len() {
            let stored = timers.into_iter().find(|(table, _)| *table == id).map(|(_, at)| at);
            return (entries, stored);
        }
    }
}
