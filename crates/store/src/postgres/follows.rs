//! Who watches which table, in the database.

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::Postgres;
use crate::pages::{lowest_id, page_limit, page_of};
use crate::rows::{StoredRow, name, table_id, to_i64, unsigned, watch_mode, watch_number};
use rookery_table::ports::{Follows, Page, PageRequest, StoreError, WatchMode};
use rookery_table::{TableId, UserId};

/// The tables that a person watches.
pub(super) const WATCHED_BY: &str =
    "SELECT table_id FROM follows WHERE person = $1 AND table_id > $2 ORDER BY table_id LIMIT $3";
/// The people who watch a table.
pub(super) const FOLLOWERS: &str =
    "SELECT person, how FROM follows WHERE table_id = $1 AND person >= $2 ORDER BY person LIMIT $3";
/// The people who watch tables in one mode, with the tables.
pub(super) const BY_MODE: &str = "SELECT person, table_id FROM follows \
     WHERE how = $1 AND person >= $2 AND (person > $2 OR table_id > $3) ORDER BY person, table_id LIMIT $4";

const FOLLOW: &str = "INSERT INTO follows (table_id, person, how) VALUES ($1, $2, $3) \
     ON CONFLICT (table_id, person) DO UPDATE SET how = excluded.how";

#[async_trait]
impl Follows for Postgres {
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError> {
        let row = query(FOLLOW).bind(table.as_str().to_owned()).bind(to_i64(who.0)).bind(watch_number(how));
        self.connections.write(row).await?;
        Ok(())
    }

    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        let row = query("DELETE FROM follows WHERE table_id = $1 AND person = $2");
        let row = row.bind(table.as_str().to_owned()).bind(to_i64(who.0));
        Ok(self.connections.write(row).await? > 0)
    }

    async fn watch_mode(&self, who: UserId, table: TableId) -> Result<Option<WatchMode>, StoreError> {
        let row = query("SELECT how FROM follows WHERE table_id = $1 AND person = $2");
        let row = self.connections.row(row.bind(table.as_str().to_owned()).bind(to_i64(who.0))).await?;
        let how = |row: PgRow| row.integer(0).and_then(watch_mode);
        Ok(row.and_then(|row| self.unreadable.skip("follow", format!("{} at {table}", who.0), how(row))))
    }

    async fn followers(
        &self,
        table: TableId,
        page: PageRequest<UserId>,
    ) -> Result<Page<(UserId, WatchMode), UserId>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = query(FOLLOWERS).bind(table.as_str().to_owned()).bind(lowest);
        let rows = self.connections.rows(rows.bind(page_limit(page.limit))).await?;
        let key = |row: &PgRow| unsigned(row, 0).map(UserId);
        let follower = |row: &PgRow| {
            let who = key(row).ok()?;
            let how = row.integer(1).and_then(watch_mode);
            let how = self.unreadable.skip("follow", format!("{} at {table}", who.0), how);
            how.map(|how| (who, how))
        };
        page_of(&rows, page.limit, key, follower)
    }

    async fn watched_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(query(WATCHED_BY).bind(to_i64(who.0)), page).await?;
        page_of(&rows, page.limit, |row| table_id(row, 0), |row| self.followed(row, 0))
    }

    async fn digests(
        &self,
        page: PageRequest<(UserId, TableId)>,
    ) -> Result<Page<(UserId, TableId), (UserId, TableId)>, StoreError> {
        let (who, table) = page.after.unzip();
        let digests = query(BY_MODE)
            .bind(watch_number(WatchMode::Digest))
            .bind(who.map_or(i64::MIN, to_i64))
            .bind(table.map(|table| table.as_str().to_owned()).unwrap_or_default())
            .bind(page_limit(page.limit));
        let rows = self.connections.rows(digests).await?;
        let key = |row: &PgRow| Ok((UserId(unsigned(row, 0)?), table_id(row, 1)?));
        let read = |row: &PgRow| Some((UserId(unsigned(row, 0).ok()?), self.followed(row, 1)?));
        page_of(&rows, page.limit, key, read)
    }
}

impl Postgres {
    fn followed(&self, row: &PgRow, at: usize) -> Option<TableId> {
        self.unreadable.skip("follow", name(row, at), table_id(row, at))
    }
}
