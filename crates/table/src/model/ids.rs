//! The ids of Discord, each its own type, so that a channel's id is never taken for a server's or a
//! message's.
//!
//! All are snowflakes (<https://discord.com/developers/docs/reference#snowflakes>): numbers below 2^64 in the
//! journal, strings in Discord's own JSON.

use std::fmt;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The epoch of Discord's ids: the start of 2015.
pub const DISCORD_EPOCH: Timestamp = Timestamp::constant(1_420_070_400, 0);

/// Defines the type of one kind of id.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                text.parse().map($name)
            }
        }
        impl From<u64> for $name {
            fn from(number: u64) -> $name {
                $name(number)
            }
        }
        impl From<$name> for u64 {
            fn from(id: $name) -> u64 {
                id.0
            }
        }
    };
}

id! {
    /// The id of a server.
    GuildId
}
id! {
    /// The id of a channel, a thread or a direct message channel.
    ChannelId
}
id! {
    /// The id of a message.
    MessageId
}
id! {
    /// The id of a role in a server.
    RoleId
}
id! {
    /// The id of the message or interaction that gave an order; it identifies an order that arrives twice.
    SourceId
}

impl SourceId {
    /// Discord's ids are below this one.
    const FIRST_OF_PAGES: u64 = 1 << 63;

    /// Returns the id of an order from a web page, made of 63 random bits. It is no id of Discord's.
    pub fn from_page(bits: u64) -> SourceId {
        SourceId(bits | SourceId::FIRST_OF_PAGES)
    }

    /// Whether the order came from a web page.
    pub fn is_from_page(self) -> bool {
        self.0 >= SourceId::FIRST_OF_PAGES
    }

    /// Returns an id that Discord could give at a moment: later ids are higher.
    pub fn given_at(at: Timestamp) -> SourceId {
        let since = at.duration_since(DISCORD_EPOCH).max(SignedDuration::ZERO);
        SourceId(u64::try_from(since.as_millis()).unwrap_or_default() << 22)
    }
}

impl From<MessageId> for SourceId {
    fn from(id: MessageId) -> SourceId {
        SourceId(id.0)
    }
}

/// The id of a person or a bot. It has no `Display`, so that a log does not name a person by accident.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(pub u64);

/// Logs show the last four digits only.
impl fmt::Debug for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserId(…{:04})", self.0 % 10_000)
    }
}

impl From<u64> for UserId {
    fn from(number: u64) -> UserId {
        UserId(number)
    }
}

impl From<UserId> for u64 {
    fn from(id: UserId) -> u64 {
        id.0
    }
}
