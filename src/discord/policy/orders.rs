//! Orders of people to tables: each passes the access check and the server's rules first.

use jiff::SignedDuration;
use rookery_core::{IllegalMove, MoveError};
use rookery_table::ports::Filter;
use rookery_table::requests::OrderOutcome;
use rookery_table::{Actor, Order, OrderError, SourceId, Table, TableError, TableId, UserId, fair_play};

use crate::discord::policy::server_rules;
use crate::discord::policy::table_access::action_of;
use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::{CLOCK_MARGIN, is_younger, written_at};

/// An order that is younger is no repetition: another process needs longer to take over.
const MIN_REPETITION_AGE: SignedDuration = SignedDuration::from_secs(2);
/// The most tables of a person at which a repetition is looked for, the latest first.
const MAX_TABLES_COMPARED: usize = 10;

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
        if self.was_carried_out_elsewhere(id, caller.who, source).await {
            return Ok(Err(TableError::Refused(OrderError::Repeated)));
        }
        self.may(&table, caller.who, &order).await?;
        Ok(self.registry.order(id, Actor::Person(caller.who), order, Some(source)).await)
    }

    /// Whether an order that may be a repetition was carried out at another table of the person. Discord repeats messages and
    /// interactions to a process that takes over a session, and a table that they don't name is found by whose turn it is:
    /// after the first time, that may be another table.
    async fn was_carried_out_elsewhere(&self, id: TableId, who: UserId, source: SourceId) -> bool {
        let given_at = written_at(source.0);
        if is_younger(source.0, self.registry.now(), MIN_REPETITION_AGE) {
            return false;
        }
        let theirs = Filter { person: Some(who), ..Filter::default() };
        let Ok(cards) = self.registry.list(&theirs, MAX_TABLES_COMPARED).await else { return false };
        for card in cards.iter().filter(|card| card.id != id && card.at >= given_at - CLOCK_MARGIN) {
            let table = self.registry.table(card.id).await;
            if table.is_ok_and(|table| table.sources().any(|known| known == source)) {
                return true;
            }
        }
        false
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
