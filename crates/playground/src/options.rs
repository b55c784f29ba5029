//! The settings of a playground.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::clock::Clock;
use super::id::Id;
use super::limits::RateLimits;
use super::task_runner::{TaskRunner, TokioTasks};

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
    /// The secret of the application, for OAuth2; `None` generates a random one.
    pub client_secret: Option<String>,
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
    /// The redirects that are registered in the developer portal.
    pub redirects: Vec<String>,
    /// Runs the background tasks.
    pub tasks: Arc<dyn TaskRunner>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: None,
            clock: Clock::wall(),
            token: None,
            client_secret: None,
            bot_name: "Rookery".to_owned(),
            allow_message_content: false,
            allow_guild_members: false,
            rate_limits: RateLimits::discord(),
            active_threads_max: 1_000,
            heartbeat_interval: Duration::from_millis(41_250),
            shards: 1,
            redirects: Vec::new(),
            tasks: Arc::new(TokioTasks),
        }
    }
}
