//! The configuration: what may be set, where it was set, and what it comes to.
//!
//! Four layers, the later over the earlier: the defaults in [`KEYS`]; the file (`--config PATH`, else
//! `./config.toml` where there is one); the environment as `ROOKERY_<SECTION>__<KEY>`; the names that other
//! programs know too (`DISCORD_TOKEN`, `DISCORD_TOKEN_FILE`, `DISCORD_API_BASE`). `--listen` stands above all.
//!
//! A new key is one entry in [`KEYS`] and one field below; the tests hold the two together, and with them
//! `config.example.toml`.

mod error;
mod keys;
mod layers;
mod print;
mod values;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use serde::Deserialize;

pub use error::ConfigError;
pub use keys::{KEYS, Key, ValueKind};
pub use layers::{Effective, Sources};
pub use print::example;
pub use values::{NotASecret, NotAServer, Secret, Server, parse_address};

/// Everything that can be set, checked and typed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// `[discord]`
    pub discord: Discord,
    /// `[playground]`
    pub playground: Playground,
    /// `[store]`
    pub store: Store,
    /// `[tables]`
    pub tables: Tables,
    /// `[limits]`
    pub limits: Limits,
    /// `[ai]`
    pub ai: Ai,
    /// `[render]`
    pub render: Render,
    /// `[log]`
    pub log: Log,
    /// `[web]`
    pub web: Web,
    /// `[health]`
    pub health: Health,
}

/// How the bot reaches Discord.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discord {
    /// The bot's token, from here or already read from [`Discord::token_file`]; none plays on the playground.
    #[serde(deserialize_with = "values::unless_empty")]
    pub token: Option<Secret>,
    /// The file the token was read from.
    #[serde(deserialize_with = "values::unless_empty")]
    pub token_file: Option<PathBuf>,
    /// Another Discord-compatible server. With it set, nothing may reach the real Discord.
    #[serde(deserialize_with = "values::api_base")]
    pub api_base: Option<Server>,
    /// Whether the privileged Message Content intent is asked for.
    pub message_content: bool,
    /// Where people reach whoever runs the bot: one line, shown as it is.
    #[serde(deserialize_with = "values::unless_empty")]
    pub contact: Option<String>,
    /// The channel for reports that no server's own channel takes.
    #[serde(deserialize_with = "values::unless_empty")]
    pub report_channel: Option<u64>,
}

/// The small Discord of our own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playground {
    /// Whether it is started where there is no token.
    pub enabled: bool,
    /// Where its page and API listen; [`Effective::is_default`] says whether anybody chose it.
    #[serde(deserialize_with = "values::address")]
    pub listen: SocketAddr,
    /// Where its people, channels and messages are kept; none keeps them in memory only.
    #[serde(deserialize_with = "values::unless_empty")]
    pub data: Option<PathBuf>,
}

/// Where the journal is kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// The SQLite file, made when it is not there.
    pub path: PathBuf,
    /// Where the running bot writes backups; none makes none.
    #[serde(deserialize_with = "values::unless_empty")]
    pub backup_folder: Option<PathBuf>,
    /// Hours from one backup to the next.
    pub backup_hours: u32,
    /// How many backups are kept.
    pub backups_kept: usize,
}

/// Habits of the tables.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Minutes of silence after which Discord archives a table's thread: 60, 1,440, 4,320 or 10,080.
    pub thread_archive_minutes: u16,
    /// Hours after which an open challenge that nobody took expires.
    pub challenge_hours: u32,
    /// Seconds between moves where the program plays all seats.
    pub show_pace_seconds: u32,
    /// How many open challenges one person may have at a time.
    pub open_per_person: u32,
}

/// How much one person and one server may ask for; 0 means no limit.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Unfinished games that one person can open.
    pub tables_per_person: u32,
    /// Unfinished games that one server can have.
    pub tables_per_server: u32,
    /// Challenges that one person can send in an hour.
    pub challenges_per_hour: u32,
    /// The same to the same person.
    pub challenges_to_one_per_hour: u32,
    /// Minutes before a challenge that was turned down can be repeated.
    pub challenge_wait_minutes: u32,
    /// GIFs and picture series for one person in a minute.
    pub gifs_per_minute: u32,
    /// The same for everybody on one server.
    pub server_gifs_per_minute: u32,
    /// Analyses for one person in an hour.
    pub analyses_per_hour: u32,
    /// Exported records for one person in an hour.
    pub exports_per_hour: u32,
    /// Imported records and positions for one person in an hour.
    pub imports_per_hour: u32,
    /// Tables that one person opens in an hour.
    pub tables_per_hour: u32,
    /// Hints for one person in an hour.
    pub hints_per_hour: u32,
    /// Reports by one person in an hour.
    pub reports_per_hour: u32,
}

/// How the bot thinks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ai {
    /// Threads that think; 0 is one fewer than the processor has, and at least one. Idle ones think along with
    /// others.
    pub threads: usize,
    /// The longest a single move may be thought about, in milliseconds of wall time.
    pub think_ms_max: u64,
    /// Moves and questions of one server that may be thought about at a time, each on a thread of its own; 0 is
    /// half as many as there are threads, rounded up.
    pub server_threads: usize,
    /// Minutes of thinking that one server gets in an hour.
    pub server_minutes: u32,
}

impl Ai {
    /// The number of threads that think, with 0 resolved for this machine; at least 1.
    pub fn threads_here(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores.saturating_sub(1).max(1) } else { self.threads }
    }

    /// The number of threads that may think for one server at a time; at least 1.
    pub fn server_threads_here(&self) -> usize {
        if self.server_threads == 0 { self.threads_here().div_ceil(2) } else { self.server_threads }
    }
}

/// How boards are drawn unless somebody chose otherwise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Render {
    /// A theme's name.
    pub theme: String,
    /// Width of a board's picture in pixels.
    pub width: u32,
    /// Threads that draw; 0 is half as many as the processor has, and at least one.
    pub threads: usize,
    /// MemoryJournal for pictures that were drawn, in MiB.
    pub cache_mib: u32,
}

/// What is written to standard error, and how.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// A level, or levels by target, in the syntax of `tracing-subscriber`'s `EnvFilter`.
    pub level: String,
    /// The lines' form.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One line for a person to read.
    Compact,
    /// One JSON object a line, for a program to read.
    Json,
}

/// Pages to watch games in a browser.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Web {
    /// Where pages are answered; none answers nowhere.
    #[serde(deserialize_with = "values::address_or_none")]
    pub listen: Option<SocketAddr>,
    /// What stands before a page's path in links, without a slash at the end; none where no links are given.
    #[serde(deserialize_with = "values::unless_empty")]
    pub address: Option<Server>,
    /// Connections that are held at a time.
    pub connections: u32,
    /// Requests that one address may send in a minute; 0 is no limit.
    pub requests_per_minute: u32,
    /// Proxies whose `X-Forwarded-For` names the client's address.
    #[serde(deserialize_with = "values::hosts")]
    pub trusted_proxies: Vec<IpAddr>,
}

/// Where the health of the process can be asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// Where `/health` and `/metrics` are answered; none answers nowhere.
    #[serde(deserialize_with = "values::address_or_none")]
    pub listen: Option<SocketAddr>,
}

/// Which Discord the bot plays on.
#[derive(Clone, Debug, PartialEq)]
pub enum DiscordTarget {
    /// The playground on this machine.
    Playground(Playground),
    /// Discord itself, or the server named by `api_base`.
    Discord {
        /// The bot's token.
        token: Secret,
        /// The server, where it is not Discord itself.
        api_base: Option<Server>,
    },
}

impl Config {
    /// Which Discord to play on: with a token Discord, without one the playground.
    ///
    /// # Errors
    /// [`ConfigError::NoToken`] where there is no token and yet the playground is off or `api_base` is set:
    /// both say that a Discord was meant.
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
