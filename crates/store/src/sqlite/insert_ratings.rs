//! Writing the ratings of a batch.

use sqlx::SqliteConnection;

use crate::rows::{known_of, table_id, to_i64};
use crate::sqlite::errors::store_error;
use rookery_table::Event;
use rookery_table::ports::{Batch, StoreError};

/// Inserts the rating changes of a batch, unless one starts from a rating that is not the latest any more.
pub(super) async fn insert_ratings(to: &mut SqliteConnection, batch: &Batch) -> Result<(), StoreError> {
    for entry in &batch.entries {
        let Event::Rated { pool, changes } = &entry.event else { continue };
        // A person whose data was deleted during the game gets no rating.
        for known in known_of(batch) {
            let sql = "SELECT table_id FROM ratings WHERE account = ? AND game = ? AND pool = ? ORDER BY id DESC LIMIT 1";
            let row = sqlx::query(sql).bind(String::from(known.who)).bind(batch.card.game.clone());
            let row = row.bind(pool.key()).fetch_optional(&mut *to).await.map_err(store_error)?;
            if row.as_ref().map(|row| table_id(row, 0)).transpose()? != known.since {
                return Err(StoreError::OldRating(batch.table));
            }
        }
        for change in changes.iter().filter(|change| !change.who.is_pseudonym()) {
            let sql = "INSERT INTO ratings (account, game, pool, mean_milli, deviation_milli, \
                 volatility_micro, at_ms, table_id, guild) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
            let row = sqlx::query(sql).bind(String::from(change.who)).bind(batch.card.game.clone());
            let row = row.bind(pool.key()).bind(change.after.mean_milli);
            let row = row.bind(change.after.deviation_milli).bind(change.after.volatility_micro);
            let row = row.bind(entry.at.as_millisecond()).bind(batch.table.as_str().to_owned());
            row.bind(batch.card.guild.map(to_i64)).execute(&mut *to).await.map_err(store_error)?;
        }
    }
    Ok(())
}
