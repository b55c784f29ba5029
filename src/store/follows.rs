//! Who watches which table, in the SQLite file.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::Row;

use super::sqlite::{Sqlite, bits, table_id, unsigned};
use crate::table::ports::{Following, Follows, JournalError};
use crate::table::{Person, TableId};

#[async_trait]
impl Follows for Sqlite {
    async fn follow(&self, who: Person, table: TableId, how: Following) -> Result<(), JournalError> {
        let row = sqlx::query("INSERT OR REPLACE INTO follows VALUES (?, ?, ?)");
        let row = row.bind(table.as_str().to_owned()).bind(bits(who.0)).bind(number(how));
        row.execute(self.writer()).await?;
        Ok(())
    }

    async fn unfollow(&self, who: Person, table: TableId) -> Result<bool, JournalError> {
        let row = sqlx::query("DELETE FROM follows WHERE table_id = ? AND person = ?");
        let gone = row.bind(table.as_str().to_owned()).bind(bits(who.0)).execute(self.writer()).await?;
        Ok(gone.rows_affected() > 0)
    }

    async fn followers(&self, table: TableId) -> Result<Vec<(Person, Following)>, JournalError> {
        let row = sqlx::query("SELECT person, how FROM follows WHERE table_id = ?");
        let rows = row.bind(table.as_str().to_owned()).fetch_all(self.readers()).await?;
        let mut found: Vec<_> =
            rows.iter().map(|row| (Person(unsigned(row, 0)), how_of(row.get(1)))).collect();
        // The medium counts with a sign, so that its own order would be another.
        found.sort_unstable();
        Ok(found)
    }

    async fn watched_by(&self, who: Person) -> Result<Vec<TableId>, JournalError> {
        let row = sqlx::query("SELECT table_id FROM follows WHERE person = ? ORDER BY table_id");
        let rows = row.bind(bits(who.0)).fetch_all(self.readers()).await?;
        rows.iter().map(|row| table_id(row, 0)).collect()
    }

    async fn digests(&self) -> Result<Vec<(Person, Vec<TableId>)>, JournalError> {
        let row = sqlx::query("SELECT person, table_id FROM follows WHERE how = ? ORDER BY person, table_id");
        let rows = row.bind(number(Following::Digest)).fetch_all(self.readers()).await?;
        let mut digests: BTreeMap<Person, Vec<TableId>> = BTreeMap::new();
        for row in &rows {
            digests.entry(Person(unsigned(row, 0))).or_default().push(table_id(row, 1)?);
        }
        Ok(digests.into_iter().collect())
    }
}

fn number(how: Following) -> i64 {
    match how {
        Following::Thread => 0,
        Following::Digest => 1,
        Following::Moves => 2,
    }
}

fn how_of(number: i64) -> Following {
    match number {
        0 => Following::Thread,
        2 => Following::Moves,
        _ => Following::Digest,
    }
}
