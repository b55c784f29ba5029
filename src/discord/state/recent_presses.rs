//! Recent button presses: a button pressed twice takes effect once, and both presses get the same answer.
//!
//! Discord gives every press its own id, which does not identify a repeated press.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::SignedDuration;
use jiff::Timestamp;
use tokio::sync::OnceCell;

use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The number of entries above which expired ones are removed.
const CACHE_CAPACITY: usize = 1_000;
/// The most entries. Beyond it, those are removed whose work is done and whose period ends first: a repeated press of
/// such an old one is carried out as any other press, whose effect the table or a quota refuses or bounds. Work in
/// progress is always kept: it is bounded by the interactions that are answered at the same time.
const MAX_ENTRIES: usize = 20_000;

/// The recent presses, by key. Clones share them.
#[derive(Clone, Default)]
pub struct RecentPresses(Arc<Mutex<HashMap<String, RecentPress>>>);

/// A press whose work is in progress or done.
#[derive(Clone)]
struct RecentPress {
    /// The end of the period in which a repeated press gets the same answer.
    until: Timestamp,
    /// The answer, once the work is done.
    post: Arc<OnceCell<OutgoingMessage>>,
}

impl RecentPresses {
    /// Does some work and returns its answer. If the same work began within this span, its answer is awaited
    /// and returned instead. Work whose answer is marked `not_kept` is done again at the next press.
    pub async fn run_or_reuse(
        &self,
        what: String,
        (now, span): (Timestamp, SignedDuration),
        work: impl Future<Output = OutgoingMessage>,
    ) -> OutgoingMessage {
        let done = self.begun(what.clone(), now, now + span);
        let post = done.get_or_init(|| work).await.clone();
        if post.not_kept {
            self.forget(&what, &done);
        }
        post
    }

    /// Removes an entry, unless newer work has replaced it.
    fn forget(&self, what: &str, done: &Arc<OnceCell<OutgoingMessage>>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.get(what).is_some_and(|known| Arc::ptr_eq(&known.post, done)) {
            known.remove(what);
        }
    }

    fn begun(&self, what: String, now: Timestamp, until: Timestamp) -> Arc<OnceCell<OutgoingMessage>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CACHE_CAPACITY {
            known.retain(|_, done| done.until > now);
        }
        if known.len() >= MAX_ENTRIES {
            remove_oldest(&mut known);
        }
        let fresh = || RecentPress { until, post: Arc::default() };
        let done = known.entry(what).or_insert_with(fresh);
        if done.until <= now {
            *done = fresh();
        }
        done.post.clone()
    }
}

/// Removes a quarter of the entries whose work is done, those that end first.
fn remove_oldest(known: &mut HashMap<String, RecentPress>) {
    let ends = known.values().filter(|press| press.post.initialized()).map(|press| press.until);
    let mut ends: Vec<Timestamp> = ends.collect();
    ends.sort_unstable();
    let Some(last) = ends.get(ends.len() / 4).copied() else { return };
    known.retain(|_, press| !press.post.initialized() || press.until > last);
}

#[cfg(test)]
mod tests {
    use rookery_table::millis;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn repeated_presses_run_once_until_they_expire() {
        let (recent_presses, tries) = (RecentPresses::default(), AtomicUsize::new(0));
        let work = || async {
            let number = tries.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            OutgoingMessage::text(number.to_string())
        };
        let at = |now: Timestamp, what: &str| {
            recent_presses.run_or_reuse(what.to_owned(), (now, SignedDuration::from_millis(100)), work())
        };
        let (first, second) = tokio::join!(at(millis::timestamp(0), "a"), at(millis::timestamp(1), "a"));
        assert_eq!((first.content.as_str(), second.content.as_str()), ("0", "0"), "at the same moment");
        assert_eq!(at(millis::timestamp(99), "a").await.content, "0", "and a little later");
        assert_eq!(at(millis::timestamp(99), "b").await.content, "1", "something else");
        assert_eq!(at(millis::timestamp(100), "a").await.content, "2", "long past");
    }

    #[tokio::test]
    async fn fresh_presses_are_bounded_and_work_in_progress_is_kept() {
        let presses = RecentPresses::default();
        let span = SignedDuration::from_secs(3_600);
        let running = presses.begun("running".to_owned(), millis::timestamp(0), millis::timestamp(0) + span);
        for number in 0..=MAX_ENTRIES {
            let now = millis::timestamp(i64::try_from(number).unwrap());
            let work = async { OutgoingMessage::default() };
            presses.run_or_reuse(number.to_string(), (now, span), work).await;
            assert!(presses.0.lock().unwrap().len() <= MAX_ENTRIES);
        }
        let known = presses.0.lock().unwrap();
        assert!(Arc::ptr_eq(&known["running"].post, &running));
        assert!(!known.contains_key("0") && known.contains_key(&MAX_ENTRIES.to_string()));
    }

    #[tokio::test(start_paused = true)]
    async fn presses_that_were_not_stored_run_again() {
        let (recent_presses, tries) = (RecentPresses::default(), AtomicUsize::new(0));
        let work = || async {
            let not_kept = tries.fetch_add(1, Ordering::Relaxed) == 0;
            OutgoingMessage { not_kept, ..OutgoingMessage::default() }
        };
        for (now, not_kept, done) in [(0, true, 1), (1, false, 2), (2, false, 2)] {
            let post = recent_presses
                .run_or_reuse(
                    "a".to_owned(),
                    (millis::timestamp(now), SignedDuration::from_millis(100)),
                    work(),
                )
                .await;
            assert_eq!((post.not_kept, tries.load(Ordering::Relaxed)), (not_kept, done));
        }
    }
}
