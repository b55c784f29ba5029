//! The journal in PostgreSQL, on a real server.

mod claims;
mod concurrency;
mod copies;
pub(super) mod failures;
mod inspection;
mod ownership;
mod processes;
pub(crate) mod server;
mod unreadable;

use super::{first_batch, id, tell};
use crate::Postgres;
use rookery_table::OutboxItem;
use rookery_table::ports::{AfterFailure, Journal, PageRequest};
use server::Database;

#[tokio::test]
async fn postgres_journal_keeps_the_contract() {
    let Some(database) = Database::create().await else { return };
    tell(&database.journal).await;
}

#[tokio::test]
async fn postgres_journal_keeps_everything_for_the_next_process() {
    let Some(database) = Database::create().await else { return };
    let table = id("KKK2");
    database.journal.append(&first_batch(table)).await.unwrap();
    let chain = database.journal.chain(table).await.unwrap();
    database.journal.close().await;
    let next = Postgres::open(&database.url()).await.unwrap();
    assert_eq!(next.load(table).await.unwrap(), first_batch(table).entries);
    assert_eq!(next.chain(table).await.unwrap(), chain);
    assert_eq!(next.due(0, 9).await.unwrap().len(), 2);
}

/// PostgreSQL has no NUL in texts, but a journal must lose none and refuse none.
#[tokio::test]
async fn postgres_journal_keeps_texts_with_nul() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut batch = first_batch(table);
    batch.entries[1].event = rookery_table::Event::Started { line: "a\0b".into() };
    batch.card.game = "ama\0zons".into();
    journal.append(&batch).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), batch.entries);
    let filter = |game: &str| rookery_table::ports::Filter { game: Some(game.into()), ..Default::default() };
    assert_eq!(journal.list(&filter("ama\0zons"), PageRequest::default()).await.unwrap().rows, [batch.card]);
    assert_eq!(journal.list(&filter("amazons"), PageRequest::default()).await.unwrap().rows, []);
    journal.store_note("key\0", "val\0ue").await.unwrap();
    assert_eq!(journal.note("key\0").await.unwrap().as_deref(), Some("val\0ue"));
    assert_eq!(journal.note("key").await.unwrap(), None);
    journal.analyses().store_analysis(table, "\0").await.unwrap();
    assert_eq!(journal.analyses().analysis(table).await.unwrap().as_deref(), Some("\0"));
    let (row, _) = journal.latest(table, &OutboxItem::Announce).await.unwrap().unwrap();
    journal.mark_failed(row, "no\0pe", AfterFailure::GivenUp).await.unwrap();
    assert_eq!(journal.share_links().link("\0").await.unwrap(), None);
    journal.share_links().withdraw_link("\0").await.unwrap();
}
