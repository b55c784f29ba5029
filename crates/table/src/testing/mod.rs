//! Journals for tests: in memory ([`MemoryJournal`]), and with hooks that a test controls ([`HookedJournal`]).

mod hooked_journal;
mod memory;

pub use hooked_journal::{HookedJournal, JournalHooks};
pub use memory::MemoryJournal;
