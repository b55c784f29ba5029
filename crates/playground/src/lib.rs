//! A small Discord of our own on loopback, for trying the bot and for testing it.
//!
//! It speaks REST v10 and gateway v10 as far as the bot uses them, as strictly as Discord, and shows a web
//! page on which people are played by whoever opens it. It shares no code with the rest of the crate: what
//! it believes of Discord it has from Discord's documentation, not from our face.
//!
//! In reading order: [`world`](self) is the model, changed by plain functions under one lock; `rest` and
//! `gateway` are the bot's two doors to it, `page` the people's; `people` is what people can do, for the
//! page and for tests alike; `check`, `permissions` and `limits` say no; `keep` is the file; `guard`
//! keeps other web pages out; `hub` holds it all together.

pub mod api_error;
mod check;
pub mod clock;
mod discord_state;
pub mod fault_injection;
mod gateway;
pub mod id;
pub mod limits;
mod page;
mod page_security;
pub mod people;
mod permissions;
mod persistence;
pub mod request_log;
mod rest;
mod shared_state;
pub mod test_setup;

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
use page_security::Secrets;
use people::person::Person;
use persistence::Persistence;
use rookery_tasks::{Shutdown, TaskSpec, Tasks};
use shared_state::SharedState;

pub use discord_state::model::Answer;

/// The bot's user and application id, the same in every playground: a moment in 2024.
pub const BOT_ID: Id = Id(1_200_000_000_000_000_000);

/// How a playground is to be.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 takes any free one. Only loopback makes sense: nobody is asked for a password.
    pub listen: SocketAddr,
    /// The SQLite file that keeps everything; `None` keeps it in memory.
    pub data: Option<PathBuf>,
    /// The clock of the rules.
    pub clock: Clock,
    /// The token with which the bot comes in; a random one if none is given.
    pub token: Option<String>,
    /// What the bot is called.
    pub bot_name: String,
    /// Whether the portal's switch for the Message Content intent is on.
    pub allow_message_content: bool,
    /// Whether the portal's switch for the Guild Members intent is on.
    pub allow_guild_members: bool,
    /// How many requests are taken.
    pub rate_limits: RateLimits,
    /// Open threads a server may have; Discord's cap is 1,000.
    pub active_threads_max: usize,
    /// How often the bot is to send a heartbeat; Discord asks for 41.25 s.
    pub heartbeat_interval: Duration,
    /// Shards that `GET /gateway/bot` recommends.
    pub shards: u32,
    /// Where its tasks are spawned.
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
    /// Starts one: reads its file, fills an empty world, listens.
    ///
    /// # Errors
    /// When the address is taken or the file cannot be read.
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

    /// Ends every connection and stops listening; everything is in the file afterwards.
    pub async fn stop(mut self) {
        self.shared.close();
        if tokio::time::timeout(Duration::from_secs(2), &mut self.server).await.is_err() {
            self.server.abort();
        }
        self.shared.flush().await;
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What to give serenity as its proxy: `http://127.0.0.1:PORT`, without `/api/v10`.
    pub fn api_base(&self) -> String {
        base_url(self.addr)
    }

    /// The token with which the bot comes in.
    pub fn token(&self) -> &str {
        &self.shared.secrets.bot
    }

    /// The token that the page sends with each request, in the header `X-Playground-Token`: another for each start.
    pub fn page_token(&self) -> &str {
        &self.shared.secrets.page
    }

    /// Every request of the bot so far, in the order they arrived.
    pub fn requests(&self) -> Vec<request_log::LoggedRequest> {
        self.shared.requests.all()
    }

    /// Makes things go wrong.
    pub fn faults(&self) -> fault_injection::FaultInjection {
        fault_injection::FaultInjection { shared: self.shared.clone() }
    }

    /// The data of the last event of a name that the bot could have got, whole.
    pub fn last_event(&self, name: &str) -> Option<serde_json::Value> {
        self.shared.with(|state| state.sessions.last(name))
    }

    /// Gateway connections that the bot has made so far, by new and by resumed sessions.
    pub fn gateway_connections(&self) -> u64 {
        self.shared.with(|state| state.sessions.lines_made())
    }

    /// The clock of the rules.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Waits for the next change of anything, at most `people::person::PATIENCE`; whether one came.
    pub async fn changed(&self) -> bool {
        let mut changes = self.shared.changes();
        changes.mark_unchanged();
        tokio::time::timeout(people::person::PATIENCE, changes.changed()).await.is_ok()
    }

    /// Waits until `find` finds something, looking again at every change.
    ///
    /// # Errors
    /// [`people::person::WaitTimeout`] when it finds nothing for 20 s.
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
    /// [`people::person::WaitTimeout`] when it does not come.
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

/// Answers until the playground stops.
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

/// The end of a playground.
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
        // A little more than Discord takes, so that 40005 comes from the check and not from the transport.
        .layer(DefaultBodyLimit::max(check::message::REQUEST_BYTES_MAX + 1024 * 1024))
        .layer(middleware::from_fn_with_state(shared.clone(), page_security::own_requests_only))
}

fn base_url(addr: SocketAddr) -> String {
    format!("http://{addr}")
}

impl Playground {
    /// A person of this name.
    ///
    /// # Panics
    /// When there is nobody of this name: a test that asks is wrong.
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
