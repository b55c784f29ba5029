//! How the file is opened, and how its schema is brought up to date.

use crate::sqlite::errors::store_error;
use std::fmt::Display;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::Sqlite;
use super::connections::Connections;
use super::outbox::RETRY_UNREADABLE;
use super::owner::Ownership;
use super::unreadable::UnreadableRows;
use crate::private_files;
use rookery_table::ports::StoreError;

/// Steps of the schema; a file says in `user_version` how many it has taken.
pub(crate) const SCHEMA: [&str; 17] = [
    include_str!("../schema/sqlite/1.sql"),
    include_str!("../schema/sqlite/2.sql"),
    include_str!("../schema/sqlite/3.sql"),
    include_str!("../schema/sqlite/4.sql"),
    include_str!("../schema/sqlite/5.sql"),
    include_str!("../schema/sqlite/6.sql"),
    include_str!("../schema/sqlite/7.sql"),
    include_str!("../schema/sqlite/8.sql"),
    include_str!("../schema/sqlite/9.sql"),
    include_str!("../schema/sqlite/10.sql"),
    include_str!("../schema/sqlite/11.sql"),
    include_str!("../schema/sqlite/12.sql"),
    include_str!("../schema/sqlite/13.sql"),
    include_str!("../schema/sqlite/14.sql"),
    include_str!("../schema/sqlite/15.sql"),
    include_str!("../schema/sqlite/16.sql"),
    include_str!("../schema/sqlite/17.sql"),
];

/// How long one writer waits for another process before it gives up.
const BUSY: Duration = Duration::from_secs(5);

/// Readers beside the one writer.
const READERS: u32 = 4;

impl Sqlite {
    /// Opens the file, making it if there is none, and brings its schema up to date. Until it is closed no other
    /// process can open it so; on Unix nobody but the file's owner may read it.
    ///
    /// # Errors
    /// If another process uses the file, or it cannot be opened or written, is no database, or was made by a newer
    /// version.
    pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_as(path, Ownership::take(path)?).await
    }

    /// The same for who has taken the right to write to the file already.
    pub(crate) async fn open_as(path: &Path, owner: Ownership) -> Result<Sqlite, StoreError> {
        private_files::secure_database(path).map_err(|error| opening(path, &error))?;
        let options = for_owner(path);
        let writer = connect(1, options.clone()).await.map_err(|error| opening(path, &error))?;
        migrate(&writer).await?;
        sqlx::query(RETRY_UNREADABLE).execute(&writer).await.map_err(store_error)?;
        let readers = connect(READERS, options.read_only(true)).await;
        let readers = readers.map_err(|error| opening(path, &error))?;
        Ok(Sqlite { writer, readers, owner: Mutex::new(Some(owner)), unreadable: UnreadableRows::default() })
    }

    /// Opens a file that is there, only to read it: also beside the process that owns it. Nothing can be written.
    ///
    /// # Errors
    /// If there is none, it is no journal, or its schema is not this version's.
    pub async fn open_read_only(path: &Path) -> Result<Sqlite, StoreError> {
        let readers = connect(READERS, read_only(path)).await.map_err(|error| opening(path, &error))?;
        let taken: i64 =
            sqlx::query_scalar("PRAGMA user_version").fetch_one(&readers).await.map_err(store_error)?;
        if usize::try_from(taken) != Ok(SCHEMA.len()) {
            return Err(StoreError::Backend(format!(
                "the journal {} has schema {taken}, this program reads {}",
                path.display(),
                SCHEMA.len()
            )));
        }
        let unreadable = UnreadableRows::default();
        Ok(Sqlite { writer: readers.clone(), readers, owner: Mutex::default(), unreadable })
    }
}

/// How the process that owns the file opens it.
fn for_owner(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // What is deleted is overwritten: people have their names taken out.
        .pragma("secure_delete", "ON")
        .busy_timeout(BUSY)
}

/// How a file is opened only to read it.
pub(crate) fn read_only(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY)
}

async fn connect(most: u32, options: SqliteConnectOptions) -> Result<Connections, sqlx::Error> {
    let pool = SqlitePoolOptions::new().max_connections(most).connect_with(options).await;
    Ok(Connections::of(pool?))
}

fn opening(path: &Path, error: &dyn Display) -> StoreError {
    StoreError::Backend(format!(
        "the journal {} cannot be opened: {error}; store.path says where it is, and its folder must be there and be ours to write in",
        path.display()
    ))
}

fn too_new(schema: usize) -> StoreError {
    let known = SCHEMA.len();
    StoreError::Backend(format!(
        "the journal has schema {schema}, this program knows {known}: use a newer one"
    ))
}

async fn migrate(writer: &Connections) -> Result<(), StoreError> {
    let version: i64 =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(writer).await.map_err(store_error)?;
    let taken = usize::try_from(version).unwrap_or_default();
    if taken > SCHEMA.len() {
        return Err(too_new(taken));
    }
    for (step, sql) in SCHEMA.iter().enumerate().skip(taken) {
        let mut transaction = writer.begin().await?;
        sqlx::raw_sql(*sql).execute(&mut *transaction).await.map_err(store_error)?;
        let mark = format!("PRAGMA user_version = {}", step + 1);
        sqlx::raw_sql(sqlx::AssertSqlSafe(mark)).execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
    }
    Ok(())
}

/// How many steps of the schema a file has taken.
///
/// # Errors
/// If it cannot be read, is no journal, or was made by a newer version.
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
        newer if newer > SCHEMA.len() => Err(too_new(newer)),
        taken if taken > 0 && tables == 2 => Ok(taken),
        _ => Err(StoreError::Backend("this is no journal of Rookery".to_owned())),
    }
}

/// Brings the schema of a file that nobody else uses up to date. All of it is in the file itself then.
///
/// # Errors
/// If it cannot be written, or was made by a newer version.
pub(crate) async fn upgrade(path: &Path) -> Result<(), StoreError> {
    let writer = connect(1, for_owner(path)).await.map_err(store_error)?;
    let upgraded = async {
        migrate(&writer).await?;
        fold_log_in(&writer).await
    };
    let upgraded = upgraded.await;
    writer.close().await;
    upgraded
}

/// Writes all that stands in the log beside the file into the file.
async fn fold_log_in(writer: &Connections) -> Result<(), StoreError> {
    let (busy, left, folded): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(writer).await.map_err(store_error)?;
    if busy == 0 && left == folded {
        return Ok(());
    }
    Err(StoreError::Backend(format!("{folded} of {left} pages of its log could be written into it")))
}
