//! Who watches which table, in the SQLite file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;

use super::pages::{lowest_id, page_limit, page_of};
use super::rows::{name, table_id, to_i64, unsigned, watch_mode, watch_number as number};
use super::sqlite::Sqlite;
use super::sqlite::rows::column;
use rookery_table::ports::{Follows, Page, PageRequest, StoreError, WatchMode};
use rookery_table::{TableId, UserId};

/// The tables that a person watches.
pub(super) const WATCHED_BY: &str =
    "SELECT table_id FROM follows WHERE person = ?1 AND table_id > ?2 ORDER BY table_id LIMIT ?3";
/// The people who watch a table. For `+ 0` see the statements of the outbox.
pub(super) const FOLLOWERS: &str =
    "SELECT person, how FROM follows WHERE table_id = ?1 AND person >= ?2 ORDER BY person LIMIT ?3 + 0";
/// The people who watch tables in one mode, with the tables.
pub(super) const BY_MODE: &str = "SELECT person, table_id FROM follows \
     WHERE how = ?1 AND person >= ?2 AND (person > ?2 OR table_id > ?3) ORDER BY person, table_id LIMIT ?4";

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

    async fn watch_mode(&self, who: UserId, table: TableId) -> Result<Option<WatchMode>, StoreError> {
        let row = sqlx::query("SELECT how FROM follows WHERE table_id = ? AND person = ?");
        let row = row.bind(table.as_str().to_owned()).bind(to_i64(who.0));
        let row = row.fetch_optional(self.readers()).await.map_err(store_error)?;
        let how = |row: SqliteRow| column(&row, 0).and_then(watch_mode);
        Ok(row
            .and_then(|row| self.unreadable_rows().skip("follow", format!("{} at {table}", who.0), how(row))))
    }

    async fn followers(
        &self,
        table: TableId,
        page: PageRequest<UserId>,
    ) -> Result<Page<(UserId, WatchMode), UserId>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = sqlx::query(FOLLOWERS).bind(table.as_str().to_owned()).bind(lowest);
        let rows = rows.bind(page_limit(page.limit)).fetch_all(self.readers()).await.map_err(store_error)?;
        let key = |row: &SqliteRow| unsigned(row, 0).map(UserId);
        let follower = |row: &SqliteRow| {
            let who = key(row).ok()?;
            let how = column(row, 1).and_then(watch_mode);
            let how = self.unreadable_rows().skip("follow", format!("{} at {table}", who.0), how);
            how.map(|how| (who, how))
        };
        page_of(&rows, page.limit, key, follower)
    }

    async fn watched_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(sqlx::query(WATCHED_BY).bind(to_i64(who.0)), page).await?;
        page_of(&rows, page.limit, |row| table_id(row, 0), |row| self.followed(row, 0))
    }

    async fn digests(
        &self,
        page: PageRequest<(UserId, TableId)>,
    ) -> Result<Page<(UserId, TableId), (UserId, TableId)>, StoreError> {
        let (who, table) = page.after.unzip();
        let rows = sqlx::query(BY_MODE)
            .bind(number(WatchMode::Digest))
            .bind(who.map_or(i64::MIN, to_i64))
            .bind(table.map(|table| table.as_str().to_owned()).unwrap_or_default())
            .bind(page_limit(page.limit))
            .fetch_all(self.readers())
            .await
            .map_err(store_error)?;
        let key = |row: &SqliteRow| Ok((UserId(unsigned(row, 0)?), table_id(row, 1)?));
        let read = |row: &SqliteRow| Some((UserId(unsigned(row, 0).ok()?), self.followed(row, 1)?));
        page_of(&rows, page.limit, key, read)
    }
}

impl Sqlite {
    fn followed(&self, row: &SqliteRow, at: usize) -> Option<TableId> {
        self.unreadable_rows().skip("follow", name(row, at), table_id(row, at))
    }
}
