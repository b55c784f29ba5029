//! The data of tables: ids, terms, orders, events, errors, and the records of the journal.
//!
//! Events are written to the journal as JSON: a name or field here is never changed without reading
//! the old one still.

pub(crate) mod account;
pub mod calendar;
pub mod clock;
pub mod commitment;
pub mod digest;
mod errors;
mod events;
mod ids;
mod in_set;
pub mod millis;
pub mod outbox_item;
pub mod preferences;
pub(crate) mod quota_error;
pub(crate) mod rating;
pub mod records;
pub mod share;
mod table_id;
pub mod team;
mod terms;

use serde::{Deserialize, Serialize};

use rookery_core::player::Level;

pub use account::{Account, RatingChange, RatingRecord};
pub use errors::{OrderError, TableError};
pub use events::{AutoMoveReason, Branch, EndCause, Ending, Event, LeavePolicy, Order, Status};
pub use ids::{ChannelId, GuildId, MessageId, RoleId, SourceId, UserId};
pub use in_set::InSet;
pub use table_id::{TableId, TableIdError};
pub use terms::Terms;

/// Who gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person.
    Person(UserId),
    /// The program that holds a seat.
    Ai,
    /// The house itself: the outbox reporting, a challenge running out.
    System,
}

/// Who or what holds a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Occupant {
    /// Nobody yet: anybody may join.
    Open,
    /// Reserved for a person who has not answered yet.
    Invited {
        /// Who was asked.
        person: UserId,
    },
    /// A person.
    Human {
        /// Who it is.
        person: UserId,
    },
    /// The program.
    Ai {
        /// How strong it plays.
        #[serde(with = "level_key")]
        level: Level,
    },
}

impl Occupant {
    /// The person who holds the seat.
    pub fn person(self) -> Option<UserId> {
        match self {
            Occupant::Human { person } => Some(person),
            _ => None,
        }
    }
}

/// Where a table is: the channel its boards are posted in, and how to get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardChannel {
    /// The thread, channel or DM that boards are posted in.
    pub channel: ChannelId,
    /// Whether that is a thread made for this table.
    pub thread: bool,
}

/// What becomes of a game whose end is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettlementPolicy {
    /// The program plays it out and records the margin.
    Auto,
    /// People are asked.
    SearchRequest,
    /// Nothing: it is not even looked for.
    Off,
}

impl SettlementPolicy {
    /// All of them, the usual one first.
    pub const ALL: [SettlementPolicy; 3] =
        [SettlementPolicy::Auto, SettlementPolicy::SearchRequest, SettlementPolicy::Off];

    /// Its name in commands.
    pub fn key(self) -> &'static str {
        match self {
            SettlementPolicy::Auto => "auto",
            SettlementPolicy::SearchRequest => "ask",
            SettlementPolicy::Off => "off",
        }
    }

    /// The one of this name.
    pub fn named(key: &str) -> Option<SettlementPolicy> {
        SettlementPolicy::ALL.into_iter().find(|settle| settle.key() == key)
    }
}

/// The proven end of a game, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Turns taken when it was proven.
    pub ply: usize,
    /// Every region with something left in it.
    pub regions: Vec<ProvenRegion>,
    /// What each seat, by index, still has: at least, at most. Moves in the Amazons, points on floes.
    pub left: Vec<(u32, u32)>,
    /// Moves from there to the end by the rules, in canonical spelling.
    pub moves: Vec<String>,
    /// Seat indices of those who win, or share the victory.
    pub winners: Vec<u8>,
    /// The lead in half units, where it is counted out.
    pub margin_halves: Option<u32>,
}

/// A part of the board that one seat alone can still use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenRegion {
    /// Its cells by name: the free ones and those under the owner's pieces.
    pub cells: Vec<String>,
    /// Seat index of whose it is.
    pub owner: u8,
    /// What it is worth at least.
    pub least: u32,
    /// What it is worth at most.
    pub most: u32,
}

/// Something to be agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Stop here and count what each side has left, exactly.
    Count,
    /// Share the game.
    Draw,
    /// Take back the last turn of who offers, and all after it.
    Undo,
    /// Stand still until somebody takes the game up again.
    Pause,
    /// End the game without a result.
    Abort,
}

impl Offer {
    /// All of them.
    pub const ALL: [Offer; 5] = [Offer::Count, Offer::Draw, Offer::Undo, Offer::Pause, Offer::Abort];

    /// Its name in commands and on buttons, and the key of its sentences.
    pub fn key(self) -> &'static str {
        match self {
            Offer::Count => "count",
            Offer::Draw => "draw",
            Offer::Undo => "undo",
            Offer::Pause => "pause",
            Offer::Abort => "abort",
        }
    }

    /// The offer of this name.
    pub fn named(key: &str) -> Option<Offer> {
        Offer::ALL.into_iter().find(|offer| offer.key() == key)
    }
}

pub(crate) mod level_key {
    use super::{Deserialize, Level};
    pub(crate) fn serialize<S: serde::Serializer>(level: &Level, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(level.key())
    }
    pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Level, D::Error> {
        let key = String::deserialize(d)?;
        Level::named(&key).ok_or_else(|| serde::de::Error::custom(format!("no level called {key}")))
    }
}
