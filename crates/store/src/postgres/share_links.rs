//! Share links in the database.

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::locks::Lock;
use super::{Postgres, annotations};
use crate::pages::{page_limit, page_of};
use crate::rows::{SHARE_LINK_COLUMNS, StoredRow, name, read_share_link, share_link_target, to_i64};
use rookery_table::ports::{Page, PageRequest, ShareLinks, StoreError};
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{GuildId, TableId, UserId};

/// Stores a link. The unique indexes reject a second link of the same kind.
const STORE: &str = "INSERT INTO share_links (digest, token, table_id, guild, maker, by_setting, made_ms) \
     SELECT $1::text, $2::text, $3::text, $4::bigint, $5::bigint, $6::boolean, $7::bigint \
     WHERE NOT $6::boolean OR $3::text IS NULL \
         OR NOT EXISTS (SELECT 1 FROM share_withdrawn WHERE table_id = $3::text) \
     ON CONFLICT DO NOTHING";

/// Withdraws the links that a server's setting made.
pub(super) const WITHDRAW_OF_SETTING: &str = "DELETE FROM share_links WHERE by_setting AND guild = $1";

/// Returns the query for links under a condition.
pub(super) fn links_sql(condition: &str) -> String {
    format!("SELECT {SHARE_LINK_COLUMNS} FROM share_links WHERE {condition}")
}

/// The condition for a link by its token's digest.
pub(super) const BY_DIGEST: &str = "digest = $1";
/// The condition for the links to a table, in order.
pub(super) const TO_TABLE: &str = "table_id = $1 ORDER BY by_setting";
/// The condition for the links to the list of a server's games, in order.
pub(super) const TO_SERVER: &str = "table_id IS NULL AND guild = $1 ORDER BY by_setting";

/// The links that a person made, each with its digest.
pub(super) fn by_maker_sql() -> String {
    format!(
        "SELECT {SHARE_LINK_COLUMNS}, digest FROM share_links \
         WHERE maker = $1 AND digest > $2 ORDER BY digest LIMIT $3"
    )
}

#[async_trait]
impl ShareLinks for Postgres {
    async fn store_links(&self, links: &[ShareLink]) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.lock(Lock::ShareLinks).await?;
        for link in links {
            let (table, guild) = share_link_target(link);
            let row = query(STORE)
                .bind(link.token.digest())
                .bind(link.token.as_str().to_owned())
                .bind(table)
                .bind(guild)
                .bind(link.maker().map(|who| to_i64(who.0)))
                .bind(link.is_by_setting())
                .bind(link.made_at.as_millisecond());
            transaction.write(row).await?;
        }
        transaction.commit().await
    }

    async fn link(&self, digest: &str) -> Result<Option<ShareLink>, StoreError> {
        // No digest contains a NUL, which the database would refuse.
        if digest.contains('\0') {
            return Ok(None);
        }
        let row = query(AssertSqlSafe(links_sql(BY_DIGEST))).bind(digest.to_owned());
        let row = self.connections.row(row).await?;
        row.map(|row| read_share_link(&row)).transpose()
    }

    async fn links_to(&self, target: ShareTarget) -> Result<Vec<ShareLink>, StoreError> {
        let rows = match target {
            ShareTarget::Table(table) => {
                query(AssertSqlSafe(links_sql(TO_TABLE))).bind(table.as_str().to_owned())
            }
            ShareTarget::Server(guild) => query(AssertSqlSafe(links_sql(TO_SERVER))).bind(to_i64(guild)),
        };
        let rows = self.connections.rows(rows).await?;
        Ok(rows.iter().filter_map(|row| self.readable_link(row)).collect())
    }

    async fn withdraw_links(&self, table: TableId, now: Timestamp) -> Result<bool, StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.lock(Lock::ShareLinks).await?;
        let gone = query("DELETE FROM share_links WHERE table_id = $1").bind(table.as_str().to_owned());
        let gone = transaction.write(gone).await?;
        let mark = query("INSERT INTO share_withdrawn VALUES ($1, $2) ON CONFLICT DO NOTHING");
        let mark = mark.bind(table.as_str().to_owned()).bind(now.as_millisecond());
        transaction.write(mark).await?;
        let annotated = query(annotations::WITHDRAW_ALL).bind(table.as_str().to_owned());
        let annotated = transaction.write(annotated).await?;
        transaction.commit().await?;
        Ok(gone + annotated > 0)
    }

    async fn withdraw_link(&self, digest: &str) -> Result<(), StoreError> {
        if !digest.contains('\0') {
            let row = query("DELETE FROM share_links WHERE digest = $1").bind(digest.to_owned());
            self.connections.write(row).await?;
        }
        Ok(())
    }

    async fn withdraw_links_of_setting(&self, guild: GuildId) -> Result<(), StoreError> {
        self.connections.write(query(WITHDRAW_OF_SETTING).bind(to_i64(guild))).await?;
        Ok(())
    }

    async fn links_by(
        &self,
        who: UserId,
        page: PageRequest<String>,
    ) -> Result<Page<ShareLink, String>, StoreError> {
        let rows = query(AssertSqlSafe(by_maker_sql())).bind(to_i64(who.0));
        let rows = rows.bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = self.connections.rows(rows).await?;
        let key = |row: &PgRow| row.text(5).map(str::to_owned);
        page_of(&rows, page.limit, key, |row| self.readable_link(row))
    }
}

impl Postgres {
    fn readable_link(&self, row: &PgRow) -> Option<ShareLink> {
        // The token is not logged: it grants access to the game.
        self.unreadable.skip("share link", format!("to {}", name(row, 1)), read_share_link(row))
    }
}
