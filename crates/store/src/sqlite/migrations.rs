//! The migrations of the schema, applied by sqlx's migrator, which keeps a list of them with their checksums in the file.
//!
//! `user_version` in the file counts them too, and is set together with each: programs from before that list know only
//! the number, and refuse a file whose number is higher than theirs. Migrations lead forwards only. The owner's lock on
//! the file keeps others away meanwhile.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr, query_scalar};

use super::connections::Connections;
use super::errors::store_error;
use rookery_table::ports::StoreError;

/// The SQL of each migration. A released one is never changed, because files keep its checksum.
pub(crate) const SCHEMA: [&str; 20] = [
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
    include_str!("../schema/sqlite/18.sql"),
    include_str!("../schema/sqlite/19.sql"),
    include_str!("../schema/sqlite/20.sql"),
];

/// Applies the migrations that a file lacks, each in a transaction.
///
/// # Errors
/// If the file cannot be written, was made by a newer version, or its list of migrations is not this program's.
pub(super) async fn migrate(writer: &Connections) -> Result<(), StoreError> {
    let mut connection = writer.borrow().await.map_err(store_error)?;
    migrate_with(&migrator(&SCHEMA), &mut connection).await?;
    connection.give_back();
    Ok(())
}

async fn migrate_with(migrator: &Migrator, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let known = migrator.iter().count();
    let version: i64 =
        query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await.map_err(store_error)?;
    let applied = usize::try_from(version).unwrap_or_default();
    if applied > known {
        return Err(too_new(applied, known));
    }
    match last_listed(connection).await? {
        None if version > 0 => take_over(migrator, connection, version).await?,
        Some(listed) if listed != version => {
            return Err(StoreError::Backend(format!(
                "the journal has schema {version}, but its list of migrations ends with {listed}: something else has \
                 changed the file, so restore a backup"
            )));
        }
        _ => {}
    }
    migrator.run_direct(None, connection, false).await.map_err(|error| explain(error, known))
}

/// Returns the last migration on the file's list, 0 if it is empty, and `None` if there is no list yet.
async fn last_listed(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sqlx_migrations'";
    let lists: i64 = query_scalar(sql).fetch_one(&mut *connection).await.map_err(store_error)?;
    if lists == 0 {
        return Ok(None);
    }
    let sql = "SELECT coalesce(max(version), 0) FROM _sqlx_migrations";
    query_scalar(sql).fetch_one(connection).await.map(Some).map_err(store_error)
}

/// Lists the migrations of a file from before the list, without applying them again. All or none are listed.
async fn take_over(
    migrator: &Migrator,
    connection: &mut SqliteConnection,
    version: i64,
) -> Result<(), StoreError> {
    connection.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
    let listed = migrator.run_direct(Some(version), connection, true).await;
    // After an error the connection is closed, which rolls back.
    listed.map_err(|error| explain(error, migrator.iter().count()))?;
    connection.execute("COMMIT").await.map_err(store_error)?;
    Ok(())
}

fn migrator(schema: &[&str]) -> Migrator {
    let migration = |(step, sql): (usize, &&str)| {
        let version = step as i64 + 1;
        // The checksum must not depend on how Git writes line ends on this system.
        let sql = format!("PRAGMA user_version = {version};\n{}", sql.replace("\r\n", "\n"));
        let name = format!("schema {version}");
        let sql = AssertSqlSafe(sql).into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(schema.iter().enumerate().map(migration).collect())
}

/// Returns the error for a file with more migrations than this program knows.
pub(super) fn too_new(schema: usize, known: usize) -> StoreError {
    StoreError::Backend(format!(
        "the journal has schema {schema}, this program knows {known}: use a newer one"
    ))
}

fn explain(error: MigrateError, known: usize) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => store_error(error),
        MigrateError::VersionMissing(newer) => too_new(usize::try_from(newer).unwrap_or_default(), known),
        MigrateError::VersionMismatch(number) => StoreError::Backend(format!(
            "its migration {number} is not the one that this program has: use the program that made the journal, or a \
             newer one"
        )),
        error => StoreError::Backend(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Connection};

    use super::*;

    async fn empty() -> SqliteConnection {
        SqliteConnectOptions::new().in_memory(true).connect().await.unwrap()
    }

    async fn number(connection: &mut SqliteConnection, sql: &'static str) -> i64 {
        query_scalar(sql).fetch_one(connection).await.unwrap()
    }

    #[tokio::test]
    async fn migration_that_fails_leaves_the_schema_and_number_before_it() {
        let mut connection = empty().await;
        let broken = ["CREATE TABLE one (id)", "CREATE TABLE two (id); SELECT * FROM nowhere"];
        let error = migrate_with(&migrator(&broken), &mut connection).await.unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
        assert_eq!(number(&mut connection, "PRAGMA user_version").await, 1);
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name IN ('one', 'two')";
        assert_eq!(number(&mut connection, tables).await, 1);
        let whole = ["CREATE TABLE one (id)", "CREATE TABLE two (id)"];
        migrate_with(&migrator(&whole), &mut connection).await.unwrap();
        assert_eq!(number(&mut connection, "PRAGMA user_version").await, 2);
        let earlier = migrate_with(&migrator(&whole[..1]), &mut connection).await.unwrap_err();
        assert!(earlier.to_string().contains("has schema 2, this program knows 1: use a newer one"));
        connection.close().await.unwrap();
    }

    #[tokio::test]
    async fn migration_that_was_changed_is_refused() {
        let mut connection = empty().await;
        migrate_with(&migrator(&["CREATE TABLE one (id)"]), &mut connection).await.unwrap();
        migrate_with(&migrator(&["CREATE TABLE one (id)"]), &mut connection).await.unwrap();
        let changed = migrate_with(&migrator(&["CREATE TABLE one (id, name)"]), &mut connection).await;
        let changed = changed.unwrap_err().to_string();
        assert!(changed.contains("its migration 1 is not the one that this program has"), "{changed}");
    }

    /// The beginnings of the checksums that files keep. A new migration adds one; none ever changes.
    const CHECKSUMS: [&str; 20] = [
        "7b50a548", "a374c1ce", "88b2ca90", "0325cfc1", "ef6b958d", "19449241", "13c5e952", "43561176",
        "a54046b7", "d107bb00", "19d40bf9", "e9fd8967", "5033cb1e", "4148e641", "7d479ae0", "b8d03c4e",
        "7d6f7853", "9b070023", "cb0d2528", "7ac6802b",
    ];

    #[test]
    fn migrations_that_were_released_have_not_changed() {
        let beginning = |migration: &Migration| {
            migration.checksum[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let checksums: Vec<String> = migrator(&SCHEMA).iter().map(beginning).collect();
        assert_eq!(checksums, CHECKSUMS);
    }

    #[test]
    fn migration_has_one_checksum_whatever_its_line_ends() {
        let [unix, windows] = ["a\nb\n", "a\r\nb\r\n"].map(|sql| migrator(&[sql]));
        assert_eq!(unix.migrations[0].checksum, windows.migrations[0].checksum);
    }
}
