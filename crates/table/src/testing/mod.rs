//! Journals for tests: in memory ([`Memory`]), and behind a gate that a test opens and closes ([`Gated`]).

mod gated;
mod memory;

pub use gated::{Gate, Gated};
pub use memory::Memory;
