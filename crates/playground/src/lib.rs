//! A small Discord server on loopback, for trying the bot and for testing it.
//!
//! It implements REST v10 and gateway v10 as far as the bot uses them, as strictly as Discord, and serves a
//! web page on which the user acts as any of its people. It shares no code with the bot: its behaviour
//! follows Discord's documentation, so that a wrong assumption of the bot shows.
//!
//! In reading order: `discord_state` is the model, changed by plain functions under one lock; `rest` and
//! `gateway` serve the bot, `page` serves people; `people` has the actions of people, for the page and for
//! tests; `check`, `permissions` and `limits` refuse requests; `persistence` is the file; `page_security`
//! keeps other web pages out; `shared_state` connects all of them.

pub mod api_error;
mod check;
pub mod clock;
mod discord_state;
pub mod fault_injection;
mod fault_plan;
mod gateway;
pub mod id;
pub mod json_pointers;
pub mod limits;
mod page;
mod page_security;
pub mod people;
mod permissions;
mod persistence;
pub mod request_log;
mod rest;
mod secrets;
mod shared_state;
pub mod test_setup;
mod upload;

#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::extract::WebSocketUpgrade;
use axum::middleware;
use axum::routing::get;
use axum::{Router, extract::DefaultBodyLimit};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use clock::Clock;
use discord_state::{DiscordState, Rules};
use id::Id;
use limits::RateLimits;
use people::person::Person;
use persistence::Persistence;
use rookery_tasks::{Shutdown, TaskSpec, Tasks};
use secrets::Secrets;
use shared_state::SharedState;

pub use discord_state::model::Answer;

/// The bot's user and application id, the same in every playground: a timestamp in 2024.
pub const BOT_ID: Id = Id(1_200_000_000_000_000_000);

/// The settings of a playground.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on; port 0 takes any free one. Only loopback is safe: there is no password.
    pub listen: SocketAddr,
    /// The SQLite file that keeps the state; `None` keeps it in memory.
    pub data: Option<PathBuf>,
    /// The clock for the rules that depend on time.
    pub clock: Clock,
    /// The bot's token; `None` generates a random one.
    pub token: Option<String>,
    /// The display name of the bot.
    pub bot_name: String,
    /// Whether the developer portal's switch for the Message Content intent is on.
    pub allow_message_content: bool,
    /// Whether the developer portal's switch for the Guild Members intent is on.
    pub allow_guild_members: bool,
    /// The rate limits for the bot's requests.
    pub rate_limits: RateLimits,
    /// The most open threads of a server; Discord's limit is 1,000.
    pub active_threads_max: usize,
    /// The heartbeat interval for clients; Discord's is 41.25 s.
    pub heartbeat_interval: Duration,
    /// The shard count that `GET /gateway/bot` recommends.
    pub shards: u32,
    /// The tasks of the process, which run the playground's.
    pub tasks: Tasks,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: None,
            clock: Clock::wall(),
            token: None,
            bot_name: "Rookery".to_owned(),
            allow_message_content: false,
            allow_guild_members: false,
            rate_limits: RateLimits::discord(),
            active_threads_max: 1_000,
            heartbeat_interval: Duration::from_millis(41_250),
            shards: 1,
            tasks: Tasks::default(),
        }
    }
}

/// A running playground. Dropping it leaves it running until the runtime ends; [`Playground::stop`] ends it.
pub struct Playground {
    shared: Arc<SharedState>,
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
        let shared = open_hub(options, addr).await?;
        let listener = Arc::new(listener.into_std().context("the playground's address cannot be kept")?);
        let (task, serving) = (TaskSpec { name: "playground", interval: None }, shared.clone());
        let work = move || serve(serving.clone(), listener.clone());
        let server = shared.options.tasks.supervise(task, Closing(shared.clone()), work);
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
    pub fn requests(&self) -> Vec<request_log::LoggedRequest> {
        self.shared.requests.all()
    }

    /// Returns a handle that injects faults.
    pub fn faults(&self) -> fault_injection::FaultInjection {
        fault_injection::FaultInjection { shared: self.shared.clone() }
    }

    /// Returns the data of the last event of a name, with all fields, whether or not a session received it.
    pub fn last_event(&self, name: &str) -> Option<serde_json::Value> {
        self.shared.with(|state| state.sessions.last(name))
    }

    /// Returns the number of gateway connections so far, by new and by resumed sessions.
    pub fn gateway_connections(&self) -> u64 {
        self.shared.with(|state| state.sessions.lines_made())
    }

    /// Returns the clock for the rules that depend on time.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Waits for the next change, at most `people::person::PATIENCE`; returns whether there was one.
    pub async fn changed(&self) -> bool {
        let mut changes = self.shared.changes();
        changes.mark_unchanged();
        tokio::time::timeout(people::person::PATIENCE, changes.changed()).await.is_ok()
    }

    /// Waits until `find` returns a value, calling it at every change.
    ///
    /// # Errors
    /// [`people::person::WaitTimeout`] if there is none within 20 s.
    pub async fn wait<T>(
        &self,
        what: &str,
        find: impl Fn() -> Option<T>,
    ) -> Result<T, people::person::WaitTimeout> {
        people::person::wait(&self.shared, what, find).await
    }

    /// Waits until the bot is connected to the gateway and has registered at least one command.
    ///
    /// # Errors
    /// [`people::person::WaitTimeout`] if the bot does not connect within 20 s.
    pub async fn wait_for_bot(&self) -> Result<(), people::person::WaitTimeout> {
        let here = || {
            let ready =
                self.shared.with(|state| state.sessions.online() && !state.discord_state.commands.is_empty());
            ready.then_some(())
        };
        self.wait("the bot, with its commands", here).await
    }
}

async fn open_hub(options: Options, addr: SocketAddr) -> Result<Arc<SharedState>> {
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
        Some(path) => Some(Persistence::open(path, &options.tasks).await?),
        None => None,
    };
    let found = match &keep {
        Some(keep) => keep.load(&mut discord_state).await?,
        None => false,
    };
    let bot_name = options.bot_name.clone();
    let secrets = Secrets::draw(options.token.clone())?;
    let shared = SharedState::new(options, secrets, discord_state, keep);
    if !found {
        shared.change(|discord_state| discord_state.seed(&bot_name));
    }
    Ok(shared)
}

/// Serves requests until the playground stops.
async fn serve(shared: Arc<SharedState>, listener: Arc<std::net::TcpListener>) {
    let listener = listener.try_clone().and_then(TcpListener::from_std);
    let ended = match listener {
        Ok(listener) => axum::serve(listener, router(&shared)).with_graceful_shutdown(shared.closing()).await,
        Err(error) => Err(error),
    };
    if let Err(error) = ended {
        tracing::error!(%error, "the playground does not answer");
    }
}

/// The shutdown signal of a playground.
struct Closing(Arc<SharedState>);

impl Shutdown for Closing {
    fn has_begun(&self) -> bool {
        self.0.is_closing()
    }

    async fn begun(&self) {
        self.0.closing().await;
    }
}

fn router(shared: &Arc<SharedState>) -> Router {
    let gateway = {
        let shared = shared.clone();
        move |upgrade: WebSocketUpgrade| async move { gateway::enter(shared, upgrade) }
    };
    Router::new()
        .merge(rest::router(shared))
        .merge(page::router(shared))
        .route("/gateway", get(gateway.clone()))
        .route("/gateway/", get(gateway))
        // The limit is above Discord's, so that the check answers 40005 instead of the transport.
        .layer(DefaultBodyLimit::max(check::message::REQUEST_BYTES_MAX + 1024 * 1024))
        .layer(middleware::from_fn_with_state(shared.clone(), page_security::own_requests_only))
}

fn base_url(addr: SocketAddr) -> String {
    format!("http://{addr}")
}

impl Playground {
    /// Returns a person by name.
    ///
    /// # Panics
    /// If there is no person of this name: the test is wrong.
    pub fn user(&self, name: &str) -> Person {
        let found = self.shared.look(|discord_state| {
            discord_state.users.values().find(|user| user.name == name && !user.bot).map(|user| user.id)
        });
        match found {
            Some(id) => Person { shared: self.shared.clone(), id, name: name.to_owned() },
            None => panic!("nobody here is called {name}"),
        }
    }
}
