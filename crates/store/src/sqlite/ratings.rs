//! Ratings in the embedded file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use crate::pages::{page_limit, page_of};
use crate::rows::{
    RATING_COLUMNS as COLUMNS, StoredRow, rating_name as name, read_rating as read, to_i64, unsigned,
};
use rookery_table::GuildId;
use rookery_table::ports::{Page, PageRequest, Ratings, StoreError};
use rookery_table::rated::{Account, RatingRecord};
use rookery_table::rating::{PROVISIONAL_DEVIATION_MILLI, RatingPool};

#[async_trait]
impl Ratings for Sqlite {
    async fn rating(
        &self,
        who: Account,
        game: &str,
        pool: RatingPool,
    ) -> Result<Option<RatingRecord>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM ratings r WHERE account = ? AND game = ? AND pool = ? ORDER BY id DESC LIMIT 1"
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(String::from(who)).bind(game.to_owned());
        let row = row.bind(pool.key()).fetch_optional(&self.readers).await.map_err(store_error)?;
        row.as_ref().map(read).transpose()
    }

    async fn history(
        &self,
        who: Account,
        page: PageRequest<i64>,
    ) -> Result<Page<RatingRecord, i64>, StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(history_sql())).bind(String::from(who));
        let rows = rows.bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = rows.fetch_all(&self.readers).await.map_err(store_error)?;
        let skip = |row: &SqliteRow| self.unreadable.skip("rating", name(row), read(row));
        page_of(&rows, page.limit, |row| row.integer(8), skip)
    }

    async fn leaders(
        &self,
        game: &str,
        pool: RatingPool,
        guild: Option<GuildId>,
        most: usize,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, latest.games FROM ratings r JOIN \
             (SELECT MAX(id) AS id, COUNT(*) AS games, MAX(guild = ?3) AS here FROM ratings \
              WHERE game = ?1 AND pool = ?2 GROUP BY account) latest ON latest.id = r.id \
             WHERE ?3 IS NULL OR latest.here \
             ORDER BY r.deviation_milli > {PROVISIONAL_DEVIATION_MILLI}, r.mean_milli DESC, r.id LIMIT ?4"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(game.to_owned()).bind(pool.key());
        let rows = rows.bind(guild.map(to_i64)).bind(page_limit(most));
        let rows = rows.fetch_all(&self.readers).await.map_err(store_error)?;
        let leader = |row: &SqliteRow| Ok((read(row)?, unsigned(row, 8)?));
        let skip = |row: &SqliteRow| self.unreadable.skip("rating", name(row), leader(row));
        Ok(rows.iter().filter_map(skip).collect())
    }
}

/// The ratings of an account, the oldest first, each with its number.
pub(super) fn history_sql() -> String {
    format!("SELECT {COLUMNS}, r.id FROM ratings r WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
}
