//! Snowflakes: ids that contain their creation time.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first millisecond of 2015 (UTC), Discord's epoch.
pub(crate) const EPOCH_MS: u64 = 1_420_070_400_000;

/// A Discord id: milliseconds since `EPOCH_MS` in the upper 42 bits; a string in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u64);

impl Id {
    /// Returns the creation time, in milliseconds since 1970.
    pub fn created_ms(self) -> u64 {
        (self.0 >> 22) + EPOCH_MS
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Id {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(IdVisitor)
    }
}

/// Reads an id from a string of digits.
struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a snowflake")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
        text.parse().map_err(E::custom)
    }
}

/// Generates ids, each greater than all before, even if the clock goes back.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    last: u64,
}

impl Ids {
    /// Returns a new id for the time `now_ms` (milliseconds since 1970).
    pub(crate) fn make(&mut self, now_ms: u64) -> Id {
        let by_clock = now_ms.saturating_sub(EPOCH_MS) << 22;
        self.last = by_clock.max(self.last + 1);
        Id(self.last)
    }

    /// Marks an id from the file as used: later ids are greater.
    pub(crate) fn mark_used(&mut self, id: Id) {
        self.last = self.last.max(id.0);
    }
}
