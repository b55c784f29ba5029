//! Ratings in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::MemoryJournal;
use super::pages::page_of;
use crate::ports::{Batch, Entry, Page, PageRequest, Ratings, StoreError};
use crate::rated::{Account, RatingChange, RatingRecord};
use crate::rating::RatingPool;
use crate::{Event, GuildId};

/// Returns the ratings that an entry changes, each with the server of the game.
pub(super) fn changes(batch: &Batch, entry: &Entry) -> Vec<(RatingRecord, Option<GuildId>)> {
    let Event::Rated { pool, changes } = &entry.event else { return Vec::new() };
    let standing = |change: &RatingChange| RatingRecord {
        who: change.who,
        game: batch.card.game.clone(),
        pool: *pool,
        rating: change.after,
        at: entry.at,
        table: batch.table,
    };
    // A person whose data was deleted during the game gets no rating.
    let known = changes.iter().filter(|change| !change.who.is_pseudonym());
    known.map(|change| (standing(change), batch.card.guild)).collect()
}

/// Whether the ratings from which the changes of a batch were computed are the latest.
pub(super) fn are_latest(stored: &BTreeMap<i64, (RatingRecord, Option<GuildId>)>, batch: &Batch) -> bool {
    let pool = batch.entries.iter().find_map(|entry| match &entry.event {
        Event::Rated { pool, .. } => Some(*pool),
        _ => None,
    });
    let Some(pool) = pool else { return true };
    let latest = |who: Account| {
        let mut all = stored.values().rev().map(|(standing, _)| standing);
        all.find(|it| (it.who, &it.game, it.pool) == (who, &batch.card.game, pool)).map(|it| it.table)
    };
    batch.known_ratings.iter().all(|known| known.who.is_pseudonym() || latest(known.who) == known.since)
}

#[async_trait]
impl Ratings for MemoryJournal {
    async fn rating(
        &self,
        who: Account,
        game: &str,
        pool: RatingPool,
    ) -> Result<Option<RatingRecord>, StoreError> {
        let kept = self.kept();
        let mut own = kept.ratings.values().rev().map(|(standing, _)| standing);
        Ok(own.find(|it| (it.who, it.game.as_str(), it.pool) == (who, game, pool)).cloned())
    }

    async fn history(
        &self,
        who: Account,
        page: PageRequest<i64>,
    ) -> Result<Page<RatingRecord, i64>, StoreError> {
        let kept = self.kept();
        let own = kept.ratings.iter().filter(|(_, (standing, _))| standing.who == who);
        Ok(page_of(own.map(|(number, (standing, _))| (*number, standing.clone())), page))
    }

    async fn leaders(
        &self,
        game: &str,
        pool: RatingPool,
        guild: Option<GuildId>,
        most: usize,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError> {
        let kept = self.kept();
        let same: Vec<_> =
            kept.ratings.values().filter(|(it, _)| it.game == game && it.pool == pool).collect();
        let of = |who: Account| same.iter().filter(move |(it, _)| it.who == who);
        let latest = same.iter().enumerate().filter(|(i, (it, _))| {
            !same[i + 1..].iter().any(|(later, _)| later.who == it.who)
                && (guild.is_none() || of(it.who).any(|(_, on)| *on == guild))
        });
        let mut leaders: Vec<_> =
            latest.map(|(_, (it, _))| (it.clone(), of(it.who).count() as u64)).collect();
        leaders.sort_by_key(|(it, _)| (it.rating.is_provisional(), std::cmp::Reverse(it.rating.mean_milli)));
        leaders.truncate(most);
        Ok(leaders)
    }
}
