//! Orders that people give to tables: each passes the access check and the rules of the server first.

use rookery_core::{IllegalMove, MoveError};
use rookery_table::actor::OrderOutcome;
use rookery_table::{Actor, Order, OrderError, SourceId, Table, TableError, TableId, UserId, fair_play};

use crate::discord::policy::server_rules;
use crate::discord::policy::table_access::action_of;
use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Gives somebody's order to a table, if they may act there.
    ///
    /// # Errors
    /// What to tell them instead: a sentence; and the board, if they looked at an old one.
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

    /// The same with the table's own refusal as data.
    ///
    /// # Errors
    /// What to tell them who may not act there.
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

    /// Whether such an order may be given at a table: its server lets the program sit there, and nobody is
    /// helped in a rated game by it.
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

    /// Whether an order would have the program help in a rated game that a table stands beside.
    async fn would_help_rated_game(&self, table: &Table, who: UserId, order: &Order) -> bool {
        match (fair_play::help_of(table, order), table.play()) {
            (Some(help), Some(play)) => {
                self.registry.would_help_rated_game(&[who], table.terms().guild, play, help).await
            }
            _ => false,
        }
    }

    /// What to tell somebody whose order came to nothing. Where a move can be read in several ways each
    /// gets a button.
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

/// A post that says why an order came to nothing, marked if the order may be given again at once.
pub(in crate::discord) fn with_cause(post: OutgoingMessage, denied: &TableError) -> OutgoingMessage {
    OutgoingMessage { not_kept: matches!(denied, TableError::Store(_)), ..post }
}
