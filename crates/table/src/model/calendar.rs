//! Local time: zones, hours of the day and parts of the week. Pure: the time zone database is compiled in.

use jiff::civil::Date;
use jiff::tz::{TimeZone, db};
use jiff::{Timestamp, ToSpan, Zoned};
use serde::{Deserialize, Serialize};

/// Minutes of a day.
pub const DAY_MIN: u16 = 24 * 60;
/// Minutes of a week.
pub const WEEK_MIN: u16 = 7 * DAY_MIN;

/// A time zone by its IANA name, such as `Europe/Berlin`. The default is UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zone(String);

impl Default for Zone {
    fn default() -> Zone {
        Zone("UTC".to_owned())
    }
}

impl Zone {
    /// Returns the zone of this name, in any letter case, or `None` if there is none.
    pub fn named(name: &str) -> Option<Zone> {
        let zone = db().get(name.trim()).ok()?;
        Some(Zone(zone.iana_name()?.to_owned()))
    }

    /// Returns the IANA name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Returns the local time in this zone. A name that a later time zone database has dropped counts as UTC.
    pub fn local(&self, now: Timestamp) -> Local {
        let now = self.zoned(now);
        let weekday = now.weekday().to_monday_zero_offset().unsigned_abs();
        let minute = u16::from(now.hour().unsigned_abs()) * 60 + u16::from(now.minute().unsigned_abs());
        Local { weekday, minute }
    }

    fn zone(&self) -> TimeZone {
        db().get(&self.0).unwrap_or(TimeZone::UTC)
    }

    fn zoned(&self, now: Timestamp) -> Zoned {
        now.to_zoned(self.zone())
    }

    /// Start of the day that lies `days_on` days after `date` (such as `2026-12-24`) in this zone; `None` if
    /// `date` is not a date.
    pub fn day_start(&self, date: &str, days_on: i32) -> Option<Timestamp> {
        let date: Date = date.trim().parse().ok()?;
        let day = date.checked_add(days_on.days()).ok()?;
        let begins = day.to_zoned(self.zone()).and_then(|midnight| midnight.start_of_day()).ok()?;
        Some(begins.timestamp())
    }

    /// Returns `count` dates in this zone, beginning with today's.
    pub fn dates(&self, now: Timestamp, count: i32) -> Vec<String> {
        let today = self.zoned(now).date();
        (0..count).filter_map(|n| today.checked_add(n.days()).ok()).map(|date| date.to_string()).collect()
    }

    /// Returns the names of all zones, sorted.
    pub fn all() -> Vec<String> {
        let mut names: Vec<_> = db().available().map(|name| name.to_string()).collect();
        names.sort();
        names
    }
}

/// A local time of day on a weekday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// 0 for Monday to 6 for Sunday.
    pub weekday: u8,
    /// Minutes since midnight, below 1,440.
    pub minute: u16,
}

impl Local {
    /// Returns the minutes since midnight on Monday.
    pub fn minute_of_week(self) -> u16 {
        u16::from(self.weekday) * DAY_MIN + self.minute
    }
}

/// A period of each day. It spans midnight if it ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Daily {
    /// The beginning, in minutes since midnight, below 1,440.
    pub from_min: u16,
    /// The end (exclusive), in minutes since midnight.
    pub to_min: u16,
}

impl Daily {
    /// Returns whether a local time lies in the period. A period that ends where it begins is empty.
    pub fn holds(self, now: Local) -> bool {
        within(self.from_min, self.to_min, now.minute)
    }
}

/// A period of each week. It spans Sunday night if it ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weekly {
    /// The beginning, in minutes since midnight on Monday, below 10,080.
    pub from_min: u16,
    /// The end (exclusive), in minutes since midnight on Monday.
    pub to_min: u16,
}

impl Weekly {
    /// Returns whether a local time lies in the period. A period that ends where it begins is empty.
    pub fn holds(self, now: Local) -> bool {
        within(self.from_min, self.to_min, now.minute_of_week())
    }
}

fn within(from: u16, to: u16, now: u16) -> bool {
    if from <= to { (from..to).contains(&now) } else { now >= from || now < to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    /// Friday, 27 March 2026, 12:00 UTC: two days before summer time in Berlin.
    const FRIDAY_NOON: Timestamp = Timestamp::constant(1_774_612_800, 0);
    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    fn berlin() -> Zone {
        Zone::named("europe/berlin").unwrap()
    }

    #[test]
    fn a_zone_is_found_in_any_case_and_kept_by_its_own_name() {
        assert_eq!(berlin().name(), "Europe/Berlin");
        assert_eq!(Zone::named("Berlin"), None);
        assert_eq!(Zone::default().name(), "UTC");
        assert!(Zone::all().len() > 300 && Zone::all().contains(&"Asia/Kolkata".to_owned()));
    }

    #[test]
    fn a_date_begins_at_midnight_where_somebody_lives() {
        // Midnight of the 28th in Berlin is 23:00 UTC of the 27th, eleven hours after noon.
        assert_eq!(berlin().day_start("2026-03-28", 0), Some(FRIDAY_NOON + 11 * HOUR));
        assert_eq!(berlin().day_start(" 2026-03-28 ", 2), Some(FRIDAY_NOON + (11 + 48 - 1) * HOUR));
        for wrong in ["", "tomorrow", "28.3.2026", "2026-02-30"] {
            assert_eq!(berlin().day_start(wrong, 0), None, "{wrong}");
        }
        assert_eq!(berlin().dates(FRIDAY_NOON + 11 * HOUR, 2), ["2026-03-28", "2026-03-29"]);
    }

    #[test]
    fn local_time_follows_the_seasons() {
        assert_eq!(Zone::default().local(FRIDAY_NOON), Local { weekday: 4, minute: 12 * 60 });
        assert_eq!(berlin().local(FRIDAY_NOON), Local { weekday: 4, minute: 13 * 60 });
        let monday = FRIDAY_NOON + 3 * 24 * HOUR;
        assert_eq!(berlin().local(monday), Local { weekday: 0, minute: 14 * 60 });
        let kolkata = Zone::named("Asia/Kolkata").unwrap();
        assert_eq!(kolkata.local(FRIDAY_NOON), Local { weekday: 4, minute: 17 * 60 + 30 });
    }

    #[test]
    fn a_night_goes_over_midnight_and_a_weekend_over_sunday() {
        let night = Daily { from_min: 22 * 60, to_min: 7 * 60 };
        let at = |weekday, minute| Local { weekday, minute };
        assert!(night.holds(at(0, 23 * 60)) && night.holds(at(0, 0)) && night.holds(at(0, 7 * 60 - 1)));
        assert!(!night.holds(at(0, 7 * 60)) && !night.holds(at(0, 12 * 60)));
        assert!(!Daily { from_min: 60, to_min: 60 }.holds(at(0, 60)), "an empty one holds nothing");
        let weekend = Weekly { from_min: 4 * DAY_MIN + 18 * 60, to_min: 6 * 60 };
        assert!(weekend.holds(at(4, 18 * 60)) && weekend.holds(at(6, 0)) && weekend.holds(at(0, 0)));
        assert!(!weekend.holds(at(4, 17 * 60)) && !weekend.holds(at(0, 6 * 60)) && !weekend.holds(at(2, 0)));
    }
}
