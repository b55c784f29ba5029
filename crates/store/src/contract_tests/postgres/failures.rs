//! Servers that stop, connections that are cut, and databases that cannot be opened.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Executor, query, query_scalar};
use tokio::time::timeout;

use super::super::{first_batch, id, second_batch};
use super::server::{Database, PASSWORD, Server};
use crate::Postgres;
use crate::postgres::connections::Connections;
use crate::postgres::limits::MAX_CONNECTIONS;
use crate::postgres::locks::Lock;
use crate::postgres::open::migrator;
use rookery_table::ports::{Journal, PageRequest, StoreError};

/// Returns the text of a failure that may pass by itself.
pub(super) fn why<T>(result: Result<T, StoreError>) -> String {
    match result.err().expect("it fails") {
        StoreError::Backend(why) => why,
        other => panic!("{other:?}"),
    }
}

/// Ends all other connections to a database.
pub(crate) const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test]
async fn restart_of_the_server_between_two_calls_is_not_noticed() {
    let Some(server) = Server::start() else { return };
    drop(server.connect("postgres").await);
    let name = server.create_database("").await;
    let (journal, table) = (Postgres::open(&server.url(&name)).await.unwrap(), id("KKK2"));
    journal.append(&first_batch(table)).await.unwrap();
    server.stop();
    let down = why(journal.load(table).await);
    assert!(down.starts_with("no database server answers: start it"), "{down}");
    let down = why(Postgres::open(&server.url(&name)).await);
    assert!(down.contains("no database server answers") && down.contains(&name), "{down}");
    server.start_again();
    drop(server.connect("postgres").await);
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    server.stop();
    server.start_again();
    drop(server.connect("postgres").await);
    journal.append(&second_batch(table)).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap().len(), 3);
}

#[tokio::test]
async fn cut_connections_are_replaced_at_the_next_call() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    for _ in 0..2 {
        let calls = (
            journal.load(table),
            journal.jobs(PageRequest::default()),
            journal.note("note"),
            journal.probe(),
        );
        let _ = tokio::join!(calls.0, calls.1, calls.2, calls.3);
        let mut beside = database.connect().await;
        let cut: Vec<bool> = query_scalar(CUT).fetch_all(&mut beside).await.unwrap();
        assert!(cut.len() > 1, "{cut:?}");
        journal.store_note("note", "1").await.unwrap();
    }
    journal.append(&first_batch(table)).await.unwrap();
}

#[tokio::test]
async fn connection_cut_before_a_commit_leaves_its_outcome_unknown() {
    let Some(database) = Database::create().await else { return };
    let journal = &database.journal;
    let mut write = journal.connections().begin().await.unwrap();
    write.write(query("INSERT INTO notes VALUES ('lost', '1')")).await.unwrap();
    database.run(CUT).await;
    let why = why(write.commit().await);
    assert!(why.contains("it is unknown whether the last write was stored"), "{why}");
    assert!(why.contains("ended this connection") || why.contains("was cut"), "{why}");
    assert_eq!(journal.note("lost").await.unwrap(), None);
    journal.store_note("lost", "2").await.unwrap();
}

#[tokio::test]
async fn connection_cut_during_an_append_keeps_nothing_of_it() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut holder = database.connect().await;
    // The append gets as far as its entries, which wait for this row.
    holder.execute("BEGIN; INSERT INTO cards SELECT 'KKK2', 0, 0, 0, 0, '', 0, 0, 0, FALSE, FALSE, FALSE, FALSE, FALSE, '', ''").await.unwrap();
    let batch = first_batch(table);
    let mut append = journal.append(&batch);
    assert!(timeout(Duration::from_millis(200), &mut append).await.is_err(), "it waits");
    let waiting = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    database.run(waiting).await;
    let why = why(append.await);
    assert!(why.contains("ended this connection") || why.contains("was cut"), "{why}");
    holder.execute("ROLLBACK").await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), []);
    journal.append(&batch).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), batch.entries);
}

/// The caller may be cancelled while another process holds the table's lock.
#[tokio::test]
async fn cancelled_append_keeps_nothing_and_blocks_no_other() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut holder = journal.connections().begin().await.unwrap();
    holder.lock(Lock::Table(table)).await.unwrap();
    let batch = first_batch(table);
    assert!(timeout(Duration::from_millis(100), journal.append(&batch)).await.is_err(), "it waits");
    drop(holder);
    assert_eq!(journal.load(table).await.unwrap(), []);
    timeout(Duration::from_secs(5), journal.append(&batch)).await.expect("the lock is free").unwrap();
}

#[tokio::test]
async fn refused_commit_is_rolled_back_and_not_called_unknown() {
    let Some(database) = Database::create().await else { return };
    let sql = "CREATE TABLE parents (id bigint PRIMARY KEY); \
         CREATE TABLE children (parent bigint REFERENCES parents DEFERRABLE INITIALLY DEFERRED)";
    database.run(sql).await;
    let orphan = || query("INSERT INTO children VALUES (7)");
    let mut dropped = database.journal.connections().begin().await.unwrap();
    dropped.write(orphan()).await.unwrap();
    drop(dropped);
    let mut refused = database.journal.connections().begin().await.unwrap();
    refused.write(orphan()).await.unwrap();
    // A deferred constraint is checked at the commit.
    let why = why(refused.commit().await);
    assert!(why.contains("foreign key") && !why.contains("unknown"), "{why}");
    let pool = database.journal.connections().pool();
    let orphans: i64 = query_scalar("SELECT count(*) FROM children").fetch_one(pool).await.unwrap();
    assert_eq!(orphans, 0);
}

#[tokio::test]
async fn busy_pool_and_unreachable_server_are_told_apart() {
    let Some(database) = Database::create().await else { return };
    let options = database.url().parse().unwrap();
    let connections = Connections::within(Duration::from_millis(300), options);
    let mut held = Vec::new();
    while held.len() < MAX_CONNECTIONS as usize {
        held.push(connections.begin().await.unwrap());
    }
    let busy = why(connections.begin().await.map(drop));
    assert!(busy.starts_with("the journal is busy: all 16 connections"), "{busy}");
    held.pop().unwrap().commit().await.unwrap();
    connections.begin().await.unwrap();
    let nowhere = "postgres://rookery:secret@localhost/rookery?host=/no/such/folder".parse().unwrap();
    let unreachable = Connections::within(Duration::from_millis(300), nowhere);
    let absent = why(unreachable.begin().await.map(drop));
    assert!(absent.starts_with("no database server answers"), "{absent}");
}

#[tokio::test]
async fn statement_that_waits_too_long_is_ended_by_the_server() {
    let Some(database) = Database::create().await else { return };
    let options: PgConnectOptions = database.url().parse().unwrap();
    let hasty =
        Connections::within(Duration::from_secs(10), options.options([("statement_timeout", "100ms")]));
    let lock = Lock::Table(id("KKK2"));
    let mut holder = database.journal.connections().begin().await.unwrap();
    holder.lock(lock).await.unwrap();
    let mut waiting = hasty.begin().await.unwrap();
    let refused = why(waiting.lock(lock).await);
    assert!(refused.starts_with("the database did not finish within"), "{refused}");
}

#[tokio::test]
async fn database_of_a_newer_program_is_refused_and_stays_as_it_is() {
    let Some(database) = Database::create().await else { return };
    database.journal.store_note("note", "kept").await.unwrap();
    database.journal.close().await;
    let newer = "INSERT INTO _sqlx_migrations VALUES (99, 'later', now(), TRUE, '\\x00', 0)";
    database.run(newer).await;
    let url = database.url();
    let refused = why(Postgres::open(&url).await);
    assert!(refused.contains("it has migration 99, this program knows 9: use a newer program"), "{refused}");
    database.run("DELETE FROM _sqlx_migrations WHERE version = 99").await;
    assert_eq!(database.open_again().await.note("note").await.unwrap().as_deref(), Some("kept"));
    database.run("UPDATE _sqlx_migrations SET checksum = '\\x00'").await;
    let refused = why(Postgres::open(&url).await);
    assert!(refused.contains("its migration 1 is not the one that this program has"), "{refused}");
}

#[tokio::test]
async fn migration_that_fails_leaves_the_schema_before_it() {
    let Some(database) = Database::create().await else { return };
    let known = crate::postgres::open::MIGRATIONS;
    let broken = "CREATE TABLE later (id bigint); SELECT 1 FROM nowhere";
    let migrator = migrator(&[&known[..], &[(99, "later", broken)]].concat());
    let mut connection = database.connect().await;
    let error = migrator.run_direct(None, &mut connection, false).await.unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
    let there: Option<String> =
        query_scalar("SELECT to_regclass('later')::text").fetch_one(&mut connection).await.unwrap();
    assert_eq!(there, None);
    drop(connection);
    database.open_again().await.probe().await.unwrap();
}

#[tokio::test]
async fn wrong_password_user_or_database_is_named_without_the_password() {
    let Some(database) = Database::create().await else { return };
    let url = database.url();
    let address = url.replace(PASSWORD, "wrong-secret");
    for (address, part) in [
        (address.clone(), "refuses the user or the password"),
        (address.replace("rookery:", "nobody:"), "refuses the user or the password"),
        (url.replace(&database.name, "no_such_database"), "there is no such database: create it"),
    ] {
        let refused = why(Postgres::open(&address).await);
        assert!(refused.contains(part) && refused.contains("cannot be opened"), "{refused}");
        assert!(!refused.contains("wrong-secret") && !refused.contains(PASSWORD), "{refused}");
    }
}

#[tokio::test]
async fn user_without_rights_is_told_what_to_do() {
    let Some(server) = Server::shared() else { return };
    let name = server.create_database("").await;
    let role = "CREATE ROLE guest LOGIN PASSWORD 'guest'";
    server.connect("postgres").await.execute(role).await.unwrap();
    let url = server.url(&name).replace(&format!("rookery:{PASSWORD}"), "guest:guest");
    let refused = why(Postgres::open(&url).await);
    assert!(refused.contains("lacks a right: make it the owner of the database"), "{refused}");
}

#[tokio::test]
async fn too_many_connections_are_told_apart() {
    let Some(server) = Server::shared() else { return };
    let name = server.create_database("").await;
    let role = "CREATE ROLE crowd LOGIN PASSWORD 'crowd' CONNECTION LIMIT 0";
    server.connect("postgres").await.execute(role).await.unwrap();
    let url = server.url(&name).replace(&format!("rookery:{PASSWORD}"), "crowd:crowd");
    let refused = why(Postgres::open(&url).await);
    assert!(refused.contains("too many connections: close some"), "{refused}");
}

#[tokio::test]
async fn database_that_cannot_store_every_text_is_refused() {
    let Some(server) = Server::shared() else { return };
    let name = server.create_database("ENCODING 'LATIN1' TEMPLATE template0").await;
    let refused = why(Postgres::open(&server.url(&name)).await);
    assert!(refused.contains("the encoding LATIN1") && refused.contains("ENCODING 'UTF8'"), "{refused}");
}

#[tokio::test]
async fn read_only_database_is_told_apart() {
    let Some(database) = Database::create().await else { return };
    database.run(format!("ALTER DATABASE {} SET default_transaction_read_only = on", database.name)).await;
    database.journal.close().await;
    let refused = why(Postgres::open(&database.url()).await);
    assert!(refused.contains("the database can only be read"), "{refused}");
}

#[tokio::test]
async fn sessions_have_limits_and_survive_a_crash_of_the_server() {
    let Some(database) = Database::create().await else { return };
    database.run(format!("ALTER DATABASE {} SET synchronous_commit = off", database.name)).await;
    let journal = database.open_again().await;
    for (setting, value) in [
        ("statement_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "1min"),
        ("synchronous_commit", "on"),
        ("application_name", "rookery"),
    ] {
        let sql = query_scalar("SELECT current_setting($1)").bind(setting);
        let found: String = sql.fetch_one(journal.connections().pool()).await.unwrap();
        assert_eq!(found, value, "{setting}");
    }
}
