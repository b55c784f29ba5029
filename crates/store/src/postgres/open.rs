//! Connecting to the server and upgrading the schema.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection, SqlSafeStr, query};

use super::Postgres;
use super::connections::{Connections, connect};
use super::errors::store_error;
use super::job_queue::upgrade_queue;
use super::lanes::PUT_MISSING_LANES;
use super::limits::{STATEMENT_TIMEOUT_S, no_answer};
use super::outbox::RETRY_UNREADABLE;
use super::owner::{LockMode, Ownership};
use super::processes::Process;
use super::rows::column;
use crate::rows::{StoredRow, unsigned};
use crate::unreadable::UnreadableRows;
use rookery_table::ports::StoreError;

/// The schema's migrations: number, name and SQL. A released one is never changed, because the database keeps its
/// checksum.
pub(crate) const MIGRATIONS: [(i64, &str, &str); 8] = [
    (1, "tables", include_str!("../schema/postgres/0001_tables.sql")),
    (3, "processes", include_str!("../schema/postgres/0003_processes.sql")),
    (4, "pages", include_str!("../schema/postgres/0004_pages.sql")),
    (5, "gateway_sessions", include_str!("../schema/postgres/0005_gateway_sessions.sql")),
    (6, "request_shares", include_str!("../schema/postgres/0006_request_shares.sql")),
    (7, "thinking_requests", include_str!("../schema/postgres/0007_thinking_requests.sql")),
    (8, "web_sessions", include_str!("../schema/postgres/0008_web_sessions.sql")),
    (9, "annotations", include_str!("../schema/postgres/0009_annotations.sql")),
];

/// The oldest major version of the server that the tests run against.
const OLDEST_SERVER: i64 = 15;

/// How long the schema's upgrade may take, including the wait for another process that does it.
const UPGRADE_TIMEOUT: Duration = Duration::from_secs(600);

/// The server's version, the size of the database, whether it has a journal, whether tables can be created, and whether
/// the queue can be used: its schema must belong to the user, or be created, which needs a right on the database.
const INSPECT: &str = "SELECT current_setting('server_version'), pg_database_size(current_database()), \
     to_regclass('events') IS NOT NULL, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), \
     coalesce((SELECT pg_has_role(nspowner, 'USAGE') AND (has_database_privilege(current_database(), 'CREATE') OR \
             EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid AND relname = 'migrations')) \
         FROM pg_namespace WHERE nspname = 'graphile_worker'), \
         has_database_privilege(current_database(), 'CREATE'))";

/// What [`Postgres::inspect`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerReport {
    /// The version of the server, such as `15.14`.
    pub version: String,
    /// The size of the database in bytes.
    pub size: u64,
    /// Whether a journal is stored there already.
    pub has_journal: bool,
    /// Whether the user may create tables there, which the first start and upgrades need.
    pub may_create: bool,
    /// Whether the user owns the schema of the queue, `graphile_worker`, or may create it.
    pub may_use_queue: bool,
}

impl Postgres {
    /// Connects to the database at an address such as `postgres://user:password@host:5432/rookery`, and upgrades its
    /// schema. The address may say how to encrypt: `?sslmode=verify-full&sslrootcert=FILE` also checks the server's
    /// certificate. Other processes may have it open too, but no command that needs it alone. That rests on a lock of one
    /// session, so a pooler between the two must keep sessions apart (PgBouncer: `pool_mode = session`).
    ///
    /// # Errors
    /// If a command uses the database alone, the address is malformed, the server cannot be reached within 10 seconds or
    /// refuses the user, the database does not exist, has another encoding than UTF-8 or was made by a newer version, or
    /// the server is older than PostgreSQL 15. No error contains the password.
    pub async fn open(url: &str) -> Result<Postgres, StoreError> {
        let options = connect_options(url)?;
        let opened = async {
            let owner = Ownership::take(&options, LockMode::Shared).await?;
            // Processes of the version before may be running: a migration must leave them working.
            upgrade(&options).await?;
            let connections = Connections::to(options.clone(), Some(Arc::new(owner)));
            Postgres::over(connections).await
        };
        opened.await.map_err(|error| opening(&options, &error))
    }

    /// Finds out what the server and the database are like. It changes nothing, also while a bot uses the database.
    ///
    /// # Errors
    /// Those of [`Postgres::open`], except that a command uses the database alone or its schema is newer.
    pub async fn inspect(url: &str) -> Result<ServerReport, StoreError> {
        let options = connect_options(url)?;
        let inspected = async {
            let mut connection = connect(options.clone()).await?;
            check_server(&mut connection).await?;
            let row = query(INSPECT).fetch_one(&mut connection).await.map_err(store_error)?;
            let report = ServerReport {
                version: column(&row, 0)?,
                size: unsigned(&row, 1)?,
                has_journal: column(&row, 2)?,
                may_create: column(&row, 3)?,
                may_use_queue: column(&row, 4)?,
            };
            // The answer is here, so an error while saying goodbye changes nothing.
            let _ = connection.close().await;
            Ok(report)
        };
        inspected.await.map_err(|error| opening(&options, &error))
    }

    /// Opens a database beside its owner, to test that writes of several processes get along.
    #[cfg(test)]
    pub(crate) async fn open_beside_owner(url: &str) -> Result<Postgres, StoreError> {
        let options = connect_options(url)?;
        upgrade(&options).await?;
        Postgres::over(Connections::to(options, None)).await
    }

    async fn over(connections: Connections) -> Result<Postgres, StoreError> {
        connections.write(query(RETRY_UNREADABLE)).await?;
        connections.write(query(PUT_MISSING_LANES)).await?;
        Ok(Postgres { connections, process: Process::new()?, unreadable: UnreadableRows::default() })
    }
}

pub(crate) fn opening(options: &PgConnectOptions, error: &StoreError) -> StoreError {
    StoreError::Backend(format!("the journal in {} cannot be opened: {error}", place(options)))
}

/// Parses an address, and adds the settings of every session.
pub(crate) fn connect_options(url: &str) -> Result<PgConnectOptions, StoreError> {
    let malformed = |why: String| {
        let example = "postgres://user:password@host:5432/rookery";
        StoreError::Backend(format!("the address of the database is not like {example}: {why}"))
    };
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(malformed("it does not begin with postgres://".into()));
    }
    let options = PgConnectOptions::from_str(url).map_err(|error| malformed(error.to_string()))?;
    let options = match options.get_application_name() {
        Some(_) => options,
        None => options.application_name("rookery"),
    };
    Ok(options.options([
        ("statement_timeout", format!("{STATEMENT_TIMEOUT_S}s")),
        // A process that hangs in the middle of a transaction must not keep its locks.
        ("idle_in_transaction_session_timeout", "60s".to_owned()),
        // A committed write survives a crash of the server, whatever its default is.
        ("synchronous_commit", "on".to_owned()),
    ]))
}

/// Returns the address of a database without the user and the password.
pub(crate) fn shown_address(url: &str) -> String {
    let Ok(options) = connect_options(url) else { return "postgres://…".to_owned() };
    let database = options.get_database().unwrap_or_else(|| options.get_username());
    match options.get_socket() {
        Some(socket) => format!("postgres:///{database}?host={}", socket.display()),
        None => format!("postgres://{}:{}/{database}", options.get_host(), options.get_port()),
    }
}

/// Returns where a database is, without the user and the password.
fn place(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or_else(|| options.get_username());
    match options.get_socket() {
        Some(socket) => format!("the database {database} at {}", socket.display()),
        None => format!("the database {database} at {}:{}", options.get_host(), options.get_port()),
    }
}

/// Checks the server and upgrades the schema, over a connection of its own without the usual time limit.
pub(crate) async fn upgrade(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection =
        connect(options.clone().options([("statement_timeout", "0"), ("idle_session_timeout", "0")])).await?;
    let upgraded = async {
        check_server(&mut connection).await?;
        // The migrator holds an advisory lock, so that only one process upgrades.
        migrator(&MIGRATIONS).run_direct(None, &mut connection, false).await.map_err(migration_error)
    };
    let upgraded = tokio::time::timeout(UPGRADE_TIMEOUT, upgraded).await;
    upgraded.unwrap_or_else(|_| Err(store_error(no_answer(UPGRADE_TIMEOUT))))?;
    // The upgrade is done, so an error while saying goodbye changes nothing.
    let _ = connection.close().await;
    upgrade_queue(options).await?;
    Ok(())
}

/// Returns the number of the newest migration that this program knows.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |(number, _, _)| *number)
}

pub(crate) fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migration = |&(number, name, sql): &(i64, &'static str, &'static str)| {
        // The checksum must not depend on how Git writes line ends on this system.
        let sql = AssertSqlSafe(sql.replace("\r\n", "\n")).into_sql_str();
        Migration::new(number, name.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(migrations.iter().map(migration).collect())
}

pub(crate) async fn check_server(connection: &mut PgConnection) -> Result<(), StoreError> {
    let sql = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'), \
               current_setting('server_encoding')";
    let row = query(sql).fetch_one(connection).await.map_err(store_error)?;
    let (number, version, encoding): (i64, &str, &str) =
        (row.integer(0)?, column(&row, 1)?, column(&row, 2)?);
    if number / 10_000 < OLDEST_SERVER {
        return Err(StoreError::Backend(format!(
            "the server is PostgreSQL {version}; this program needs {OLDEST_SERVER} or later"
        )));
    }
    if encoding != "UTF8" {
        return Err(StoreError::Backend(format!(
            "it has the encoding {encoding}, which cannot store every text: create it with \
             CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )));
    }
    Ok(())
}

fn migration_error(error: MigrateError) -> StoreError {
    let known = newest();
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => store_error(error),
        MigrateError::VersionMissing(newer) => StoreError::Backend(format!(
            "it has migration {newer}, this program knows {known}: use a newer program"
        )),
        MigrateError::VersionMismatch(number) => StoreError::Backend(format!(
            "its migration {number} is not the one that this program has: use the program that made it, or a newer one"
        )),
        error => StoreError::Backend(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_is_a_file_with_its_number_and_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/schema/postgres");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let names = MIGRATIONS.map(|(number, name, _)| format!("{number:04}_{name}.sql"));
        assert_eq!(files, names);
    }

    #[test]
    fn address_that_is_none_is_explained_without_its_password() {
        for url in [
            "secret",
            "mysql://me:secret@host/db",
            "postgres://me:secret@host:no/db",
            "postgres://me:secret@[",
        ] {
            let why = connect_options(url).err().unwrap().to_string();
            assert!(why.contains("is not like postgres://"), "{why}");
            assert!(!why.contains("secret"), "{why}");
        }
        let place = place(&connect_options("postgres://me:secret@host:7/db").unwrap());
        assert_eq!(place, "the database db at host:7");
    }
}
