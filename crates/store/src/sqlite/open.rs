//! Opening the file and upgrading its schema.

use crate::sqlite::errors::store_error;
use std::fmt::Display;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::Sqlite;
use super::connections::Connections;
use super::group_commit::GroupCommit;
use super::migrations::{SCHEMA, migrate, too_new};
use super::outbox::RETRY_UNREADABLE;
use super::owner::Ownership;
use crate::private_files;
use crate::unreadable::UnreadableRows;
use rookery_table::ports::StoreError;

/// After how many pages of 4 KiB in the log they are written into the file. A page that many moves change is written there
/// once; a write that comes meanwhile waits for some milliseconds.
const CHECKPOINT_PAGES: u32 = 4_000;

/// How long a writer waits for another process before it gives up.
const BUSY: Duration = Duration::from_secs(5);

/// The number of reading connections.
const READERS: u32 = 4;

impl Sqlite {
    /// Opens the file or creates it, and upgrades its schema. Until it is closed, no other process can open
    /// it for writing; on Unix only the file's owner may read it.
    ///
    /// # Errors
    /// If another process uses the file, it cannot be opened or written, is not a database, or was made by a
    /// newer version.
    pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_as(path, Ownership::take(path)?).await
    }

    /// Opens the file for a caller that already owns it.
    pub(crate) async fn open_as(path: &Path, owner: Ownership) -> Result<Sqlite, StoreError> {
        private_files::secure_database(path).map_err(|error| opening(path, &error))?;
        let options = for_owner(path);
        let writer = Connections::open(1, options.clone()).await.map_err(|error| opening(path, &error))?;
        migrate(&writer).await?;
        sqlx::query(RETRY_UNREADABLE).execute(&writer).await.map_err(store_error)?;
        let readers = Connections::open(READERS, options.read_only(true)).await;
        let readers = readers.map_err(|error| opening(path, &error))?;
        Ok(Sqlite {
            writer,
            readers,
            group_commit: GroupCommit::default(),
            owner: Mutex::new(Some(owner)),
            unreadable: UnreadableRows::default(),
        })
    }

    #[cfg(any(test, feature = "testing"))]
    /// Opens an existing file only to read it, also beside the process that owns it.
    ///
    /// # Errors
    /// If there is no file, it is not a journal, or its schema is not this version's.
    pub async fn open_read_only(path: &Path) -> Result<Sqlite, StoreError> {
        let readers =
            Connections::open(READERS, read_only(path)).await.map_err(|error| opening(path, &error))?;
        let taken: i64 =
            sqlx::query_scalar("PRAGMA user_version").fetch_one(&readers).await.map_err(store_error)?;
        if usize::try_from(taken) != Ok(SCHEMA.len()) {
            return Err(StoreError::Backend(format!(
                "the journal {} has schema {taken}, this program reads {}",
                path.display(),
                SCHEMA.len()
            )));
        }
        Ok(Sqlite {
            writer: readers.clone(),
            readers,
            group_commit: GroupCommit::default(),
            owner: Mutex::default(),
            unreadable: UnreadableRows::default(),
        })
    }
}

/// Returns the connection options of the process that owns the file.
pub(crate) fn for_owner(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Deleted content is overwritten, because people can have their data removed.
        .pragma("secure_delete", "ON")
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
        .busy_timeout(BUSY)
}

/// Returns the connection options for reading only.
pub(crate) fn read_only(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY)
}

fn opening(path: &Path, error: &dyn Display) -> StoreError {
    StoreError::Backend(format!(
        "the journal {} cannot be opened: {error}; store.url says where it is, and its folder must be there and be ours to write in",
        path.display()
    ))
}

/// Returns the number of migrations that a file has.
///
/// # Errors
/// If the file cannot be read, is not a journal, or was made by a newer version.
pub(crate) async fn version(path: &Path) -> Result<usize, StoreError> {
    if !path.is_file() {
        return Err(StoreError::Backend("there is no such file".to_owned()));
    }
    let mut connection = read_only(path).connect().await.map_err(store_error)?;
    let taken: i64 =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.map_err(store_error)?;
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('events', 'cards')";
    let tables: i64 = sqlx::query_scalar(sql).fetch_one(&mut connection).await.map_err(store_error)?;
    connection.close().await.map_err(store_error)?;
    match usize::try_from(taken).unwrap_or_default() {
        newer if newer > SCHEMA.len() => Err(too_new(newer, SCHEMA.len())),
        taken if taken > 0 && tables == 2 => Ok(taken),
        _ => Err(StoreError::Backend("this is no journal of Rookery".to_owned())),
    }
}

/// Upgrades the schema of a file that no other process uses, and writes the log back into the file.
///
/// # Errors
/// If the file cannot be written, or was made by a newer version.
pub(crate) async fn upgrade(path: &Path) -> Result<(), StoreError> {
    let writer = Connections::open(1, for_owner(path)).await.map_err(store_error)?;
    let upgraded = async {
        migrate(&writer).await?;
        checkpoint_wal(&writer).await
    };
    let upgraded = upgraded.await;
    writer.close().await;
    upgraded
}

/// Writes the contents of the write-ahead log into the file.
async fn checkpoint_wal(writer: &Connections) -> Result<(), StoreError> {
    let (busy, left, folded): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(writer).await.map_err(store_error)?;
    if busy == 0 && left == folded {
        return Ok(());
    }
    Err(StoreError::Backend(format!("{folded} of {left} pages of its log could be written into it")))
}
