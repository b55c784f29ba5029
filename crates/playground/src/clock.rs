//! The clock of the playground's rules: the wall clock, or one that a test moves.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

/// The time for the rules that depend on it (3 s to answer, 15 min for a token, 1 h for an edit).
#[derive(Clone, Debug)]
pub struct Clock(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Wall,
    Manual(Arc<watch::Sender<u64>>),
}

impl Clock {
    /// Creates a clock that follows the computer's.
    pub fn wall() -> Self {
        Self(Kind::Wall)
    }

    /// Creates a clock that shows the present time until [`Clock::advance`] moves it.
    pub fn manual() -> Self {
        Self::manual_at(wall_ms())
    }

    /// Creates a clock that shows this time, in milliseconds since 1970, until [`Clock::advance`] moves it.
    pub fn manual_at(now_ms: u64) -> Self {
        Self(Kind::Manual(Arc::new(watch::Sender::new(now_ms))))
    }

    /// Returns milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        match &self.0 {
            Kind::Wall => wall_ms(),
            Kind::Manual(now) => *now.borrow(),
        }
    }

    /// Moves a clock made by [`Clock::manual`] forward, and wakes tasks that wait for a time now past. Does
    /// nothing to a wall clock.
    pub fn advance(&self, by: Duration) {
        if let Kind::Manual(now) = &self.0 {
            now.send_modify(|ms| *ms += u64::try_from(by.as_millis()).unwrap_or(u64::MAX / 2));
        }
    }

    /// Waits until the clock shows `moment_ms` or later.
    pub(crate) async fn until(&self, moment_ms: u64) {
        match &self.0 {
            Kind::Wall => {
                tokio::time::sleep(Duration::from_millis(moment_ms.saturating_sub(wall_ms()))).await;
            }
            Kind::Manual(now) => {
                // The sender lives as long as `self`, so this does not end early.
                let mut seen = now.subscribe();
                let _reached = seen.wait_for(|ms| *ms >= moment_ms).await;
            }
        }
    }
}

fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(0)
}

/// Formats a time as Discord does: `2026-08-01T12:34:56.789000+00:00`.
///
/// The calendar arithmetic is Howard Hinnant's `civil_from_days`
/// (<https://howardhinnant.github.io/date_algorithms.html>).
pub(crate) fn iso(ms: u64) -> String {
    let (days, rest_ms) = (ms / 86_400_000, ms % 86_400_000);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (seconds, millis) = (rest_ms / 1000, rest_ms % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}000+00:00")
}
