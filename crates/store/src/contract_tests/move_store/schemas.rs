//! The list of tables and columns that are moved is that of both schemas. Who adds a table or a column to a schema adds
//! it to that list as well.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::query_as;

use super::super::postgres::server::Database;
use super::{OF_PROCESSES, connect};
use crate::Sqlite;
use crate::move_store::postgres_store::sql_type;
use crate::move_store::tables::{Kind, NOT_COPIED, TABLES};

/// Columns by the names of their tables: name, type, and whether it may be NULL.
type Columns = BTreeMap<String, BTreeSet<(String, String, bool)>>;

fn by_table(rows: Vec<(String, String, String, bool)>) -> Columns {
    let mut all = Columns::new();
    for (table, column, kind, nullable) in rows {
        if !NOT_COPIED.contains(&table.as_str()) {
            all.entry(table).or_default().insert((column, kind, nullable));
        }
    }
    all
}

#[tokio::test]
async fn move_knows_every_table_and_column_of_the_sqlite_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    Sqlite::open(&path).await.unwrap().close().await;
    let sql = "SELECT it.name, part.name, part.type, part.\"notnull\" = 0 AND part.pk = 0 \
               FROM sqlite_schema it, pragma_table_info(it.name) part \
               WHERE it.type = 'table' AND it.name NOT LIKE 'sqlite_%'";
    let found = by_table(query_as(sql).fetch_all(&mut connect(&path).await).await.unwrap());
    let known = TABLES.iter().flat_map(|table| {
        table.columns.iter().map(|column| {
            let kind = if matches!(column.kind, Kind::Integer | Kind::Flag) { "INTEGER" } else { "TEXT" };
            (table.sqlite.to_owned(), column.sqlite.to_owned(), kind.to_owned(), column.nullable)
        })
    });
    assert_eq!(found, by_table(known.collect()));
}

#[tokio::test]
async fn move_knows_every_table_and_column_of_the_postgres_schema() {
    let Some(database) = Database::create().await else { return };
    let sql = "SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'YES' \
               FROM information_schema.columns WHERE table_schema = 'public'";
    let mut found = by_table(query_as(sql).fetch_all(&mut database.connect().await).await.unwrap());
    for table in OF_PROCESSES {
        assert!(found.remove(table).is_some(), "{table}");
    }
    let known = TABLES.iter().flat_map(|table| {
        table.columns.iter().chain(table.derived).map(|column| {
            let kind = sql_type(column.kind).to_owned();
            (table.postgres.to_owned(), column.postgres.to_owned(), kind, column.nullable)
        })
    });
    assert_eq!(found, by_table(known.collect()));
}

#[tokio::test]
async fn move_knows_the_keys_and_numbered_tables_of_both_schemas() {
    let Some(database) = Database::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    Sqlite::open(&path).await.unwrap().close().await;
    for table in &TABLES {
        let sql = "SELECT name, pk FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk";
        let keys = query_as(sql).bind(table.sqlite).fetch_all(&mut connect(&path).await).await;
        let keys: Vec<(String, i64)> = keys.unwrap();
        let known = table.columns[..table.key].iter().map(|column| column.sqlite);
        assert!(keys.iter().map(|(name, _)| name.as_str()).eq(known), "{}: {keys:?}", table.sqlite);
        let sql =
            "SELECT count(*) FROM information_schema.columns WHERE table_name = $1 AND is_identity = 'YES'";
        let numbered = query_as(sql).bind(table.postgres).fetch_one(&mut database.connect().await).await;
        let (numbered,): (i64,) = numbered.unwrap();
        assert_eq!(numbered == 1, table.numbered, "{}", table.postgres);
    }
}
