//! The locks by which processes that write at the same time keep out of each other's way.
//!
//! They are advisory locks of a transaction, which end with it. A table's lock cannot be the lock of its card's row,
//! because a new table has no card yet and a deleted one has none any more.
//!
//! No two transactions wait for each other: a transaction takes at most one table's lock, and only pruning takes
//! several, once at a time; the outbox's lock is the last that a transaction takes.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{Postgres as Driver, query};

use rookery_table::TableId;

/// What a transaction keeps for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Everything stored of one table. With it, the entry written next follows the seal that was read last.
    Table(TableId),
    /// The numbers of outbox rows. They come from a sequence, which hands them out before the commit: without this
    /// lock, a reader that remembers the last number it has seen could miss a lower one that is committed later.
    OutboxNumbers,
    /// Pruning of the outbox, which takes the locks of several tables.
    Pruning,
    /// Share links, so that none is made by a setting while those of its game are withdrawn.
    ShareLinks,
}

/// The first of the two numbers by which the server knows the locks of tables; the second is the table's.
const PROGRAM: i32 = i32::from_be_bytes(*b"rook");
/// The first number of the other locks; the second is the kind, see [`Lock::statement`] and the two below.
pub(crate) const KINDS: i32 = PROGRAM + 1;
/// The kind of the lock that the owner of the database has.
pub(crate) const OWNER: i32 = 4;
/// The kind of the lock that every write shares, and for which a new owner waits once.
pub(super) const WRITERS: i32 = 5;
/// The first number of the lock that only one session of an owner has; the second is drawn for it.
pub(super) const SESSION: i32 = PROGRAM + 2;

impl Lock {
    /// Returns the statement that waits for the lock. Two tables whose names have the same hash share a lock, which
    /// only makes one wait for the other.
    pub(super) fn statement(self) -> Query<'static, Driver, PgArguments> {
        let kind = match self {
            Lock::Table(table) => {
                let sql = "SELECT pg_advisory_xact_lock($1, hashtext($2))";
                return query(sql).bind(PROGRAM).bind(table.as_str().to_owned());
            }
            Lock::OutboxNumbers => 1,
            Lock::Pruning => 2,
            Lock::ShareLinks => 3,
        };
        query("SELECT pg_advisory_xact_lock($1, $2)").bind(KINDS).bind(kind)
    }
}
