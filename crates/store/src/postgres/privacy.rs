//! Personal data in the database: where it is, and its deletion.

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::chain::{chain_of, insert_links};
use super::connections::Transaction;
use super::{Postgres, analyses, annotations, pruning, pseudonyms};
use crate::deletions::{Deletions, REST};
use crate::pages::{lowest_id, page_limit, page_of};
use crate::rows::{
    PERSON, StoredRow, json, leave_policy_key, name, preferences_name, table_id, to_i64, unreadable,
};
use rookery_table::ports::{self, Card, Deletion, Page, PageRequest, Privacy, StoreError, digest_note};
use rookery_table::pseudonym::NamesPeople;
use rookery_table::rated::Account;
use rookery_table::{OutboxItem, TableId, UserId, redact};

/// Deletes all data of a table except ratings, which belong to people.
pub(super) const ERASE: [&str; 18] = [
    "DELETE FROM events WHERE table_id = $1",
    "DELETE FROM cards WHERE table_id = $1",
    "DELETE FROM people WHERE table_id = $1",
    "DELETE FROM named WHERE table_id = $1",
    "DELETE FROM outbox WHERE table_id = $1",
    "DELETE FROM messages WHERE table_id = $1",
    "DELETE FROM jobs WHERE table_id = $1",
    "DELETE FROM follows WHERE table_id = $1",
    "DELETE FROM pseudonyms WHERE table_id = $1",
    "DELETE FROM deletions WHERE table_id = $1",
    "DELETE FROM share_links WHERE table_id = $1",
    "DELETE FROM share_withdrawn WHERE table_id = $1",
    "DELETE FROM sign_ins WHERE table_id = $1",
    "DELETE FROM annotations WHERE table_id = $1",
    annotations::WITHDRAW_ALL,
    pruning::FORGET_LEFT,
    analyses::ERASE,
    "INSERT INTO erased VALUES ($1) ON CONFLICT DO NOTHING",
];

/// The tables that name a person, by name.
pub(super) const NAMING: &str = "SELECT table_id FROM pseudonyms WHERE person = $1 AND table_id > $2 \
     UNION SELECT table_id FROM people WHERE person = $1 AND table_id > $2 \
     UNION SELECT table_id FROM named WHERE person = $1 AND table_id > $2 ORDER BY table_id LIMIT $3";

/// The unfinished deletions of the next people, each with all tables.
pub(super) const DELETIONS: &str = "SELECT person, table_id, leave_policy FROM deletions \
     WHERE person >= $1 AND person <= (SELECT max(person) FROM \
         (SELECT DISTINCT person FROM deletions WHERE person >= $1 ORDER BY person LIMIT $2) AS people) \
     ORDER BY person, table_id";

/// Deletes what links a table's pseudonym to the person.
pub(super) const AT_TABLE: [&str; 4] = [
    "DELETE FROM people WHERE table_id = $1 AND person = $2",
    "DELETE FROM named WHERE table_id = $1 AND person = $2",
    "DELETE FROM pseudonyms WHERE table_id = $1 AND person = $2",
    "DELETE FROM deletions WHERE table_id = $1 AND person = $2",
];

/// Deletes the data of a person that belongs to no table. The list of tables keeps those whose deletion is still
/// pending. The order is that of [`ERASE`], so that the deletion of a table and of a person never wait for each other.
pub(super) const BESIDE_TABLES: [&str; 10] = [
    "DELETE FROM preferences WHERE kind = 0 AND id = $1",
    "DELETE FROM people WHERE person = $1 \
     AND table_id NOT IN (SELECT table_id FROM deletions WHERE person = $1)",
    "DELETE FROM follows WHERE person = $1",
    "DELETE FROM deletions WHERE person = $1 AND table_id = ''",
    "DELETE FROM blocks WHERE person = $1",
    "DELETE FROM share_links WHERE maker = $1",
    "DELETE FROM sign_ins WHERE person = $1",
    "DELETE FROM web_sessions WHERE person = $1",
    "DELETE FROM annotations WHERE person = $1",
    "DELETE FROM annotation_links WHERE person = $1",
];
/// Deletes a person's ratings, by account.
pub(super) const RATINGS: &str = "DELETE FROM ratings WHERE account = $1";
/// Deletes a note about a person.
pub(super) const NOTE: &str = "DELETE FROM notes WHERE key = $1";
/// The notes of challenges from a person (`$1`) or to them; `$2` is their prefix, [`ports::CHALLENGE_NOTES`]. The range
/// of keys ends before the highest character.
pub(super) const CHALLENGE_NOTES: &str = "DELETE FROM notes WHERE key >= $2 AND key < $2 || chr(1114111) \
     AND (starts_with(key, $2 || $1 || '/') OR key LIKE $2 || '%/' || $1)";
/// The people and leave policies of deletions that only a note keeps ([`postponed_note`]). The range of keys ends with
/// the character after `-`.
pub(super) const POSTPONED: &str = "SELECT substr(key, length('postponed-deletion-') + 1), value FROM notes \
     WHERE key > 'postponed-deletion-' AND key < 'postponed-deletion.'";
/// The outbox items of a table, posted or pending, that name a person.
pub(super) const ITEMS_NAMING: &str =
    "SELECT id, say FROM outbox WHERE table_id = $1 AND strpos(say, $2) > 0 ORDER BY id";
/// Whether entries of a table contain the person's own id.
pub(super) const IS_NAMED: &str = "SELECT 1 FROM named WHERE person = $1 AND table_id = $2";

const LIST_DELETION: &str = "INSERT INTO deletions (person, table_id, leave_policy) VALUES ($1, $2, $3) \
     ON CONFLICT (person, table_id) DO UPDATE SET leave_policy = excluded.leave_policy";

#[async_trait]
impl Privacy for Postgres {
    async fn tables_naming(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(query(NAMING).bind(to_i64(who.0)), page).await?;
        let read = |row: &PgRow| self.unreadable.skip("person", name(row, 0), table_id(row, 0));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn replace_with_pseudonym(
        &self,
        who: UserId,
        table: TableId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin_at(table).await?;
        let pseudonym = pseudonyms::read(&transaction.rows(pseudonyms::of_table(table)).await?)?.of(who)?;
        if is_named(&mut transaction, who, table).await? {
            rewrite_entries(&mut transaction, (who, pseudonym), table, now).await?;
        }
        rename_card(&mut transaction, (who, pseudonym), table).await?;
        rename_in_outbox(&mut transaction, (who, pseudonym), table).await?;
        for sql in AT_TABLE {
            transaction.write(query(sql).bind(table.as_str().to_owned()).bind(to_i64(who.0))).await?;
        }
        transaction.commit().await
    }

    async fn delete_table(&self, table: TableId) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin_at(table).await?;
        for sql in ERASE {
            transaction.write(query(sql).bind(table.as_str().to_owned())).await?;
        }
        transaction.commit().await
    }

    async fn delete_personal_rows(&self, who: UserId) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        for sql in BESIDE_TABLES {
            transaction.write(query(sql).bind(to_i64(who.0))).await?;
        }
        transaction.write(query(RATINGS).bind(String::from(Account::Person(who)))).await?;
        for note in [digest_note(who), postponed_note(who)] {
            transaction.write(query(NOTE).bind(note)).await?;
        }
        let challenges = query(CHALLENGE_NOTES).bind(who.0.to_string()).bind(ports::CHALLENGE_NOTES);
        transaction.write(challenges).await?;
        transaction.commit().await?;
        self.unreadable.repaired("preferences", preferences_name(PERSON, who.0));
        Ok(())
    }

    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), StoreError> {
        match list_deletion(self, deletion).await {
            // A note in another part of the database keeps the wish, and a deletion from it covers all tables.
            Err(StoreError::Damaged(why)) => {
                tracing::error!(why, "the list of deletions cannot be written; a note is kept instead");
                let key = postponed_note(deletion.who);
                ports::Journal::store_note(self, &key, leave_policy_key(deletion.leave_policy)).await
            }
            listed => listed,
        }
    }

    async fn unfinished_deletions(
        &self,
        page: PageRequest<UserId>,
    ) -> Result<Page<Deletion, UserId>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = query(DELETIONS).bind(lowest).bind(page_limit(page.limit));
        let rows = self.connections.rows(rows).await?;
        let mut deletions = Deletions::read(&rows, &self.unreadable)?;
        let next = deletions.next(page.limit);
        if next.is_none() {
            deletions.add_postponed(&self.connections.rows(query(POSTPONED)).await?);
        }
        Ok(Page { rows: deletions.0, next })
    }

    /// The server overwrites deleted rows when it vacuums a table, and reuses the files of its log; a client can do
    /// nothing about that but vacuum.
    async fn scrub(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Returns the key of the note that keeps a deletion which the list of deletions cannot.
fn postponed_note(who: UserId) -> String {
    format!("postponed-deletion-{}", who.0)
}

/// Adds a deletion to the list of deletions.
async fn list_deletion(to: &Postgres, deletion: &Deletion) -> Result<(), StoreError> {
    let mut transaction = to.connections.begin().await?;
    let tables = deletion.tables.iter().map(TableId::as_str).chain(deletion.rest.then_some(REST));
    for table in tables {
        let row = query(LIST_DELETION).bind(to_i64(deletion.who.0)).bind(table.to_owned());
        transaction.write(row.bind(leave_policy_key(deletion.leave_policy))).await?;
    }
    transaction.commit().await
}

async fn is_named(from: &mut Transaction, who: UserId, table: TableId) -> Result<bool, StoreError> {
    let row = query(IS_NAMED).bind(to_i64(who.0)).bind(table.as_str().to_owned());
    Ok(from.row(row).await?.is_some())
}

/// Replaces the person's id in entries from before pseudonyms.
async fn rewrite_entries(
    to: &mut Transaction,
    who: (UserId, UserId),
    table: TableId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let chain = chain_of(to, table).await?;
    let Some(links) = redact::redact_person(table, &chain, who, now)? else { return Ok(()) };
    to.write(query("DELETE FROM events WHERE table_id = $1").bind(table.as_str().to_owned())).await?;
    insert_links(to, table, &links).await?;
    let head = links.last().and_then(|link| link.seal.clone());
    let row = query("UPDATE cards SET head = $2 WHERE table_id = $1").bind(table.as_str().to_owned());
    to.write(row.bind(head)).await?;
    Ok(())
}

async fn rename_card(to: &mut Transaction, who: (UserId, UserId), table: TableId) -> Result<(), StoreError> {
    let row = query("SELECT card FROM cards WHERE table_id = $1").bind(table.as_str().to_owned());
    let Some(row) = to.row(row).await? else { return Ok(()) };
    let what = || format!("the card of table {table}");
    let card = row.text(0).map_err(|error| unreadable(what(), error))?;
    let mut card: Card = serde_json::from_str(card).map_err(|error| unreadable(what(), error))?;
    if card.rename(who.0, who.1) {
        // The host is the only person with a column.
        let row = query("UPDATE cards SET card = $2, host = $3 WHERE table_id = $1");
        let row = row.bind(table.as_str().to_owned()).bind(json(&card));
        to.write(row.bind(card.host.map(|host| to_i64(host.0)))).await?;
    }
    Ok(())
}

/// Replaces the person's id in the outbox items of a table.
async fn rename_in_outbox(
    to: &mut Transaction,
    who: (UserId, UserId),
    table: TableId,
) -> Result<(), StoreError> {
    let rows = query(ITEMS_NAMING).bind(table.as_str().to_owned()).bind(who.0.0.to_string());
    for row in to.rows(rows).await? {
        let what = || format!("what is to be said for table {table}");
        let item = row.text(1).map_err(|error| unreadable(what(), error))?;
        let mut item: OutboxItem = serde_json::from_str(item).map_err(|error| unreadable(what(), error))?;
        if item.rename(who.0, who.1) {
            let row = query("UPDATE outbox SET say = $2 WHERE id = $1").bind(row.integer(0)?);
            to.write(row.bind(json(&item))).await?;
        }
    }
    Ok(())
}
