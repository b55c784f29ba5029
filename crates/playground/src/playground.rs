//! A running playground: starting and stopping it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::discord_state::{DiscordState, Rules};
use super::options::{BOT_ID, Options};
use super::persistence::Persistence;
use super::secrets::Secrets;
use super::server::serve;
use super::shared_state::SharedState;
use super::task_runner::TaskFuture;

/// A running playground. Dropping it leaves it running until the runtime ends; [`Playground::stop`] ends it.
pub struct Playground {
    pub(crate) shared: Arc<SharedState>,
    pub(crate) addr: SocketAddr,
    pub(crate) server: JoinHandle<()>,
}

impl Playground {
    /// Starts a playground: reads its file, fills an empty state, and listens.
    ///
    /// # Errors
    /// If the address is taken or the file cannot be read.
    pub async fn start(options: Options) -> Result<Self> {
        let listener = TcpListener::bind(options.listen).await;
        let listener =
            listener.with_context(|| format!("the playground can't listen on {}", options.listen))?;
        let addr = listener.local_addr().context("the playground's address is unknown")?;
        let shared = open_state(options, addr).await?;
        let listener = Arc::new(listener.into_std().context("can't keep the playground's address")?);
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

    /// Switches Activities on, as in the developer portal, and maps their root to the pages at an address.
    pub fn map_activity(&self, pages: SocketAddr) {
        self.shared.change(|discord_state| discord_state.activities.pages = Some(pages));
    }

    /// Registers a redirect for OAuth2, as in the developer portal.
    pub fn register_redirect(&self, redirect: &str) {
        self.shared.change(|discord_state| discord_state.rules.redirects.push(redirect.to_owned()));
    }

    /// Returns the application's secret, for OAuth2.
    pub fn client_secret(&self) -> &str {
        &self.shared.secrets.client
    }

    /// Returns the bot's token.
    pub fn token(&self) -> &str {
        &self.shared.secrets.bot
    }
}

pub(crate) async fn open_state(options: Options, addr: SocketAddr) -> Result<Arc<SharedState>> {
    let rules = Rules {
        active_threads_max: options.active_threads_max,
        message_content: options.allow_message_content,
        guild_members: options.allow_guild_members,
        redirects: options.redirects.clone(),
        shards: options.shards,
        blocked: Vec::new(),
        shown_to_all: Vec::new(),
        forgets_nonces: false,
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
    let secrets = Secrets::generate(options.token.clone(), options.client_secret.clone())?;
    let shared = SharedState::new(options, secrets, discord_state, keep);
    if !found {
        shared.change(|discord_state| discord_state.seed(&bot_name));
    }
    Ok(shared)
}

fn base_url(addr: SocketAddr) -> String {
    format!("http://{addr}")
}
