//! Times in JSON: whole milliseconds, since 1970 for a moment. Elsewhere they are `jiff`'s types.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serializer};

/// Returns a moment from milliseconds since 1970; the nearest that `jiff` knows if they are outside its range.
pub fn timestamp(ms: i64) -> Timestamp {
    let nearest = if ms < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_millisecond(ms).unwrap_or(nearest)
}

/// Returns a duration in whole milliseconds, rounded towards zero; at most what fits in 64 bits.
pub fn whole(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// A field that holds a moment.
pub mod moment {
    use super::*;

    /// Writes a moment as milliseconds since 1970.
    pub fn serialize<S: Serializer>(at: &Timestamp, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i64(at.as_millisecond())
    }

    /// Reads milliseconds since 1970.
    ///
    /// # Errors
    /// If it is not a number of 64 bits.
    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Timestamp, D::Error> {
        i64::deserialize(d).map(timestamp)
    }
}

/// A field that may hold a moment.
pub mod optional_moment {
    use super::*;

    /// Writes a moment as milliseconds since 1970, or null.
    pub fn serialize<S: Serializer>(at: &Option<Timestamp>, s: S) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => s.serialize_some(&at.as_millisecond()),
            None => s.serialize_none(),
        }
    }

    /// Reads milliseconds since 1970, or null.
    ///
    /// # Errors
    /// If it is not a number of 64 bits.
    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Timestamp>, D::Error> {
        Ok(Option::<i64>::deserialize(d)?.map(timestamp))
    }
}

/// A field that holds a duration.
pub mod duration {
    use super::*;

    /// Writes a duration as whole milliseconds.
    pub fn serialize<S: Serializer>(length: &SignedDuration, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i64(whole(*length))
    }

    /// Reads whole milliseconds.
    ///
    /// # Errors
    /// If it is not a number of 64 bits.
    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<SignedDuration, D::Error> {
        i64::deserialize(d).map(SignedDuration::from_millis)
    }
}

/// Durations in whole milliseconds from 0 to below `end`.
#[cfg(test)]
pub(crate) fn durations_below(
    end: SignedDuration,
) -> impl proptest::strategy::Strategy<Value = SignedDuration> {
    proptest::strategy::Strategy::prop_map(0..whole(end), SignedDuration::from_millis)
}
