//! How long rows wait in the outbox, and how long a board takes from its order to the channel.

use std::time::{Duration, Instant};

use rookery_table::OutboxItem;
use rookery_table::ports::{DueItem, Posted};
use rookery_tasks::{OrderPart, Queue};

use super::Outbox;
use crate::discord::wire::error::DiscordError;

impl Outbox {
    /// Waits for the post of a row, and records the times.
    pub(super) async fn timed(
        &self,
        row: &DueItem,
        post: impl Future<Output = Result<Option<Posted>, DiscordError>>,
    ) -> Result<Option<Posted>, DiscordError> {
        let (waited, begun) = (self.age(row), Instant::now());
        let timings = self.ctx.registry.tasks().timings();
        // A row that is retried was not in the queue all the time.
        if let Some(waited) = waited.filter(|_| row.tries == 0) {
            timings.queue_age(Queue::Outbox, waited);
        }
        let said = post.await;
        if let (OutboxItem::Board { .. }, Ok(Some(_)), Some(waited)) = (&row.item, &said, waited) {
            timings.order_part(OrderPart::Queue, waited);
            timings.order_part(OrderPart::Deliver, begun.elapsed());
            timings.order_to_post(waited + begun.elapsed());
        }
        said
    }

    /// Returns how long ago the order of a row was decided.
    fn age(&self, row: &DueItem) -> Option<Duration> {
        let age = self.ctx.registry.now().duration_since(row.due_since?);
        // A clock that was set back gives a negative age.
        Some(Duration::try_from(age).unwrap_or_default())
    }
}
