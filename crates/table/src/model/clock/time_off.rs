//! Periods in which a player's clock is stopped although it is their turn: days off, and a weekly window.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::terms::MINUTE;
use crate::model::millis::{after, whole};

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Monday, 5 January 1970: weeks are counted from here.
const FIRST_MONDAY: Timestamp = Timestamp::constant(345_600, 0);

/// The longest weekly window that counts, in minutes: two days, so that every clock runs out eventually.
pub const MAX_QUIET_MIN: u16 = 2 * 24 * 60;

/// The periods in which a player's clock is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeOff {
    /// The current days off, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<TimeSpan>,
    /// The weekly window, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<WeeklyWindow>,
}

/// A half-open span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// The first moment of the span.
    #[serde(rename = "from_ms", with = "crate::model::millis::moment")]
    pub from: Timestamp,
    /// The first moment after the span.
    #[serde(rename = "until_ms", with = "crate::model::millis::moment")]
    pub until: Timestamp,
}

/// A weekly window, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeeklyWindow {
    /// The beginning, in minutes since midnight on Monday, below 10,080.
    pub from_min: u16,
    /// The length in minutes, at most [`MAX_QUIET_MIN`].
    pub length_min: u16,
}

impl TimeSpan {
    /// Returns whether a moment lies in the span.
    pub fn holds(&self, at: Timestamp) -> bool {
        (self.from..self.until).contains(&at)
    }

    /// Returns the intersection of two spans, or `None` if it is empty.
    pub fn intersection(&self, other: TimeSpan) -> Option<TimeSpan> {
        let from = self.from.max(other.from);
        let until = self.until.min(other.until);
        (from < until).then_some(TimeSpan { from, until })
    }
}

impl WeeklyWindow {
    /// Returns the window that contains a moment, or else the next one.
    fn at_or_after(&self, at: Timestamp) -> TimeSpan {
        let length = i32::from(self.length_min.min(MAX_QUIET_MIN)) * MINUTE;
        let elapsed = at.duration_since(FIRST_MONDAY) - i32::from(self.from_min) * MINUTE;
        let since = SignedDuration::from_millis(whole(elapsed).rem_euclid(whole(WEEK)));
        let begins = if since < length { -since } else { WEEK - since };
        TimeSpan { from: after(at, begins), until: after(at, begins + length) }
    }
}

impl TimeOff {
    /// Returns when the clock starts again if it is stopped at `at`.
    pub fn until(&self, at: Timestamp) -> Option<Timestamp> {
        let quiet = self.quiet.map(|week| week.at_or_after(at));
        let holding = self.away.into_iter().chain(quiet).filter(|span| span.holds(at));
        holding.map(|span| span.until).max()
    }

    /// Returns the start of the clock's next pause after `at`, a moment at which it runs.
    fn next_due(&self, at: Timestamp) -> Option<Timestamp> {
        let quiet = self.quiet.map(|week| week.at_or_after(at));
        let coming = self.away.into_iter().chain(quiet).map(|span| span.from);
        coming.filter(|from| *from > at).min()
    }

    /// Returns the periods from `from` on in which the clock runs.
    fn runs(self, from: Timestamp) -> impl Iterator<Item = TimeSpan> {
        let mut next = Some(from);
        std::iter::from_fn(move || {
            let mut from = next?;
            while let Some(until) = self.until(from) {
                from = until;
            }
            next = self.next_due(from);
            Some(TimeSpan { from, until: next.unwrap_or(Timestamp::MAX) })
        })
    }

    /// Returns how long the clock runs within a span.
    pub fn running_time(&self, span: TimeSpan) -> SignedDuration {
        let runs = self.runs(span.from).take_while(|run| run.from < span.until);
        runs.filter_map(|run| run.intersection(span)).map(|run| run.until.duration_since(run.from)).sum()
    }

    /// Returns the moment at which a clock that starts at `from` has run for `left`.
    pub fn after(&self, from: Timestamp, left: SignedDuration) -> Timestamp {
        let mut left = left;
        if !left.is_positive() {
            return from;
        }
        for run in self.runs(from) {
            if left <= run.until.duration_since(run.from) {
                return run.from + left;
            }
            left -= run.until.duration_since(run.from);
        }
        Timestamp::MAX
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::terms::{DAY, HOUR};
    use crate::model::millis::durations_below;

    /// Monday, 2 November 2026, 0:00 UTC.
    const MONDAY: Timestamp = Timestamp::constant(1_793_577_600, 0);
    /// From Friday 18:00 to Saturday 20:00.
    const SABBATH: WeeklyWindow = WeeklyWindow { from_min: (4 * 24 + 18) * 60, length_min: 26 * 60 };

    #[test]
    fn a_week_begins_on_monday() {
        let rest = TimeOff { quiet: Some(SABBATH), away: None };
        let friday = MONDAY + 4 * DAY;
        assert_eq!(rest.until(friday + 18 * HOUR - SignedDuration::from_millis(1)), None);
        assert_eq!(rest.until(friday + 18 * HOUR), Some(friday + 44 * HOUR));
        assert_eq!(rest.until(friday + 44 * HOUR - SignedDuration::from_millis(1)), Some(friday + 44 * HOUR));
        assert_eq!(rest.until(friday + 44 * HOUR), None);
    }

    #[test]
    fn a_clock_waits_for_the_end_of_the_window() {
        let rest = TimeOff { quiet: Some(SABBATH), away: None };
        let friday = MONDAY + 4 * DAY;
        assert_eq!(rest.after(friday, 12 * HOUR), friday + 12 * HOUR);
        assert_eq!(rest.after(friday, 20 * HOUR), friday + (20 + 26) * HOUR);
        let day = TimeSpan { from: friday, until: friday + 24 * HOUR };
        assert_eq!(rest.running_time(day), 18 * HOUR);
    }

    #[test]
    fn days_off_may_run_into_the_window() {
        let away = Some(TimeSpan { from: MONDAY, until: MONDAY + 5 * DAY });
        let rest = TimeOff { away, quiet: Some(SABBATH) };
        let saturday_evening = MONDAY + 5 * DAY + 20 * HOUR;
        assert_eq!(
            rest.after(MONDAY + HOUR, SignedDuration::from_millis(1)),
            saturday_evening + SignedDuration::from_millis(1)
        );
    }

    #[test]
    fn the_window_is_cut_off_at_the_ends_of_the_calendar() {
        let rest = TimeOff { quiet: Some(SABBATH), away: None };
        let hour_before_end = Timestamp::MAX - HOUR;
        assert_eq!(rest.after(hour_before_end, 100 * DAY), Timestamp::MAX);
        assert_eq!(rest.after(Timestamp::MAX, HOUR), Timestamp::MAX);
        let first_day = TimeSpan { from: Timestamp::MIN, until: Timestamp::MIN + DAY };
        assert!(rest.running_time(first_day) <= DAY);
        assert!(rest.until(Timestamp::MIN).is_none_or(|until| until > Timestamp::MIN));
    }

    fn rests() -> impl Strategy<Value = TimeOff> {
        let away = (durations_below(20 * DAY), durations_below(20 * DAY))
            .prop_map(|(from, length)| TimeSpan { from: MONDAY + from, until: MONDAY + from + length });
        let quiet = (0..10_080_u16, 0..=MAX_QUIET_MIN)
            .prop_map(|(from_min, length_min)| WeeklyWindow { from_min, length_min });
        (proptest::option::of(away), proptest::option::of(quiet))
            .prop_map(|(away, quiet)| TimeOff { away, quiet })
    }

    proptest! {
        /// At the moment when time is up, exactly that much time has run.
        #[test]
        fn what_has_run_and_when_it_has_agree(rest in rests(), from in durations_below(30 * DAY), left in durations_below(60 * DAY)) {
            prop_assume!(left.is_positive());
            let from = MONDAY + from;
            let until = rest.after(from, left);
            prop_assert_eq!(rest.running_time(TimeSpan { from, until }), left);
            prop_assert_eq!(rest.running_time(TimeSpan { from, until: until - SignedDuration::from_millis(1) }), left - SignedDuration::from_millis(1));
        }

        /// Reading a clock in between neither adds nor removes time.
        #[test]
        fn spans_add_up(rest in rests(), from in durations_below(30 * DAY), a in durations_below(20 * DAY), b in durations_below(20 * DAY)) {
            let at = [from, from + a, from + a + b].map(|at| MONDAY + at);
            let ran = |from, until| rest.running_time(TimeSpan { from, until });
            prop_assert_eq!(ran(at[0], at[1]) + ran(at[1], at[2]), ran(at[0], at[2]));
            prop_assert!(ran(at[0], at[2]) <= a + b);
        }
    }
}
