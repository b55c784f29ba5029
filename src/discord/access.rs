//! The gate in front of tables: the one way by which a handler comes to a table that somebody names, answers,
//! presses or means. It gathers the facts that [`rookery_table::access`] decides by.
//!
//! Nothing is looked up where nothing needs to be: a player's own table is theirs wherever they ask, and whoever
//! asks in a table's channel reads it. Otherwise the roles that come with an interaction are used, and only in
//! direct messages and on other servers is Discord asked ([`channel_access`](super::channel_access)).
//!
//! `tests/it/arrows.rs` holds that no handler reads a table past the gate.

use std::sync::Arc;

use rookery_table::access::{self, AccessError, Action, Known, Tie, Venue, Viewer};
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{Denied, Home, Order, Person, Table, TableId};

use super::channel_access::{FRESH_MS, Reader};
use super::desk::{Desk, with_cause};
use super::post::Post;
use super::teams::Caller;

/// Cards that are looked through for a table whose record cannot be read.
const CARDS_MOST: usize = 10_000;

/// Why a table was not opened to somebody.
#[derive(Debug)]
pub(super) enum NotOpened {
    /// They may not.
    Access(TableId, AccessError),
    /// It could not be read.
    Failed(Denied),
}

impl NotOpened {
    /// Whether there is no such table, as far as they may know.
    pub(super) fn is_no_table(&self) -> bool {
        matches!(self, NotOpened::Access(_, AccessError::NoSuchTable | AccessError::Bot))
    }
}

/// Where a table is, as far as it says who reads along.
struct Spot {
    venue: Venue,
    guild: Option<u64>,
    home: Option<Home>,
    opened_in: u64,
}

impl Spot {
    fn of(table: &Table) -> Spot {
        let terms = table.terms();
        Spot { venue: Venue::of(table), guild: terms.guild, home: table.home(), opened_in: terms.channel }
    }

    /// Whether everybody in a channel reads the table's. A table's own thread is public, so that the readers of
    /// the channel above it read it as well.
    fn is_read_in(&self, channel: u64) -> bool {
        match self.home {
            Some(home) => home.channel == channel || (home.thread && self.opened_in == channel),
            None => self.opened_in == channel,
        }
    }
}

/// What an order is to the gate.
pub(super) fn action_of(order: &Order) -> Action {
    match order {
        Order::Join | Order::Lead { .. } => Action::Join,
        _ => Action::Act,
    }
}

impl Desk {
    /// The table of a name, for somebody who wants to do something there.
    ///
    /// # Errors
    /// What to tell them instead.
    pub async fn open_table(
        &self,
        caller: Caller<'_>,
        id: TableId,
        action: Action,
    ) -> Result<Arc<Table>, Box<Post>> {
        let opened = self.try_open(caller, id, action).await;
        opened.map_err(|why| Box::new(self.not_opened(&why)))
    }

    /// The same with the reason as data.
    ///
    /// # Errors
    /// Why the table is not opened to them.
    pub(super) async fn try_open(
        &self,
        caller: Caller<'_>,
        id: TableId,
        action: Action,
    ) -> Result<Arc<Table>, NotOpened> {
        let table = match self.hall.see(id).await {
            Ok(table) => table,
            Err(Denied::NoTable(_)) => return Err(NotOpened::Access(id, AccessError::NoSuchTable)),
            Err(denied) => return Err(self.not_read(caller, id, denied).await),
        };
        match self.check_access(caller, &table, action).await {
            Ok(()) => Ok(table),
            Err(error) => Err(NotOpened::Access(id, error)),
        }
    }

    /// Why a table was not opened that could not be read: only a person who may see it by its card learns that it
    /// is there.
    async fn not_read(&self, caller: Caller<'_>, id: TableId, denied: Denied) -> NotOpened {
        if !matches!(denied, Denied::Unreadable(_) | Denied::Fault) {
            return NotOpened::Failed(denied);
        }
        match self.card(caller, id).await {
            Some(card) if self.may_see_card(caller, &card).await => NotOpened::Failed(denied),
            _ => NotOpened::Access(id, AccessError::NoSuchTable),
        }
    }

    /// The card of a table among the caller's own, or among those of the server where they ask.
    async fn card(&self, caller: Caller<'_>, id: TableId) -> Option<Card> {
        let all = Filter { most: CARDS_MOST, ..Filter::default() };
        let own = Filter { person: Some(caller.who), ..all.clone() };
        let here = caller.guild.map(|guild| Filter { guild: Some(guild), ..all });
        for filter in [Some(own), here].into_iter().flatten() {
            let cards = self.hall.list(&filter).await.unwrap_or_default();
            if let Some(card) = cards.into_iter().find(|card| card.id == id) {
                return Some(card);
            }
        }
        None
    }

    /// Whether somebody may do something at a table.
    ///
    /// # Errors
    /// Why not.
    pub(super) async fn check_access(
        &self,
        caller: Caller<'_>,
        table: &Table,
        action: Action,
    ) -> Result<(), AccessError> {
        let (spot, tie) = (Spot::of(table), Tie::of(table, caller.who));
        let viewer = self.viewer(caller, &spot, (tie, action), FRESH_MS).await;
        access::check(action, &viewer, spot.venue)
    }

    /// Whether a table may be told to somebody who asks about it by its card, for records that cannot be played
    /// through any more.
    pub(super) async fn may_see_card(&self, caller: Caller<'_>, card: &Card) -> bool {
        let opened_in = card.opened_in.unwrap_or_default();
        let spot = Spot { venue: Venue::of_card(card), guild: card.guild, home: card.home, opened_in };
        let tie = Tie::of_card(card, caller.who);
        let viewer = self.viewer(caller, &spot, (tie, Action::See), FRESH_MS).await;
        access::check(Action::See, &viewer, spot.venue).is_ok()
    }

    /// Whether somebody who watches a table may be notified of it now. Whoever may no longer see it is followed by
    /// nothing more: the follow ends without a word. What is not known now may be known next time.
    pub(super) async fn may_notify(&self, who: Person, table: &Table, max_age_ms: i64) -> bool {
        let (spot, tie) = (Spot::of(table), Tie::of(table, who));
        let wanted = (tie, Action::BeNotified);
        let viewer = self.viewer(Caller::elsewhere(who), &spot, wanted, max_age_ms).await;
        let refused = access::check(Action::BeNotified, &viewer, spot.venue).err();
        if refused.is_some_and(|error| error != AccessError::TryAgain) {
            tracing::info!(table = %table.id(), ?refused, "somebody who watched may not do so any more");
            if let Err(error) = self.hall.journal().follows().unfollow(who, table.id()).await {
                tracing::warn!(%error, "a follow that has ended is still kept");
            }
        }
        refused.is_none()
    }

    /// The running or finished table whose own thread a channel is: whoever writes there reads it.
    pub(super) async fn table_of_thread(&self, channel: u64) -> Option<Arc<Table>> {
        let filter = rookery_table::ports::Filter { channel: Some(channel), ..Default::default() };
        let cards = self.hall.list(&filter).await.ok()?;
        let own = |card: &&Card| card.home.is_some_and(|home| home.thread);
        let card = cards.iter().filter(own).find(|card| card.stage != Stage::Waiting)?;
        self.hall.see(card.id).await.ok()
    }

    /// A table that was opened to somebody, as it is now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) async fn look_again(&self, table: &Table) -> Result<Arc<Table>, Denied> {
        self.hall.see(table.id()).await
    }

    /// What to tell somebody to whom a table was not opened.
    pub(super) fn not_opened(&self, why: &NotOpened) -> Post {
        match why {
            NotOpened::Access(id, error) => Post::text(self.words.access(*error, *id)),
            NotOpened::Failed(denied) => with_cause(Post::text(self.words.denied(denied, None)), denied),
        }
    }

    async fn viewer(
        &self,
        caller: Caller<'_>,
        spot: &Spot,
        (tie, action): (Tie, Action),
        max_age_ms: i64,
    ) -> Viewer {
        let is_banned = self.hall.is_banned(spot.guild, caller.who).await;
        let is_bot = caller.who == self.me();
        let known = Viewer { tie, is_banned, is_bot, ..Viewer::default() };
        if spot.is_read_in(caller.channel) {
            let is_member = (caller.guild == spot.guild).into();
            return Viewer { reads_channel: Known::Yes, is_member, ..known };
        }
        match spot.guild {
            Some(guild) if spot.venue == Venue::Server && (tie == Tie::None || action == Action::Join) => {
                let Reader { is_member, reads } = self.reads_spot(caller, spot, guild, max_age_ms).await;
                Viewer { reads_channel: reads, is_member, ..known }
            }
            _ => known,
        }
    }

    async fn reads_spot(&self, caller: Caller<'_>, spot: &Spot, guild: u64, max_age_ms: i64) -> Reader {
        let roles = caller.roles.filter(|_| caller.guild == Some(guild));
        let channel = self.readers_channel(spot.home, spot.opened_in).await;
        self.reader((guild, channel), caller.who.0, roles, max_age_ms).await
    }
}
