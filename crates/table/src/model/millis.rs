//! Times in JSON: whole milliseconds, since 1970 for a moment. Elsewhere they are `jiff`'s types.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serializer};

/// The range of moments that are read: the start of the year 9000, and as long before 1970. It ends centuries before
/// the range of `jiff`, so that adding a time to a moment of a damaged row, or subtracting one, doesn't overflow.
const LATEST: Timestamp = Timestamp::constant(221_845_392_000, 0);
const EARLIEST: Timestamp = Timestamp::constant(-221_845_392_000, 0);
/// The longest duration that is read: about a hundred years.
const LONGEST: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

/// Returns a moment from milliseconds since 1970, or the nearest from `EARLIEST` to `LATEST`.
pub fn timestamp(ms: i64) -> Timestamp {
    let nearest = if ms < 0 { EARLIEST } else { LATEST };
    Timestamp::from_millisecond(ms).unwrap_or(nearest).clamp(EARLIEST, LATEST)
}

/// Returns a duration from milliseconds, or the nearest of at most [`LONGEST`].
fn length(ms: i64) -> SignedDuration {
    SignedDuration::from_millis(ms).clamp(-LONGEST, LONGEST)
}

/// Returns the moment that lies a time after another, or the first or last that `jiff` knows.
pub fn after(at: Timestamp, time: SignedDuration) -> Timestamp {
    let nearest = if time.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    at.checked_add(time).unwrap_or(nearest)
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
        i64::deserialize(d).map(length)
    }
}

/// Durations in whole milliseconds from 0 to below `end`.
#[cfg(test)]
pub(crate) fn durations_below(
    end: SignedDuration,
) -> impl proptest::strategy::Strategy<Value = SignedDuration> {
    proptest::strategy::Strategy::prop_map(0..whole(end), SignedDuration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_the_range_leave_room_for_sums() {
        for ms in [1_i64 << 50, i64::MAX, -(1 << 50), i64::MIN] {
            let (at, time) = (timestamp(ms), length(ms));
            for moved in [at.checked_add(time), at.checked_sub(time), at.checked_add(LONGEST * 5)] {
                assert!(moved.is_ok(), "{ms}");
            }
        }
        assert_eq!(timestamp(1_793_577_600_123).as_millisecond(), 1_793_577_600_123);
        assert_eq!(length(-1), SignedDuration::from_millis(-1));
    }

    #[test]
    fn a_sum_beyond_the_range_is_its_end() {
        assert_eq!(after(timestamp(1), SignedDuration::MAX), Timestamp::MAX);
        assert_eq!(after(timestamp(1), SignedDuration::MIN), Timestamp::MIN);
        assert_eq!(after(timestamp(1), SignedDuration::from_millis(2)), timestamp(3));
    }
}
