//! Share links in the SQLite file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;

use super::annotations;
use super::pages::{page_limit, page_of};
use super::rows::{
    self, SHARE_LINK_COLUMNS as COLUMNS, StoredRow, read_share_link as read_link,
    share_link_target as columns_of, to_i64,
};
use super::sqlite::Sqlite;
use rookery_table::ports::{Page, PageRequest, ShareLinks, StoreError};
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{GuildId, TableId, UserId};

#[async_trait]
impl ShareLinks for Sqlite {
    async fn store_links(&self, links: &[ShareLink]) -> Result<(), StoreError> {
        let mut transaction = self.writer().begin().await?;
        for link in links {
            // The unique indexes reject a second link of the same kind.
            let sql = "INSERT OR IGNORE INTO share_links \
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?6 = 0 OR ?3 IS NULL \
                     OR NOT EXISTS (SELECT 1 FROM share_withdrawn WHERE table_id = ?3)";
            let (table, guild) = columns_of(link);
            let row = sqlx::query(sql)
                .bind(link.token.digest())
                .bind(link.token.as_str().to_owned())
                .bind(table)
                .bind(guild)
                .bind(link.maker().map(|who| to_i64(who.0)))
                .bind(i64::from(link.is_by_setting()))
                .bind(link.made_at.as_millisecond());
            row.execute(&mut *transaction).await.map_err(store_error)?;
        }
        Ok(transaction.commit().await?)
    }

    async fn link(&self, digest: &str) -> Result<Option<ShareLink>, StoreError> {
        let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM share_links WHERE digest = ?"));
        let row = sqlx::query(sql)
            .bind(digest.to_owned())
            .fetch_optional(self.readers())
            .await
            .map_err(store_error)?;
        row.map(|row| read_link(&row)).transpose()
    }

    async fn links_to(&self, target: ShareTarget) -> Result<Vec<ShareLink>, StoreError> {
        let (table, guild, condition) = match target {
            ShareTarget::Table(table) => (Some(table.as_str().to_owned()), None, "table_id = ?1"),
            ShareTarget::Server(guild) => (None, Some(to_i64(guild)), "table_id IS NULL AND guild = ?2"),
        };
        let sql = format!("SELECT {COLUMNS} FROM share_links WHERE {condition} ORDER BY by_setting");
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(table).bind(guild);
        let rows = rows.fetch_all(self.readers()).await.map_err(store_error)?;
        Ok(rows.iter().filter_map(|row| self.readable_link(row)).collect())
    }

    async fn withdraw_links(&self, table: TableId, now: Timestamp) -> Result<bool, StoreError> {
        let mut transaction = self.writer().begin().await?;
        let gone = sqlx::query("DELETE FROM share_links WHERE table_id = ?").bind(table.as_str().to_owned());
        let gone = gone.execute(&mut *transaction).await.map_err(store_error)?;
        let mark = sqlx::query("INSERT OR IGNORE INTO share_withdrawn VALUES (?, ?)");
        mark.bind(table.as_str().to_owned())
            .bind(now.as_millisecond())
            .execute(&mut *transaction)
            .await
            .map_err(store_error)?;
        let annotated = sqlx::query(annotations::WITHDRAW_ALL).bind(table.as_str().to_owned());
        let annotated = annotated.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
        Ok(gone.rows_affected() + annotated.rows_affected() > 0)
    }

    async fn withdraw_link(&self, digest: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM share_links WHERE digest = ?";
        sqlx::query(sql).bind(digest.to_owned()).execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn withdraw_links_of_setting(&self, guild: GuildId) -> Result<(), StoreError> {
        let sql = "DELETE FROM share_links WHERE by_setting = 1 AND guild = ?";
        sqlx::query(sql).bind(to_i64(guild)).execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn links_by(
        &self,
        who: UserId,
        page: PageRequest<String>,
    ) -> Result<Page<ShareLink, String>, StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(by_maker_sql())).bind(to_i64(who.0));
        let rows = rows.bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = rows.fetch_all(self.readers()).await.map_err(store_error)?;
        let key = |row: &SqliteRow| row.text(5).map(str::to_owned);
        page_of(&rows, page.limit, key, |row| self.readable_link(row))
    }
}

/// The links that a person made, each with its digest.
pub(super) fn by_maker_sql() -> String {
    format!(
        "SELECT {COLUMNS}, digest FROM share_links WHERE maker = ?1 AND digest > ?2 ORDER BY digest LIMIT ?3"
    )
}

impl Sqlite {
    fn readable_link(&self, row: &SqliteRow) -> Option<ShareLink> {
        // The token is not logged: it grants access to the game.
        self.unreadable_rows().skip("share link", format!("to {}", rows::name(row, 1)), read_link(row))
    }
}
