//! The data of tables: ids, terms, orders, events, errors, and the records of the journal.
//!
//! Events are written to the journal as JSON: a change to a name or field must keep the old form readable.

pub(crate) mod account;
pub mod annotation;
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
pub mod web_session;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use rookery_core::Seat;
use rookery_core::player::Level;

pub use account::{Account, KnownRating, RatingChange, RatingRecord};
pub use errors::{OrderError, TableError};
pub use events::{AutoMoveReason, Branch, EndCause, Ending, Event, LeavePolicy, Order, Status};
pub use ids::{ChannelId, DISCORD_EPOCH, GuildId, MessageId, RoleId, SourceId, UserId};
pub use in_set::InSet;
pub use table_id::{TableId, TableIdError};
pub use terms::Terms;

/// The giver of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person, for their own seat or team.
    Person(UserId),
    /// The bot as the holder of a seat.
    Ai,
    /// The system itself: a report of the outbox, an expired challenge.
    System,
}

/// The occupant of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Occupant {
    /// Free: anyone may join.
    Open,
    /// Reserved for a person who has not answered the invitation.
    Invited {
        /// The only person who may take the seat.
        person: UserId,
    },
    /// A person holds the seat.
    Human {
        /// The player, or the captain of the team that plays it.
        person: UserId,
    },
    /// The bot holds the seat.
    Ai {
        /// The level the bot plays at.
        #[serde(with = "level_key")]
        level: Level,
    },
}

impl Occupant {
    /// Returns the person who holds the seat.
    pub fn person(self) -> Option<UserId> {
        match self {
            Occupant::Human { person } => Some(person),
            _ => None,
        }
    }
}

/// The channel where a table's boards are posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardChannel {
    /// The thread, channel or direct message channel.
    pub channel: ChannelId,
    /// Whether it is a thread that was created for this table.
    pub thread: bool,
}

/// What happens when the result of a game is proven.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "snake_case")]
pub enum SettlementPolicy {
    /// The bot plays the game out and records the margin.
    Auto,
    /// The players are asked.
    // Journals of some development versions hold the other name.
    #[serde(alias = "search_request")]
    Ask,
    /// Nothing: no proof is searched for.
    Off,
}

impl SettlementPolicy {
    /// All policies, the default first.
    pub const ALL: &[SettlementPolicy] = SettlementPolicy::VARIANTS;

    /// Returns the name in commands.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// Returns the policy of this name.
    pub fn named(key: &str) -> Option<SettlementPolicy> {
        key.parse().ok()
    }
}

/// The proven result of a game, as stored in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Turns taken at the proven position.
    pub ply: usize,
    /// The regions in which moves are left.
    pub regions: Vec<ProvenRegion>,
    /// The bounds of each seat, by index: what it has left at least and at most. Moves in the Amazons, points
    /// on floes.
    pub left: Vec<(u32, u32)>,
    /// Moves from there to the end by the rules, in canonical notation.
    pub moves: Vec<String>,
    /// Indices of the seats that win or share the victory.
    pub winners: Vec<Seat>,
    /// The margin in half units, if it is counted exactly.
    pub margin_halves: Option<u32>,
}

/// A part of the board that only one seat can still use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenRegion {
    /// The names of its cells: the free ones and those under the owner's pieces.
    pub cells: Vec<String>,
    /// Index of the owner's seat.
    pub owner: Seat,
    /// The lower bound of its value.
    pub least: u32,
    /// The upper bound of its value.
    pub most: u32,
}

/// A proposal that the players must agree on.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Stop and count exactly what each side has left.
    Count,
    /// End the game in a draw.
    Draw,
    /// Take back the last turn of the player who offers, and all turns after it.
    Undo,
    /// Pause the game until a player resumes it.
    Pause,
    /// End the game without a result.
    Abort,
}

impl Offer {
    /// All offers, in the order in which commands list them.
    pub const ALL: &[Offer] = Offer::VARIANTS;

    /// Returns the name in commands and on buttons, which is also the key of its texts.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// Returns the offer of this name.
    pub fn named(key: &str) -> Option<Offer> {
        key.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settlement_policies_keep_their_stored_names() {
        let stored = ["auto", "ask", "off"];
        for (policy, name) in SettlementPolicy::ALL.iter().zip(stored) {
            let json = format!("\"{name}\"");
            assert_eq!(serde_json::to_string(policy).unwrap(), json);
            assert_eq!(serde_json::from_str::<SettlementPolicy>(&json).unwrap(), *policy);
            assert_eq!(SettlementPolicy::named(name), Some(*policy));
        }
        assert_eq!(SettlementPolicy::ALL.len(), stored.len());
        // Journals of some development versions hold this name of `Ask`.
        let read: SettlementPolicy = serde_json::from_str("\"search_request\"").unwrap();
        assert_eq!(read, SettlementPolicy::Ask);
    }
}
