//! Orders messages: each arrives in its own task, so that two that come at once may be handled in either
//! order. Ids rise with time, so they restore the order, channel by channel.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rookery_table::{ChannelId, MessageId, SourceId};
use rookery_tasks::Tasks;

/// The default time that a message waits for an earlier one: tasks that are started together run within far
/// less of each other.
pub const REORDER_DELAY: Duration = Duration::from_millis(4);
/// The number of remembered ids, with which repeated events are recognized.
const CACHE_CAPACITY: usize = 2_048;

/// Messages in order, one at a time per channel.
pub struct OrderedMessages<T> {
    channels: Mutex<HashMap<ChannelId, ChannelQueue<T>>>,
    reorder_delay: Duration,
    tasks: Tasks,
}

struct ChannelQueue<T> {
    waiting: BTreeMap<MessageId, T>,
    /// Whether a task is working on this queue.
    busy: bool,
}

impl<T> OrderedMessages<T> {
    /// Creates an empty queue in which each message waits `reorder_delay` for earlier ones. Panics in
    /// handlers are counted by `tasks`.
    pub fn with_delay(reorder_delay: Duration, tasks: Tasks) -> OrderedMessages<T> {
        OrderedMessages { channels: Mutex::default(), reorder_delay, tasks }
    }

    /// Handles a message after all earlier ones of its channel. A task that finds no other one working on the
    /// channel handles all waiting messages.
    pub async fn handle_in_order<F: Future<Output = ()>>(
        &self,
        channel: ChannelId,
        id: MessageId,
        what: T,
        handle: impl Fn(T) -> F,
    ) {
        {
            let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
            let lane = channels
                .entry(channel)
                .or_insert_with(|| ChannelQueue { waiting: BTreeMap::new(), busy: false });
            lane.waiting.insert(id, what);
            if lane.busy {
                return;
            }
            lane.busy = true;
        }
        tokio::time::sleep(self.reorder_delay).await;
        while let Some(next) = self.next(channel) {
            // A panic must not leave the queue busy: all later messages would wait forever.
            let handled = async { handle(next).await };
            if self.tasks.measure("message in order", handled).await.is_none() {
                tracing::error!(%channel, "unexpected error while handling a message");
            }
        }
    }

    /// Returns the earliest waiting message, or removes the queue if it is empty.
    fn next(&self, channel: ChannelId) -> Option<T> {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        let first = channels.get_mut(&channel).and_then(|lane| lane.waiting.pop_first());
        if first.is_none() {
            channels.remove(&channel);
        }
        first.map(|(_, what)| what)
    }
}

/// The ids seen recently.
#[derive(Default)]
pub struct SeenIds(Mutex<(HashSet<SourceId>, VecDeque<SourceId>)>);

impl SeenIds {
    /// Returns whether an id is seen for the first time.
    pub fn insert(&self, id: SourceId) -> bool {
        let mut seen_ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *seen_ids;
        if !known.insert(id) {
            return false;
        }
        order.push_back(id);
        if order.len() > CACHE_CAPACITY
            && let Some(oldest) = order.pop_front()
        {
            known.remove(&oldest);
        }
        true
    }

    /// Removes an id whose event had no effect, so that it counts as new again.
    pub fn forget(&self, id: SourceId) {
        let mut seen_ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *seen_ids;
        if known.remove(&id) {
            order.retain(|other| *other != id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn messages_that_come_together_are_dealt_with_by_id() {
        let channels = Arc::new(OrderedMessages::with_delay(REORDER_DELAY, Tasks::default()));
        let handled: Arc<Mutex<Vec<u64>>> = Arc::default();
        let one = |id: MessageId| {
            let (channels, handled) = (channels.clone(), handled.clone());
            async move {
                channels
                    .handle_in_order(ChannelId(1), id, id, |id| {
                        let handled = handled.clone();
                        async move {
                            // Slow work must not let a later message overtake it.
                            tokio::time::sleep(Duration::from_millis(20 - id.0)).await;
                            handled.lock().unwrap().push(id.0);
                        }
                    })
                    .await;
            }
        };
        tokio::join!(one(MessageId(3)), one(MessageId(1)), one(MessageId(2)));
        assert_eq!(*handled.lock().unwrap(), [1, 2, 3]);
        assert!(channels.channels.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn message_order_survives_a_panic() {
        let tasks = Tasks::default();
        let channels = OrderedMessages::with_delay(REORDER_DELAY, tasks.clone());
        let handled: Mutex<Vec<u64>> = Mutex::default();
        for id in [1, 2].map(MessageId) {
            let handle = |id: MessageId| {
                let handled = &handled;
                async move {
                    assert_ne!(id.0, 1, "a fault that is meant");
                    handled.lock().unwrap().push(id.0);
                }
            };
            channels.handle_in_order(ChannelId(1), id, id, handle).await;
        }
        assert_eq!(*handled.lock().unwrap(), [2]);
        assert_eq!(tasks.status().iter().map(|task| task.panics).sum::<u64>(), 1, "the fault is counted");
    }

    #[test]
    fn an_id_is_new_once() {
        let seen_ids = SeenIds::default();
        assert!(seen_ids.insert(SourceId(1)));
        assert!(!seen_ids.insert(SourceId(1)));
        seen_ids.forget(SourceId(1));
        assert!(seen_ids.insert(SourceId(1)) && !seen_ids.insert(SourceId(1)));
        (2..3_000).for_each(|id| assert!(seen_ids.insert(SourceId(id))));
        assert!(seen_ids.insert(SourceId(1)), "what is long past is forgotten");
        seen_ids.forget(SourceId(2_999));
        assert!(
            seen_ids.insert(SourceId(2_999)) && !seen_ids.insert(SourceId(2_998)),
            "what came to nothing is new once more"
        );
    }
}
