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

mod check;
pub mod clock;
pub mod faults;
mod gateway;
mod guard;
mod hub;
pub mod id;
mod keep;
pub mod limits;
mod page;
pub mod people;
mod permissions;
pub mod places;
pub mod record;
pub mod refusal;
mod rest;
mod world;

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
use guard::Secrets;
use hub::Hub;
use id::Id;
use keep::Keep;
use limits::RateLimits;
use people::person::Person;
use rookery_tasks::{Shutdown, Task, Tasks};
use world::{Rules, World};

pub use world::model::Answer;

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
    hub: Arc<Hub>,
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
        let hub = open_hub(options, addr).await?;
        let listener = Arc::new(listener.into_std().context("the playground's address cannot be kept")?);
        let (task, serving) = (Task { name: "playground", interval: None }, hub.clone());
        let work = move || serve(serving.clone(), listener.clone());
        let server = hub.options.tasks.supervise(task, Closing(hub.clone()), work);
        hub.flush().await;
        Ok(Self { hub, addr, server })
    }

    /// Ends every connection and stops listening; everything is in the file afterwards.
    pub async fn stop(mut self) {
        self.hub.close();
        if tokio::time::timeout(Duration::from_secs(2), &mut self.server).await.is_err() {
            self.server.abort();
        }
        self.hub.flush().await;
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
        &self.hub.secrets.bot
    }

    /// The token that the page sends with each request, in the header `X-Playground-Token`: another for each start.
    pub fn page_token(&self) -> &str {
        &self.hub.secrets.page
    }

    /// Every request of the bot so far, in the order they arrived.
    pub fn requests(&self) -> Vec<record::Recorded> {
        self.hub.requests.all()
    }

    /// Makes things go wrong.
    pub fn faults(&self) -> faults::Faults {
        faults::Faults { hub: self.hub.clone() }
    }

    /// The data of the last event of a name that the bot could have got, whole.
    pub fn last_event(&self, name: &str) -> Option<serde_json::Value> {
        self.hub.with(|state| state.sessions.last(name))
    }

    /// Gateway connections that the bot has made so far, by new and by resumed sessions.
    pub fn gateway_connections(&self) -> u64 {
        self.hub.with(|state| state.sessions.lines_made())
    }

    /// The clock of the rules.
    pub fn clock(&self) -> &Clock {
        &self.hub.clock
    }

    /// Waits for the next change of anything, at most `people::person::PATIENCE`; whether one came.
    pub async fn changed(&self) -> bool {
        let mut changes = self.hub.changes();
        changes.mark_unchanged();
        tokio::time::timeout(people::person::PATIENCE, changes.changed()).await.is_ok()
    }

    /// Waits until `find` finds something, looking again at every change.
    ///
    /// # Errors
    /// [`people::person::TooLate`] when it finds nothing for 20 s.
    pub async fn wait<T>(
        &self,
        what: &str,
        find: impl Fn() -> Option<T>,
    ) -> Result<T, people::person::TooLate> {
        people::person::wait(&self.hub, what, find).await
    }

    /// Waits until the bot is connected to the gateway and has registered at least one command.
    ///
    /// # Errors
    /// [`people::person::TooLate`] when it does not come.
    pub async fn wait_for_bot(&self) -> Result<(), people::person::TooLate> {
        let here = || {
            let ready = self.hub.with(|state| state.sessions.online() && !state.world.commands.is_empty());
            ready.then_some(())
        };
        self.wait("the bot, with its commands", here).await
    }
}

async fn open_hub(options: Options, addr: SocketAddr) -> Result<Arc<Hub>> {
    let rules = Rules {
        active_threads_max: options.active_threads_max,
        message_content: options.allow_message_content,
        guild_members: options.allow_guild_members,
        shards: options.shards,
        blocked: Vec::new(),
        shown_to_all: Vec::new(),
    };
    let mut world = World::empty(base_url(addr), BOT_ID, rules);
    let keep = match &options.data {
        Some(path) => Some(Keep::open(path, &options.tasks).await?),
        None => None,
    };
    let found = match &keep {
        Some(keep) => keep.load(&mut world).await?,
        None => false,
    };
    let bot_name = options.bot_name.clone();
    let secrets = Secrets::draw(options.token.clone())?;
    let hub = Hub::new(options, secrets, world, keep);
    if !found {
        hub.change(|world| world.seed(&bot_name));
    }
    Ok(hub)
}

/// Answers until the playground stops.
async fn serve(hub: Arc<Hub>, listener: Arc<std::net::TcpListener>) {
    let listener = listener.try_clone().and_then(TcpListener::from_std);
    let ended = match listener {
        Ok(listener) => axum::serve(listener, router(&hub)).with_graceful_shutdown(hub.closing()).await,
        Err(error) => Err(error),
    };
    if let Err(error) = ended {
        tracing::error!(%error, "the playground does not answer");
    }
}

/// The end of a playground.
struct Closing(Arc<Hub>);

impl Shutdown for Closing {
    fn has_begun(&self) -> bool {
        self.0.is_closing()
    }

    async fn begun(&self) {
        self.0.closing().await;
    }
}

fn router(hub: &Arc<Hub>) -> Router {
    let gateway = {
        let hub = hub.clone();
        move |upgrade: WebSocketUpgrade| async move { gateway::enter(hub, upgrade) }
    };
    Router::new()
        .merge(rest::router(hub))
        .merge(page::router(hub))
        .route("/gateway", get(gateway.clone()))
        .route("/gateway/", get(gateway))
        // A little more than Discord takes, so that 40005 comes from the check and not from the transport.
        .layer(DefaultBodyLimit::max(check::message::REQUEST_BYTES_MAX + 1024 * 1024))
        .layer(middleware::from_fn_with_state(hub.clone(), guard::own_requests_only))
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
        let found = self.hub.look(|world| {
            world.users.values().find(|user| user.name == name && !user.bot).map(|user| user.id)
        });
        match found {
            Some(id) => Person { hub: self.hub.clone(), id, name: name.to_owned() },
            None => panic!("nobody here is called {name}"),
        }
    }
}
