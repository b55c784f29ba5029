//! What is kept of a person in the embedded file, and how it is taken out.

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::{Sqlite, bits, chain_of, insert_link, json, table_id, unsigned};
use crate::store::stand_ins::StandIns;
use crate::table::ports::{Card, Entry, JournalError, Privacy};
use crate::table::rated::Account;
use crate::table::stand_in::Named;
use crate::table::{Person, Say, TableId, redact};

/// Everything that is kept of a table, but ratings, which are people's.
const OF_TABLE: [&str; 9] =
    ["events", "cards", "people", "outbox", "jobs", "follows", "stand_ins", "share_links", "share_withdrawn"];

#[async_trait]
impl Privacy for Sqlite {
    async fn tables_naming(&self, who: Person) -> Result<Vec<TableId>, JournalError> {
        // Entries from before stand-ins are looked through one by one: it is seldom asked for.
        let sql = "SELECT table_id FROM stand_ins WHERE person = ?1 \
             UNION SELECT table_id FROM people WHERE person = ?1 \
             UNION SELECT table_id FROM events WHERE instr(event, ?2)";
        let rows = sqlx::query(sql).bind(bits(who.0)).bind(who.0.to_string());
        rows.fetch_all(&self.readers).await?.iter().map(|row| table_id(row, 0)).collect()
    }

    async fn take_out(&self, who: Person, table: TableId, now_ms: i64) -> Result<(), JournalError> {
        let mut transaction = self.writer.begin().await?;
        let stand_in = stand_ins(&mut transaction, table).await?.of(who)?;
        rewrite_entries(&mut transaction, (who, stand_in), table, now_ms).await?;
        rename_card(&mut transaction, (who, stand_in), table).await?;
        rename_says(&mut transaction, (who, stand_in), table).await?;
        for of in ["people", "stand_ins"] {
            let sql = format!("DELETE FROM {of} WHERE table_id = ? AND person = ?");
            let row = sqlx::query(AssertSqlSafe(sql)).bind(table.as_str().to_owned()).bind(bits(who.0));
            row.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }

    async fn erase(&self, table: TableId) -> Result<(), JournalError> {
        let mut transaction = self.writer.begin().await?;
        for of in OF_TABLE {
            let sql = format!("DELETE FROM {of} WHERE table_id = ?");
            let row = sqlx::query(AssertSqlSafe(sql)).bind(table.as_str().to_owned());
            row.execute(&mut *transaction).await?;
        }
        let row = sqlx::query("INSERT OR IGNORE INTO erased VALUES (?)").bind(table.as_str().to_owned());
        row.execute(&mut *transaction).await?;
        transaction.commit().await
    }

    async fn take_out_rest(&self, who: Person) -> Result<(), JournalError> {
        let mut transaction = self.writer.begin().await?;
        for sql in [
            "DELETE FROM preferences WHERE kind = 0 AND id = ?",
            "DELETE FROM follows WHERE person = ?",
            "DELETE FROM blocks WHERE person = ?",
            "DELETE FROM people WHERE person = ?",
            "DELETE FROM share_links WHERE maker = ?",
        ] {
            sqlx::query(sql).bind(bits(who.0)).execute(&mut *transaction).await?;
        }
        let sql = "DELETE FROM ratings WHERE account = ?";
        sqlx::query(sql).bind(String::from(Account::Person(who))).execute(&mut *transaction).await?;
        // When somebody was last told of something is noted under their number.
        let sql = "DELETE FROM notes WHERE instr(key, ?)";
        sqlx::query(sql).bind(who.0.to_string()).execute(&mut *transaction).await?;
        transaction.commit().await?;
        // What was overwritten still lies in the log beside the file.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.writer).await?;
        Ok(())
    }
}

/// The stand-ins of a table.
pub(super) async fn stand_ins(from: &mut SqliteConnection, table: TableId) -> Result<StandIns, JournalError> {
    let sql = "SELECT stand_in, person FROM stand_ins WHERE table_id = ?";
    let rows = sqlx::query(sql).bind(table.as_str().to_owned()).fetch_all(from).await?;
    let known = rows.iter().map(|row| (Person(unsigned(row, 0)), Person(unsigned(row, 1)))).collect();
    Ok(StandIns::kept(known))
}

/// Entries as they are written; stand-ins that are new are kept.
pub(super) async fn hidden(
    to: &mut SqliteConnection,
    table: TableId,
    entries: &[Entry],
) -> Result<Vec<Entry>, JournalError> {
    let mut known = stand_ins(to, table).await?;
    let hidden = known.hide(entries)?;
    for (stand_in, person) in known.fresh() {
        let row = sqlx::query("INSERT INTO stand_ins VALUES (?, ?, ?)").bind(table.as_str().to_owned());
        row.bind(bits(stand_in.0)).bind(bits(person.0)).execute(&mut *to).await?;
    }
    Ok(hidden)
}

/// Whether a table of this name was deleted.
pub(super) async fn is_erased(from: &mut SqliteConnection, table: TableId) -> Result<bool, JournalError> {
    let row = sqlx::query("SELECT 1 FROM erased WHERE table_id = ?").bind(table.as_str().to_owned());
    Ok(row.fetch_optional(from).await?.is_some())
}

/// Entries from before stand-ins, where they name the person.
async fn rewrite_entries(
    to: &mut SqliteConnection,
    who: (Person, Person),
    table: TableId,
    now_ms: i64,
) -> Result<(), JournalError> {
    let chain = chain_of(&mut *to, table).await?;
    let Some(links) = redact::without(table, &chain, who, now_ms)? else { return Ok(()) };
    let sql = "DELETE FROM events WHERE table_id = ?";
    sqlx::query(sql).bind(table.as_str().to_owned()).execute(&mut *to).await?;
    for link in &links {
        insert_link(&mut *to, table, link).await?;
    }
    let head = links.last().and_then(|link| link.seal.clone());
    let row = sqlx::query("UPDATE cards SET head = ? WHERE table_id = ?").bind(head);
    row.bind(table.as_str().to_owned()).execute(to).await?;
    Ok(())
}

async fn rename_card(
    to: &mut SqliteConnection,
    who: (Person, Person),
    table: TableId,
) -> Result<(), JournalError> {
    let sql = "SELECT card FROM cards WHERE table_id = ?";
    let row = sqlx::query_scalar(sql).bind(table.as_str().to_owned());
    let Some(card): Option<String> = row.fetch_optional(&mut *to).await? else { return Ok(()) };
    let card: Result<Card, _> = serde_json::from_str(&card);
    let mut card = card.map_err(|error| JournalError::Medium(error.to_string()))?;
    if card.rename(who.0, who.1) {
        let row = sqlx::query("UPDATE cards SET card = ? WHERE table_id = ?").bind(json(&card));
        row.bind(table.as_str().to_owned()).execute(to).await?;
    }
    Ok(())
}

/// What was or is to be said about the person.
async fn rename_says(
    to: &mut SqliteConnection,
    who: (Person, Person),
    table: TableId,
) -> Result<(), JournalError> {
    let sql = "SELECT id, say FROM outbox WHERE table_id = ? AND instr(say, ?)";
    let rows = sqlx::query(sql).bind(table.as_str().to_owned()).bind(who.0.0.to_string());
    for row in rows.fetch_all(&mut *to).await? {
        let say: Result<Say, _> = serde_json::from_str(row.get(1));
        let mut say = say.map_err(|error| JournalError::Medium(error.to_string()))?;
        if say.rename(who.0, who.1) {
            let sql = "UPDATE outbox SET say = ? WHERE id = ?";
            sqlx::query(sql).bind(json(&say)).bind(row.get::<i64, _>(0)).execute(&mut *to).await?;
        }
    }
    Ok(())
}
