//! The state shared by all parts: the model under one lock, and the recipients of its changes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::activity::proxy::{self, ProxyClient};
use super::clock::Clock;
use super::discord_state::DiscordState;
use super::discord_state::interactions::{ANSWER_MS, TOKEN_MS};
use super::discord_state::model::Answer;
use super::fault_plan::FaultPlan;
use super::gateway::sessions::Sessions;
use super::id::Id;
use super::limits::Limits;
use super::oauth2::grants::Grants;
use super::options::Options;
use super::page::tabs::Tabs;
use super::persistence::Persistence;
use super::request_log::RequestLog;
use super::secrets::Secrets;

/// The state under the lock.
pub(crate) struct State {
    pub(crate) discord_state: DiscordState,
    pub(crate) sessions: Sessions,
    pub(crate) tabs: Tabs,
    pub(crate) limits: Limits,
    pub(crate) grants: Grants,
    pub(crate) faults: FaultPlan,
}

/// The playground's shared state.
pub(crate) struct SharedState {
    pub(crate) options: Options,
    pub(crate) secrets: Secrets,
    pub(crate) clock: Clock,
    pub(crate) requests: RequestLog,
    pub(crate) keep: Option<Persistence>,
    /// Gets the pages of the Activity.
    pub(crate) proxy: ProxyClient,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    closing: CancellationToken,
}

impl SharedState {
    pub(crate) fn new(
        options: Options,
        secrets: Secrets,
        discord_state: DiscordState,
        keep: Option<Persistence>,
    ) -> Arc<Self> {
        let state = State {
            discord_state,
            sessions: Sessions::default(),
            tabs: Tabs::default(),
            limits: Limits::new(options.rate_limits),
            grants: Grants::default(),
            faults: FaultPlan::default(),
        };
        Arc::new(Self {
            clock: options.clock.clone(),
            options,
            secrets,
            requests: RequestLog::default(),
            keep,
            proxy: proxy::client(),
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            closing: CancellationToken::new(),
        })
    }

    /// Changes the model; the changes are written and sent to the bot and the pages, in order.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut DiscordState) -> R) -> R {
        let mut state = self.lock();
        state.discord_state.now_ms = self.clock.now_ms();
        state.discord_state.archive_inactive();
        let result = change(&mut state.discord_state);
        self.publish(&mut state);
        drop(state);
        self.wake();
        result
    }

    /// Reads the model under the lock.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&DiscordState) -> R) -> R {
        look(&self.lock().discord_state)
    }

    /// Reads or changes the state outside the model: sessions, pages, limits, faults.
    pub(crate) fn with<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.lock())
    }

    fn publish(&self, state: &mut State) {
        let State { discord_state, sessions, tabs, faults, .. } = state;
        for news in std::mem::take(&mut discord_state.for_bot) {
            sessions.dispatch(&news, faults);
        }
        for news in std::mem::take(&mut discord_state.for_people) {
            tabs.tell(&news);
        }
        let touched = std::mem::take(&mut discord_state.touched);
        if let Some(keep) = &self.keep {
            keep.write(discord_state, &touched);
        }
    }

    /// Waits until all changes so far are committed.
    pub(crate) async fn flush(&self) {
        if let Some(keep) = &self.keep {
            keep.flush().await;
        }
    }

    /// Wakes all tasks that wait for a change.
    pub(crate) fn wake(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Returns a receiver that counts changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Waits until the playground stops.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        self.stop_token().cancelled_owned()
    }

    /// Returns the token that is cancelled when the playground stops.
    pub(crate) fn stop_token(&self) -> CancellationToken {
        self.closing.clone()
    }

    /// Stops the playground and ends every connection.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    /// Whether this is the bot's token.
    pub(crate) fn is_bot(&self, token: Option<&str>) -> bool {
        token == Some(self.secrets.bot.as_str())
    }

    /// Sends every page whether the bot is connected.
    pub(crate) fn send_bot_status(&self) {
        let online = self.with(|state| state.sessions.online());
        self.change(|discord_state| {
            discord_state.send_to_people(None, "BOT_STATUS", json!({"online": online}))
        });
    }

    /// Fails the interaction if it has no answer after 3 seconds, or only a deferred one after 15 minutes.
    pub(crate) fn expire(self: &Arc<Self>, id: Id) {
        let (shared, asked_ms) = (self.clone(), self.clock.now_ms());
        let closing = self.closing();
        let work = async move {
            let watching = async {
                shared.clock.until(asked_ms + ANSWER_MS).await;
                shared.change(|discord_state| discord_state.fail_unanswered(id));
                let thinks = |discord_state: &DiscordState| {
                    discord_state.interactions.get(&id).is_some_and(|it| it.answer == Answer::Deferred)
                };
                if shared.look(thinks) {
                    shared.clock.until(asked_ms + TOKEN_MS).await;
                    shared.change(|discord_state| discord_state.fail_unanswered(id));
                }
            };
            tokio::select! {
                biased;
                () = watching => {}
                () = closing => {}
            }
        };
        self.options.tasks.spawn("playground answer", Box::pin(work));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedState {
    /// Waits until `look` returns a value; the caller limits the time.
    pub(crate) async fn until<T>(&self, look: impl Fn(&DiscordState) -> Option<T>) -> T {
        let mut changes = self.changes();
        loop {
            changes.mark_unchanged();
            if let Some(found) = self.look(&look) {
                return found;
            }
            // The sender lives as long as `self`.
            let _changed = changes.changed().await;
        }
    }
}
