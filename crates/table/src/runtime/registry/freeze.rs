//! Freezing and thawing of all games of a server, when the bot leaves it or is back.

use std::collections::HashSet;

use futures_util::TryStreamExt;

use crate::GuildId;
use crate::model::{Actor, Order, TableError};
use crate::ports::{Card, Filter, Stage, walk_pages};

use super::TableRegistry;
use rookery_tasks::heartbeat;

impl TableRegistry {
    /// Freezes the games of a server that the bot was removed from. Returns their number.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn freeze(&self, guild: GuildId) -> Result<usize, TableError> {
        let playing = Filter { guild: Some(guild), ..Filter::default() };
        self.order_all(playing, |card| card.frozen_since.is_none(), Order::Freeze).await
    }

    /// Thaws the games of a server that the bot is in again. Returns their number.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn thaw(&self, guild: GuildId) -> Result<usize, TableError> {
        let frozen = Filter { guild: Some(guild), frozen: true, ..Filter::default() };
        self.order_all(frozen, |_| true, Order::Thaw).await
    }

    /// Freezes the games of all servers that `is_ours` and that are not in `there`: Discord does not report a removal
    /// while the bot was not running. Returns the number of games.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn freeze_absent(
        &self,
        there: &HashSet<GuildId>,
        is_ours: impl Fn(GuildId) -> bool,
    ) -> Result<usize, TableError> {
        let mut done = 0;
        let mut playing = walk_pages(|page| self.journal().servers_playing(page));
        while let Some(guild) = playing.try_next().await? {
            if is_ours(guild) && !there.contains(&guild) {
                done += self.freeze(guild).await?;
            }
        }
        Ok(done)
    }

    /// Ends the games that have been frozen for too long. Returns the number of games checked.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn end_frozen_games(&self) -> Result<usize, TableError> {
        let frozen = Filter { frozen: true, ..Filter::default() };
        self.order_all(frozen, |_| true, Order::EndFrozen).await
    }

    /// Gives an order to the running games that are `wanted`, also after a failure at one of them, which is returned.
    async fn order_all(
        &self,
        filter: Filter,
        wanted: impl Fn(&Card) -> bool,
        order: Order,
    ) -> Result<usize, TableError> {
        let filter = Filter { stage: Some(Stage::Running), ..filter };
        let (mut cards, mut done, mut failed) = (self.scan(&filter), 0, None);
        while let Some(card) = cards.try_next().await? {
            heartbeat();
            if !wanted(&card) {
                continue;
            }
            let id = card.id;
            match self.order(id, Actor::System, order.clone(), None).await {
                Ok(_) => done += 1,
                // The game has just ended, or is unreadable, which was reported.
                Err(TableError::Refused(_) | TableError::Unreadable(_)) => {}
                Err(error) => {
                    tracing::error!(table = %id, %error, "a game of a server cannot be told");
                    failed = Some(error);
                }
            }
        }
        failed.map_or(Ok(done), Err)
    }
}
