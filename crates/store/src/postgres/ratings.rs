//! Ratings in the database.

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::connections::Transaction;
use super::locks::Lock;
use super::{Postgres, nul};
use crate::pages::{page_limit, page_of};
use crate::rows::{
    RATING_COLUMNS, StoredRow, known_of, rating_name, read_rating, table_id, to_i64, unsigned,
};
use rookery_table::Event;
use rookery_table::GuildId;
use rookery_table::ports::{Batch, Page, PageRequest, Ratings, StoreError};
use rookery_table::rated::{Account, RatingRecord};
use rookery_table::rating::{PROVISIONAL_DEVIATION_MILLI, RatingPool};

const INSERT: &str = "INSERT INTO ratings (account, game, pool, mean_milli, deviation_milli, \
     volatility_micro, at_ms, table_id, guild) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// The latest rating of an account in a game and pool.
pub(super) fn latest_sql() -> String {
    format!(
        "SELECT {RATING_COLUMNS} FROM ratings r WHERE account = $1 AND game = $2 AND pool = $3 \
         ORDER BY id DESC LIMIT 1"
    )
}

/// The ratings of an account, the oldest first, each with its number.
pub(super) fn history_sql() -> String {
    format!(
        "SELECT {RATING_COLUMNS}, r.id FROM ratings r WHERE account = $1 AND id > $2 ORDER BY id LIMIT $3"
    )
}

/// The latest rating of each account in a game and pool with the number of its ratings there; with a server, only of
/// those that have played there. It reads no other ratings than those of the game and pool.
pub(super) fn leaders_sql() -> String {
    format!(
        "SELECT {RATING_COLUMNS}, r.games FROM \
         (SELECT *, count(*) OVER all_of_account AS games, bool_or(guild = $3) OVER all_of_account AS here, \
              max(id) OVER all_of_account AS latest \
          FROM ratings WHERE game = $1 AND pool = $2 WINDOW all_of_account AS (PARTITION BY account)) r \
         WHERE r.id = r.latest AND ($3::bigint IS NULL OR r.here) \
         ORDER BY r.deviation_milli > {PROVISIONAL_DEVIATION_MILLI}, r.mean_milli DESC, r.id LIMIT $4"
    )
}

#[async_trait]
impl Ratings for Postgres {
    async fn rating(
        &self,
        who: Account,
        game: &str,
        pool: RatingPool,
    ) -> Result<Option<RatingRecord>, StoreError> {
        let row = query(AssertSqlSafe(latest_sql())).bind(String::from(who)).bind(nul::encode(game));
        let row = self.connections.row(row.bind(pool.key())).await?;
        row.as_ref().map(read).transpose()
    }

    async fn history(
        &self,
        who: Account,
        page: PageRequest<i64>,
    ) -> Result<Page<RatingRecord, i64>, StoreError> {
        let rows = query(AssertSqlSafe(history_sql())).bind(String::from(who));
        let rows = rows.bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = self.connections.rows(rows).await?;
        let skip = |row: &PgRow| self.unreadable.skip("rating", rating_name(row), read(row));
        page_of(&rows, page.limit, |row| row.integer(8), skip)
    }

    async fn leaders(
        &self,
        game: &str,
        pool: RatingPool,
        guild: Option<GuildId>,
        most: usize,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError> {
        let rows = query(AssertSqlSafe(leaders_sql())).bind(nul::encode(game)).bind(pool.key());
        let rows = self.connections.rows(rows.bind(guild.map(to_i64)).bind(page_limit(most))).await?;
        let leader = |row: &PgRow| Ok((read(row)?, unsigned(row, 8)?));
        let skip = |row: &PgRow| self.unreadable.skip("rating", rating_name(row), leader(row));
        Ok(rows.iter().filter_map(skip).collect())
    }
}

fn read(row: &PgRow) -> Result<RatingRecord, StoreError> {
    let rating = read_rating(row)?;
    Ok(RatingRecord { game: nul::decode(&rating.game), ..rating })
}

/// The table after whose game an account got its latest rating in a game and pool.
pub(super) const LATEST_TABLE: &str = "SELECT table_id FROM ratings WHERE account = $1 AND game = $2 AND pool = $3 \
     ORDER BY id DESC LIMIT 1";

/// Inserts the rating changes of a batch, unless one starts from a rating that is not the latest any more. The locks make
/// those who write ratings of the same account take turns.
pub(super) async fn insert(to: &mut Transaction, batch: &Batch) -> Result<(), StoreError> {
    for entry in &batch.entries {
        let Event::Rated { pool, changes } = &entry.event else { continue };
        let mut known = known_of(batch);
        // In one order, so that no two transactions wait for each other.
        known.sort_unstable_by_key(|known| String::from(known.who));
        for known in known {
            to.lock(Lock::Account(known.who)).await?;
            let row = query(LATEST_TABLE).bind(String::from(known.who)).bind(nul::encode(&batch.card.game));
            let row = to.row(row.bind(pool.key())).await?;
            if row.as_ref().map(|row| table_id(row, 0)).transpose()? != known.since {
                return Err(StoreError::OldRating(batch.table));
            }
        }
        // A person whose data was deleted during the game gets no rating.
        for change in changes.iter().filter(|change| !change.who.is_pseudonym()) {
            let row = query(INSERT).bind(String::from(change.who)).bind(nul::encode(&batch.card.game));
            let row = row.bind(pool.key()).bind(change.after.mean_milli);
            let row = row.bind(i64::from(change.after.deviation_milli));
            let row = row.bind(i64::from(change.after.volatility_micro));
            let row = row.bind(entry.at.as_millisecond()).bind(batch.table.as_str().to_owned());
            to.write(row.bind(batch.card.guild.map(to_i64))).await?;
        }
    }
    Ok(())
}
