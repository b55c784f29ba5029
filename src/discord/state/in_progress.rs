//! Counts the answers in progress: they are finished before the program ends, so that nobody is left with
//! "thinking…".

use std::time::Duration;

use tokio::sync::watch;

/// The number of answers in progress. Clones share the count.
#[derive(Clone)]
pub(in crate::discord) struct InProgress(watch::Sender<usize>);

/// An answer in progress, counted until it is dropped.
pub(in crate::discord) struct InProgressGuard(watch::Sender<usize>);

impl Default for InProgress {
    fn default() -> InProgress {
        InProgress(watch::Sender::new(0))
    }
}

impl InProgress {
    /// Counts an answer as in progress until the guard is dropped.
    pub(in crate::discord) fn begin(&self) -> InProgressGuard {
        self.0.send_modify(|count| *count += 1);
        InProgressGuard(self.0.clone())
    }

    /// Waits until nothing is in progress, at most this long; the number of unfinished answers is logged.
    pub(in crate::discord) async fn done_within(&self, most: Duration) {
        let mut count = self.0.subscribe();
        if tokio::time::timeout(most, count.wait_for(|count| *count == 0)).await.is_err() {
            tracing::warn!(left = *self.0.borrow(), "stopping with unfinished answers");
        }
    }
}

impl Drop for InProgressGuard {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn shutdown_waits_for_answers_up_to_a_limit() {
        let (in_progress, since) = (InProgress::default(), tokio::time::Instant::now());
        in_progress.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::ZERO, "nothing is");
        let busy = in_progress.begin();
        tokio::spawn(async move {
            let _busy = busy;
            tokio::time::sleep(Duration::from_secs(2)).await;
        });
        in_progress.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::from_secs(2));
        let _never = in_progress.begin();
        in_progress.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::from_secs(7));
    }
}
