//! Writing a batch: its entries, card, outbox rows, job and ratings.

use std::sync::atomic::Ordering;
use std::time::Duration;

use sqlx::query;

use super::connections::Transaction;
use super::job_queue::queue_jobs;
use super::lanes::put_lane;
use super::locks::Lock;
use super::{Postgres, chain, nul, pseudonyms, ratings};
use crate::rows::{StoredRow, json, stage_number, to_i64, unsigned};
use rookery_table::TableId;
use rookery_table::hash_chain;
use rookery_table::ports::{Batch, Card, StoreError, TableChange};

/// The latest entry of a table.
pub(super) const LAST_ENTRY: &str =
    "SELECT sequence, seal FROM events WHERE table_id = $1 ORDER BY sequence DESC LIMIT 1";

/// Whether a table of this name was deleted.
pub(super) const IS_ERASED: &str = "SELECT 1 FROM erased WHERE table_id = $1";

/// Adds outbox rows, given as columns. Their numbers increase in the order of the batch.
const INSERT_ITEMS: &str = "INSERT INTO outbox (table_id, due_since_ms, key, say) \
     SELECT $1, $2, item.key, item.say \
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS item (key, say, place) ORDER BY item.place";

const PUT_CARD: &str = "INSERT INTO cards (table_id, stage, guild, channel, at_ms, game, host, ply, next_ms, \
     frozen, rests, proof_owed, imported, rated, card, head) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
     ON CONFLICT (table_id) DO UPDATE SET stage = excluded.stage, guild = excluded.guild, \
     channel = excluded.channel, at_ms = excluded.at_ms, game = excluded.game, host = excluded.host, \
     ply = excluded.ply, next_ms = excluded.next_ms, frozen = excluded.frozen, rests = excluded.rests, \
     proof_owed = excluded.proof_owed, imported = excluded.imported, rated = excluded.rated, \
     card = excluded.card, head = excluded.head";

/// Adds people to a table. One who was invited and has left stays listed: the reader decides by the card.
const ADD_PEOPLE: &str =
    "INSERT INTO people (person, table_id) SELECT *, $1 FROM unnest($2::bigint[]) ON CONFLICT DO NOTHING";

const PUT_JOB: &str = "INSERT INTO jobs (table_id, ply, level, seed) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (table_id) DO UPDATE SET ply = excluded.ply, level = excluded.level, seed = excluded.seed";

impl Postgres {
    /// Writes a batch in one transaction.
    ///
    /// The table's lock makes those who write to a table take turns, so that each reads the seal and the pseudonyms that
    /// its own entries follow, and none adds to a table that is being deleted. The one that comes second has decided on
    /// an older state: its sequence numbers are not the next ones any more, and it writes nothing. The primary key of the
    /// entries refuses even a writer that does not take the lock. If the outcome of a commit is unknown, giving the same
    /// batch again cannot write it twice, for the same reason.
    pub(super) async fn append_batch(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.lock(Lock::Table(batch.table)).await?;
        let (last, before) = last_entry(&mut transaction, batch.table).await?;
        let next = batch.entries.first().map_or(last + 1, |entry| entry.sequence);
        if next != last + 1 || (last == 0 && is_erased(&mut transaction, batch.table).await?) {
            return Err(StoreError::Conflict(batch.table));
        }
        let entries = pseudonyms::with_pseudonyms(&mut transaction, batch.table, &batch.entries).await?;
        let links = hash_chain::chain_entries(batch.table, &entries, before.clone());
        chain::insert_links(&mut transaction, batch.table, &links).await?;
        let head = links.last().map_or(before, |last| last.seal.clone());
        put_card(&mut transaction, &batch.card, head).await?;
        let had_turn = put_job(&mut transaction, batch).await?;
        let pace = Duration::from_millis(self.process.exhibition_pace_ms.load(Ordering::Relaxed));
        queue_jobs(&mut transaction, batch, (had_turn, pace)).await?;
        ratings::insert(&mut transaction, batch).await?;
        insert_items(&mut transaction, batch).await?;
        transaction.commit().await?;
        self.unreadable.repaired("card", batch.table);
        if let Some(last) = batch.entries.last() {
            let has_items = !batch.outbox_items.is_empty();
            let change = TableChange { table: batch.table, sequence: last.sequence, has_items };
            self.process.untold.tell(change, &self.connections).await;
        }
        Ok(())
    }
}

async fn is_erased(from: &mut Transaction, table: TableId) -> Result<bool, StoreError> {
    Ok(from.row(query(IS_ERASED).bind(table.as_str().to_owned())).await?.is_some())
}

/// Returns the sequence number of a table's latest entry, 0 if there is none, and the seal that the next one follows.
async fn last_entry(from: &mut Transaction, table: TableId) -> Result<(u64, Option<String>), StoreError> {
    let Some(row) = from.row(query(LAST_ENTRY).bind(table.as_str().to_owned())).await? else {
        return Ok((0, None));
    };
    let seal = match row.optional_text(1)? {
        // Entries from before seals existed are hashed as if they had them.
        None => hash_chain::last_seal(table, &chain::links(from, table).await?),
        seal => seal.map(str::to_owned),
    };
    Ok((unsigned(&row, 0)?, seal))
}

async fn put_card(to: &mut Transaction, card: &Card, head: Option<String>) -> Result<(), StoreError> {
    let table = card.id.as_str();
    let row = query(PUT_CARD)
        .bind(table.to_owned())
        .bind(stage_number(card.stage))
        .bind(card.guild.map(to_i64))
        .bind(card.board_channel.map(|board_channel| to_i64(board_channel.channel)))
        .bind(card.at.as_millisecond())
        .bind(nul::encode(&card.game))
        .bind(card.host.map(|host| to_i64(host.0)))
        .bind(card.ply as i64)
        .bind(card.next_due.map(|next_due| next_due.as_millisecond()))
        .bind(card.frozen_since.is_some())
        .bind(card.rests)
        .bind(card.proof_owed)
        .bind(card.imported)
        .bind(card.rated)
        .bind(json(card))
        .bind(head);
    to.write(row).await?;
    let people: Vec<i64> = card.everybody().iter().map(|person| to_i64(person.0)).collect();
    to.write(query(ADD_PEOPLE).bind(table.to_owned()).bind(people)).await?;
    Ok(())
}

/// Stores the turn that the bot owes after a batch. Without one, returns whether it owed one before.
async fn put_job(to: &mut Transaction, batch: &Batch) -> Result<bool, StoreError> {
    let table = batch.table.as_str().to_owned();
    let row = match batch.job {
        None => query("DELETE FROM jobs WHERE table_id = $1").bind(table),
        Some(job) => {
            let row = query(PUT_JOB).bind(table).bind(job.ply as i64);
            row.bind(job.level.key()).bind(to_i64(job.seed))
        }
    };
    Ok(to.write(row).await? > 0)
}

async fn insert_items(to: &mut Transaction, batch: &Batch) -> Result<(), StoreError> {
    if batch.outbox_items.is_empty() {
        return Ok(());
    }
    put_lane(to, batch.table, batch.card.guild).await?;
    let rows = query(INSERT_ITEMS)
        .bind(batch.table.as_str().to_owned())
        .bind(batch.at().as_millisecond())
        .bind(batch.outbox_items.iter().map(|item| nul::encode(&item.key())).collect::<Vec<_>>())
        .bind(batch.outbox_items.iter().map(json).collect::<Vec<_>>());
    to.write(rows).await?;
    Ok(())
}
