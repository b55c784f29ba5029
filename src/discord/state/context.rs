//! The context that every handler and job works with: the table registry, the REST client, settings and caches.

mod channel_access;
mod display_preferences;
mod dm_channels;
mod member_access;
mod refused_channels;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rookery_i18n::{Languages, Localizer};
use rookery_table::UserId;
use rookery_table::registry::TableRegistry;

use crate::discord::Settings;
use crate::discord::state::channel_access::ChannelAccess;
use crate::discord::state::deferred_pings::DeferredPings;
use crate::discord::state::display_preferences::{DisplayPreferences, LocaleCache};
use crate::discord::state::dm_budget::DmBudget;
use crate::discord::state::dm_channels::DmChannels;
use crate::discord::state::member_access::Members;
use crate::discord::state::ranked_moves::RankedMoves;
use crate::discord::state::recent_presses::RecentPresses;
use crate::discord::state::refused_channels::RefusedChannels;
use crate::discord::state::resign_confirmations::ResignConfirmations;
use crate::discord::state::user_install_messages::UserInstallMessages;
use crate::discord::wire::api::Api;

/// The registry, the REST client, settings and caches, for handlers and jobs. Clones share them; a context
/// for a person
/// has that person's language and display preferences.
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
    /// The language of the recipient.
    pub words: &'static Localizer,
    /// The moves that look best, for completion.
    pub ranked_moves: Arc<RankedMoves>,
    /// How boards are shown to the recipient.
    pub display: DisplayPreferences,
    /// Direct messages about turns that were sent today.
    pub budget: DmBudget,
    /// Pings that wait because the person was active a moment ago.
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
    /// Held while the state of a server's television is written.
    pub tv_writes: Arc<tokio::sync::Mutex<()>>,
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
    /// A context in the default language and with the default theme.
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
            tv_writes: Arc::default(),
            inherited: Arc::default(),
            sessions: Arc::default(),
            me,
            reads_all,
        }
    }

    /// The same context for a person's language and display preferences.
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
    pub fn me(&self) -> UserId {
        UserId(self.me.load(Ordering::Relaxed))
    }

    /// Keeps who we are.
    pub fn is(&self, me: UserId) {
        self.me.store(me.0, Ordering::Relaxed);
    }

    /// Discord does not let us read messages that are not addressed to us, though we wished to.
    pub(in crate::discord) fn reads_less(&self) {
        self.reads_all.store(false, Ordering::Relaxed);
    }

    /// Whether Discord lets the bot read messages that do not address it.
    pub(in crate::discord) fn reads_all(&self) -> bool {
        self.reads_all.load(Ordering::Relaxed)
    }

    /// Forgets what is remembered of somebody for a while.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.budget.forget(who);
        self.deferred_pings.forget(who);
        self.dm_channels.forget(who);
        self.user_install_messages.forget(who);
        self.members.delete_person(who);
    }
}
