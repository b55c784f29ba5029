//! Freezing and thawing of all games of a server, when the bot leaves it or is back.

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

    /// Returns the servers with running games that are `wanted`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn servers_playing(
        &self,
        wanted: impl Fn(GuildId) -> bool,
    ) -> Result<Vec<GuildId>, TableError> {
        let (mut playing, mut found) = (walk_pages(|page| self.journal().servers_playing(page)), Vec::new());
        while let Some(guild) = playing.try_next().await? {
            found.extend(wanted(guild).then_some(guild));
        }
        Ok(found)
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
