//! The locks by which processes that write at the same time keep out of each other's way.
//!
//! They are advisory locks of a transaction, which end with it. A table's lock cannot be the lock of its card's row,
//! because a new table has no card yet and a deleted one has none any more.
//!
//! No two transactions wait for each other: a transaction takes at most one table's lock, and only pruning takes
//! several, once at a time. After it come the locks of accounts, in one order. The row of [`super::lanes`] is the last that
//! it takes.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Postgres as Driver, query};

use rookery_table::TableId;
use rookery_table::rated::Account;

/// What a transaction keeps for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Everything stored of one table. With it, the entry written next follows the seal that was read last.
    Table(TableId),
    /// The ratings of an account, so that each starts from the one before.
    Account(Account),
    /// Pruning of the outbox, which takes the locks of several tables.
    Pruning,
    /// Share links, so that none is made by a setting while those of its game are withdrawn.
    ShareLinks,
}

/// The first of the two numbers by which the server knows the locks of tables; the second is the table's.
const PROGRAM: i32 = i32::from_be_bytes(*b"rook");
/// The first number of the other locks; the second is the kind, see [`Lock::statement`] and the two below.
pub(crate) const KINDS: i32 = PROGRAM + 1;
/// The kind of the lock that every process has that uses the database.
pub(crate) const OWNER: i32 = 4;
/// The kind of the lock that the writes of bots share, and for which a process waits once that takes the database alone.
pub(super) const WRITERS: i32 = 5;
/// The kind of the lock that the writes of such a process share, and for which bots wait once.
pub(super) const EXCLUSIVE_WRITERS: i32 = 6;
/// The kind of the lock under which the schema of the queue is upgraded.
pub(super) const QUEUE_UPGRADE: i32 = 7;
/// Held while a process takes its share of the requests to Discord.
pub(super) const REQUEST_SHARES: i32 = 8;
/// The first number of the lock that only one session of an owner has; the second is drawn for it.
pub(super) const SESSION: i32 = PROGRAM + 2;
/// The first number of the locks that the processes with the gateway's shards have; the second is the shard's.
pub(super) const SHARDS: i32 = PROGRAM + 3;
/// The first number of the locks of accounts; the second is the account's.
const ACCOUNTS: i32 = PROGRAM + 5;
/// The first number of the locks for what one process does for all; the second is the task's.
pub(super) const LEADER_TASKS: i32 = PROGRAM + 4;

/// Returns the statement that waits for the lock of a table, without parameters, so that it can travel with others. The
/// name of a table consists of letters and digits.
pub(super) fn table_lock(table: TableId) -> String {
    format!("SELECT pg_advisory_xact_lock({PROGRAM}, hashtext('{table}'))")
}

impl Lock {
    /// Returns the statement that waits for the lock. Two tables whose names have the same hash share a lock, which
    /// only makes one wait for the other.
    pub(super) fn statement(self) -> Query<'static, Driver, PgArguments> {
        let kind = match self {
            // The text differs for each table, so it is not worth keeping.
            Lock::Table(table) => return query(AssertSqlSafe(table_lock(table))).persistent(false),
            Lock::Account(account) => {
                let sql = "SELECT pg_advisory_xact_lock($1, hashtext($2))";
                return query(sql).bind(ACCOUNTS).bind(String::from(account));
            }
            Lock::Pruning => 2,
            Lock::ShareLinks => 3,
        };
        query("SELECT pg_advisory_xact_lock($1, $2)").bind(KINDS).bind(kind)
    }
}
