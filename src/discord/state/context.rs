//! The context that every handler and job works with: the table registry, the REST client, settings and caches.

mod channel_access;
mod display_preferences;
mod dm_channels;
mod member_access;
mod people_names;
mod refused_channels;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rookery_i18n::{Languages, Localizer};
use rookery_table::UserId;
use rookery_table::ports::AccessChange;
use rookery_table::registry::TableRegistry;
use tokio::sync::Notify;
use tokio::sync::broadcast;

use crate::discord::state::begun_moves::BegunMoves;
use crate::discord::state::channel_access::ChannelAccess;
use crate::discord::state::channels_without_games::ChannelsWithoutGames;
use crate::discord::state::deferred_pings::DeferredPings;
use crate::discord::state::display_preferences::{DisplayPreferences, LocaleCache};
use crate::discord::state::dm_budget::DmBudget;
use crate::discord::state::dm_channels::DmChannels;
use crate::discord::state::member_access::Members;
use crate::discord::state::message_turns::MessageTurns;
use crate::discord::state::people_names::PeopleNames;
use crate::discord::state::ranked_moves::RankedMoves;
use crate::discord::state::recent_presses::RecentPresses;
use crate::discord::state::refused_channels::RefusedChannels;
use crate::discord::state::resign_confirmations::ResignConfirmations;
use crate::discord::state::user_install_messages::UserInstallMessages;
use crate::discord::state::welcome_queue::WelcomeQueue;
use crate::discord::wire::api::Api;
use crate::discord::{BackupMaker, Settings};

/// The most changes of access that wait to be announced.
const ACCESS_CHANGES_KEPT: usize = 256;

/// The registry, the REST client, settings and caches, for handlers and jobs. Clones share them; a context
/// for a person has that person's language and display preferences.
#[derive(Clone)]
pub struct Context {
    /// The registry of tables.
    pub registry: Arc<TableRegistry>,
    /// The client for Discord's REST API.
    pub api: Api,
    /// The settings of the Discord side.
    pub settings: Settings,
    /// The supported languages, the default first.
    pub languages: Languages,
    /// The language of the recipient.
    pub words: &'static Localizer,
    /// The best moves of each table, for completion.
    pub ranked_moves: Arc<RankedMoves>,
    /// The recipient's display preferences.
    pub display: DisplayPreferences,
    /// Counts the direct messages about turns that each person got today.
    pub budget: DmBudget,
    /// Pings that are deferred because the person was active a moment ago.
    pub deferred_pings: DeferredPings,
    /// The direct message channels of people.
    pub dm_channels: DmChannels,
    /// The languages of clients, by server or channel.
    pub locales: LocaleCache,
    /// The messages of games in channels where the bot is not a member.
    pub user_install_messages: UserInstallMessages,
    /// The readers of channels.
    pub channel_access: ChannelAccess,
    /// The members of servers that were looked up recently.
    pub members: Members,
    /// The names of people on web pages.
    pub names: PeopleNames,
    /// The turns of messages.
    pub message_turns: MessageTurns,
    /// Channels in which nobody plays.
    pub channels_without_games: ChannelsWithoutGames,
    /// Channels that refused the bot recently.
    pub refused_channels: RefusedChannels,
    /// The changes of access that Discord reports to this process.
    pub(in crate::discord) own_access_changes: broadcast::Sender<AccessChange>,
    /// Moves that were typed in part.
    pub begun_moves: BegunMoves,
    /// The results of recent button presses.
    pub recent_presses: RecentPresses,
    /// The public messages in which players were asked to confirm a resignation.
    pub resign_confirmations: ResignConfirmations,
    /// Locked while the state of a server's TV channel is written.
    pub tv_writes: Arc<tokio::sync::Mutex<()>>,
    /// Wakes the job that sends announcements.
    pub announced: Arc<Notify>,
    /// Makes backups when an operator asks for one.
    pub backups: Option<Arc<dyn BackupMaker>>,
    /// The servers whose welcome message is to be brought up to date.
    pub welcomes: WelcomeQueue,
    /// The id of the last outbox row written by an earlier process.
    inherited: Arc<AtomicI64>,
    /// The number of gateway sessions since the start.
    sessions: Arc<AtomicU64>,
    /// The bot's user id; 0 until Discord has sent it.
    me: Arc<AtomicU64>,
    /// Whether the bot receives the content of messages that do not address it.
    reads_all: Arc<AtomicBool>,
}

impl Context {
    /// Creates a context in the default language and with the default theme.
    pub fn new(registry: Arc<TableRegistry>, api: Api, settings: Settings, languages: Languages) -> Context {
        let (words, display) = (languages.default_language(), DisplayPreferences::usual(&settings.theme));
        let words = words.in_theme(&display.theme);
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
            message_turns: MessageTurns::default(),
            channels_without_games: ChannelsWithoutGames::default(),
            refused_channels: RefusedChannels::of(&channel_access),
            own_access_changes: broadcast::Sender::new(ACCESS_CHANGES_KEPT),
            channel_access,
            members: Members::default(),
            names: PeopleNames::default(),
            begun_moves: BegunMoves::default(),
            recent_presses: RecentPresses::default(),
            resign_confirmations: ResignConfirmations::default(),
            tv_writes: Arc::default(),
            announced: Arc::default(),
            backups: None,
            welcomes: WelcomeQueue::default(),
            inherited: Arc::default(),
            sessions: Arc::default(),
            me,
            reads_all,
        }
    }

    /// Returns the context in a person's language and with their display preferences. Sides are called by the colours
    /// that they have in the person's theme.
    pub(in crate::discord) fn with(&self, words: &'static Localizer, display: DisplayPreferences) -> Context {
        let words = words.in_theme(&display.theme);
        Context { words, display, ..self.clone() }
    }

    /// Returns the context for background work: see [`Api::yielding`].
    pub(in crate::discord) fn yielding(&self, max_wait: Duration) -> Context {
        Context { api: self.api.yielding(max_wait), ..self.clone() }
    }

    /// Sets the id of the last outbox row written by an earlier process.
    pub(in crate::discord) fn set_inherited(&self, last_row: i64) {
        self.inherited.store(last_row, Ordering::Relaxed);
    }

    /// Returns the id of the last outbox row written by an earlier process; 0 if there was none.
    pub(in crate::discord) fn inherited(&self) -> i64 {
        self.inherited.load(Ordering::Relaxed)
    }

    /// Counts a new session. Events before it may have been missed.
    pub(in crate::discord) fn begin_session(&self) {
        self.sessions.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of the latest session; 0 before the first.
    pub(in crate::discord) fn session_number(&self) -> u64 {
        self.sessions.load(Ordering::Relaxed)
    }

    /// Returns the bot's user id; 0 until Discord has sent it.
    pub fn me(&self) -> UserId {
        UserId(self.me.load(Ordering::Relaxed))
    }

    /// Stores the bot's user id.
    pub fn set_me(&self, me: UserId) {
        self.me.store(me.0, Ordering::Relaxed);
    }

    /// Records that Discord withholds the content of messages that do not address the bot, although it was
    /// requested.
    pub(in crate::discord) fn note_content_withheld(&self) {
        self.reads_all.store(false, Ordering::Relaxed);
    }

    /// Whether Discord lets the bot read messages that do not address it.
    pub(in crate::discord) fn reads_all(&self) -> bool {
        self.reads_all.load(Ordering::Relaxed)
    }

    /// Removes the cached data about a person.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.budget.forget(who);
        self.deferred_pings.forget(who);
        self.dm_channels.forget(who);
        self.user_install_messages.forget(who);
        self.members.delete_person(who);
        self.names.delete_person(who);
    }
}
