//! Moving a whole journal from one store to another, in both directions between SQLite and PostgreSQL.
//!
//! Everything is written to the target in one transaction, and compared with the source before the commit. A move that
//! fails or is interrupted therefore leaves a target without records, never a part of them, and no marker is needed.

mod digest;
mod fault;
pub(crate) mod postgres_store;
mod sqlite_store;
mod store;
pub(crate) mod tables;

use std::fmt;
use std::hash::RandomState;
use std::path::Path;

use crate::file_copy::Progress;
use crate::store_address::StoreAddress;
use digest::Digest;
pub(crate) use fault::Fault;
pub use fault::MoveError;
use postgres_store::PostgresStore;
use sqlite_store::SqliteStore;
use store::Store;
use tables::{TABLES, Table};

/// What was moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The tables, by their names in SQLite, each with the number of its records.
    pub tables: Vec<(&'static str, u64)>,
}

impl Moved {
    /// Returns the number of all records.
    pub fn records(&self) -> u64 {
        self.tables.iter().map(|(_, records)| records).sum()
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tables.iter().try_for_each(|(table, records)| writeln!(f, "{table:<15} {records}"))
    }
}

/// Copies every record of the journal at `from` into the empty store at `to`, and compares both. Neither may be in use.
/// A file that does not exist is created. The numbers of records stay the same. Progress is in records: each counts once
/// when it is copied and once when it is compared, and the total is exact. The source is not changed: delete it when the
/// bot runs on the target.
///
/// # Errors
/// If a store is in use or cannot be used, the target has records, or a record of the source is damaged. The target then
/// has no records.
pub async fn move_store(
    from: &StoreAddress,
    to: &StoreAddress,
    progress: Progress<'_>,
) -> Result<Moved, MoveError> {
    refuse_same(from, to)?;
    let mut source = Store::source(from).await.map_err(MoveError::Source)?;
    let moved = move_into(&mut source, to, (from, progress)).await;
    source.close().await;
    moved
}

/// Copies a database, as of one moment and also while processes use it, into an empty file that no other process knows,
/// and compares both. Progress is as for [`move_store`].
///
/// # Errors
/// If the database cannot be read or has another schema, or the file cannot be written. What is in the file is then of no
/// use.
pub(crate) async fn copy_snapshot(url: &str, to: &Path, progress: Progress<'_>) -> Result<(), MoveError> {
    let from = StoreAddress::Postgres(url.to_owned());
    let source = PostgresStore::snapshot(url).await.map_err(MoveError::Source)?;
    let mut source = Store::Postgres(Box::new(source));
    let copied = async {
        let target = SqliteStore::new_file(to).await.map_err(MoveError::Target)?;
        let mut target = Store::Sqlite(target);
        copy_all(&mut source, &mut target, (&from, progress)).await?;
        target.commit().await.map_err(MoveError::Target)?;
        sqlite_store::leave_wal(to).await.map_err(MoveError::Target)
    };
    let copied = copied.await;
    source.close().await;
    copied
}

async fn move_into(
    source: &mut Store,
    to: &StoreAddress,
    (from, progress): (&StoreAddress, Progress<'_>),
) -> Result<Moved, MoveError> {
    let target = Store::target(to).await.map_err(MoveError::Target)?;
    let mut target = target.map_err(|table| MoveError::NotEmpty { target: to.to_string(), table })?;
    match copy_all(source, &mut target, (from, progress)).await {
        Ok(moved) => target.commit().await.map(|()| moved).map_err(MoveError::Target),
        Err(error) => {
            target.close().await;
            Err(error)
        }
    }
}

fn refuse_same(from: &StoreAddress, to: &StoreAddress) -> Result<(), MoveError> {
    let is_same = match (from, to) {
        (StoreAddress::Sqlite(one), StoreAddress::Sqlite(other)) => {
            matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
        }
        _ => from.to_string() == to.to_string(),
    };
    if is_same { Err(MoveError::SameStore(to.to_string())) } else { Ok(()) }
}

/// Copies all tables, and compares all of them afterwards.
async fn copy_all(
    source: &mut Store,
    target: &mut Store,
    (from, progress): (&StoreAddress, Progress<'_>),
) -> Result<Moved, MoveError> {
    let from_source = |fault: Fault| fault.into_error(from, MoveError::Source);
    let from_target = |fault: Fault| fault.into_error(from, MoveError::Target);
    let mut total = 0;
    for table in &TABLES {
        total += 2 * source.count(table).await.map_err(MoveError::Source)?;
    }
    let (mut done, mut last_numbers) = (0, Vec::new());
    for table in &TABLES {
        let mut reader = source.read(table, false).await.map_err(MoveError::Source)?;
        loop {
            let page = reader.page().await.map_err(from_source)?;
            if page.is_empty() {
                break;
            }
            done += page.len() as u64;
            target.write(table, page).await.map_err(from_target)?;
            progress(done, total);
        }
        drop(reader);
        // Asked once: processes that use the source may go on with its numbers.
        let mut last = 0;
        if table.numbered {
            last = source.last_number(table).await.map_err(MoveError::Source)?;
            target.number_after(table, last).await.map_err(MoveError::Target)?;
        }
        last_numbers.push(last);
    }
    let mut tables = Vec::new();
    for (table, last_number) in TABLES.iter().zip(last_numbers) {
        let [mut in_source, in_target] = digests(source, target, table, from).await?;
        in_source.last_number = last_number;
        done += in_source.records;
        progress(done, total);
        if in_source != in_target {
            let (source_records, target_records) = (in_source.records, in_target.records);
            return Err(MoveError::Different { table: table.sqlite, source_records, target_records });
        }
        tables.push((table.sqlite, in_source.records));
    }
    Ok(Moved { tables })
}

/// Returns the digests of a table in both stores.
async fn digests(
    source: &mut Store,
    target: &mut Store,
    table: &'static Table,
    from: &StoreAddress,
) -> Result<[Digest; 2], MoveError> {
    let hashes = [RandomState::new(), RandomState::new()];
    let derived = target.has_derived();
    let complete = |record| if derived { table.with_derived(record) } else { record };
    let in_source = source.digest(table, false, &hashes, complete).await;
    let in_source = in_source.map_err(|fault| fault.into_error(from, MoveError::Source))?;
    let in_target = target.digest(table, derived, &hashes, |record| record).await;
    let mut in_target = in_target.map_err(|fault| fault.into_error(from, MoveError::Target))?;
    if table.numbered {
        in_target.last_number = target.last_number(table).await.map_err(MoveError::Target)?;
    }
    Ok([in_source, in_target])
}
