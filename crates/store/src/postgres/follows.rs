//! Who watches which table, in the database.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::Postgres;
use crate::rows::{StoredRow, name, table_id, to_i64, unsigned, watch_mode, watch_number};
use rookery_table::ports::{Follows, StoreError, WatchMode};
use rookery_table::{TableId, UserId};

/// The tables that a person watches.
pub(super) const WATCHED_BY: &str = "SELECT table_id FROM follows WHERE person = $1 ORDER BY table_id";
/// The people who watch a table.
pub(super) const FOLLOWERS: &str = "SELECT person, how FROM follows WHERE table_id = $1";
/// The people who watch tables in one mode, with the tables.
pub(super) const BY_MODE: &str =
    "SELECT person, table_id FROM follows WHERE how = $1 ORDER BY person, table_id";

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

    async fn followers(&self, table: TableId) -> Result<Vec<(UserId, WatchMode)>, StoreError> {
        let rows = self.connections.rows(query(FOLLOWERS).bind(table.as_str().to_owned())).await?;
        let mut found = Vec::new();
        for row in &rows {
            let who = UserId(unsigned(row, 0)?);
            let how = row.integer(1).and_then(watch_mode);
            let how = self.unreadable.skip("follow", format!("{} at {table}", who.0), how);
            found.extend(how.map(|how| (who, how)));
        }
        // The database's integers are signed, so ids above the middle would sort first.
        found.sort_unstable();
        Ok(found)
    }

    async fn watched_by(&self, who: UserId) -> Result<Vec<TableId>, StoreError> {
        let rows = self.connections.rows(query(WATCHED_BY).bind(to_i64(who.0))).await?;
        Ok(rows.iter().filter_map(|row| self.followed(row, 0)).collect())
    }

    async fn digests(&self) -> Result<Vec<(UserId, Vec<TableId>)>, StoreError> {
        let rows = self.connections.rows(query(BY_MODE).bind(watch_number(WatchMode::Digest))).await?;
        let mut digests: BTreeMap<UserId, Vec<TableId>> = BTreeMap::new();
        for row in &rows {
            digests.entry(UserId(unsigned(row, 0)?)).or_default().extend(self.followed(row, 1));
        }
        Ok(digests.into_iter().collect())
    }
}

impl Postgres {
    fn followed(&self, row: &PgRow, at: usize) -> Option<TableId> {
        self.unreadable.skip("follow", name(row, at), table_id(row, at))
    }
}
