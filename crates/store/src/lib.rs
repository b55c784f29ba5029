//! Journals: where the truth is kept.
//!
//! One trait ([`rookery_table::ports::Journal`]), one adapter a backend, each with its own SQL; one
//! story test runs against all of them. [`Gated`] puts a gate before any of them, for trials. [`back_up`],
//! [`restore`], [`check()`] and [`Rotation`] look after the files.

mod check;
mod copies;
mod follows;
mod moderation;
mod private;
mod rotation;
mod share_links;
mod sqlite;

#[cfg(test)]
mod story;

pub use check::{Fault, Report, check};
pub use copies::{Damage, Existing, NotRestored, Progress, Restored, back_up, restore};
pub use rotation::Rotation;
pub use sqlite::Sqlite;
pub use sqlite::owner::Ownership;
