//! The access check: a handler reaches a table that a person names, replies to, presses or means only through
//! it. It gathers the facts from which [`rookery_table::access`] decides.
//!
//! Discord is asked only if necessary: players may always see their own table, and a person who asks in a
//! table's channel can read it. Otherwise the roles that come with an interaction are used; only in direct
//! messages and on other servers the member is looked up
//! ([`member_access`](crate::discord::state::member_access)).
//!
//! `tests/it/architecture.rs` ensures that no handler reads a table without the check.

use std::sync::Arc;

use jiff::SignedDuration;

use rookery_table::access::{self, AccessError, Action, Relation, TriState, Venue, Viewer};
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{BoardChannel, ChannelId, GuildId, Order, Table, TableError, TableId, UserId};

use crate::discord::policy::orders::with_cause;
use crate::discord::policy::table_lookup::own_thread;
use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::state::member_access::{FRESH, Reader};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most tables of a channel that are considered, by latest event. This is asked for every message, also in channels
/// that have thousands of finished games and no game of their own.
const MAX_TABLES_IN_THREAD: usize = 100;

/// Why a table was not opened for a person.
#[derive(Debug)]
pub(in crate::discord) enum TableAccessError {
    /// The person has no access.
    Access(TableId, AccessError),
    /// The table could not be read.
    Failed(TableError),
}

impl TableAccessError {
    /// Whether the person must be told that there is no such table.
    pub(in crate::discord) fn is_no_table(&self) -> bool {
        matches!(
            self,
            TableAccessError::Access(
                _,
                AccessError::NoSuchTable | AccessError::SightUnknown | AccessError::Bot
            )
        )
    }
}

/// The place of a table and who can read it.
struct TableLocation {
    venue: Venue,
    guild: Option<GuildId>,
    board_channel: Option<BoardChannel>,
    opened_in: ChannelId,
}

impl TableLocation {
    fn of(table: &Table) -> TableLocation {
        let terms = table.terms();
        TableLocation {
            venue: Venue::of(table),
            guild: terms.guild,
            board_channel: table.board_channel(),
            opened_in: terms.channel,
        }
    }

    /// Whether the readers of a channel can read the table's channel. A table's own thread is public, so the
    /// readers of its parent channel can read it as well.
    fn is_read_in(&self, channel: ChannelId) -> bool {
        match self.board_channel {
            Some(board_channel) => {
                board_channel.channel == channel || (board_channel.thread && self.opened_in == channel)
            }
            None => self.opened_in == channel,
        }
    }
}

/// Returns the action for which an order needs access.
pub(in crate::discord) fn action_of(order: &Order) -> Action {
    match order {
        Order::Join | Order::Lead { .. } => Action::Join,
        _ => Action::Act,
    }
}

impl Context {
    /// Returns the table with this id, if the caller may take this action there.
    ///
    /// # Errors
    /// The answer for the person.
    pub async fn open_table(
        &self,
        caller: Caller<'_>,
        id: TableId,
        action: Action,
    ) -> Result<Arc<Table>, Box<OutgoingMessage>> {
        let opened = self.try_open(caller, id, action).await;
        opened.map_err(|why| Box::new(self.access_error_message(&why)))
    }

    /// Returns the table, or the reason for the refusal as data.
    ///
    /// # Errors
    /// Why the table is not opened for the person.
    pub(in crate::discord) async fn try_open(
        &self,
        caller: Caller<'_>,
        id: TableId,
        action: Action,
    ) -> Result<Arc<Table>, TableAccessError> {
        let table = match self.registry.table(id).await {
            Ok(table) => table,
            Err(TableError::NoTable(_)) => {
                return Err(TableAccessError::Access(id, AccessError::NoSuchTable));
            }
            Err(denied) => return Err(self.not_read(caller, id, denied).await),
        };
        match self.check_access(caller, &table, action).await {
            Ok(()) => Ok(table),
            Err(error) => Err(TableAccessError::Access(id, error)),
        }
    }

    /// Returns the error for a table that could not be read. Only a person who may see it by its card learns
    /// that it exists.
    async fn not_read(&self, caller: Caller<'_>, id: TableId, denied: TableError) -> TableAccessError {
        if !matches!(denied, TableError::Unreadable(_) | TableError::Internal) {
            return TableAccessError::Failed(denied);
        }
        match self.card(caller, id).await {
            Some(card) if self.may_see_card(caller, &card).await => TableAccessError::Failed(denied),
            _ => TableAccessError::Access(id, AccessError::NoSuchTable),
        }
    }

    /// Returns the card of a table among the caller's own tables, or among those of the server.
    async fn card(&self, caller: Caller<'_>, id: TableId) -> Option<Card> {
        let filter = Filter { table: Some(id), ..Filter::default() };
        let card = self.registry.list(&filter, 1).await.ok()?.pop()?;
        let is_here = caller.guild.is_some() && card.guild == caller.guild;
        (card.has(caller.who) || is_here).then_some(card)
    }

    /// Checks whether the caller may take this action at a table.
    ///
    /// # Errors
    /// Why the person may not.
    pub(in crate::discord) async fn check_access(
        &self,
        caller: Caller<'_>,
        table: &Table,
        action: Action,
    ) -> Result<(), AccessError> {
        let (location, relation) = (TableLocation::of(table), Relation::of(table, caller.who));
        let viewer = self.viewer(caller, &location, (relation, action), FRESH).await;
        access::check(action, &viewer, location.venue)
    }

    /// Whether a person may see a table, decided by its card: for records that can't be replayed any more.
    pub(in crate::discord) async fn may_see_card(&self, caller: Caller<'_>, card: &Card) -> bool {
        let opened_in = card.opened_in.unwrap_or_default();
        let location = TableLocation {
            venue: Venue::of_card(card),
            guild: card.guild,
            board_channel: card.board_channel,
            opened_in,
        };
        let relation = Relation::of_card(card, caller.who);
        let viewer = self.viewer(caller, &location, (relation, Action::See), FRESH).await;
        access::check(Action::See, &viewer, location.venue).is_ok()
    }

    /// Whether a watcher of a table may be notified of it now. A watcher who may no longer see the table
    /// stops watching without notice; while that is unknown, they are only not notified.
    pub(in crate::discord) async fn may_notify(
        &self,
        who: UserId,
        table: &Table,
        max_age: SignedDuration,
    ) -> bool {
        let (location, relation) = (TableLocation::of(table), Relation::of(table, who));
        let wanted = (relation, Action::BeNotified);
        let viewer = self.viewer(Caller::elsewhere(who), &location, wanted, max_age).await;
        let refused = access::check(Action::BeNotified, &viewer, location.venue).err();
        if refused.is_some_and(|error| error != AccessError::SightUnknown) {
            tracing::info!(table = %table.id(), ?refused, "a watcher lost access; no longer watching");
            if let Err(error) = self.registry.journal().follows().unfollow(who, table.id()).await {
                tracing::warn!(%error, "could not delete a follow that has ended");
            }
        }
        refused.is_none()
    }

    /// Returns the table that a person means in a game's own thread: their newest game that is running there,
    /// otherwise the running or finished game that owns the thread. People who write there can read it.
    pub(in crate::discord) async fn table_of_thread(
        &self,
        channel: ChannelId,
        who: UserId,
    ) -> Option<Arc<Table>> {
        if self.channels_without_games.has(channel) {
            return None;
        }
        let filter = Filter { channel: Some(channel), ..Filter::default() };
        let cards = self.registry.list(&filter, MAX_TABLES_IN_THREAD).await.ok()?;
        let Some(owner) = cards.iter().filter(own_thread).find(|card| card.stage != Stage::Waiting) else {
            if cards.is_empty() {
                self.channels_without_games.note(channel, self.registry.now());
            }
            return None;
        };
        // Games without a thread of their own were opened here later than the one that the thread was made for.
        let played =
            cards.iter().filter(|card| card.stage == Stage::Running && card.has(who)).min_by_key(own_thread);
        self.registry.table(played.unwrap_or(owner).id).await.ok()
    }

    /// Reads the current state of a table that was already opened for the person.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(in crate::discord) async fn look_again(&self, table: &Table) -> Result<Arc<Table>, TableError> {
        self.registry.table(table.id()).await
    }

    /// Builds the answer for a person for whom a table was not opened.
    pub(in crate::discord) fn access_error_message(&self, why: &TableAccessError) -> OutgoingMessage {
        match why {
            TableAccessError::Access(id, error) => OutgoingMessage::text(self.words.access(*error, *id)),
            TableAccessError::Failed(denied) => {
                with_cause(OutgoingMessage::text(self.words.table_error(denied, None)), denied)
            }
        }
    }

    async fn viewer(
        &self,
        caller: Caller<'_>,
        location: &TableLocation,
        (relation, action): (Relation, Action),
        max_age: SignedDuration,
    ) -> Viewer {
        let is_banned = self.registry.is_banned(location.guild, caller.who).await;
        let is_bot = caller.who == self.me();
        let known = Viewer { relation, is_banned, is_bot, ..Viewer::default() };
        if location.is_read_in(caller.channel) {
            let is_member = (caller.guild == location.guild).into();
            return Viewer { reads_channel: TriState::Yes, is_member, ..known };
        }
        match location.guild {
            Some(guild)
                if location.venue == Venue::Server
                    && (relation == Relation::None || action == Action::Join) =>
            {
                let Reader { is_member, reads } = self.reads_location(caller, location, guild, max_age).await;
                Viewer { reads_channel: reads, is_member, ..known }
            }
            _ => known,
        }
    }

    async fn reads_location(
        &self,
        caller: Caller<'_>,
        location: &TableLocation,
        guild: GuildId,
        max_age: SignedDuration,
    ) -> Reader {
        let roles = caller.roles.filter(|_| caller.guild == Some(guild));
        let channel = self.readers_channel(location.board_channel, location.opened_in).await;
        self.reader((guild, channel), caller.who, roles, max_age).await
    }
}
