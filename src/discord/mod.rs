//! The Discord side of the bot: events in, messages out. Each folder may use only those before it:
//!
//! - [`wire`]: ids, events, messages, component ids, limits, the REST client and the gateway session; the
//!   only folder with serenity's types, beside [`gateway`].
//! - [`state`]: caches, and the context that handlers work with.
//! - [`view`]: what a message looks like, as plain data.
//! - [`policy`]: who may see, join, open, order and speak; which table a request refers to.
//! - [`actions`]: operations that several handlers share.
//! - [`handlers`]: turns commands, components, messages and events into orders.
//! - [`jobs`]: the outbox, which posts due items; lobbies, TV channels, digests and pings.

pub mod actions;
pub mod gateway;
pub mod handlers;
pub mod jobs;
pub mod policy;
pub mod state;
pub mod view;
pub mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use rookery_i18n::Languages;
use rookery_table::quota::Quotas;
use rookery_table::registry::TableRegistry;
use rookery_table::{ChannelId, GuildId};

use crate::drawing::Drawing;
use crate::web::DiscordSideSlot;

pub(crate) use gateway::client;
pub use gateway::{RunError, run, run_over};
pub use wire::api::accounts::ClientSecret;
pub(crate) use wire::interaction::{RequiredPermission, lacking_in_channel};

/// The parts that the bot is built from.
pub struct Bot {
    /// The registry of tables.
    pub registry: Arc<TableRegistry>,
    /// The service that draws boards.
    pub drawing: Drawing,
    /// The settings of the Discord side.
    pub settings: Settings,
    /// The languages it supports, the default first.
    pub languages: Languages,
    /// Makes backups when an operator asks for one; `None` if no folder for them is set.
    pub backups: Option<Arc<dyn BackupMaker>>,
    /// Where the pages for playing find who may see and act.
    pub discord_side: DiscordSideSlot,
}

/// Makes backups of the journal.
#[async_trait]
pub trait BackupMaker: Send + Sync {
    /// Makes a backup, after those that are being made.
    ///
    /// # Errors
    /// Why there is none, as text for the operator.
    async fn back_up(&self, now: Timestamp) -> Result<Backup, String>;
}

/// A backup of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The default interval between updates of lobbies: low enough for Discord's limit on edits.
pub const LOBBY_INTERVAL: Duration = Duration::from_secs(20);

/// The default interval between updates of TV channels.
pub const TV_INTERVAL: Duration = Duration::from_secs(5);

/// How a server is greeted that the bot has just joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Greeting {
    /// Not at all.
    Off,
    /// By asking its managers for the channel for games.
    Ask,
    /// With the welcome message in the channel with this name.
    Welcome(String),
}

/// The settings of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether to request the Message Content intent, to read moves typed in threads without a mention.
    pub message_content: bool,
    /// Minutes of inactivity after which Discord archives a table's thread: 60, 1,440, 4,320 or 10,080.
    pub thread_archive_minutes: u16,
    /// The most open challenges of one person at a time.
    pub open_per_person: usize,
    /// Hours after which an open challenge expires.
    pub challenge_hours: u32,
    /// Whether the move panel asks for confirmation before it plays a move.
    pub confirm: bool,
    /// The interval between updates of lobbies.
    pub lobby_interval: Duration,
    /// The interval between updates of TV channels.
    pub tv_interval: Duration,
    /// The default theme of boards.
    pub theme: String,
    /// The width of a board's picture in pixels.
    pub width_px: u32,
    /// How long a message waits for an earlier one that may arrive late.
    pub reorder_delay: Duration,
    /// The public address of the web pages, without a slash at the end.
    pub web: Option<String>,
    /// The secret of the application, with which people can sign in on the pages.
    pub client_secret: Option<ClientSecret>,
    /// Whether boards open inside Discord, as an Activity. This needs the secret and the pages.
    pub activity: bool,
    /// How people can reach the operator, in one line.
    pub contact: Option<String>,
    /// The operator's channel for reports from places without a report channel of their own.
    pub report_channel: Option<ChannelId>,
    /// The server whose administrators may use the commands for operators.
    pub owner_server: Option<GuildId>,
    /// Limits per person and per server.
    pub quotas: Quotas,
    /// How a new server is greeted.
    pub greeting: Greeting,
    /// Whether this process runs shards of the gateway.
    pub gateway: bool,
    /// Whether this process posts what is due.
    pub outbox: bool,
    /// The number of shards of the gateway; 0 is what Discord recommends.
    pub shards: u32,
    /// How many requests a second the whole bot may send.
    pub requests_per_second: u32,
    /// The address of a proxy for Discord's REST API that keeps its rate limits.
    pub rest_proxy: Option<String>,
}

impl Settings {
    /// Returns how many requests a second the whole bot may send; `None` if a proxy keeps the limits.
    fn request_limit(&self) -> Option<u32> {
        self.rest_proxy.is_none().then_some(self.requests_per_second)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            message_content: false,
            thread_archive_minutes: 10_080,
            open_per_person: 5,
            challenge_hours: 24,
            confirm: true,
            lobby_interval: LOBBY_INTERVAL,
            tv_interval: TV_INTERVAL,
            theme: "walnut".to_owned(),
            width_px: 1_050,
            reorder_delay: state::message_order::REORDER_DELAY,
            web: None,
            client_secret: None,
            activity: false,
            contact: None,
            report_channel: None,
            owner_server: None,
            quotas: Quotas::default(),
            greeting: Greeting::Ask,
            gateway: true,
            outbox: true,
            shards: 0,
            requests_per_second: 50,
            rest_proxy: None,
        }
    }
}
