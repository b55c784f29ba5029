//! Order among messages: serenity hands each to a task of its own, so that two that come at once may
//! be met in either order. Ids rise with time; this puts them back in order, channel by channel.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rookery_tasks::Tasks;

/// How long a message waits for one that came before it, usually: tasks that are started together run
/// within far less of each other.
pub const SETTLE: Duration = Duration::from_millis(4);
/// How many ids are remembered, to know an event that comes twice.
const REMEMBERED: usize = 2_048;

/// Messages in their order, one at a time per channel.
pub struct InOrder<T> {
    lanes: Mutex<HashMap<u64, Lane<T>>>,
    settle: Duration,
    tasks: Tasks,
}

struct Lane<T> {
    waiting: BTreeMap<u64, T>,
    /// Whether somebody is working through it.
    busy: bool,
}

impl<T> InOrder<T> {
    /// Nothing waits yet; each message will wait so long for one that came before it.
    /// A fault over one is counted among the tasks.
    pub fn settling(settle: Duration, tasks: Tasks) -> InOrder<T> {
        InOrder { lanes: Mutex::default(), settle, tasks }
    }

    /// Deals with a message after all that came before it in its channel. Whoever finds nobody at
    /// work works through everything that waits.
    pub async fn take<F: Future<Output = ()>>(&self, channel: u64, id: u64, what: T, deal: impl Fn(T) -> F) {
        {
            let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            let lane = lanes.entry(channel).or_insert_with(|| Lane { waiting: BTreeMap::new(), busy: false });
            lane.waiting.insert(id, what);
            if lane.busy {
                return;
            }
            lane.busy = true;
        }
        tokio::time::sleep(self.settle).await;
        while let Some(next) = self.next(channel) {
            // A fault must not leave the lane busy for ever: all that comes after it would wait there.
            let dealt = async { deal(next).await };
            if self.tasks.measure("message in order", dealt).await.is_none() {
                tracing::error!(channel, "a fault while dealing with a message");
            }
        }
    }

    /// The earliest that waits; an empty lane is cleared away.
    fn next(&self, channel: u64) -> Option<T> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let first = lanes.get_mut(&channel).and_then(|lane| lane.waiting.pop_first());
        if first.is_none() {
            lanes.remove(&channel);
        }
        first.map(|(_, what)| what)
    }
}

/// Ids met lately.
#[derive(Default)]
pub struct Met(Mutex<(HashSet<u64>, VecDeque<u64>)>);

impl Met {
    /// Whether an id is met for the first time.
    pub fn first_time(&self, id: u64) -> bool {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *met;
        if !known.insert(id) {
            return false;
        }
        order.push_back(id);
        if order.len() > REMEMBERED
            && let Some(oldest) = order.pop_front()
        {
            known.remove(&oldest);
        }
        true
    }

    /// An id that came to nothing is new once more.
    pub fn forget(&self, id: u64) {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *met;
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
        let lanes = Arc::new(InOrder::settling(SETTLE, Tasks::default()));
        let dealt: Arc<Mutex<Vec<u64>>> = Arc::default();
        let one = |id: u64| {
            let (lanes, dealt) = (lanes.clone(), dealt.clone());
            async move {
                lanes
                    .take(1, id, id, |id| {
                        let dealt = dealt.clone();
                        async move {
                            // Slow work must not let a later one pass.
                            tokio::time::sleep(Duration::from_millis(20 - id)).await;
                            dealt.lock().unwrap().push(id);
                        }
                    })
                    .await;
            }
        };
        tokio::join!(one(3), one(1), one(2));
        assert_eq!(*dealt.lock().unwrap(), [1, 2, 3]);
        assert!(lanes.lanes.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_fault_over_one_message_keeps_no_other_waiting() {
        let tasks = Tasks::default();
        let lanes = InOrder::settling(SETTLE, tasks.clone());
        let dealt: Mutex<Vec<u64>> = Mutex::default();
        for id in [1, 2] {
            let deal = |id: u64| {
                let dealt = &dealt;
                async move {
                    assert_ne!(id, 1, "a fault that is meant");
                    dealt.lock().unwrap().push(id);
                }
            };
            lanes.take(1, id, id, deal).await;
        }
        assert_eq!(*dealt.lock().unwrap(), [2]);
        assert_eq!(tasks.status().iter().map(|task| task.panics).sum::<u64>(), 1, "the fault is counted");
    }

    #[test]
    fn an_id_is_new_once() {
        let met = Met::default();
        assert!(met.first_time(1));
        assert!(!met.first_time(1));
        met.forget(1);
        assert!(met.first_time(1) && !met.first_time(1));
        (2..3_000).for_each(|id| assert!(met.first_time(id)));
        assert!(met.first_time(1), "what is long past is forgotten");
        met.forget(2_999);
        assert!(met.first_time(2_999) && !met.first_time(2_998), "what came to nothing is new once more");
    }
}
