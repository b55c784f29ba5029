//! Journals: the stored state that everything else derives from.
//!
//! The trait is [`rookery_table::ports::Journal`]. Each backend has one adapter with its own SQL, and one
//! contract test runs against all of them. `HookedJournal` wraps an adapter to inject failures in tests.
//! [`back_up_store`], [`restore`], [`check_store`] and [`Rotation`] maintain them. [`move_store()`] copies a whole journal
//! from one backend to another.

mod analyses;
mod annotations;
mod backup;
mod check;
mod check_postgres;
mod deletions;
mod file_copy;
mod follows;
mod host_name;
mod moderation;
mod move_store;
mod pages;
mod postgres;
mod private_files;
mod rotation;
mod rows;
mod share_links;
mod sqlite;
mod store_address;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod unreadable;
mod web_sessions;

#[cfg(test)]
mod contract_tests;

pub use backup::{Damage, Existing, RestoreError, Restored, back_up, back_up_store, restore};
pub use check::{CheckFinding, Report, check, check_store};
pub use file_copy::Progress;
pub use move_store::{MoveError, Moved, move_store};
pub use postgres::{Postgres, ServerReport};
pub use rotation::Rotation;
pub use sqlite::Sqlite;
pub use store_address::{StoreAddress, StoreAddressError};
