//! How long rows wait in the outbox, and how long a board takes from its order to the channel.

use std::time::{Duration, Instant};

use rookery_table::ports::DueItem;
use rookery_tasks::{OrderPart, Queue};

use super::Outbox;

/// The times of a row at the start of an attempt to post it.
pub(super) struct AttemptTimer {
    begun: Instant,
    /// The time since its order; `None` if that is unknown.
    since_order: Option<Duration>,
    /// The time in the outbox: since the end of the write, or since the order if this process doesn't know that.
    queued: Option<Duration>,
}

impl Outbox {
    /// Starts to time an attempt. The first one records how long the row was in the queue.
    pub(super) fn begin_attempt(&self, row: &DueItem) -> AttemptTimer {
        let begun = Instant::now();
        let since_order = self.age(row);
        let appended = row.due_since.and_then(|decided| self.ctx.registry.appended_at(row.table, decided));
        let queued = appended.map(|at| begun.saturating_duration_since(at)).or(since_order);
        let is_first = self
            .attempts
            .of(row, |attempts_of_row| !std::mem::replace(&mut attempts_of_row.was_picked_up, true));
        // A row that an earlier process has tried was not in the queue all the time.
        if let Some(queued) = queued.filter(|_| is_first && row.tries == 0) {
            self.ctx.registry.tasks().timings().queue_age(Queue::Outbox, queued);
        }
        AttemptTimer { begun, since_order, queued }
    }

    /// Records the times of a board that was posted just now, once for each row.
    pub(super) fn record_board_post(&self, row: &DueItem, timer: &AttemptTimer) {
        let was_recorded =
            self.attempts.of(row, |attempts_of_row| std::mem::replace(&mut attempts_of_row.was_timed, true));
        let (Some(since_order), Some(queued), false) = (timer.since_order, timer.queued, was_recorded) else {
            return;
        };
        let timings = self.ctx.registry.tasks().timings();
        timings.order_part(OrderPart::Queue, queued);
        timings.order_part(OrderPart::Deliver, timer.begun.elapsed());
        timings.order_to_post(since_order + timer.begun.elapsed());
    }

    /// Returns how long ago the order of a row was decided.
    fn age(&self, row: &DueItem) -> Option<Duration> {
        let age = self.ctx.registry.now().duration_since(row.due_since?);
        // A clock that was set back gives a negative age.
        Some(Duration::try_from(age).unwrap_or_default())
    }
}
