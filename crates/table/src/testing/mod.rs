//! Journals for tests: in memory ([`MemoryJournal`]), and behind a gate that a test opens and closes ([`HookedJournal`]).

mod hooked_journal;
mod memory;

pub use hooked_journal::{HookedJournal, JournalHooks};
pub use memory::MemoryJournal;
