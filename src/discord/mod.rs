//! The Discord face: events in, messages out.
//!
//! In: `session` keeps the connection that [`gateway`] asks for, `events` takes what comes, `payload` reads it into
//! our own terms ([`asked`], [`hear`]), [`commands`], [`buttons`] and `hear` make orders of it, and [`answer`]
//! replies in time. `missed_messages` reads what was written while there was no session. Out: [`outbox`] says what the journal
//! holds due, and `in_place` brings up to date what stays. Between them [`layout`] makes messages as plain
//! data ([`post`]), which [`limits`] checks and [`api`] sends. serenity's types stay in `gateway`,
//! `session`, `payload`, `asked`, `api` and `fault`.

mod access;
pub mod answer;
pub mod api;
mod arrivals;
pub mod asked;
mod at_work;
mod bans;
pub mod brought;
pub mod buttons;
mod channel_access;
pub mod commands;
pub mod complete;
mod deferred_pings;
pub mod desk;
pub mod digest;
pub mod doors;
mod edited_messages;
mod events;
pub mod fault;
pub mod gateway;
pub mod hear;
mod in_place;
mod jobs;
mod json_fields;
pub mod late;
pub mod lately;
mod lay_out;
pub mod layout;
pub mod lesson;
pub mod limits;
pub mod lobby;
mod missed_messages;
pub mod order;
pub mod outbox;
mod outside;
mod own_roles;
mod payload;
mod pictures;
pub mod pings;
pub mod post;
pub mod press;
mod quotas;
pub mod ranked;
pub mod rehouse;
pub mod rematch;
mod rest;
mod session;
pub mod settings;
pub mod sharing;
pub mod shuns;
pub mod sight;
pub mod spoken;
pub mod sure;
pub mod taste;
pub mod teams;
mod tv;
pub mod viewing;
mod voted;
pub mod which;

use std::sync::Arc;
use std::time::Duration;

use crate::drawing::Drawing;
use rookery_i18n::Languages;
use rookery_table::hall::Hall;
use rookery_table::quota::Quotas;

pub use gateway::{Stopped, run};

/// What the face stands on.
pub struct Face {
    /// The tables.
    pub hall: Arc<Hall>,
    /// What draws.
    pub drawing: Drawing,
    /// How it is set up.
    pub settings: Settings,
    /// The languages it speaks, the usual one first.
    pub languages: Languages,
}

/// How often lobbies are looked at where nobody says: few enough changes for Discord.
pub const LOBBY_EVERY: Duration = Duration::from_secs(20);

/// How often televisions are looked at where nobody says.
pub const TV_EVERY: Duration = Duration::from_secs(5);

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
    pub lobby_every: Duration,
    /// How often televisions are looked at.
    pub tv_every: Duration,
    /// The theme of boards.
    pub theme: String,
    /// The width of a board's picture in pixels.
    pub width_px: u32,
    /// How long a message waits for an earlier one that it has overtaken on its way.
    pub settle: Duration,
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
            lobby_every: LOBBY_EVERY,
            tv_every: TV_EVERY,
            theme: "walnut".to_owned(),
            width_px: 1_050,
            settle: order::SETTLE,
            web: None,
            contact: None,
            report_channel: None,
            quotas: Quotas::default(),
        }
    }
}
