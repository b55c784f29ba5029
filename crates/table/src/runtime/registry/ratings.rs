//! Entering finished games into the ratings.

use super::TableRegistry;
use crate::model::{Actor, Order, TableError};
use crate::ports::StoreError;
use crate::rated::{self, Account, KnownRating, RatingRecord};
use crate::rating::{Rating, RatingPool};
use crate::{Table, TableId, level_ratings};

/// How often the ratings of a game are computed, because other processes enter games of its players meanwhile.
const MAX_TRIES: usize = 5;

impl TableRegistry {
    /// Enters a finished game into the ratings, if it counts and has not been entered. One game at a time reads and
    /// writes ratings in this process; the journal refuses changes that start from an old rating, because another
    /// process has entered a game of the same player.
    ///
    /// # Errors
    /// If the journal fails; the caller may retry.
    pub async fn rate(&self, id: TableId) -> Result<(), TableError> {
        let _alone = self.rating.lock().await;
        let mut known = None;
        for _ in 0..MAX_TRIES {
            let table = self.table(id).await?;
            let Some(pool) = rated::pool(table.chairs()).filter(|_| rated::is_due(&table)) else {
                return Ok(());
            };
            let mut latest = Vec::new();
            for account in table.chairs().iter().filter_map(|chair| Account::of(*chair)) {
                latest.push(self.known_rating(account, &table, pool).await?);
            }
            if known.as_ref() == Some(&latest) {
                // It failed for another reason than an old rating.
                break;
            }
            known = Some(latest.clone());
            match self.order(id, Actor::System, Order::Rate(latest), None).await {
                Ok(_) | Err(TableError::Refused(_)) => return Ok(()),
                Err(TableError::Store(why)) => {
                    tracing::info!(table = %id, why, "a result is not entered yet")
                }
                Err(denied) => return Err(denied),
            }
        }
        Err(TableError::Store("the result is not entered into the ratings yet".into()))
    }

    /// Returns the rating of a player of a table in its game and a pool: the latest one, less certain for the time
    /// until the table's last event, or else the initial one.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn rating(&self, who: Account, table: &Table, pool: RatingPool) -> Result<Rating, StoreError> {
        Ok(self.known_rating(who, table, pool).await?.rating)
    }

    async fn known_rating(
        &self,
        who: Account,
        table: &Table,
        pool: RatingPool,
    ) -> Result<KnownRating, StoreError> {
        let game = &table.terms().game;
        let latest = self.journal.ratings().rating(who, game, pool).await?;
        let since = latest.as_ref().map(|latest| latest.table);
        let rested = |it: RatingRecord| it.rating.rested(table.at().duration_since(it.at));
        let rating = latest.map_or_else(|| level_ratings::initial_rating(who, game), rested);
        Ok(KnownRating { who, rating, since })
    }
}
