//! A journal in PostgreSQL as the source or the target of a move.

use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection, query, query_scalar};

use super::fault::Fault;
use super::tables::{Column, Kind, PAGE, Record, TABLES, Table, Value};

use crate::postgres::connections::{Connections, Transaction, connect};
use crate::postgres::errors::store_error;
use crate::postgres::limits::limited;
use crate::postgres::open::{check_server, connect_options, newest, opening, upgrade};
use crate::postgres::owner::{LockMode, Ownership};
use crate::postgres::{nul, rows};
use rookery_table::ports::StoreError;

/// A database that this process owns, with a transaction.
pub(crate) struct PostgresStore {
    transaction: Transaction,
    connections: Connections,
}

impl PostgresStore {
    /// Opens a database to read it as of now.
    pub(super) async fn source(url: &str) -> Result<PostgresStore, StoreError> {
        let options = connect_options(url)?;
        let opened = async {
            let owner = Ownership::take(&options, LockMode::Exclusive).await?;
            check_schema(&options).await?;
            let connections = Connections::to(options.clone(), Some(Arc::new(owner)));
            let transaction = connections.begin_snapshot().await?;
            PostgresStore { transaction, connections }.patient().await
        };
        opened.await.map_err(|error| opening(&options, &error))
    }

    /// Opens a database to read it as of now, beside the processes that use it.
    pub(crate) async fn snapshot(url: &str) -> Result<PostgresStore, StoreError> {
        let options = connect_options(url)?;
        let opened = async {
            check_schema(&options).await?;
            let connections = Connections::to(options.clone(), None);
            let transaction = connections.begin_snapshot().await?;
            PostgresStore { transaction, connections }.patient().await
        };
        opened.await.map_err(|error| opening(&options, &error))
    }

    /// Returns the transaction in which everything is read.
    pub(crate) fn transaction(&mut self) -> &mut Transaction {
        &mut self.transaction
    }

    /// Opens a database to fill it.
    ///
    /// # Errors
    /// If it has a record: the error then names the table.
    pub(super) async fn target(url: &str) -> Result<Result<PostgresStore, &'static str>, StoreError> {
        let options = connect_options(url)?;
        let opened = async {
            let owner = Ownership::take(&options, LockMode::Exclusive).await?;
            // Asked before the schema is upgraded: a database that is refused stays as it is.
            if let Some(table) = filled_table(&options).await? {
                return Ok(Err(table));
            }
            upgrade(&options).await?;
            let connections = Connections::to(options.clone(), Some(Arc::new(owner)));
            let transaction = connections.begin().await?;
            PostgresStore { transaction, connections }.patient().await.map(Ok)
        };
        opened.await.map_err(|error| opening(&options, &error))
    }

    /// Lets the transaction wait for the other store.
    async fn patient(mut self) -> Result<PostgresStore, StoreError> {
        self.transaction.write(query("SET LOCAL idle_in_transaction_session_timeout = '10min'")).await?;
        Ok(self)
    }

    pub(crate) async fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        let sql = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.postgres));
        Ok(self.number(sql).await?.unsigned_abs())
    }

    /// Starts reading all records of a table; [`PostgresStore::page`] returns them.
    pub(crate) async fn open_cursor(&mut self, table: &Table, derived: bool) -> Result<(), StoreError> {
        let columns = names(table, derived);
        let sql = format!(
            "DECLARE {} NO SCROLL CURSOR FOR SELECT {columns} FROM {}",
            cursor(table),
            table.postgres
        );
        self.transaction.write(query(AssertSqlSafe(sql))).await.map(drop)
    }

    /// Returns the next records of a table; after the last one there are none, and the cursor is closed.
    pub(crate) async fn page(&mut self, table: &Table, derived: bool) -> Result<Vec<Record>, Fault> {
        let sql = format!("FETCH {PAGE} FROM {}", cursor(table));
        // Not kept as a prepared statement: the next cursor of this name may have other columns.
        let found = self.transaction.rows(query(AssertSqlSafe(sql)).persistent(false)).await?;
        if found.is_empty() {
            let sql = AssertSqlSafe(format!("CLOSE {}", cursor(table)));
            self.transaction.write(query(sql)).await?;
        }
        found.iter().map(|row| read(table, derived, row)).collect()
    }

    /// Writes records with their derived columns.
    pub(super) async fn write(&mut self, table: &Table, records: &[Record]) -> Result<(), Fault> {
        for record in records {
            check_nul(table, record)?;
        }
        let columns: Vec<&Column> = table.columns.iter().chain(table.derived).collect();
        let place = |(at, column): (usize, &&Column)| format!("${}::{}[]", at + 1, sql_type(column.kind));
        let places: Vec<String> = columns.iter().enumerate().map(place).collect();
        let sql = format!(
            "INSERT INTO {} ({}) SELECT * FROM unnest({})",
            table.postgres,
            names(table, true),
            places.join(", ")
        );
        let mut rows = query(AssertSqlSafe(sql));
        for (at, column) in columns.iter().enumerate() {
            let values = records.iter().map(|record| &record[at]);
            rows = match column.kind {
                Kind::Integer => rows.bind(values.map(integer).collect::<Vec<_>>()),
                Kind::Text => rows.bind(values.map(text).collect::<Vec<_>>()),
                Kind::AnyText => {
                    rows.bind(values.map(|it| text(it).map(|it| nul::encode(&it))).collect::<Vec<_>>())
                }
                Kind::Flag => rows.bind(values.map(flag).collect::<Vec<_>>()),
            };
        }
        self.transaction.write(rows).await?;
        Ok(())
    }

    /// Returns the highest number that a numbered table has ever given.
    pub(super) async fn last_number(&mut self, table: &Table) -> Result<i64, StoreError> {
        let name = table.postgres;
        let sql = format!(
            "SELECT greatest(CASE WHEN is_called THEN last_value ELSE last_value - 1 END, \
                 (SELECT coalesce(max(id), 0) FROM {name})) FROM {name}_id_seq"
        );
        self.number(AssertSqlSafe(sql)).await
    }

    /// Makes a numbered table go on after a number. Unlike `setval`, this is part of the transaction.
    pub(super) async fn number_after(&mut self, table: &Table, last: i64) -> Result<(), StoreError> {
        let sql = format!("ALTER SEQUENCE {}_id_seq RESTART WITH {}", table.postgres, last.saturating_add(1));
        self.transaction.write(query(AssertSqlSafe(sql))).await.map(drop)
    }

    /// Makes what was written the content of the database.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.transaction.commit().await?;
        self.connections.close().await;
        Ok(())
    }

    /// Gives up what was written, and gives the database free.
    pub(crate) async fn close(self) {
        drop(self.transaction);
        self.connections.close().await;
    }

    async fn number(&mut self, sql: AssertSqlSafe<String>) -> Result<i64, StoreError> {
        let row = self.transaction.row(query(sql)).await?;
        let row = row.ok_or_else(|| StoreError::Backend("the database returned no row".into()))?;
        rows::column(&row, 0)
    }
}

/// Checks that a database has a journal of this version.
async fn check_schema(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = connect(options.clone()).await?;
    check_server(&mut connection).await?;
    let known = newest();
    let applied = if exists(&mut connection, "_sqlx_migrations").await? {
        let row = query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations");
        limited(row.fetch_one(&mut connection)).await.map_err(store_error)?
    } else {
        0
    };
    let why = match applied {
        0 => "it has no journal of Rookery".to_owned(),
        newer if newer > known => {
            format!("it has migration {newer}, this program knows {known}: use a newer program")
        }
        older if older < known => {
            format!(
                "it has migration {older}, this program needs {known}: start the bot on it once, which upgrades it"
            )
        }
        _ => return connection.close().await.map_err(store_error),
    };
    Err(StoreError::Backend(why))
}

/// Returns a table that has a record, in a database that need not have a journal yet.
async fn filled_table(options: &PgConnectOptions) -> Result<Option<&'static str>, StoreError> {
    let mut connection = connect(options.clone()).await?;
    for table in &TABLES {
        if exists(&mut connection, table.postgres).await? {
            let any = AssertSqlSafe(format!("SELECT EXISTS (SELECT FROM {})", table.postgres));
            let any = limited(query_scalar(any).fetch_one(&mut connection)).await;
            if any.map_err(store_error)? {
                return Ok(Some(table.postgres));
            }
        }
    }
    connection.close().await.map_err(store_error)?;
    Ok(None)
}

async fn exists(connection: &mut PgConnection, table: &'static str) -> Result<bool, StoreError> {
    let row = query_scalar("SELECT to_regclass($1) IS NOT NULL").bind(table);
    limited(row.fetch_one(connection)).await.map_err(store_error)
}

fn names(table: &Table, derived: bool) -> String {
    let derived = if derived { table.derived } else { &[] };
    table.columns.iter().chain(derived).map(|column| column.postgres).collect::<Vec<_>>().join(", ")
}

fn cursor(table: &Table) -> String {
    format!("all_{}", table.postgres)
}

/// Returns PostgreSQL's type for a column.
pub(crate) fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "bigint",
        Kind::Text | Kind::AnyText => "text",
        Kind::Flag => "boolean",
    }
}

fn read(table: &Table, derived: bool, row: &PgRow) -> Result<Record, Fault> {
    let derived = if derived { table.derived } else { &[] };
    let columns = table.columns.iter().chain(derived);
    columns.enumerate().map(|(at, column)| Ok(value(row, at, column.kind)?)).collect()
}

fn value(row: &PgRow, at: usize, kind: Kind) -> Result<Value, StoreError> {
    let value = match kind {
        Kind::Integer => rows::column::<Option<i64>>(row, at)?.map(Value::Integer),
        Kind::Text => rows::column::<Option<String>>(row, at)?.map(Value::Text),
        Kind::AnyText => rows::column::<Option<&str>>(row, at)?.map(|text| Value::Text(nul::decode(text))),
        Kind::Flag => rows::column::<Option<bool>>(row, at)?.map(Value::Flag),
    };
    Ok(value.unwrap_or(Value::Null))
}

/// Checks that the texts of a record can be stored.
fn check_nul(table: &Table, record: &[Value]) -> Result<(), Fault> {
    let columns = table.columns.iter().zip(record);
    let wrong = columns.filter(|(column, _)| column.kind == Kind::Text);
    let mut wrong = wrong.filter(|(_, value)| matches!(value, Value::Text(text) if text.contains('\0')));
    let Some((column, _)) = wrong.next() else { return Ok(()) };
    let why = format!("column {} contains a NUL character, which PostgreSQL cannot store", column.sqlite);
    Err(Fault::Row { table: table.sqlite, row: table.key_of(record), why })
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Flag(flag) => Some(*flag),
        _ => None,
    }
}
