//! Writing a batch.

use sqlx::{QueryBuilder, Sqlite as Driver, SqliteConnection};

use super::chain::links;
use super::{insert_ratings, pseudonyms};
use crate::rows::{json, stage_number, to_i64};
use crate::sqlite::errors::store_error;
use rookery_table::TableId;
use rookery_table::hash_chain::{self, ChainEntry};
use rookery_table::ports::{Batch, StoreError};

/// Stores a batch in the caller's transaction: it reads the last seal and writes the entries, because each seal hashes the one
/// before.
///
/// # Errors
/// [`StoreError::Conflict`] if the table is deleted or has these entries already. Part of the batch may be written then: the
/// caller rolls back.
pub(super) async fn append(to: &mut SqliteConnection, batch: &Batch) -> Result<(), StoreError> {
    let before = last_seal(to, batch.table).await?;
    if before.is_none() && is_deleted(to, batch.table).await? {
        return Err(StoreError::Conflict(batch.table));
    }
    let entries = pseudonyms::with_pseudonyms(to, batch.table, &batch.entries).await?;
    let links = hash_chain::chain_entries(batch.table, &entries, before.clone());
    let head = links.last().map_or(before, |last| last.seal.clone());
    insert(to, batch, &links, head).await?;
    insert_ratings::insert_ratings(to, batch).await
}

/// Stores a batch's entries, card with its people, messages for Discord, and job. All of it is one query: each query costs two
/// switches between threads, and as long as it takes no other table can write.
async fn insert(
    to: &mut SqliteConnection,
    batch: &Batch,
    links: &[ChainEntry],
    head: Option<String>,
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::<Driver>::new("");
    for link in links {
        entry(&mut sql, batch.table, link);
    }
    card(&mut sql, batch, head);
    for item in &batch.outbox_items {
        sql.push("INSERT INTO outbox (table_id, key, say, due_since_ms) VALUES (");
        let mut values = sql.separated(", ");
        values.push_bind(batch.table.as_str().to_owned()).push_bind(item.key()).push_bind(json(item));
        values.push_bind(batch.at().as_millisecond());
        sql.push("); ");
    }
    job(&mut sql, batch);
    match sql.build().execute(to).await {
        // Only the entries have a key that refuses a second row.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(StoreError::Conflict(batch.table))
        }
        result => Ok(result.map(drop).map_err(store_error)?),
    }
}

/// Adds the statement that stores an entry.
pub(super) fn entry(sql: &mut QueryBuilder<Driver>, table: TableId, link: &ChainEntry) {
    sql.push("INSERT INTO events VALUES (");
    let mut values = sql.separated(", ");
    values.push_bind(table.as_str().to_owned()).push_bind(to_i64(link.sequence));
    values.push_bind(link.at.as_millisecond()).push_bind(link.source.map(to_i64));
    values.push_bind(link.event.clone()).push_bind(link.seal.clone());
    sql.push("); ");
}

fn card(sql: &mut QueryBuilder<Driver>, batch: &Batch, head: Option<String>) {
    let card = &batch.card;
    sql.push("INSERT OR REPLACE INTO cards VALUES (");
    let mut values = sql.separated(", ");
    values.push_bind(card.id.as_str().to_owned()).push_bind(stage_number(card.stage));
    values.push_bind(card.guild.map(to_i64));
    values.push_bind(card.board_channel.map(|board_channel| to_i64(board_channel.channel)));
    values.push_bind(card.at.as_millisecond()).push_bind(json(card)).push_bind(head);
    sql.push("); ");
    // A person who was invited and has left stays listed: the reader decides by the card.
    for person in card.everybody() {
        sql.push("INSERT OR IGNORE INTO people VALUES (");
        sql.separated(", ").push_bind(to_i64(person.0)).push_bind(card.id.as_str().to_owned());
        sql.push("); ");
    }
}

fn job(sql: &mut QueryBuilder<Driver>, batch: &Batch) {
    let table = batch.table.as_str().to_owned();
    match batch.job {
        None => {
            sql.push("DELETE FROM jobs WHERE table_id = ").push_bind(table);
        }
        Some(job) => {
            sql.push("INSERT OR REPLACE INTO jobs VALUES (");
            let mut values = sql.separated(", ");
            values.push_bind(table).push_bind(job.ply as i64).push_bind(job.level.key());
            values.push_bind(to_i64(job.seed));
            sql.push(")");
        }
    }
}

/// Whether a table of this name was deleted.
async fn is_deleted(from: &mut SqliteConnection, table: TableId) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT 1 FROM erased WHERE table_id = ?").bind(table.as_str().to_owned());
    Ok(row.fetch_optional(from).await.map_err(store_error)?.is_some())
}

/// Returns the seal that a table's next entry follows.
async fn last_seal(to: &mut SqliteConnection, table: TableId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT seal FROM events WHERE table_id = ? ORDER BY sequence DESC LIMIT 1";
    let last: Option<Option<String>> = sqlx::query_scalar(sql)
        .bind(table.as_str().to_owned())
        .fetch_optional(&mut *to)
        .await
        .map_err(store_error)?;
    match last {
        // Entries from before seals existed are hashed as if they had them.
        Some(None) => Ok(hash_chain::last_seal(table, &links(to, table).await?)),
        last => Ok(last.flatten()),
    }
}
