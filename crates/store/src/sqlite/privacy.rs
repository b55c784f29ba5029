//! Personal data in the embedded file: where it is, and its deletion.

use crate::sqlite::errors::store_error;
use crate::{analyses, annotations};

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, SqliteConnection};

use super::chain::chain_of;
use super::pseudonyms::pseudonyms;
use super::rows::column;
use super::{Sqlite, append, pruning};
use crate::deletions::{Deletions, REST};
use crate::pages::{lowest_id, page_limit, page_of};
use crate::rows::{
    self, PERSON, json, leave_policy_key as key, preferences_name, table_id, to_i64, unreadable,
};
use rookery_table::ports::{
    self, Card, Deletion, Journal, Page, PageRequest, Privacy, StoreError, digest_note,
};
use rookery_table::pseudonym::NamesPeople;
use rookery_table::rated::Account;
use rookery_table::{OutboxItem, TableId, UserId, redact};

/// Deletes all data of a table except ratings, which belong to people.
pub(super) const ERASE: [&str; 17] = [
    "DELETE FROM events WHERE table_id = ?",
    "DELETE FROM cards WHERE table_id = ?",
    "DELETE FROM people WHERE table_id = ?",
    "DELETE FROM named WHERE table_id = ?",
    "DELETE FROM outbox WHERE table_id = ?",
    "DELETE FROM messages WHERE table_id = ?",
    "DELETE FROM jobs WHERE table_id = ?",
    "DELETE FROM follows WHERE table_id = ?",
    "DELETE FROM stand_ins WHERE table_id = ?",
    "DELETE FROM deletions WHERE table_id = ?",
    "DELETE FROM share_links WHERE table_id = ?",
    "DELETE FROM share_withdrawn WHERE table_id = ?",
    "DELETE FROM sign_ins WHERE table_id = ?",
    "DELETE FROM annotations WHERE table_id = ?",
    annotations::WITHDRAW_ALL,
    pruning::FORGET_LEFT,
    analyses::ERASE,
];

/// The tables that name a person.
pub(super) const NAMING: &str = "SELECT table_id FROM stand_ins WHERE person = ?1 AND table_id > ?2 \
     UNION SELECT table_id FROM people WHERE person = ?1 AND table_id > ?2 \
     UNION SELECT table_id FROM named WHERE person = ?1 AND table_id > ?2 ORDER BY table_id LIMIT ?3";

/// The unfinished deletions of the next people, each with all tables.
pub(super) const DELETIONS: &str = "SELECT person, table_id, parting FROM deletions \
     WHERE person >= ?1 AND person <= (SELECT max(person) FROM \
         (SELECT DISTINCT person FROM deletions WHERE person >= ?1 ORDER BY person LIMIT ?2)) \
     ORDER BY person, table_id";

/// Deletes what links a table's pseudonym to the person.
pub(super) const AT_TABLE: [&str; 4] = [
    "DELETE FROM people WHERE table_id = ? AND person = ?",
    "DELETE FROM named WHERE table_id = ? AND person = ?",
    "DELETE FROM stand_ins WHERE table_id = ? AND person = ?",
    "DELETE FROM deletions WHERE table_id = ? AND person = ?",
];

/// Deletes the data of a person that belongs to no table. The list of tables keeps those whose deletion is
/// still pending.
pub(super) const BESIDE_TABLES: [&str; 10] = [
    "DELETE FROM preferences WHERE kind = 0 AND id = ?1",
    "DELETE FROM follows WHERE person = ?1",
    "DELETE FROM people WHERE person = ?1 \
     AND table_id NOT IN (SELECT table_id FROM deletions WHERE person = ?1)",
    "DELETE FROM deletions WHERE person = ?1 AND table_id = ''",
    "DELETE FROM blocks WHERE person = ?1",
    "DELETE FROM share_links WHERE maker = ?1",
    "DELETE FROM sign_ins WHERE person = ?1",
    "DELETE FROM web_sessions WHERE person = ?1",
    "DELETE FROM annotations WHERE person = ?1",
    "DELETE FROM annotation_links WHERE person = ?1",
];
/// Deletes a person's ratings, by account.
pub(super) const RATINGS: &str = "DELETE FROM ratings WHERE account = ?";
/// Deletes a note about a person.
pub(super) const NOTE: &str = "DELETE FROM notes WHERE key = ?";
/// The notes of challenges from a person (`?1`) or to them; `?2` is their prefix, [`ports::CHALLENGE_NOTES`].
pub(super) const CHALLENGE_NOTES: &str = "DELETE FROM notes WHERE key >= ?2 AND key < ?2 || x'ff' \
     AND (key LIKE ?2 || ?1 || '/%' OR key LIKE ?2 || '%/' || ?1)";
/// The people and leave policies of deletions that only a note keeps ([`postponed_note`]). The range of keys ends with
/// the character after `-`.
pub(super) const POSTPONED: &str = "SELECT substr(key, length('postponed-deletion-') + 1), value FROM notes \
     WHERE key > 'postponed-deletion-' AND key < 'postponed-deletion.'";
/// The outbox items of a table, posted or pending, that name a person.
pub(super) const ITEMS_NAMING: &str = "SELECT id, say FROM outbox WHERE table_id = ? AND instr(say, ?)";
/// Whether entries of a table contain the person's own id.
pub(super) const IS_NAMED: &str = "SELECT 1 FROM named WHERE person = ? AND table_id = ?";

#[async_trait]
impl Privacy for Sqlite {
    async fn tables_naming(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(sqlx::query(NAMING).bind(to_i64(who.0)), page).await?;
        let read = |row: &SqliteRow| self.unreadable.skip("person", rows::name(row, 0), table_id(row, 0));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn replace_with_pseudonym(
        &self,
        who: UserId,
        table: TableId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        let pseudonym = pseudonyms(&mut transaction, table).await?.of(who)?;
        if is_named(&mut transaction, who, table).await? {
            rewrite_entries(&mut transaction, (who, pseudonym), table, now).await?;
        }
        rename_card(&mut transaction, (who, pseudonym), table).await?;
        rename_in_outbox(&mut transaction, (who, pseudonym), table).await?;
        for sql in AT_TABLE {
            let row = sqlx::query(sql).bind(table.as_str().to_owned()).bind(to_i64(who.0));
            row.execute(&mut *transaction).await.map_err(store_error)?;
        }
        transaction.commit().await
    }

    async fn delete_table(&self, table: TableId) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for sql in ERASE {
            sqlx::query(sql)
                .bind(table.as_str().to_owned())
                .execute(&mut *transaction)
                .await
                .map_err(store_error)?;
        }
        let row = sqlx::query("INSERT OR IGNORE INTO erased VALUES (?)").bind(table.as_str().to_owned());
        row.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await
    }

    async fn delete_personal_rows(&self, who: UserId) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for sql in BESIDE_TABLES {
            sqlx::query(sql).bind(to_i64(who.0)).execute(&mut *transaction).await.map_err(store_error)?;
        }
        let account = String::from(Account::Person(who));
        sqlx::query(RATINGS).bind(account).execute(&mut *transaction).await.map_err(store_error)?;
        for note in [digest_note(who), postponed_note(who)] {
            sqlx::query(NOTE).bind(note).execute(&mut *transaction).await.map_err(store_error)?;
        }
        let number = who.0.to_string();
        let challenges = sqlx::query(CHALLENGE_NOTES).bind(number).bind(ports::CHALLENGE_NOTES);
        challenges.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
        self.unreadable.repaired("preferences", preferences_name(PERSON, who.0));
        self.scrub().await
    }

    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), StoreError> {
        match list_deletion(self, deletion).await {
            // A note in another part of the file keeps the wish, and a deletion from it covers all tables.
            Err(StoreError::Damaged(why)) => {
                tracing::error!(why, "the list of deletions cannot be written; a note is kept instead");
                self.store_note(&postponed_note(deletion.who), key(deletion.leave_policy)).await
            }
            listed => listed,
        }
    }

    async fn unfinished_deletions(
        &self,
        page: PageRequest<UserId>,
    ) -> Result<Page<Deletion, UserId>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = sqlx::query(DELETIONS).bind(lowest).bind(page_limit(page.limit));
        let rows = rows.fetch_all(&self.readers).await.map_err(store_error)?;
        let mut deletions = Deletions::read(&rows, &self.unreadable)?;
        let next = deletions.next(page.limit);
        if next.is_none() {
            deletions
                .add_postponed(&sqlx::query(POSTPONED).fetch_all(&self.readers).await.map_err(store_error)?);
        }
        Ok(Page { rows: deletions.0, next })
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        // Overwritten content may still be in the write-ahead log.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writer).await.map_err(store_error)?;
        Ok(())
    }
}

/// Returns the key of the note that keeps a deletion which [`REST`] cannot.
fn postponed_note(who: UserId) -> String {
    format!("postponed-deletion-{}", who.0)
}

/// Adds a deletion to the list of deletions.
async fn list_deletion(to: &Sqlite, deletion: &Deletion) -> Result<(), StoreError> {
    let mut transaction = to.writer.begin().await?;
    let tables = deletion.tables.iter().map(TableId::as_str).chain(deletion.rest.then_some(REST));
    for table in tables {
        let row = sqlx::query("INSERT OR REPLACE INTO deletions VALUES (?, ?, ?)");
        let row = row.bind(to_i64(deletion.who.0)).bind(table.to_owned()).bind(key(deletion.leave_policy));
        row.execute(&mut *transaction).await.map_err(store_error)?;
    }
    transaction.commit().await
}

async fn is_named(from: &mut SqliteConnection, who: UserId, table: TableId) -> Result<bool, StoreError> {
    let row = sqlx::query(IS_NAMED).bind(to_i64(who.0)).bind(table.as_str().to_owned());
    Ok(row.fetch_optional(from).await.map_err(store_error)?.is_some())
}

/// Replaces the person's id in entries from before pseudonyms.
async fn rewrite_entries(
    to: &mut SqliteConnection,
    who: (UserId, UserId),
    table: TableId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let chain = chain_of(&mut *to, table).await?;
    let Some(links) = redact::redact_person(table, &chain, who, now)? else { return Ok(()) };
    let sql = "DELETE FROM events WHERE table_id = ?";
    sqlx::query(sql).bind(table.as_str().to_owned()).execute(&mut *to).await.map_err(store_error)?;
    for link in &links {
        let mut entry = QueryBuilder::new("");
        append::entry(&mut entry, table, link);
        entry.build().execute(&mut *to).await.map_err(store_error)?;
    }
    let head = links.last().and_then(|link| link.seal.clone());
    let row = sqlx::query("UPDATE cards SET head = ? WHERE table_id = ?").bind(head);
    row.bind(table.as_str().to_owned()).execute(to).await.map_err(store_error)?;
    Ok(())
}

async fn rename_card(
    to: &mut SqliteConnection,
    who: (UserId, UserId),
    table: TableId,
) -> Result<(), StoreError> {
    let sql = "SELECT card FROM cards WHERE table_id = ?";
    let row = sqlx::query(sql).bind(table.as_str().to_owned());
    let Some(row) = row.fetch_optional(&mut *to).await.map_err(store_error)? else { return Ok(()) };
    let what = || format!("the card of table {table}");
    let card = column(&row, 0).map_err(|error| unreadable(what(), error))?;
    let mut card: Card = serde_json::from_str(card).map_err(|error| unreadable(what(), error))?;
    if card.rename(who.0, who.1) {
        let row = sqlx::query("UPDATE cards SET card = ? WHERE table_id = ?").bind(json(&card));
        row.bind(table.as_str().to_owned()).execute(to).await.map_err(store_error)?;
    }
    Ok(())
}

/// Replaces the person's id in the outbox items of a table.
async fn rename_in_outbox(
    to: &mut SqliteConnection,
    who: (UserId, UserId),
    table: TableId,
) -> Result<(), StoreError> {
    let rows = sqlx::query(ITEMS_NAMING).bind(table.as_str().to_owned()).bind(who.0.0.to_string());
    for row in rows.fetch_all(&mut *to).await.map_err(store_error)? {
        let what = || format!("what is to be said for table {table}");
        let item = column(&row, 1).map_err(|error| unreadable(what(), error))?;
        let mut item: OutboxItem = serde_json::from_str(item).map_err(|error| unreadable(what(), error))?;
        if item.rename(who.0, who.1) {
            let sql = "UPDATE outbox SET say = ? WHERE id = ?";
            sqlx::query(sql)
                .bind(json(&item))
                .bind(column::<i64>(&row, 0)?)
                .execute(&mut *to)
                .await
                .map_err(store_error)?;
        }
    }
    Ok(())
}
