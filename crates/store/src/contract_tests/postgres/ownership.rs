//! Bots share a database; a command that needs it alone waits for none of them, and none writes beside it.

use std::time::Duration;

use sqlx::{Connection, query, query_scalar};
use tokio::time::{sleep, timeout};

use super::super::{first_batch, id};
use super::failures::{CUT, why};
use super::server::{Database, Server};
use crate::Postgres;
use crate::postgres::locks::{KINDS, OWNER};
use crate::postgres::open::connect_options;
use crate::postgres::owner::{LockMode, Ownership};
use rookery_table::ports::{Journal, StoreError};

/// Returns the server's process that owns the database: the one that has the lock.
async fn owner_of(database: &Database) -> i32 {
    let sql = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
               AND classid = $1::bigint::oid AND objid = $2::bigint::oid";
    let owner = query_scalar(sql).bind(i64::from(KINDS)).bind(i64::from(OWNER));
    owner.fetch_one(&mut database.connect().await).await.unwrap()
}

/// Takes a database alone, as a command does that moves a journal.
async fn take_alone(database: &Database) -> Result<Ownership, StoreError> {
    Ownership::take(&connect_options(&database.url()).unwrap(), LockMode::Exclusive).await
}

#[tokio::test]
async fn database_in_use_is_not_taken_alone_and_a_bot_is_named() {
    let Some(database) = Database::create().await else { return };
    let second = Postgres::open(&database.url()).await.unwrap();
    second.append(&first_batch(id("KKK2"))).await.unwrap();
    assert_eq!(database.journal.load(id("KKK2")).await.unwrap(), first_batch(id("KKK2")).entries);
    for journal in [&database.journal, &second] {
        let refused = why(take_alone(&database).await);
        let process = format!("it is in use by rookery, process {} on ", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        assert!(refused.contains(", connected from the server's own machine since 20"), "{refused}");
        assert!(refused.contains("Stop that one first"), "{refused}");
        journal.close().await;
    }
    let alone = take_alone(&database).await.unwrap();
    let refused = why(Postgres::open(&database.url()).await);
    assert!(refused.contains("which needs it alone. Wait until that one has ended"), "{refused}");
    alone.give_up().await;
    Postgres::open(&database.url()).await.unwrap();
}

#[tokio::test]
async fn bot_of_another_user_is_in_the_way_as_well() {
    let Some(database) = Database::create().await else { return };
    database.run("CREATE ROLE neighbour LOGIN PASSWORD 'neighbour'").await;
    let credentials = format!("rookery:{}", super::server::PASSWORD);
    let url = database.url().replace(&credentials, "neighbour:neighbour");
    let refused = why(Ownership::take(&connect_options(&url).unwrap(), LockMode::Exclusive).await);
    assert!(refused.contains("it is in use by"), "{refused}");
}

#[tokio::test]
async fn databases_of_one_server_have_owners_of_their_own() {
    let (Some(one), Some(two)) = (Database::create().await, Database::create().await) else { return };
    one.journal.store_note("note", "1").await.unwrap();
    two.journal.store_note("note", "2").await.unwrap();
    assert_eq!(one.journal.note("note").await.unwrap().as_deref(), Some("1"));
}

#[tokio::test]
async fn closed_database_is_free_at_once_and_stays_given_up() {
    let Some(database) = Database::create().await else { return };
    let journal = &database.journal;
    journal.close().await;
    // A single try, where opening would wait a little.
    let lock = query_scalar("SELECT pg_try_advisory_lock($1, $2)").bind(KINDS).bind(OWNER);
    assert!(lock.fetch_one(&mut database.connect().await).await.unwrap_or(false));
    let closed = why(journal.probe().await);
    assert!(closed.contains("the journal is closed"), "{closed}");
}

#[tokio::test]
async fn owner_goes_on_after_a_restart_of_the_server() {
    let Some(server) = Server::start() else { return };
    drop(server.connect("postgres").await);
    let name = server.create_database("").await;
    let journal = Postgres::open(&server.url(&name)).await.unwrap();
    server.stop();
    let down = why(journal.probe().await);
    assert!(down.contains("no database server answers") || down.contains("was cut"), "{down}");
    server.start_again();
    drop(server.connect("postgres").await);
    journal.probe().await.unwrap();
    let take_alone =
        async || Ownership::take(&connect_options(&server.url(&name)).unwrap(), LockMode::Exclusive).await;
    let refused = why(take_alone().await);
    assert!(refused.contains("it is in use by"), "it owns the database again: {refused}");
    server.stop();
    server.start_again();
    drop(server.connect("postgres").await);
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    let refused = why(take_alone().await);
    assert!(refused.contains("it is in use by"), "also by a write, without a probe: {refused}");
}

#[tokio::test]
async fn command_that_took_the_database_in_between_wins() {
    let Some(database) = Database::create().await else { return };
    let (first, table) = (&database.journal, id("KKK2"));
    database.run(CUT).await;
    let alone = take_alone(&database).await.unwrap();
    for refused in [
        why(first.append(&first_batch(table)).await),
        why(first.store_note("note", "1").await),
        why(first.probe().await),
        why(first.privacy().delete_table(table).await),
    ] {
        assert!(refused.contains("is now in use by rookery, process "), "{refused}");
        assert!(refused.contains("stop one of the two"), "{refused}");
    }
    assert_eq!(first.load(table).await.unwrap(), [], "reading goes on");
    alone.give_up().await;
    first.store_note("note", "1").await.unwrap();
}

/// A write that began while the database was shared must not end beside those of a command that has it alone.
#[tokio::test]
async fn command_waits_for_writes_of_bots_before_it() {
    let Some(database) = Database::create().await else { return };
    let mut late = database.journal.connections().begin().await.unwrap();
    late.write(query("INSERT INTO notes VALUES ('late', '1')")).await.unwrap();
    let owner = owner_of(&database).await;
    database.run(format!("SELECT pg_terminate_backend({owner})")).await;
    let mut next = std::pin::pin!(take_alone(&database));
    assert!(timeout(Duration::from_millis(1000), &mut next).await.is_err(), "it waits");
    late.commit().await.unwrap();
    next.await.unwrap();
    assert_eq!(database.journal.note("late").await.unwrap().as_deref(), Some("1"));
}

/// The server may still see a connection that is lost for this process.
#[tokio::test]
async fn lost_session_that_the_server_still_sees_is_ended() {
    let Some(database) = Database::create().await else { return };
    let before = owner_of(&database).await;
    let mut lost = database.journal.connections().owner().lose_session().await;
    database.journal.store_note("note", "1").await.unwrap();
    assert_eq!(owner_of(&database).await, before, "the server has the lock, so writes are safe");
    database.journal.probe().await.unwrap();
    assert_ne!(owner_of(&database).await, before);
    assert!(lost.ping().await.is_err(), "the server has ended it");
}

#[tokio::test]
async fn concurrent_writes_take_a_lost_lock_again_once() {
    let Some(database) = Database::create().await else { return };
    let journal = &database.journal;
    database.run(CUT).await;
    let notes = ["a", "b", "c", "d"].map(|key| journal.store_note(key, "1"));
    for stored in futures_util::future::join_all(notes).await {
        stored.unwrap();
    }
    owner_of(&database).await;
}

#[tokio::test]
async fn idle_owner_is_not_ended_by_the_server() {
    let Some(database) = Database::create().await else { return };
    database.journal.close().await;
    database.run(format!("ALTER DATABASE {} SET idle_session_timeout = '50ms'", database.name)).await;
    let journal = Postgres::open(&database.url()).await.unwrap();
    let before = owner_of(&database).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(owner_of(&database).await, before);
    journal.store_note("note", "1").await.unwrap();
    assert_eq!(owner_of(&database).await, before);
}
