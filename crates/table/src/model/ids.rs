//! The ids of Discord, each its own type, so that a channel's id is never taken for a server's or a
//! message's.
//!
//! All are snowflakes (<https://discord.com/developers/docs/reference#snowflakes>): numbers below 2^64 in the
//! journal, strings in Discord's own JSON.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
