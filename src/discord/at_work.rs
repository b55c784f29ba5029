//! What is being answered right now: before the program ends it is brought to its end, so that nobody is left with
//! "thinking…".

use std::time::Duration;

use tokio::sync::watch;

/// Counts what is at work. A copy counts the same.
#[derive(Clone)]
pub(super) struct AtWork(watch::Sender<usize>);

/// Something at work, until it is dropped.
pub(super) struct Busy(watch::Sender<usize>);

impl Default for AtWork {
    fn default() -> AtWork {
        AtWork(watch::Sender::new(0))
    }
}

impl AtWork {
    /// Something begins.
    pub(super) fn begin(&self) -> Busy {
        self.0.send_modify(|count| *count += 1);
        Busy(self.0.clone())
    }

    /// Waits until nothing is at work, at most so long; what is left then is told in the log.
    pub(super) async fn done_within(&self, most: Duration) {
        let mut count = self.0.subscribe();
        if tokio::time::timeout(most, count.wait_for(|count| *count == 0)).await.is_err() {
            tracing::warn!(left = *self.0.borrow(), "answers are left unfinished");
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_at_work_is_waited_for_but_not_for_ever() {
        let (at_work, since) = (AtWork::default(), tokio::time::Instant::now());
        at_work.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::ZERO, "nothing is");
        let busy = at_work.begin();
        tokio::spawn(async move {
            let _busy = busy;
            tokio::time::sleep(Duration::from_secs(2)).await;
        });
        at_work.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::from_secs(2));
        let _never = at_work.begin();
        at_work.done_within(Duration::from_secs(5)).await;
        assert_eq!(since.elapsed(), Duration::from_secs(7));
    }
}
