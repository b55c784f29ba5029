//! Journals: where the truth is kept.
//!
//! One trait ([`rookery_table::ports::Journal`]), one adapter a backend, each with its own SQL; one
//! story test runs against all of them. `HookedJournal` puts a gate before any of them, for trials. [`back_up`],
//! [`restore`], [`check()`] and [`Rotation`] look after the files.

mod backup;
mod check;
mod follows;
mod moderation;
mod private_files;
mod rotation;
mod share_links;
mod sqlite;

#[cfg(test)]
mod story;

pub use backup::{Damage, Existing, Progress, RestoreError, Restored, back_up, restore};
pub use check::{Fault, Report, check};
pub use rotation::Rotation;
pub use sqlite::Sqlite;
pub use sqlite::owner::Ownership;
