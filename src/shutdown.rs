//! Shutdown in two stages: the first signal lets running work finish, the second leaves at once and waits
//! only for the current write to the journal.

use tokio::sync::watch;

use rookery_tasks::Shutdown;

/// The stages of the shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Everything runs; no stop was requested.
    Running,
    /// No new work begins; the outbox is emptied.
    Finishing,
    /// Unfinished work is left to the journal and the next start.
    Leaving,
}

/// Starts the shutdown. When the last clone is dropped, [`Stop`] reads as [`Stage::Leaving`].
#[derive(Clone, Debug)]
pub struct ShutdownTrigger(watch::Sender<Stage>);

/// The receiving side, which all parts await; clones are cheap.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<Stage>);

/// Creates a connected pair.
pub fn channel() -> (ShutdownTrigger, Stop) {
    let (sender, receiver) = watch::channel(Stage::Running);
    (ShutdownTrigger(sender), Stop(receiver))
}

impl ShutdownTrigger {
    /// Advances one stage: from running to finishing, from finishing to leaving.
    pub fn advance(&self) {
        self.0.send_modify(|stage| {
            *stage = if *stage == Stage::Running { Stage::Finishing } else { Stage::Leaving };
        });
    }

    /// Goes to [`Stage::Leaving`] directly.
    pub fn leave(&self) {
        self.0.send_replace(Stage::Leaving);
    }

    /// Presses at each SIGINT (Ctrl-C) and SIGTERM, until the second one. Run it as a task of its own.
    ///
    /// # Errors
    /// The system's error if signals cannot be received.
    pub async fn advance_at_signals(self) -> std::io::Result<()> {
        let mut signals = Signals::listen()?;
        while *self.0.borrow() < Stage::Leaving {
            signals.next().await;
            self.advance();
            tracing::info!(stage = ?*self.0.borrow(), "stopping; ask again to stop at once");
        }
        Ok(())
    }
}

impl Stop {
    /// Returns the present stage.
    pub fn stage(&self) -> Stage {
        if self.0.has_changed().is_err() { Stage::Leaving } else { *self.0.borrow() }
    }

    /// Completes when no new work should begin.
    pub async fn finishing(&self) {
        self.wait_for_stage(Stage::Finishing).await;
    }

    /// Completes when all work should be dropped at once.
    pub async fn leaving(&self) {
        self.wait_for_stage(Stage::Leaving).await;
    }

    async fn wait_for_stage(&self, wanted: Stage) {
        let mut stage = self.0.clone();
        // An error means that the last switch is gone, which also ends the program.
        drop(stage.wait_for(|stage| *stage >= wanted).await);
    }
}

impl Shutdown for Stop {
    fn has_begun(&self) -> bool {
        self.stage() > Stage::Running
    }

    async fn begun(&self) {
        self.finishing().await;
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn is_waiting(wait: impl Future<Output = ()>) -> bool {
        tokio::time::timeout(Duration::from_secs(3600), wait).await.is_err()
    }

    #[tokio::test(start_paused = true)]
    async fn shutdown_has_two_stages() {
        let (switch, stop) = channel();
        assert_eq!(stop.stage(), Stage::Running);
        assert!(is_waiting(stop.finishing()).await);
        switch.advance();
        assert_eq!(stop.stage(), Stage::Finishing);
        stop.finishing().await;
        assert!(is_waiting(stop.leaving()).await);
        switch.advance();
        stop.leaving().await;
        switch.advance();
        assert_eq!(stop.stage(), Stage::Leaving);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_tasks_are_woken_and_later_ones_return_at_once() {
        let (switch, stop) = channel();
        let waiter = tokio::spawn({
            let stop = stop.clone();
            async move { stop.leaving().await }
        });
        tokio::task::yield_now().await;
        switch.leave();
        waiter.await.unwrap();
        stop.clone().finishing().await;
    }

    #[tokio::test]
    async fn dropping_the_trigger_ends_the_program() {
        let (switch, stop) = channel();
        drop(switch);
        stop.leaving().await;
        assert_eq!(stop.stage(), Stage::Leaving);
    }

    /// Sends real signals to this process, which would end it without a listener.
    #[tokio::test]
    #[cfg(unix)]
    async fn signals_advance_the_shutdown() {
        let (switch, stop) = channel();
        let mut signals = Signals::listen().unwrap();
        let task = tokio::spawn(switch.advance_at_signals());
        tokio::task::yield_now().await;
        send("-TERM").await;
        signals.next().await;
        stop.finishing().await;
        assert_eq!(stop.stage(), Stage::Finishing);
        send("-INT").await;
        stop.leaving().await;
        task.await.unwrap().unwrap();
    }

    #[cfg(unix)]
    async fn send(signal: &str) {
        let me = std::process::id().to_string();
        let sent = tokio::process::Command::new("sh")
            .args(["-c", "kill \"$0\" \"$1\"", signal, &me])
            .status()
            .await
            .unwrap();
        assert!(sent.success());
    }
}
