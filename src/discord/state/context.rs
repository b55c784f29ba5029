//! The desk: everything that handlers of events have at hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rookery_core::{IllegalMove, MoveError};
use rookery_i18n::{Languages, Localizer};
use rookery_table::actor::OrderOutcome;
use rookery_table::registry::TableRegistry;
use rookery_table::{Actor, Order, OrderError, Person, Table, TableError, TableId, fair_play};

use crate::discord::actions::resign_confirmation::ResignConfirmations;
use crate::discord::actions::user_install::UserInstallMessages;
use crate::discord::jobs::deferred_pings::DeferredPings;
use crate::discord::policy::pings::DmBudget;
use crate::discord::policy::table_access::action_of;
use crate::discord::policy::teams::Caller;
use crate::discord::state::channel_access::ChannelAccess;
use crate::discord::state::display_preferences::{DisplayPreferences, LocaleCache};
use crate::discord::state::dm_channels::DmChannels;
use crate::discord::state::member_access::Members;
use crate::discord::state::ranked_moves::RankedMoves;
use crate::discord::state::recent_presses::RecentPresses;
use crate::discord::state::refused_channels::RefusedChannels;
use crate::discord::view::MessageView;
use crate::discord::wire::api::Api;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::{Settings, handlers::settings};

/// What handlers have at hand. A copy is the same desk; one for somebody has their words and taste.
#[derive(Clone)]
pub struct Context {
    /// The tables.
    pub registry: Arc<TableRegistry>,
    /// The way to Discord.
    pub api: Api,
    /// How the face is set up.
    pub settings: Settings,
    /// The languages that the house speaks.
    pub languages: Languages,
    /// The words of whoever is spoken to.
    pub words: &'static Localizer,
    /// The moves that look best, for completion.
    pub ranked_moves: Arc<RankedMoves>,
    /// How boards look to whoever is spoken to.
    pub display: DisplayPreferences,
    /// Direct messages about turns that were sent today.
    pub budget: DmBudget,
    /// Pings that wait for somebody who has just been there, and who was seen where.
    pub deferred_pings: DeferredPings,
    /// The ways to people's direct messages.
    pub dm_channels: DmChannels,
    /// The languages of clients, by place.
    pub locales: LocaleCache,
    /// The messages of games where we are no member.
    pub user_install_messages: UserInstallMessages,
    /// Who reads which channel.
    pub channel_access: ChannelAccess,
    /// Members of servers that were looked up lately.
    pub members: Members,
    /// Channels that refused us lately.
    pub refused_channels: RefusedChannels,
    /// What was done a moment ago.
    pub recent_presses: RecentPresses,
    /// Where somebody was asked in the open whether they give up.
    pub resign_confirmations: ResignConfirmations,
    /// The last row of the outbox that was there before this process.
    inherited: Arc<AtomicI64>,
    /// Sessions that began since the start.
    sessions: Arc<AtomicU64>,
    /// Our own user, once Discord has told it.
    me: Arc<AtomicU64>,
    /// Whether we read messages that are not addressed to us.
    reads_all: Arc<AtomicBool>,
}

impl Context {
    /// A desk.
    pub fn new(registry: Arc<TableRegistry>, api: Api, settings: Settings, languages: Languages) -> Context {
        let (words, display) = (languages.usual(), DisplayPreferences::usual(&settings.theme));
        let (locales, me) = (LocaleCache::default(), Arc::default());
        let reads_all = Arc::new(AtomicBool::new(settings.message_content));
        let channel_access = ChannelAccess::default();
        Context {
            registry,
            api,
            settings,
            languages,
            words,
            ranked_moves: Arc::default(),
            display,
            locales,
            budget: DmBudget::default(),
            deferred_pings: DeferredPings::default(),
            dm_channels: DmChannels::default(),
            user_install_messages: UserInstallMessages::default(),
            refused_channels: RefusedChannels::of(&channel_access),
            channel_access,
            members: Members::default(),
            recent_presses: RecentPresses::default(),
            resign_confirmations: ResignConfirmations::default(),
            inherited: Arc::default(),
            sessions: Arc::default(),
            me,
            reads_all,
        }
    }

    /// The same desk for somebody with words and a taste of their own.
    pub(in crate::discord) fn with(&self, words: &'static Localizer, display: DisplayPreferences) -> Context {
        Context { words, display, ..self.clone() }
    }

    /// The same for work that can wait: see [`Api::yielding`].
    pub(in crate::discord) fn yielding(&self, max_wait: Duration) -> Context {
        Context { api: self.api.yielding(max_wait), ..self.clone() }
    }

    /// Rows of the outbox up to this number were there before this process.
    pub(in crate::discord) fn inherits(&self, last_row: i64) {
        self.inherited.store(last_row, Ordering::Relaxed);
    }

    /// The number of the last row of the outbox that was there before this process; 0 if there was none.
    pub(in crate::discord) fn inherited(&self) -> i64 {
        self.inherited.load(Ordering::Relaxed)
    }

    /// A session begins: what happened before it may have been missed.
    pub(in crate::discord) fn begin_session(&self) {
        self.sessions.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the latest session; 0 before the first.
    pub(in crate::discord) fn session_number(&self) -> u64 {
        self.sessions.load(Ordering::Relaxed)
    }

    /// Our own user; 0 before Discord has told it.
    pub fn me(&self) -> Person {
        Person(self.me.load(Ordering::Relaxed))
    }

    /// Keeps who we are.
    pub fn is(&self, me: Person) {
        self.me.store(me.0, Ordering::Relaxed);
    }

    /// Discord does not let us read messages that are not addressed to us, though we wished to.
    pub(in crate::discord) fn reads_less(&self) {
        self.reads_all.store(false, Ordering::Relaxed);
    }

    /// Forgets what is remembered of somebody for a while.
    pub(in crate::discord) fn forget(&self, who: Person) {
        self.budget.forget(who);
        self.deferred_pings.forget(who);
        self.dm_channels.forget(who);
        self.user_install_messages.forget(who);
        self.members.delete_person(who.0);
    }

    /// How messages are laid out here.
    pub fn view(&self) -> MessageView<'_> {
        MessageView {
            words: self.words,
            display: &self.display,
            reads_all: self.reads_all.load(Ordering::Relaxed),
            challenge_hours: self.settings.challenge_hours,
            web: self.settings.web.as_deref(),
        }
    }

    /// Gives somebody's order to a table, if they may act there.
    ///
    /// # Errors
    /// What to tell them instead: a sentence; and the board, if they looked at an old one.
    pub async fn order(
        &self,
        id: TableId,
        caller: Caller<'_>,
        order: Order,
        source: u64,
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
        source: u64,
    ) -> Result<Result<OrderOutcome, TableError>, Box<OutgoingMessage>> {
        let table = self.open_table(caller, id, action_of(&order)).await?;
        self.may(&table, caller.who, &order).await?;
        Ok(self.registry.order(id, Actor::Person(caller.who), order, Some(source)).await)
    }

    /// Whether such an order may be given at a table: its server lets the program sit there, and nobody is
    /// helped in a rated game by it.
    async fn may(&self, table: &Table, who: Person, order: &Order) -> Result<(), Box<OutgoingMessage>> {
        let allowed = settings::may_seat(self, table, who, order).await;
        allowed.map_err(|sentence| Box::new(OutgoingMessage::text(sentence)))?;
        if self.would_help_rated_game(table, who, order).await {
            return Err(Box::new(OutgoingMessage::text(
                self.words.order_error(&OrderError::NoHelp, Some(table)),
            )));
        }
        Ok(())
    }

    /// Whether an order would have the program help in a rated game that a table stands beside.
    async fn would_help_rated_game(&self, table: &Table, who: Person, order: &Order) -> bool {
        match (fair_play::help_of(table, order), table.play()) {
            (Some(help), Some(play)) => {
                self.registry.would_help_rated_game(&[who], table.terms().guild, play, help).await
            }
            _ => false,
        }
    }

    /// A post with what people should know who wait for the program at a table.
    pub fn with_wait(&self, table: &Table, mut post: OutgoingMessage) -> OutgoingMessage {
        let wait = self.registry.wait(table);
        if let Some(line) = self.view().waiting(table, &wait, self.registry.now_ms()) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }

    /// The same for who has just opened a table, whoever is to move.
    pub fn with_sparing(&self, table: &Table, mut post: OutgoingMessage) -> OutgoingMessage {
        let wait = self.registry.wait(table);
        if let Some(line) = self.view().sparing(table.chairs(), &wait, self.registry.now_ms()) {
            post.content = format!("{} {line}", post.content);
        }
        post
    }

    /// An answer about a table, which it names unless it is given in the table's own thread.
    pub fn about(&self, table: &Table, channel: u64, post: OutgoingMessage) -> OutgoingMessage {
        let own = table
            .board_channel()
            .is_some_and(|board_channel| board_channel.thread && board_channel.channel == channel);
        let id = table.id();
        if own || post.content.contains(id.as_str()) {
            return post;
        }
        let args = [("table", id.as_str().into()), ("text", post.content.as_str().into())];
        OutgoingMessage { content: self.words.say("at-table", &args), ..post }
    }

    /// What to tell somebody whose order came to nothing. Where a move can be read in several ways each
    /// gets a button.
    pub async fn denied(&self, id: TableId, who: Person, denied: &TableError) -> OutgoingMessage {
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
