//! The gateway session: one WebSocket at a time, heartbeats, resuming, reconnecting.
//!
//! serenity's own client drops an event whole where one field of it cannot be read, and gives nobody the text.
//! So the session is kept here, over the same WebSocket library, and hands on each event's JSON as it came.

mod backoff;
mod connection;
mod frame;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use rookery_tasks::Tasks;
use serde_json::Value;
use serenity::all::GatewayIntents;
use tokio::sync::watch;

use crate::shutdown::Stop;

use backoff::ReconnectBackoff;
use connection::{Connection, ConnectionEnd};

/// An event of Discord's, unread.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::discord) struct Dispatch {
    /// Its name, such as `MESSAGE_CREATE`.
    pub(in crate::discord) name: String,
    /// Its data.
    pub(in crate::discord) data: Value,
}

/// Why connecting again would be senseless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::discord) enum SessionRefused {
    /// The token is not accepted (4004).
    #[error("the token is not accepted")]
    BadToken,
    /// An intent is not switched on in the developer portal (4014).
    #[error("an intent is not switched on in Discord's developer portal")]
    DisallowedIntents,
    /// Our own mistake, or a bot that has outgrown one connection.
    #[error("Discord closed the connection for good ({code}): {why}")]
    Other {
        /// Discord's close code.
        code: u16,
        /// What it means.
        why: &'static str,
    },
}

/// What Discord knows of our session, to go on with it on another connection.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Resumable {
    id: String,
    /// Where to resume; `None` for the usual address.
    url: Option<String>,
}

/// The gateway of one bot.
pub(in crate::discord) struct Session {
    /// Where to connect: `wss://…`, without a query.
    url: String,
    token: String,
    intents: GatewayIntents,
    tasks: Tasks,
    state: Mutex<State>,
    connected: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    resumable: Option<Resumable>,
    /// The number of the last event.
    seq: Option<u64>,
    /// When the last frame of a connected session came.
    last_frame: Option<tokio::time::Instant>,
}

impl Session {
    /// A session that is not connected yet.
    pub(in crate::discord) fn new(
        url: String,
        token: &str,
        intents: GatewayIntents,
        tasks: Tasks,
    ) -> Session {
        let (state, connected) = (Mutex::default(), watch::Sender::new(false));
        Session { url, token: token.to_owned(), intents, tasks, state, connected }
    }

    /// Whether events come now: from READY or RESUMED until the connection is lost.
    pub(in crate::discord) fn connected(&self) -> watch::Receiver<bool> {
        self.connected.subscribe()
    }

    /// Connects, and connects again whenever the connection is lost, until asked to stop. Events go to `on`, in the
    /// order in which they come; it must not block.
    ///
    /// # Errors
    /// What makes connecting again senseless.
    pub(in crate::discord) async fn run(
        &self,
        stop: &Stop,
        on: &(impl Fn(Dispatch) + Sync),
    ) -> Result<(), SessionRefused> {
        let mut backoff = ReconnectBackoff::default();
        loop {
            let resumes = self.state().resumable.is_some();
            tokio::select! {
                () = backoff.wait(resumes) => {}
                () = stop.finishing() => return Ok(()),
            }
            let since = tokio::time::Instant::now();
            let ended = Connection { session: self, on, backoff: &mut backoff }.run(stop).await;
            self.connected.send_replace(false);
            match ended {
                ConnectionEnd::Stopped => return Ok(()),
                ConnectionEnd::SessionRefused(refused) => return Err(refused),
                ConnectionEnd::Lost { why, forget } => {
                    tracing::info!(why, ?forget, "the connection to Discord is lost; connecting again");
                    self.lost(forget);
                }
            }
            backoff.ended(since.elapsed());
        }
    }

    /// For how long nothing had come before the session that is being begun; `None` if it is the first one.
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

/// What of a session is worth nothing after its connection was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forget {
    Nothing,
    /// The address for resuming, which did not answer.
    Address,
    Session,
}
