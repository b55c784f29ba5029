//! Periods in which a player's clock is stopped although it is their turn: days off, and a weekly window.

use serde::{Deserialize, Serialize};

use super::terms::MINUTE_MS;

/// Minutes of a week.
const WEEK_MIN: i64 = 7 * 24 * 60;
const WEEK_MS: i64 = WEEK_MIN * MINUTE_MS;
/// The first Monday of 1970, 5 January, in milliseconds since 1970.
const FIRST_MONDAY_MS: i64 = 4 * 24 * 60 * MINUTE_MS;

/// The longest weekly window that counts, in minutes: two days, so that every clock runs out eventually.
pub const MAX_QUIET_MIN: u16 = 2 * 24 * 60;

/// The periods in which a player's clock is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeOff {
    /// The current days off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<TimeSpan>,
    /// The weekly window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<WeeklyWindow>,
}

/// A period of time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// The beginning (inclusive).
    pub from_ms: i64,
    /// The end (exclusive).
    pub until_ms: i64,
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
    pub fn holds(&self, at_ms: i64) -> bool {
        (self.from_ms..self.until_ms).contains(&at_ms)
    }

    /// Returns the intersection of two spans, or `None` if it is empty.
    pub fn meets(&self, other: TimeSpan) -> Option<TimeSpan> {
        let from_ms = self.from_ms.max(other.from_ms);
        let until_ms = self.until_ms.min(other.until_ms);
        (from_ms < until_ms).then_some(TimeSpan { from_ms, until_ms })
    }
}

impl WeeklyWindow {
    /// Returns the window that contains a moment, or else the next one.
    fn at_or_after(&self, at_ms: i64) -> TimeSpan {
        let length_ms = i64::from(self.length_min.min(MAX_QUIET_MIN)) * MINUTE_MS;
        let since_ms = (at_ms - FIRST_MONDAY_MS - i64::from(self.from_min) * MINUTE_MS).rem_euclid(WEEK_MS);
        let begun_ms = at_ms - since_ms;
        let from_ms = if since_ms < length_ms { begun_ms } else { begun_ms + WEEK_MS };
        TimeSpan { from_ms, until_ms: from_ms + length_ms }
    }
}

impl TimeOff {
    /// Returns when the clock starts again if it is stopped at `at_ms`.
    pub fn until_ms(&self, at_ms: i64) -> Option<i64> {
        let quiet = self.quiet.map(|week| week.at_or_after(at_ms));
        let holding = self.away.into_iter().chain(quiet).filter(|span| span.holds(at_ms));
        holding.map(|span| span.until_ms).max()
    }

    /// Returns when the clock stops next after `at_ms`, a moment at which it runs.
    fn next_ms(&self, at_ms: i64) -> Option<i64> {
        let quiet = self.quiet.map(|week| week.at_or_after(at_ms));
        let coming = self.away.into_iter().chain(quiet).map(|span| span.from_ms);
        coming.filter(|from_ms| *from_ms > at_ms).min()
    }

    /// Returns the periods from `from_ms` on in which the clock runs.
    fn runs(self, from_ms: i64) -> impl Iterator<Item = TimeSpan> {
        let mut next = Some(from_ms);
        std::iter::from_fn(move || {
            let mut from_ms = next?;
            while let Some(until_ms) = self.until_ms(from_ms) {
                from_ms = until_ms;
            }
            next = self.next_ms(from_ms);
            Some(TimeSpan { from_ms, until_ms: next.unwrap_or(i64::MAX) })
        })
    }

    /// Returns how long the clock runs within a span, in milliseconds.
    pub fn ran_ms(&self, span: TimeSpan) -> i64 {
        let runs = self.runs(span.from_ms).take_while(|run| run.from_ms < span.until_ms);
        runs.filter_map(|run| run.meets(span)).map(|run| run.until_ms - run.from_ms).sum()
    }

    /// Returns the moment at which a clock that starts at `from_ms` has run for `left_ms` milliseconds.
    pub fn after_ms(&self, from_ms: i64, left_ms: i64) -> i64 {
        let mut left_ms = left_ms;
        if left_ms <= 0 {
            return from_ms;
        }
        for run in self.runs(from_ms) {
            if left_ms <= run.until_ms - run.from_ms {
                return run.from_ms + left_ms;
            }
            left_ms -= run.until_ms - run.from_ms;
        }
        i64::MAX
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::terms::{DAY_MS, HOUR_MS};

    /// Monday, 2 November 2026, 0:00 UTC.
    const MONDAY_MS: i64 = 1_793_577_600_000;
    /// From Friday 18:00 to Saturday 20:00.
    const SABBATH: WeeklyWindow = WeeklyWindow { from_min: (4 * 24 + 18) * 60, length_min: 26 * 60 };

    #[test]
    fn a_week_begins_on_monday() {
        let rest = TimeOff { quiet: Some(SABBATH), away: None };
        let friday = MONDAY_MS + 4 * DAY_MS;
        assert_eq!(rest.until_ms(friday + 18 * HOUR_MS - 1), None);
        assert_eq!(rest.until_ms(friday + 18 * HOUR_MS), Some(friday + 44 * HOUR_MS));
        assert_eq!(rest.until_ms(friday + 44 * HOUR_MS - 1), Some(friday + 44 * HOUR_MS));
        assert_eq!(rest.until_ms(friday + 44 * HOUR_MS), None);
    }

    #[test]
    fn a_clock_waits_for_the_end_of_the_window() {
        let rest = TimeOff { quiet: Some(SABBATH), away: None };
        let friday = MONDAY_MS + 4 * DAY_MS;
        assert_eq!(rest.after_ms(friday, 12 * HOUR_MS), friday + 12 * HOUR_MS);
        assert_eq!(rest.after_ms(friday, 20 * HOUR_MS), friday + (20 + 26) * HOUR_MS);
        let day = TimeSpan { from_ms: friday, until_ms: friday + 24 * HOUR_MS };
        assert_eq!(rest.ran_ms(day), 18 * HOUR_MS);
    }

    #[test]
    fn days_off_may_run_into_the_window() {
        let away = Some(TimeSpan { from_ms: MONDAY_MS, until_ms: MONDAY_MS + 5 * DAY_MS });
        let rest = TimeOff { away, quiet: Some(SABBATH) };
        let saturday_evening = MONDAY_MS + 5 * DAY_MS + 20 * HOUR_MS;
        assert_eq!(rest.after_ms(MONDAY_MS + HOUR_MS, 1), saturday_evening + 1);
    }

    fn rests() -> impl Strategy<Value = TimeOff> {
        let away = (0..20 * DAY_MS, 0..20 * DAY_MS).prop_map(|(from, length)| TimeSpan {
            from_ms: MONDAY_MS + from,
            until_ms: MONDAY_MS + from + length,
        });
        let quiet = (0..10_080_u16, 0..=MAX_QUIET_MIN)
            .prop_map(|(from_min, length_min)| WeeklyWindow { from_min, length_min });
        (proptest::option::of(away), proptest::option::of(quiet))
            .prop_map(|(away, quiet)| TimeOff { away, quiet })
    }

    proptest! {
        /// At the moment when time is up, exactly that much time has run.
        #[test]
        fn what_has_run_and_when_it_has_agree(rest in rests(), from in 0..30 * DAY_MS, left in 1..60 * DAY_MS) {
            let from_ms = MONDAY_MS + from;
            let until_ms = rest.after_ms(from_ms, left);
            prop_assert_eq!(rest.ran_ms(TimeSpan { from_ms, until_ms }), left);
            prop_assert_eq!(rest.ran_ms(TimeSpan { from_ms, until_ms: until_ms - 1 }), left - 1);
        }

        /// Reading a clock in between neither adds nor removes time.
        #[test]
        fn spans_add_up(rest in rests(), from in 0..30 * DAY_MS, a in 0..20 * DAY_MS, b in 0..20 * DAY_MS) {
            let at = [from, from + a, from + a + b].map(|at| MONDAY_MS + at);
            let ran = |from_ms, until_ms| rest.ran_ms(TimeSpan { from_ms, until_ms });
            prop_assert_eq!(ran(at[0], at[1]) + ran(at[1], at[2]), ran(at[0], at[2]));
            prop_assert!(ran(at[0], at[2]) <= a + b);
        }
    }
}
