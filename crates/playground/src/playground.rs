//! A running playground: starting and stopping it, and what tests read of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::clock::Clock;
use super::discord_state::{DiscordState, Rules};
use super::fault_injection::FaultInjection;
use super::options::{BOT_ID, Options};
use super::people::person::{PATIENCE, WaitTimeout, wait};
use super::persistence::Persistence;
use super::request_log::LoggedRequest;
use super::secrets::Secrets;
use super::server::serve;
use super::shared_state::SharedState;
use super::task_runner::TaskFuture;

/// A running playground. Dropping it leaves it running until the runtime ends; [`Playground::stop`] ends it.
pub struct Playground {
    pub(crate) shared: Arc<SharedState>,
    addr: SocketAddr,
    server: JoinHandle<()>,
}

impl Playground {
    /// Starts a playground: reads its file, fills an empty state, and listens.
    ///
    /// # Errors
    /// If the address is taken or the file cannot be read.
    pub async fn start(options: Options) -> Result<Self> {
        let listener = TcpListener::bind(options.listen).await;
        let listener =
            listener.with_context(|| format!("the playground cannot listen on {}", options.listen))?;
        let addr = listener.local_addr().context("the playground's address is unknown")?;
        let shared = open_state(options, addr).await?;
        let listener = Arc::new(listener.into_std().context("the playground's address cannot be kept")?);
        let serving = shared.clone();
        let start = move || -> TaskFuture { Box::pin(serve(serving.clone(), listener.clone())) };
        let server = shared.options.tasks.supervise("playground", shared.stop_token(), Box::new(start));
        shared.flush().await;
        Ok(Self { shared, addr, server })
    }

    /// Ends every connection and stops listening, after everything is written to the file.
    pub async fn stop(mut self) {
        self.shared.close();
        if tokio::time::timeout(Duration::from_secs(2), &mut self.server).await.is_err() {
            self.server.abort();
        }
        self.shared.flush().await;
    }

    /// Returns the address it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Returns the proxy address for serenity: `http://127.0.0.1:PORT`, without `/api/v10`.
    pub fn api_base(&self) -> String {
        base_url(self.addr)
    }

    /// Returns the bot's token.
    pub fn token(&self) -> &str {
        &self.shared.secrets.bot
    }

    /// Returns the token that the page sends in the header `X-Playground-Token`; each start has a new one.
    pub fn page_token(&self) -> &str {
        &self.shared.secrets.page
    }

    /// Returns every request of the bot so far, in order of arrival.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.shared.requests.all()
    }

    /// Returns a handle that injects faults.
    pub fn faults(&self) -> FaultInjection {
        FaultInjection { shared: self.shared.clone() }
    }

    /// Returns the data of the last event of a name, with all fields, whether or not a session received it.
    pub fn last_event(&self, name: &str) -> Option<Value> {
        self.shared.with(|state| state.sessions.last(name))
    }

    /// Returns the number of gateway connections so far, by new and by resumed sessions.
    pub fn gateway_connections(&self) -> u64 {
        self.shared.with(|state| state.sessions.connections_made())
    }

    /// Returns the clock for the rules that depend on time.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Waits for the next change, at most `PATIENCE`; returns whether there was one.
    pub async fn changed(&self) -> bool {
        let mut changes = self.shared.changes();
        changes.mark_unchanged();
        tokio::time::timeout(PATIENCE, changes.changed()).await.is_ok()
    }

    /// Waits until `find` returns a value, calling it at every change.
    ///
    /// # Errors
    /// [`WaitTimeout`] if there is none within 20 s.
    pub async fn wait<T>(&self, what: &str, find: impl Fn() -> Option<T>) -> Result<T, WaitTimeout> {
        wait(&self.shared, what, find).await
    }

    /// Waits until the bot is connected to the gateway and has registered at least one command.
    ///
    /// # Errors
    /// [`WaitTimeout`] if the bot does not connect within 20 s.
    pub async fn wait_for_bot(&self) -> Result<(), WaitTimeout> {
        let here = || {
            let ready =
                self.shared.with(|state| state.sessions.online() && !state.discord_state.commands.is_empty());
            ready.then_some(())
        };
        self.wait("the bot, with its commands", here).await
    }
}

async fn open_state(options: Options, addr: SocketAddr) -> Result<Arc<SharedState>> {
    let rules = Rules {
        active_threads_max: options.active_threads_max,
        message_content: options.allow_message_content,
        guild_members: options.allow_guild_members,
        shards: options.shards,
        blocked: Vec::new(),
        shown_to_all: Vec::new(),
    };
    let mut discord_state = DiscordState::empty(base_url(addr), BOT_ID, rules);
    let keep = match &options.data {
        Some(path) => Some(Persistence::open(path, options.tasks.as_ref()).await?),
        None => None,
    };
    let found = match &keep {
        Some(keep) => keep.load(&mut discord_state).await?,
        None => false,
    };
    let bot_name = options.bot_name.clone();
    let secrets = Secrets::generate(options.token.clone())?;
    let shared = SharedState::new(options, secrets, discord_state, keep);
    if !found {
        shared.change(|discord_state| discord_state.seed(&bot_name));
    }
    Ok(shared)
}

fn base_url(addr: SocketAddr) -> String {
    format!("http://{addr}")
}
