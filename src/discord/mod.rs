//! Discord: events in, messages out. Each folder may use only those before it:
//!
//! - [`wire`]: ids, events, messages, component ids, limits, the REST client and the gateway session; the only folder
//!   with serenity's types, beside [`gateway`].
//! - [`state`]: caches, and the context that handlers work with.
//! - [`view`]: what a message looks like, as plain data.
//! - [`policy`]: who may see, join, open, order and speak; which table a request means.
//! - [`actions`]: what several entries share.
//! - [`handlers`]: commands, components, messages and events become orders.
//! - [`jobs`]: the outbox posts what the journal holds due; lobbies, TV channels, digests, pings.

pub mod actions;
pub mod gateway;
pub mod handlers;
pub mod jobs;
pub mod policy;
pub mod state;
pub mod view;
pub mod wire;

use std::sync::Arc;
use std::time::Duration;

use crate::drawing::Drawing;
use rookery_i18n::Languages;
use rookery_table::quota::Quotas;
use rookery_table::registry::TableRegistry;

pub use gateway::{RunError, run};

/// What the face stands on.
pub struct Bot {
    /// The tables.
    pub registry: Arc<TableRegistry>,
    /// What draws.
    pub drawing: Drawing,
    /// How it is set up.
    pub settings: Settings,
    /// The languages it speaks, the usual one first.
    pub languages: Languages,
}

/// How often lobbies are looked at where nobody says: few enough changes for Discord.
pub const LOBBY_INTERVAL: Duration = Duration::from_secs(20);

/// How often televisions are looked at where nobody says.
pub const TV_INTERVAL: Duration = Duration::from_secs(5);

/// How the face is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether to ask for the Message Content intent, to read moves typed plainly in threads.
    pub message_content: bool,
    /// Minutes of silence after which Discord archives a table's thread: 60, 1,440, 4,320 or 10,080.
    pub thread_archive_minutes: u16,
    /// Open challenges that one person may have at a time.
    pub open_per_person: usize,
    /// Hours after which a challenge that nobody took expires.
    pub challenge_hours: u32,
    /// Whether the panel asks before it plays a move.
    pub confirm: bool,
    /// How often lobbies are looked at.
    pub lobby_interval: Duration,
    /// How often televisions are looked at.
    pub tv_interval: Duration,
    /// The theme of boards.
    pub theme: String,
    /// The width of a board's picture in pixels.
    pub width_px: u32,
    /// How long a message waits for an earlier one that it has overtaken on its way.
    pub reorder_delay: Duration,
    /// Where games can be watched in a browser, without a slash at the end.
    pub web: Option<String>,
    /// Where people reach whoever runs the bot, in one line.
    pub contact: Option<String>,
    /// The channel for reports that no server's own channel takes.
    pub report_channel: Option<u64>,
    /// How much one person and one server may ask for.
    pub quotas: Quotas,
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
            contact: None,
            report_channel: None,
            quotas: Quotas::default(),
        }
    }
}
