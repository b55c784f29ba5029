//! Why a journal was not moved.

use crate::store_address::StoreAddress;
use rookery_table::ports::StoreError;

/// Why a journal was not moved. The source is unchanged, and the target has no record of it, unless the error says that
/// the outcome of the last write is unknown: then the target has either none or all of them.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// Both addresses name the same store.
    #[error("{0} is both the source and the target: name another target")]
    SameStore(String),
    /// The source is in use, cannot be reached or read, or is no journal of this version or an older one.
    #[error("the source cannot be read: {0}")]
    Source(StoreError),
    /// The target is in use, or cannot be reached or written.
    #[error("the target cannot be written: {0}")]
    Target(StoreError),
    /// The target has records.
    #[error("{target} is not empty: its table {table} has records. Name an empty database or a new file")]
    NotEmpty {
        /// The target's address.
        target: String,
        /// A table that has a record.
        table: &'static str,
    },
    /// A record of the source is damaged, so that the target could not store it as it is.
    #[error(
        "the record with {row} in the table {table} of {source_address} cannot be moved: {why}. Restore a backup in which \
         it is whole, or delete this record, and move again"
    )]
    UnreadableRecord {
        /// The source's address.
        source_address: String,
        /// The record's table, by its name in SQLite.
        table: &'static str,
        /// The primary key of the record, as a condition of SQL.
        row: String,
        /// What is wrong with it.
        why: String,
    },
    /// The records were read back from the target, and are not those of the source.
    #[error(
        "the table {table} was not copied as it is ({source_records} records in the source, {target_records} in the \
         target): has something else written to one of them? Move again"
    )]
    Different {
        /// The table, by its name in SQLite.
        table: &'static str,
        /// The number of its records in the source.
        source_records: u64,
        /// The number of its records in the target.
        target_records: u64,
    },
}

/// Why a record could not be read or written.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The store failed.
    Store(StoreError),
    /// The record is damaged.
    Row { table: &'static str, row: String, why: String },
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}

impl Fault {
    pub(super) fn into_error(self, from: &StoreAddress, of_store: fn(StoreError) -> MoveError) -> MoveError {
        match self {
            Fault::Store(error) => of_store(error),
            Fault::Row { table, row, why } => {
                MoveError::UnreadableRecord { source_address: from.to_string(), table, row, why }
            }
        }
    }
}
