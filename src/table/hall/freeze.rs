//! All games of a server at once: when we are taken out of it, and when we are back.

use crate::table::TableId;
use crate::table::ports::{Card, Filter, Stage};
use crate::table::words::{By, Denied, Order};

use super::Hall;

impl Hall {
    /// We were taken out of a server: its games stand still. Returns how many.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn freeze(&self, guild: u64) -> Result<usize, Denied> {
        self.order_all(Some(guild), |card| card.frozen_ms.is_none(), Order::Freeze).await
    }

    /// We are in a server (again): its games go on. Returns how many.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn thaw(&self, guild: u64) -> Result<usize, Denied> {
        self.order_all(Some(guild), |card| card.frozen_ms.is_some(), Order::Thaw).await
    }

    /// Ends the games that have stood still for too long. Returns how many were looked at.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn let_go(&self) -> Result<usize, Denied> {
        self.order_all(None, |card| card.frozen_ms.is_some(), Order::LetGo).await
    }

    /// Gives an order to the running games that are wanted, of one server if one is given: when we
    /// connect, every server asks for its own.
    async fn order_all(
        &self,
        guild: Option<u64>,
        wanted: impl Fn(&Card) -> bool,
        order: Order,
    ) -> Result<usize, Denied> {
        let filter =
            Filter { guild, stage: Some(Stage::Running), most: usize::MAX >> 1, ..Filter::default() };
        let cards = self.list(&filter).await?;
        let ids: Vec<TableId> = cards.iter().filter(|card| wanted(card)).map(|card| card.id).collect();
        let mut done = 0;
        for id in ids {
            match self.order(id, By::House, order.clone(), None).await {
                Ok(_) => done += 1,
                // It ended this very moment.
                Err(Denied::Refused(_)) => {}
                Err(error) => tracing::error!(table = %id, %error, "a game of a server cannot be told"),
            }
        }
        Ok(done)
    }
}
