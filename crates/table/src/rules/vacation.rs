//! A person's days off and weekly rest periods, and their effect on clocks. Pure.
//!
//! Days off are limited per year, and a weekly rest period rarely moves, so that nobody can stop a clock forever.

use crate::calendar::{WEEK_MIN, Weekly, Zone};
use crate::clock::time_off::MAX_QUIET_MIN;
use crate::clock::{DAY, TimeOff, TimeSpan, WeeklyWindow};
use crate::model::millis::whole;
pub use crate::preferences::ClockWeek;
use crate::preferences::{PersonalPreferences, Vacation};
use jiff::{SignedDuration, Timestamp};

/// The most days off of a person in twelve months.
pub const YEARLY_DAYS: u32 = 30;
/// Twelve months, approximately.
const YEAR: SignedDuration = SignedDuration::from_hours(365 * 24);
/// The excess of a day on which clocks are put back.
const DST_TOLERANCE: SignedDuration = SignedDuration::from_hours(2);
/// The least time for which clocks keep a weekly window before they follow a change.
const MIN_WEEK_CHANGE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Why days off cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaysOffError {
    /// They end before they begin, or are in the past.
    Backwards,
    /// They begin more than a year from now.
    TooFar,
    /// More days than are left.
    TooMany {
        /// The number of days left, including those that the new ones would replace.
        left: u32,
        /// Whether there are days to replace.
        instead: bool,
    },
    /// Current days off would end now: the new ones begin only after them.
    Apart {
        /// The end of the current days off.
        until: Timestamp,
    },
}

impl Vacation {
    /// Returns the number of days; a begun day counts whole.
    pub fn days(self) -> u32 {
        let length = self.until.duration_since(self.from) - DST_TOLERANCE;
        let begun = whole(length).max(1).unsigned_abs().div_ceil(whole(DAY).unsigned_abs());
        u32::try_from(begun).unwrap_or(u32::MAX)
    }
}

impl PersonalPreferences {
    /// Takes days off, in place of future ones. Current days off are extended by new ones that begin before their end,
    /// and replaced by new ones that begin now.
    ///
    /// # Errors
    /// [`DaysOffError`]; nothing changes then.
    pub fn take_days_off(&mut self, wanted: Vacation, now: Timestamp) -> Result<(), DaysOffError> {
        let wanted = Vacation { from: wanted.from.max(now), ..wanted };
        if wanted.until <= wanted.from {
            return Err(DaysOffError::Backwards);
        }
        if wanted.from > now + YEAR {
            return Err(DaysOffError::TooFar);
        }
        let running = self.vacation.filter(|old| old.holds(now) && wanted.from > now);
        let mut after = self.clone();
        let (wanted, instead) = match running {
            Some(old) if wanted.from > old.until => {
                return Err(DaysOffError::Apart { until: old.until });
            }
            Some(old) => {
                after.vacation = None;
                (Vacation { until: old.until.max(wanted.until), ..old }, true)
            }
            None => (wanted, after.end_days_off(now)),
        };
        let left = after.days_left(wanted.until);
        if wanted.days() > left {
            return Err(DaysOffError::TooMany { left, instead });
        }
        after.vacation = Some(wanted);
        *self = after;
        Ok(())
    }

    /// Ends current days off, or cancels future ones; days already taken still count. Returns whether there were any.
    pub fn end_days_off(&mut self, now: Timestamp) -> bool {
        self.days_off.retain(|taken| taken.until > now - YEAR);
        let Some(old) = self.vacation.take() else { return false };
        if old.from < now {
            self.days_off.push(Vacation { until: old.until.min(now), ..old });
        }
        old.until > now
    }

    /// Returns the number of days off left in the twelve months before a moment.
    pub fn days_left(&self, at: Timestamp) -> u32 {
        let all = self.days_off.iter().chain(&self.vacation);
        let counted = all.filter(|taken| taken.until > at - YEAR);
        YEARLY_DAYS.saturating_sub(counted.map(|taken| taken.days()).sum())
    }

    /// Returns the current or future days off.
    pub fn coming_days_off(&self, now: Timestamp) -> Option<Vacation> {
        self.vacation.filter(|vacation| vacation.until > now)
    }

    /// Whether clocks still use another weekly window than the chosen one.
    pub fn has_other_week(&self) -> bool {
        match &self.clock_week {
            None => self.weekly.is_some(),
            Some(kept) => kept.weekly != self.weekly || (kept.weekly.is_some() && kept.zone != self.zone),
        }
    }

    /// Whether clocks may follow a change of the weekly window now.
    pub fn has_new_week(&self, now: Timestamp) -> bool {
        let held =
            self.clock_week.as_ref().is_none_or(|kept| now.duration_since(kept.since) >= MIN_WEEK_CHANGE);
        held && self.has_other_week()
    }

    /// Makes clocks follow a change of the weekly window, if they may.
    pub fn keep_week(&mut self, now: Timestamp) {
        if self.has_new_week(now) {
            let (weekly, zone) = (self.weekly, self.zone.clone());
            self.clock_week = Some(ClockWeek { weekly, zone, since: now });
        }
    }

    /// Returns when the person's clocks are stopped, as known at a moment: current days off, and the weekly window.
    pub fn rest(&self, now: Timestamp) -> TimeOff {
        let begun = self.vacation.filter(|vacation| vacation.holds(now));
        let away = begun.map(|it| TimeSpan { from: it.from, until: it.until });
        let kept = self.clock_week.as_ref();
        let quiet = kept.and_then(|kept| in_universal_time(kept.weekly?, &kept.zone, now));
        TimeOff { away, quiet }
    }
}

/// Converts a weekly window to UTC with the offset of its zone at a moment; `None` if it is empty. Checking again every
/// quarter of an hour follows daylight saving time.
fn in_universal_time(weekly: Weekly, zone: &Zone, now: Timestamp) -> Option<WeeklyWindow> {
    let [local, universal] = [zone, &Zone::default()].map(|zone| i32::from(zone.local(now).minute_of_week()));
    let week = i32::from(WEEK_MIN);
    let within = |minute: i32| u16::try_from(minute.rem_euclid(week)).unwrap_or_default();
    let from_min = within(i32::from(weekly.from_min) - (local - universal));
    let length_min = within(i32::from(weekly.to_min) - i32::from(weekly.from_min)).min(MAX_QUIET_MIN);
    (length_min > 0).then_some(WeeklyWindow { from_min, length_min })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::DAY_MIN;
    use crate::clock::HOUR;

    /// Thursday, 26 March 2026, 12:00 UTC: three days before summer time in Berlin.
    const THURSDAY: Timestamp = Timestamp::constant(1_774_526_400, 0);

    fn days(from: i32, count: i32) -> Vacation {
        let from = THURSDAY + from * DAY;
        Vacation { from, until: from + count * DAY }
    }

    #[test]
    fn thirty_days_in_twelve_months_are_all_there_are() {
        let mut ada = PersonalPreferences::default();
        assert_eq!(
            ada.take_days_off(days(0, 31), THURSDAY),
            Err(DaysOffError::TooMany { left: 30, instead: false })
        );
        ada.take_days_off(days(0, 20), THURSDAY).unwrap();
        let later = THURSDAY + 100 * DAY;
        assert_eq!(
            ada.take_days_off(days(100, 11), later),
            Err(DaysOffError::TooMany { left: 10, instead: false })
        );
        ada.take_days_off(days(100, 10), later).unwrap();
        let next_year = THURSDAY + 386 * DAY;
        assert_eq!(ada.days_left(next_year), 20, "the first twenty were more than a year ago");
        assert_eq!(ada.take_days_off(days(386, 20), next_year), Ok(()));
    }

    #[test]
    fn days_that_are_ended_early_are_had_back_but_for_those_begun() {
        let mut ada = PersonalPreferences::default();
        ada.take_days_off(days(0, 14), THURSDAY).unwrap();
        assert!(ada.rest(THURSDAY).away.is_some());
        let back = THURSDAY + 3 * DAY + 3 * HOUR;
        assert!(ada.end_days_off(back) && ada.rest(back).away.is_none());
        assert_eq!(ada.days_left(back), 26);
        assert!(!ada.end_days_off(back));
        ada.take_days_off(days(10, 5), back).unwrap();
        assert!(ada.rest(back).away.is_none() && ada.coming_days_off(back).is_some());
        assert!(ada.end_days_off(back), "given up before they began");
        assert_eq!(ada.days_left(back), 26);
    }

    #[test]
    fn days_that_are_planned_for_later_do_not_end_those_that_go_on() {
        let mut ada = PersonalPreferences::default();
        ada.take_days_off(days(0, 5), THURSDAY).unwrap();
        let tomorrow = THURSDAY + DAY;
        let until = THURSDAY + 5 * DAY;
        assert_eq!(ada.take_days_off(days(10, 3), tomorrow), Err(DaysOffError::Apart { until }));
        assert!(ada.rest(tomorrow).away.is_some(), "the clock stands as before");
        ada.take_days_off(days(5, 3), tomorrow).unwrap();
        assert_eq!(ada.rest(tomorrow).away.map(|away| away.until), Some(THURSDAY + 8 * DAY));
        assert_eq!(ada.days_left(tomorrow), 22, "eight days in one stretch");
        ada.take_days_off(days(2, 1), tomorrow).unwrap();
        assert_eq!(ada.days_left(tomorrow), 22, "those were off already");
        let many = DaysOffError::TooMany { left: 30, instead: true };
        assert_eq!(ada.take_days_off(days(7, 24), tomorrow), Err(many));
    }

    #[test]
    fn days_off_lie_ahead_and_not_too_far() {
        let mut ada = PersonalPreferences::default();
        assert_eq!(ada.take_days_off(days(-3, 2), THURSDAY), Err(DaysOffError::Backwards));
        assert_eq!(ada.take_days_off(days(366, 2), THURSDAY), Err(DaysOffError::TooFar));
        assert_eq!(ada, PersonalPreferences::default());
    }

    #[test]
    fn a_week_follows_the_seasons() {
        let sabbath = Weekly { from_min: 4 * DAY_MIN + 18 * 60, to_min: 5 * DAY_MIN + 20 * 60 };
        let zone = Zone::named("Europe/Berlin").unwrap();
        let mut ada = PersonalPreferences { weekly: Some(sabbath), zone, ..PersonalPreferences::default() };
        ada.keep_week(THURSDAY);
        let from_min = |now| ada.rest(now).quiet.unwrap().from_min;
        assert_eq!(from_min(THURSDAY), 4 * DAY_MIN + 17 * 60, "an hour ahead of UTC in winter");
        assert_eq!(from_min(THURSDAY + 7 * DAY), 4 * DAY_MIN + 16 * 60, "and two in summer");
        assert_eq!(ada.rest(THURSDAY).quiet.unwrap().length_min, 26 * 60);
    }

    #[test]
    fn a_window_over_sunday_night_is_one_window_in_any_zone() {
        let night = Weekly { from_min: 6 * DAY_MIN + 20 * 60, to_min: 8 * 60 };
        let zone = Zone::named("America/New_York").unwrap();
        let mut ada = PersonalPreferences { weekly: Some(night), zone, ..PersonalPreferences::default() };
        ada.keep_week(THURSDAY);
        assert_eq!(ada.rest(THURSDAY).quiet, Some(WeeklyWindow { from_min: 0, length_min: 12 * 60 }));
    }

    #[test]
    fn clocks_follow_a_change_of_the_week_once_in_seven_days() {
        let day = |n: u16| Some(Weekly { from_min: n * DAY_MIN, to_min: (n + 1) * DAY_MIN });
        let mut ada = PersonalPreferences { weekly: day(3), ..PersonalPreferences::default() };
        ada.keep_week(THURSDAY);
        let first = ada.rest(THURSDAY).quiet;
        assert!(first.is_some_and(|week| week.from_min == 3 * DAY_MIN));
        for weekly in [day(4), None] {
            ada.weekly = weekly;
            ada.keep_week(THURSDAY + DAY);
            assert_eq!(ada.rest(THURSDAY + DAY).quiet, first, "not the day after");
        }
        ada.weekly = day(4);
        let later = THURSDAY + 7 * DAY;
        assert!(ada.has_new_week(later));
        ada.keep_week(later);
        assert!(ada.rest(later).quiet.is_some_and(|week| week.from_min == 4 * DAY_MIN));
        assert!(!ada.has_new_week(later + 30 * DAY));
    }
}
