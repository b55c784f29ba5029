//! Blocks and bans in the database.

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::query;

use super::Postgres;
use crate::rows::{to_i64, unsigned};
use rookery_table::moderation::ModerationStore;
use rookery_table::ports::StoreError;
use rookery_table::{GuildId, UserId};

/// The people whom a person blocks.
pub(super) const BLOCKED_BY: &str = "SELECT blocked FROM blocks WHERE person = $1";
/// The people who are banned from a server.
pub(super) const BANNED_FROM: &str = "SELECT person FROM bans WHERE guild = $1";

#[async_trait]
impl ModerationStore for Postgres {
    async fn block(&self, who: UserId, other: UserId, at: Timestamp) -> Result<bool, StoreError> {
        let sql = "INSERT INTO blocks VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.changed(sql, (who.0, other), Some(at)).await
    }

    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        self.changed("DELETE FROM blocks WHERE person = $1 AND blocked = $2", (who.0, other), None).await
    }

    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError> {
        self.people(BLOCKED_BY, who.0).await
    }

    async fn ban(&self, guild: GuildId, who: UserId, at: Timestamp) -> Result<bool, StoreError> {
        let sql = "INSERT INTO bans VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.changed(sql, (guild.0, who), Some(at)).await
    }

    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError> {
        self.changed("DELETE FROM bans WHERE guild = $1 AND person = $2", (guild.0, who), None).await
    }

    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError> {
        self.people(BANNED_FROM, guild.0).await
    }
}

impl Postgres {
    /// Adds or deletes a row; returns whether that changed anything.
    async fn changed(
        &self,
        sql: &'static str,
        (of, who): (u64, UserId),
        at: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let mut row = query(sql).bind(to_i64(of)).bind(to_i64(who.0));
        if let Some(at) = at {
            row = row.bind(at.as_millisecond());
        }
        Ok(self.connections.write(row).await? > 0)
    }

    async fn people(&self, sql: &'static str, of: u64) -> Result<Vec<UserId>, StoreError> {
        let rows = self.connections.rows(query(sql).bind(to_i64(of))).await?;
        let mut people: Vec<UserId> =
            rows.iter().map(|row| unsigned(row, 0).map(UserId)).collect::<Result<_, _>>()?;
        // The database's integers are signed, so ids above the middle would sort first.
        people.sort_unstable();
        Ok(people)
    }
}
