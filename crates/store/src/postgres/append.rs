//! Writing a batch: its entries, card, outbox rows, job and ratings.

use std::sync::atomic::Ordering;
use std::time::Duration;

use sqlx::query;

use super::chain::{bind_links, no_conflict};
use super::connections::Transaction;
use super::job_queue::queue_jobs;
use super::rows::column;
use super::{Postgres, chain, nul, pseudonyms, ratings};
use crate::rows::{StoredRow, json, stage_number, to_i64};
use rookery_table::TableId;
use rookery_table::hash_chain::{self, ChainEntry};
use rookery_table::ports::{Batch, StoreError, TableChange};
use rookery_table::pseudonyms::Pseudonyms;

/// What the entries of a batch follow: the number and seal of the latest entry, the pseudonyms and people of the table,
/// and whether the bot owes a turn there.
pub(super) const STATE_BEFORE: &str = "SELECT last.sequence, last.seal, named.pseudonyms, named.people, \
         EXISTS (SELECT FROM jobs WHERE table_id = $1) \
     FROM (SELECT array_agg(pseudonym) AS pseudonyms, array_agg(person) AS people FROM pseudonyms \
           WHERE table_id = $1) AS named \
     LEFT JOIN (SELECT sequence, seal FROM events WHERE table_id = $1 ORDER BY sequence DESC LIMIT 1) AS last ON true";

/// Whether a table of this name was deleted.
pub(super) const IS_ERASED: &str = "SELECT 1 FROM erased WHERE table_id = $1";

/// Writes a batch: its entries and outbox rows, given as columns, its card, its people and the turn that the bot owes.
/// One statement instead of six, because each costs a message there and back. The numbers of the outbox rows increase in
/// the order of the batch. One who was invited and has left stays among the people: the reader decides by the card.
pub(super) const WRITE_BATCH: &str = "WITH entries AS ( \
         INSERT INTO events (table_id, sequence, at_ms, source, event, seal) \
         SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])), \
     card AS ( \
         INSERT INTO cards (table_id, stage, guild, channel, at_ms, game, host, ply, next_ms, frozen, rests, \
             proof_owed, imported, rated, card, head) \
         VALUES ($1, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) \
         ON CONFLICT (table_id) DO UPDATE SET stage = excluded.stage, guild = excluded.guild, \
             channel = excluded.channel, at_ms = excluded.at_ms, game = excluded.game, host = excluded.host, \
             ply = excluded.ply, next_ms = excluded.next_ms, frozen = excluded.frozen, rests = excluded.rests, \
             proof_owed = excluded.proof_owed, imported = excluded.imported, rated = excluded.rated, \
             card = excluded.card, head = excluded.head), \
     listed AS ( \
         INSERT INTO people (person, table_id) SELECT *, $1 FROM unnest($22::bigint[]) ON CONFLICT DO NOTHING), \
     job AS ( \
         INSERT INTO jobs (table_id, ply, level, seed) SELECT $1, $23, $24, $25 WHERE $23::bigint IS NOT NULL \
         ON CONFLICT (table_id) DO UPDATE SET ply = excluded.ply, level = excluded.level, seed = excluded.seed), \
     done AS (DELETE FROM jobs WHERE table_id = $1 AND $23::bigint IS NULL), \
     lane AS ( \
         INSERT INTO outbox_lanes (table_id, guild) SELECT $1, coalesce($8, 0) WHERE $27::text[] <> '{}' \
         ON CONFLICT (table_id) DO UPDATE SET version = outbox_lanes.version + 1) \
     INSERT INTO outbox (table_id, due_since_ms, key, say) \
         SELECT $1, $26, item.key, item.say \
         FROM unnest($27::text[], $28::text[]) WITH ORDINALITY AS item (key, say, place) ORDER BY item.place";

impl Postgres {
    /// Writes a batch in one transaction.
    ///
    /// The table's lock makes those who write to a table take turns, so that each reads the seal and the pseudonyms that
    /// its own entries follow, and none adds to a table that is being deleted. The one that comes second has decided on
    /// an older state: its sequence numbers are not the next ones any more, and it writes nothing. The primary key of the
    /// entries refuses even a writer that does not take the lock. If the outcome of a commit is unknown, giving the same
    /// batch again cannot write it twice, for the same reason.
    pub(super) async fn append_batch(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin_at(batch.table).await?;
        let before = state_before(&mut transaction, batch.table).await?;
        let last = before.last;
        let next = batch.entries.first().map_or(last + 1, |entry| entry.sequence);
        if next != last + 1 || (last == 0 && is_erased(&mut transaction, batch.table).await?) {
            return Err(StoreError::Conflict(batch.table));
        }
        let known = before.pseudonyms;
        let entries =
            pseudonyms::with_pseudonyms(&mut transaction, batch.table, known, &batch.entries).await?;
        let links = hash_chain::chain_entries(batch.table, &entries, before.seal.clone());
        let head = links.last().map_or(before.seal, |last| last.seal.clone());
        ratings::insert(&mut transaction, batch).await?;
        let pace = Duration::from_millis(self.process.exhibition_pace_ms.load(Ordering::Relaxed));
        queue_jobs(&mut transaction, batch, (before.owes_turn, pace)).await?;
        write_batch(&mut transaction, batch, &links, head).await?;
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

/// What the entries of a batch follow.
struct StateBefore {
    /// The sequence number of the latest entry, 0 if there is none.
    last: u64,
    seal: Option<String>,
    pseudonyms: Pseudonyms,
    owes_turn: bool,
}

async fn is_erased(from: &mut Transaction, table: TableId) -> Result<bool, StoreError> {
    Ok(from.row(query(IS_ERASED).bind(table.as_str().to_owned())).await?.is_some())
}

async fn state_before(from: &mut Transaction, table: TableId) -> Result<StateBefore, StoreError> {
    let row = from.row(query(STATE_BEFORE).bind(table.as_str().to_owned())).await?;
    let row = row.ok_or_else(|| StoreError::Backend("the database gave no row for an aggregate".into()))?;
    let pseudonyms = pseudonyms::from_columns(&row, 2)?;
    let owes_turn = column(&row, 4)?;
    let Some(last) = row.optional_integer(0)? else {
        return Ok(StateBefore { last: 0, seal: None, pseudonyms, owes_turn });
    };
    let seal = match row.optional_text(1)? {
        // Entries from before seals existed are hashed as if they had them.
        None => hash_chain::last_seal(table, &chain::links(from, table).await?),
        seal => seal.map(str::to_owned),
    };
    Ok(StateBefore { last: last.cast_unsigned(), seal, pseudonyms, owes_turn })
}

async fn write_batch(
    to: &mut Transaction,
    batch: &Batch,
    links: &[ChainEntry],
    head: Option<String>,
) -> Result<(), StoreError> {
    let (card, items) = (&batch.card, &batch.outbox_items);
    let people: Vec<i64> = card.everybody().iter().map(|person| to_i64(person.0)).collect();
    let row = bind_links(query(WRITE_BATCH).bind(batch.table.as_str().to_owned()), links)
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
        .bind(head)
        .bind(people)
        .bind(batch.job.map(|job| job.ply as i64))
        .bind(batch.job.map(|job| job.level.key()))
        .bind(batch.job.map(|job| to_i64(job.seed)))
        .bind(batch.at().as_millisecond())
        .bind(items.iter().map(|item| nul::encode(&item.key())).collect::<Vec<_>>())
        .bind(items.iter().map(json).collect::<Vec<_>>());
    no_conflict(to.try_write(row).await, batch.table)
}
