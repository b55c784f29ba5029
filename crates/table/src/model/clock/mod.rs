//! The data of a table's clock: the terms, the periods in which it is stopped, and the reminders.

pub mod terms;
pub mod time_off;
mod warning;

pub use terms::{ClockParseError, ClockTerms, DAY, HOUR, MINUTE};
pub use time_off::{TimeOff, TimeSpan, WeeklyWindow};
pub use warning::Warning;
