//! Blocks and bans in the SQLite file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use jiff::Timestamp;

use super::rows::{to_i64, unsigned};
use super::sqlite::Sqlite;
use rookery_table::moderation::ModerationStore;
use rookery_table::ports::StoreError;
use rookery_table::{GuildId, UserId};

#[async_trait]
impl ModerationStore for Sqlite {
    async fn block(&self, who: UserId, other: UserId, at: Timestamp) -> Result<bool, StoreError> {
        self.changed("INSERT OR IGNORE INTO blocks VALUES (?, ?, ?)", (who.0, other), Some(at)).await
    }

    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        self.changed("DELETE FROM blocks WHERE person = ? AND blocked = ?", (who.0, other), None).await
    }

    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError> {
        self.people("SELECT blocked FROM blocks WHERE person = ?", who.0).await
    }

    async fn ban(&self, guild: GuildId, who: UserId, at: Timestamp) -> Result<bool, StoreError> {
        self.changed("INSERT OR IGNORE INTO bans VALUES (?, ?, ?)", (guild.0, who), Some(at)).await
    }

    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError> {
        self.changed("DELETE FROM bans WHERE guild = ? AND person = ?", (guild.0, who), None).await
    }

    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError> {
        self.people("SELECT person FROM bans WHERE guild = ?", guild.0).await
    }
}

impl Sqlite {
    /// Adds or deletes a row; returns whether that changed anything.
    async fn changed(
        &self,
        sql: &'static str,
        (of, who): (u64, UserId),
        at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let mut row = sqlx::query(sql).bind(to_i64(of)).bind(to_i64(who.0));
        if let Some(at) = at {
            row = row.bind(at.as_millisecond());
        }
        Ok(row.execute(self.writer()).await.map_err(store_error)?.rows_affected() > 0)
    }

    async fn people(&self, sql: &'static str, of: u64) -> Result<Vec<UserId>, StoreError> {
        let rows = sqlx::query(sql).bind(to_i64(of)).fetch_all(self.readers()).await.map_err(store_error)?;
        let mut people: Vec<UserId> =
            rows.iter().map(|row| unsigned(row, 0).map(UserId)).collect::<Result<_, _>>()?;
        // SQLite's integers are signed, so ids above the middle would sort first.
        people.sort_unstable();
        Ok(people)
    }
}
