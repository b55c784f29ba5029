//! The gateway session: one WebSocket at a time, heartbeats, resuming, reconnecting.
//!
//! serenity's own client drops a whole event if one field of it cannot be read, and exposes its text nowhere.
//! Therefore this module keeps the session itself, with the same WebSocket library, and passes on each
//! event's raw JSON.

mod backoff;
mod connection;
mod frame;
mod protocol;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use backoff::ReconnectBackoff;
use connection::{Connection, ConnectionEnd};
pub(in crate::discord) use protocol::{Dispatch, IdentifyQueue, SessionRefused, ShardId};
use protocol::{Forget, Resumable};
use rookery_table::ports::GatewaySession;
use rookery_tasks::Tasks;
use serenity::all::GatewayIntents;
use tokio::sync::watch;

use crate::discord::wire::network::Network;
use crate::shutdown::Stop;

/// The gateway session of one bot.
pub(in crate::discord) struct Session {
    /// The address to connect to: `wss://…`, without a query.
    url: String,
    token: String,
    intents: GatewayIntents,
    shard: ShardId,
    queue: Arc<dyn IdentifyQueue>,
    network: Arc<dyn Network>,
    tasks: Tasks,
    state: Mutex<State>,
    connected: watch::Sender<bool>,
    /// Whether another process may resume it after this one has stopped.
    outlives_process: bool,
}

#[derive(Default)]
struct State {
    resumable: Option<Resumable>,
    /// The sequence number of the last event.
    seq: Option<u64>,
    /// Whether Discord repeats events after a resume.
    is_replaying: bool,
    /// When the last frame of a connected session arrived.
    last_frame: Option<tokio::time::Instant>,
}

impl Session {
    /// Creates a session that is not yet connected.
    pub(in crate::discord) fn new(
        url: String,
        token: &str,
        intents: GatewayIntents,
        (shard, queue): (ShardId, Arc<dyn IdentifyQueue>),
        network: Arc<dyn Network>,
        tasks: Tasks,
    ) -> Session {
        let (state, connected) = (Mutex::default(), watch::Sender::new(false));
        let token = token.to_owned();
        let outlives_process = false;
        Session { url, token, intents, shard, queue, network, tasks, state, connected, outlives_process }
    }

    /// Makes it a session that other processes go on with, and begins with the one of another process, if there is one.
    pub(in crate::discord) fn shared(mut self, other: Option<GatewaySession>) -> Session {
        self.outlives_process = true;
        if let Some(GatewaySession { id, url, sequence }) = other {
            let url = url.filter(|url| connection::is_same_site(url, &self.url));
            let mut state = self.state();
            (state.resumable, state.seq) = (Some(Resumable { id, url }), Some(sequence));
        }
        self
    }

    /// Returns what another process needs to resume the session.
    pub(in crate::discord) fn resumable(&self) -> Option<GatewaySession> {
        let state = self.state();
        let Resumable { id, url } = state.resumable.clone()?;
        Some(GatewaySession { id, url, sequence: state.seq? })
    }

    /// Whether events arrive now: from READY or RESUMED until the connection is lost.
    pub(in crate::discord) fn connected(&self) -> watch::Receiver<bool> {
        self.connected.subscribe()
    }

    /// Connects, and reconnects whenever the connection is lost, until asked to stop. Events go to `on` in
    /// the order of their arrival; it must not block.
    ///
    /// # Errors
    /// The reason why reconnecting cannot succeed.
    pub(in crate::discord) async fn run(
        &self,
        stop: &Stop,
        on: &(impl Fn(Dispatch) + Sync),
    ) -> Result<(), SessionRefused> {
        let mut backoff = ReconnectBackoff::default();
        loop {
            let resumes = self.state().resumable.is_some();
            tokio::select! {
                biased;
                () = self.wait(&mut backoff, resumes) => {}
                () = stop.finishing() => return Ok(()),
            }
            let since = tokio::time::Instant::now();
            let ended = Connection { session: self, on, backoff: &mut backoff }.run(stop).await;
            self.connected.send_replace(false);
            match ended {
                ConnectionEnd::Stopped => return Ok(()),
                ConnectionEnd::SessionRefused(refused) => return Err(refused),
                ConnectionEnd::Lost { why, forget } => {
                    tracing::info!(why, ?forget, "lost the connection to Discord; reconnecting");
                    self.lost(forget);
                }
            }
            backoff.ended(since.elapsed());
        }
    }

    /// Waits until the next connection may be made.
    async fn wait(&self, backoff: &mut ReconnectBackoff, resumes: bool) {
        backoff.wait(resumes).await;
        if !resumes {
            self.queue.wait(self.shard).await;
        }
    }

    /// Returns the time without frames before the session that begins now; `None` for the first one.
    pub(in crate::discord) fn silent_for(&self) -> Option<Duration> {
        self.state().last_frame.map(|last_frame| last_frame.elapsed())
    }

    fn lost(&self, forget: Forget) {
        let mut state = self.state();
        match forget {
            Forget::Nothing => {}
            Forget::Address => {
                if let Some(resumable) = &mut state.resumable {
                    resumable.url = None;
                }
            }
            Forget::Session => (state.resumable, state.seq) = (None, None),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
