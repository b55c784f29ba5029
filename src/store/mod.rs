//! Journals: where the truth is kept.
//!
//! One trait ([`crate::table::ports::Journal`]), one adapter a backend, each with its own SQL; one
//! story test runs against all of them. [`Gated`] puts a gate before any of them, for trials.

mod follows;
mod gated;
mod memory;
mod sqlite;
mod stand_ins;

#[cfg(test)]
mod story;

pub use gated::{Gate, Gated};
pub use memory::Memory;
pub use sqlite::Sqlite;

/// How many cards a filter asks for: its own number, or 100.
fn most(filter: &crate::table::ports::Filter) -> usize {
    if filter.most == 0 { 100 } else { filter.most }
}
