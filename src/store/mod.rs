//! Journals: where the truth is kept.
//!
//! One trait ([`crate::table::ports::Journal`]), one adapter a backend, each with its own SQL; one
//! story test runs against all of them. [`Gated`] puts a gate before any of them, for trials. [`back_up`],
//! [`restore`], [`check()`] and [`Rotation`] look after the files.

mod check;
mod copies;
mod follows;
mod gated;
mod memory;
mod moderation;
mod private;
mod rotation;
mod share_links;
mod sqlite;
mod stand_ins;

#[cfg(test)]
mod story;

pub use check::{Fault, Report, check};
pub use copies::{Damage, Existing, NotRestored, Progress, Restored, back_up, restore};
pub use gated::{Gate, Gated};
pub use memory::Memory;
pub use rotation::Rotation;
pub use sqlite::Sqlite;
pub use sqlite::owner::Ownership;

/// How many cards a filter asks for: its own number, or 100.
fn most(filter: &crate::table::ports::Filter) -> usize {
    if filter.most == 0 { 100 } else { filter.most }
}
