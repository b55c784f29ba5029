//! The configuration: the settings, their sources, and the merged result.
//!
//! There are four layers, each overriding the ones before: the defaults in [`KEYS`]; the file (`--config
//! PATH`, or `./config.toml` if it exists); the environment as `ROOKERY_<SECTION>__<KEY>`; and the names that
//! other programs share, such as `DISCORD_TOKEN`. `--listen` overrides
//! them all.
//!
//! A new key is one entry in [`KEYS`] and one field below. Tests compare the two, and `config.example.toml`
//! with them.

mod error;
mod key;
mod keys;
mod layers;
mod print;
mod value_kind;
mod values;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use serde::Deserialize;

use rookery_store::StoreAddress;
use rookery_table::quota::Quotas;
use rookery_table::{ChannelId, GuildId};

pub use error::ConfigError;
pub use key::Key;
pub use keys::KEYS;
pub use layers::{EffectiveConfig, Sources};
pub use print::example;
pub use value_kind::ValueKind;
pub(crate) use value_kind::log_filter;
pub use values::{InvalidSecret, InvalidServer, Secret, Server, parse_address};

/// The SQLite file in the default of `store.url`.
const DEFAULT_FILE: &str = "rookery.sqlite";

/// All settings, checked and typed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The settings in section `[discord]`.
    pub discord: Discord,
    /// The settings in section `[playground]`.
    pub playground: Playground,
    /// The settings in section `[store]`.
    pub store: Store,
    /// The settings in section `[tables]`.
    pub tables: Tables,
    /// The settings in section `[limits]`.
    pub limits: Quotas,
    /// The settings in section `[ai]`.
    pub ai: Ai,
    /// The settings in section `[render]`.
    pub render: Render,
    /// The settings in section `[log]`.
    pub log: Log,
    /// The settings in section `[web]`.
    pub web: Web,
    /// The settings in section `[health]`.
    pub health: Health,
}

/// The connection to Discord.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discord {
    /// The bot's token, set directly or read from [`Discord::token_file`]; `None` selects the playground.
    #[serde(deserialize_with = "values::unless_empty")]
    pub token: Option<Secret>,
    /// The file that the token was read from.
    #[serde(deserialize_with = "values::unless_empty")]
    pub token_file: Option<PathBuf>,
    /// The application's secret, set directly or read from [`Discord::client_secret_file`]; `None` offers no sign-in
    /// with Discord.
    #[serde(deserialize_with = "values::unless_empty")]
    pub client_secret: Option<Secret>,
    /// The file that the client secret was read from.
    #[serde(deserialize_with = "values::unless_empty")]
    pub client_secret_file: Option<PathBuf>,
    /// The address of another Discord-compatible server. If it is set, the bot sends nothing to the real
    /// Discord.
    #[serde(deserialize_with = "values::api_base")]
    pub api_base: Option<Server>,
    /// A proxy for Discord's REST API that keeps its rate limits for all processes.
    #[serde(deserialize_with = "values::api_base")]
    pub rest_proxy: Option<Server>,
    /// How many requests a second the whole bot may send to Discord.
    pub requests_per_second: u32,
    /// The number of shards of the gateway; 0 is what Discord recommends.
    pub shards: u32,
    /// Whether to request the privileged Message Content intent.
    pub message_content: bool,
    /// How to reach the operator: one line, shown as it is.
    #[serde(deserialize_with = "values::unless_empty")]
    pub contact: Option<String>,
    /// The channel for reports that no server's own channel receives.
    #[serde(deserialize_with = "values::unless_empty")]
    pub report_channel: Option<ChannelId>,
    /// The server whose administrators may use the commands for operators.
    #[serde(deserialize_with = "values::unless_empty")]
    pub owner_server: Option<GuildId>,
}

/// The built-in Discord simulation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playground {
    /// Whether to start it if there is no token.
    pub enabled: bool,
    /// The address of its page and API; [`EffectiveConfig::is_default`] tells whether it was set.
    #[serde(deserialize_with = "values::address")]
    pub listen: SocketAddr,
    /// The file that keeps its people, channels and messages; `None` keeps them in memory.
    #[serde(deserialize_with = "values::unless_empty")]
    pub data: Option<PathBuf>,
}

/// The storage of the journal.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Where the journal is stored; [`Store::address`] also respects `path`.
    #[serde(deserialize_with = "values::parsed")]
    pub url: StoreAddress,
    /// The SQLite file, as it was set before `url` existed.
    #[serde(deserialize_with = "values::unless_empty")]
    pub path: Option<PathBuf>,
    /// The folder for the running bot's backups; `None` disables them.
    #[serde(deserialize_with = "values::unless_empty")]
    pub backup_folder: Option<PathBuf>,
    /// The interval between backups, in hours.
    pub backup_hours: u32,
    /// The number of backups to keep.
    pub backups_kept: usize,
}

impl Store {
    /// Returns where the journal is stored.
    pub fn address(&self) -> StoreAddress {
        match &self.path {
            Some(path) if self.url == StoreAddress::Sqlite(DEFAULT_FILE.into()) => {
                StoreAddress::Sqlite(path.clone())
            }
            _ => self.url.clone(),
        }
    }
}

/// The settings of tables.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Minutes of inactivity after which Discord archives a table's thread: 60, 1,440, 4,320 or 10,080.
    pub thread_archive_minutes: u16,
    /// Hours after which an open challenge without an opponent expires.
    pub challenge_hours: u32,
    /// Seconds between moves if the bot plays all seats.
    pub show_pace_seconds: u32,
    /// The most open challenges of one person at a time.
    pub open_per_person: u32,
}

/// The resources of the bot's search.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ai {
    /// The number of search threads; 0 is one fewer than the processor has, and at least one. Idle ones help
    /// running searches.
    pub threads: usize,
    /// The longest search for a single move, in milliseconds of wall time.
    pub think_ms_max: u64,
    /// The most concurrent searches for one server, each on a thread of its own; 0 is half the number of
    /// threads, rounded up.
    pub server_threads: usize,
    /// Minutes of search time that one server gets in an hour.
    pub server_minutes: u32,
}

impl Ai {
    /// Returns the number of search threads, with 0 resolved for this machine; at least 1.
    pub fn resolved_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores.saturating_sub(1).max(1) } else { self.threads }
    }

    /// Returns the most concurrent searches for one server; at least 1.
    pub fn resolved_server_threads(&self) -> usize {
        if self.server_threads == 0 { self.resolved_threads().div_ceil(2) } else { self.server_threads }
    }
}

/// The defaults for drawing boards.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Render {
    /// The name of the default theme.
    pub theme: String,
    /// The width of a board's picture in pixels.
    pub width: u32,
    /// The number of drawing threads; 0 is half as many as the processor has, and at least one.
    pub threads: usize,
    /// The memory for cached pictures, in MiB.
    pub cache_mib: u32,
}

/// The log on standard error.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// A level, or levels by target, in the syntax of `tracing-subscriber`'s `EnvFilter`.
    pub level: String,
    /// The form of each line.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One line of text for people.
    Compact,
    /// One JSON object per line, for programs.
    Json,
}

/// The pages for watching games in a browser.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Web {
    /// The address to listen on; `None` serves no pages.
    #[serde(deserialize_with = "values::address_or_none")]
    pub listen: Option<SocketAddr>,
    /// The prefix of a page's path in links, without a slash at the end; `None` disables links.
    #[serde(deserialize_with = "values::unless_empty")]
    pub address: Option<Server>,
    /// Whether pages also open inside Discord, as an Activity.
    pub activity: bool,
    /// The most open connections.
    pub connections: u32,
    /// The most requests of one address in a minute; 0 means no limit.
    pub requests_per_minute: u32,
    /// Proxies whose `X-Forwarded-For` names the client's address.
    #[serde(deserialize_with = "values::hosts")]
    pub trusted_proxies: Vec<IpAddr>,
}

/// The endpoint for the health of the process.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// The address of `/health` and `/metrics`; `None` serves neither.
    #[serde(deserialize_with = "values::address_or_none")]
    pub listen: Option<SocketAddr>,
}

/// The Discord that the bot connects to.
#[derive(Clone, Debug, PartialEq)]
pub enum DiscordTarget {
    /// The playground on this machine.
    Playground(Playground),
    /// Discord, or another server that speaks its API.
    Discord {
        /// The token to identify with.
        token: Secret,
        /// The server's address if it is not Discord itself.
        api_base: Option<Server>,
    },
}

impl Config {
    /// Returns the Discord to connect to: the real one with a token, the playground without.
    ///
    /// # Errors
    /// [`ConfigError::NoToken`] if there is no token although the playground is disabled or `api_base` is
    /// set: both settings select a real Discord.
    pub fn target(&self) -> Result<DiscordTarget, ConfigError> {
        let Discord { token, api_base, .. } = &self.discord;
        match token {
            Some(token) => Ok(DiscordTarget::Discord { token: token.clone(), api_base: api_base.clone() }),
            None if api_base.is_some() => Err(ConfigError::NoToken { because: "discord.api_base is set" }),
            None if !self.playground.enabled => {
                Err(ConfigError::NoToken { because: "playground.enabled is false" })
            }
            None => Ok(DiscordTarget::Playground(self.playground.clone())),
        }
    }
}
