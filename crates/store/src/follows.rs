//! Who watches which table, in the SQLite file.

use crate::sqlite::errors::store_error;
use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;

use super::rows::{name, table_id, to_i64, unsigned, watch_mode, watch_number as number};
use super::sqlite::Sqlite;
use super::sqlite::rows::column;
use rookery_table::ports::{Follows, StoreError, WatchMode};
use rookery_table::{TableId, UserId};

/// The tables that a person watches.
pub(super) const WATCHED_BY: &str = "SELECT table_id FROM follows WHERE person = ? ORDER BY table_id";
/// The people who watch a table.
pub(super) const FOLLOWERS: &str = "SELECT person, how FROM follows WHERE table_id = ?";

#[async_trait]
impl Follows for Sqlite {
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError> {
        let row = sqlx::query("INSERT OR REPLACE INTO follows VALUES (?, ?, ?)");
        let row = row.bind(table.as_str().to_owned()).bind(to_i64(who.0)).bind(number(how));
        row.execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        let row = sqlx::query("DELETE FROM follows WHERE table_id = ? AND person = ?");
        let gone = row
            .bind(table.as_str().to_owned())
            .bind(to_i64(who.0))
            .execute(self.writer())
            .await
            .map_err(store_error)?;
        Ok(gone.rows_affected() > 0)
    }

    async fn followers(&self, table: TableId) -> Result<Vec<(UserId, WatchMode)>, StoreError> {
        let row = sqlx::query(FOLLOWERS);
        let rows =
            row.bind(table.as_str().to_owned()).fetch_all(self.readers()).await.map_err(store_error)?;
        let mut found = Vec::new();
        for row in &rows {
            let who = UserId(unsigned(row, 0)?);
            let how = column(row, 1).and_then(watch_mode);
            let how = self.unreadable_rows().skip("follow", format!("{} at {table}", who.0), how);
            found.extend(how.map(|how| (who, how)));
        }
        // SQLite's integers are signed, so ids above the middle would sort first.
        found.sort_unstable();
        Ok(found)
    }

    async fn watched_by(&self, who: UserId) -> Result<Vec<TableId>, StoreError> {
        let rows = sqlx::query(WATCHED_BY)
            .bind(to_i64(who.0))
            .fetch_all(self.readers())
            .await
            .map_err(store_error)?;
        Ok(rows.iter().filter_map(|row| self.followed(row, 0)).collect())
    }

    async fn digests(&self) -> Result<Vec<(UserId, Vec<TableId>)>, StoreError> {
        let row = sqlx::query("SELECT person, table_id FROM follows WHERE how = ? ORDER BY person, table_id");
        let rows =
            row.bind(number(WatchMode::Digest)).fetch_all(self.readers()).await.map_err(store_error)?;
        let mut digests: BTreeMap<UserId, Vec<TableId>> = BTreeMap::new();
        for row in &rows {
            digests.entry(UserId(unsigned(row, 0)?)).or_default().extend(self.followed(row, 1));
        }
        Ok(digests.into_iter().collect())
    }
}

impl Sqlite {
    fn followed(&self, row: &SqliteRow, at: usize) -> Option<TableId> {
        self.unreadable_rows().skip("follow", name(row, at), table_id(row, at))
    }
}
