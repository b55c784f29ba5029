//! What a batch writes beside its entries.

use sqlx::{QueryBuilder, Sqlite as Driver, SqliteConnection};

use crate::rows::{json, stage_number, to_i64};
use crate::sqlite::errors::store_error;
use rookery_table::ports::{Batch, StoreError};

/// Stores a table's card with its people, its messages for Discord, and its job. All of it is one query: each query costs two
/// switches between threads, and as long as it takes no other table can write.
pub(super) async fn put_beside_entries(
    to: &mut SqliteConnection,
    batch: &Batch,
    head: Option<String>,
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::<Driver>::new("");
    card(&mut sql, batch, head);
    for item in &batch.outbox_items {
        sql.push("; INSERT INTO outbox (table_id, key, say, due_since_ms) VALUES (");
        let mut values = sql.separated(", ");
        values.push_bind(batch.table.as_str().to_owned()).push_bind(item.key()).push_bind(json(item));
        values.push_bind(batch.at().as_millisecond());
        sql.push(")");
    }
    job(&mut sql, batch);
    sql.build().execute(to).await.map_err(store_error)?;
    Ok(())
}

fn card(sql: &mut QueryBuilder<Driver>, batch: &Batch, head: Option<String>) {
    let card = &batch.card;
    sql.push("INSERT OR REPLACE INTO cards VALUES (");
    let mut values = sql.separated(", ");
    values.push_bind(card.id.as_str().to_owned()).push_bind(stage_number(card.stage));
    values.push_bind(card.guild.map(to_i64));
    values.push_bind(card.board_channel.map(|board_channel| to_i64(board_channel.channel)));
    values.push_bind(card.at.as_millisecond()).push_bind(json(card)).push_bind(head);
    sql.push(")");
    // A person who was invited and has left stays listed: the reader decides by the card.
    for person in card.everybody() {
        sql.push("; INSERT OR IGNORE INTO people VALUES (");
        sql.separated(", ").push_bind(to_i64(person.0)).push_bind(card.id.as_str().to_owned());
        sql.push(")");
    }
}

fn job(sql: &mut QueryBuilder<Driver>, batch: &Batch) {
    let table = batch.table.as_str().to_owned();
    match batch.job {
        None => {
            sql.push("; DELETE FROM jobs WHERE table_id = ").push_bind(table);
        }
        Some(job) => {
            sql.push("; INSERT OR REPLACE INTO jobs VALUES (");
            let mut values = sql.separated(", ");
            values.push_bind(table).push_bind(job.ply as i64).push_bind(job.level.key());
            values.push_bind(to_i64(job.seed));
            sql.push(")");
        }
    }
}
