//! The data of a table's clock: the terms, the days off and windows in which it stands, and reminders.

pub mod terms;
pub mod time_off;
mod warning;

pub use terms::{ClockParseError, ClockTerms, DAY, HOUR, MINUTE};
pub use time_off::{TimeOff, TimeSpan, WeeklyWindow};
pub use warning::Warning;
