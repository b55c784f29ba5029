//! Orders of people to tables: each passes the access check and the server's rules first.

use rookery_core::{IllegalMove, MoveError};
use rookery_table::requests::OrderOutcome;
use rookery_table::{Actor, Order, OrderError, SourceId, Table, TableError, TableId, UserId, fair_play};

use crate::discord::policy::server_rules;
use crate::discord::policy::table_access::action_of;
use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Gives a person's order to a table, if they may act there.
    ///
    /// # Errors
    /// The answer to send instead: a sentence, with the board if they looked at an old one.
    pub async fn order(
        &self,
        id: TableId,
        caller: Caller<'_>,
        order: Order,
        source: SourceId,
    ) -> Result<OrderOutcome, Box<OutgoingMessage>> {
        match self.try_order(id, caller, order, source).await? {
            Ok(seen) => Ok(seen),
            Err(denied) => Err(Box::new(self.denied(id, caller.who, &denied).await)),
        }
    }

    /// Gives an order, with the table's own refusal as data.
    ///
    /// # Errors
    /// The answer for a person who may not act there.
    pub(in crate::discord) async fn try_order(
        &self,
        id: TableId,
        caller: Caller<'_>,
        order: Order,
        source: SourceId,
    ) -> Result<Result<OrderOutcome, TableError>, Box<OutgoingMessage>> {
        let table = self.try_open(caller, id, action_of(&order)).await;
        let table = table.map_err(|why| Box::new(self.access_error_message(&why)))?;
        self.may(&table, caller.who, &order).await?;
        Ok(self.registry.order(id, Actor::Person(caller.who), order, Some(source)).await)
    }

    /// Checks that the server of the table allows the order, and that the order would not obtain the bot's
    /// help in a rated game.
    pub(in crate::discord) async fn may(
        &self,
        table: &Table,
        who: UserId,
        order: &Order,
    ) -> Result<(), Box<OutgoingMessage>> {
        let allowed = server_rules::may_seat(self, table, who, order).await;
        allowed.map_err(|sentence| Box::new(OutgoingMessage::text(sentence)))?;
        if self.would_help_rated_game(table, who, order).await {
            return Err(Box::new(OutgoingMessage::text(
                self.words.order_error(&OrderError::NoHelp, Some(table)),
            )));
        }
        Ok(())
    }

    /// Whether the order would make the bot help with a position that is also that of a running rated game.
    async fn would_help_rated_game(&self, table: &Table, who: UserId, order: &Order) -> bool {
        match (fair_play::help_of(table, order), table.play()) {
            (Some(help), Some(play)) => {
                self.registry.would_help_rated_game(&[who], table.terms().guild, play, help).await
            }
            _ => false,
        }
    }

    /// Builds the answer for a person whose order was refused. An ambiguous move gets a button for each
    /// reading.
    pub async fn denied(&self, id: TableId, who: UserId, denied: &TableError) -> OutgoingMessage {
        let table = self.registry.table(id).await.ok();
        let sentence = self.words.table_error(denied, table.as_deref());
        match (denied, table) {
            (
                TableError::Refused(OrderError::Move(MoveError::Illegal(IllegalMove::Ambiguous {
                    readings,
                }))),
                Some(table),
            ) => self.view().readings(&table, readings),
            (TableError::Refused(OrderError::Stale { .. }), Some(table)) => {
                let mut post = self.view().state(&table, Some(who));
                post.content = format!("{sentence}\n{}", post.content);
                post
            }
            _ => with_cause(OutgoingMessage::text(sentence), denied),
        }
    }
}

/// Marks the answer if the order could not be stored, so that it may be given again at once.
pub(in crate::discord) fn with_cause(post: OutgoingMessage, denied: &TableError) -> OutgoingMessage {
    OutgoingMessage { not_kept: matches!(denied, TableError::Store(_)), ..post }
}
