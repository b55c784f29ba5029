//! The tables that are being spoken for at once, each in a lane of its own, and those that are left alone for a while
//! because something about them cannot be said now: they keep nobody from being heard.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use crate::table::TableId;

/// Tables that are being spoken for at once.
const LANES_MOST: usize = 32;
/// Of these, tables that could not be spoken for the last time: however many there are, the others have room.
const LATE_MOST: usize = LANES_MOST / 2;
/// For how long a table is left alone whose lane ended with a fault of ours.
const AFTER_FAULT: Duration = Duration::from_secs(30);
/// For how long it is remembered that a table is late, should nothing be due for it any more.
const REMEMBERED: Duration = Duration::from_secs(3_600);
/// How long lanes may take when the program stops.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The lanes. What one ends with is for how long its table is to be left alone, if it is.
#[derive(Default)]
pub(super) struct Lanes {
    busy: HashMap<Id, TableId>,
    /// Tables that could not be spoken for the last time, and until when they are left alone.
    late: HashMap<TableId, Instant>,
    tasks: JoinSet<Option<Duration>>,
}

impl Lanes {
    /// Whether one more table can be spoken for.
    pub(super) fn have_room(&self) -> bool {
        self.busy.len() < LANES_MOST
    }

    /// Whether a table is to be spoken for now.
    pub(super) fn take(&self, table: TableId) -> bool {
        if !self.have_room() || self.is_busy(table) {
            return false;
        }
        let late = || self.busy.values().filter(|busy| self.late.contains_key(busy)).count();
        self.late.get(&table).is_none_or(|until| *until <= Instant::now() && late() < LATE_MOST)
    }

    /// Speaks for a table.
    pub(super) fn begin(
        &mut self,
        table: TableId,
        lane: impl Future<Output = Option<Duration>> + Send + 'static,
    ) {
        let task = self.tasks.spawn(lane);
        self.busy.insert(task.id(), table);
    }

    /// Returns when a lane is done, or a table has been left alone for long enough; never, if there is none.
    pub(super) async fn one_done(&mut self) {
        let now = Instant::now();
        self.late.retain(|_, until| now < *until + REMEMBERED);
        let next = self.late.values().filter(|until| **until > now).min().copied();
        let waited = async {
            match next {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some(done) = self.tasks.join_next_with_id() => self.end(done),
            () = waited => {}
        }
    }

    fn end(&mut self, done: Result<(Id, Option<Duration>), JoinError>) {
        let (task, wait) = done.unwrap_or_else(|error| {
            tracing::error!(%error, "a fault in the outbox");
            (error.id(), Some(AFTER_FAULT))
        });
        let Some(table) = self.busy.remove(&task) else { return };
        match wait {
            Some(wait) => drop(self.late.insert(table, Instant::now() + wait)),
            None => drop(self.late.remove(&table)),
        }
    }

    fn is_busy(&self, table: TableId) -> bool {
        self.busy.values().any(|busy| *busy == table)
    }

    /// Waits for what is being said, a moment at most.
    pub(super) async fn finish(mut self) {
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
            tracing::info!("what is not yet said waits in the journal for the next start");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: usize) -> TableId {
        format!("K7Q2{}{}", char::from(b'A' + (number / 8) as u8), number % 8 + 2).parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_fault_in_one_lane_leaves_the_others_alone_and_is_not_tried_again_at_once() {
        let mut lanes = Lanes::default();
        lanes.begin(table(0), async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            None
        });
        lanes.begin(table(1), async { panic!("a fault that is meant") });
        lanes.one_done().await;
        assert!(!lanes.take(table(0)), "it is being spoken for still: twice at once would say things twice");
        assert!(!lanes.take(table(1)), "that would be a fault again, and again");
        lanes.one_done().await;
        assert!(lanes.take(table(1)) && !lanes.take(table(0)));
        lanes.one_done().await;
        assert!(lanes.take(table(0)));
    }

    #[tokio::test(start_paused = true)]
    async fn tables_that_cannot_be_spoken_for_leave_room_for_the_others() {
        let mut lanes = Lanes::default();
        for number in 0..LANES_MOST {
            assert!(lanes.take(table(number)));
            lanes.begin(table(number), async { Some(Duration::from_secs(2)) });
        }
        assert!(!lanes.take(table(40)), "there is no room");
        for _ in 0..LANES_MOST {
            lanes.one_done().await;
        }
        assert!(lanes.take(table(40)) && !lanes.take(table(0)));
        lanes.one_done().await;
        let mut again = 0;
        for number in (0..LANES_MOST).filter(|number| lanes.take(table(*number))).collect::<Vec<_>>() {
            if lanes.take(table(number)) {
                lanes.begin(table(number), std::future::pending());
                again += 1;
            }
        }
        assert_eq!(again, LATE_MOST);
        assert!(lanes.take(table(40)));
    }
}
