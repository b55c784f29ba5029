//! The desk: everything that handlers of events have at hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rookery_core::{IllegalMove, MoveError};
use rookery_i18n::{Languages, Words};
use rookery_table::hall::Hall;
use rookery_table::host::Seen;
use rookery_table::{By, Denied, Order, Person, Refused, Table, TableId, fair};

use super::access::action_of;
use super::api::Api;
use super::brought::Brought;
use super::channel_access::Members;
use super::deferred_pings::DeferredPings;
use super::doors::Doors;
use super::lately::Lately;
use super::layout::Layout;
use super::pings::Budget;
use super::post::Post;
use super::ranked::Ranked;
use super::shuns::Shuns;
use super::sight::Sight;
use super::sure::Questions;
use super::taste::{Taste, Tongues};
use super::teams::Caller;
use super::{Settings, settings};

/// What handlers have at hand. A copy is the same desk; one for somebody has their words and taste.
#[derive(Clone)]
pub struct Desk {
    /// The tables.
    pub hall: Arc<Hall>,
    /// The way to Discord.
    pub api: Api,
    /// How the face is set up.
    pub settings: Settings,
    /// The languages that the house speaks.
    pub languages: Languages,
    /// The words of whoever is spoken to.
    pub words: &'static Words,
    /// The moves that look best, for completion.
    pub ranked: Arc<Ranked>,
    /// How boards look to whoever is spoken to.
    pub taste: Taste,
    /// Direct messages about turns that were sent today.
    pub budget: Budget,
    /// Pings that wait for somebody who has just been there, and who was seen where.
    pub deferred_pings: DeferredPings,
    /// The ways to people's direct messages.
    pub doors: Doors,
    /// The languages of clients, by place.
    pub tongues: Tongues,
    /// The messages of games where we are no member.
    pub brought: Brought,
    /// Who reads which channel.
    pub sight: Sight,
    /// Members of servers that were looked up lately.
    pub members: Members,
    /// Channels that refused us lately.
    pub shuns: Shuns,
    /// What was done a moment ago.
    pub lately: Lately,
    /// Where somebody was asked in the open whether they give up.
    pub questions: Questions,
    /// The last row of the outbox that was there before this process.
    inherited: Arc<AtomicI64>,
    /// Sessions that began since the start.
    sessions: Arc<AtomicU64>,
    /// Our own user, once Discord has told it.
    me: Arc<AtomicU64>,
    /// Whether we read messages that are not addressed to us.
    reads_all: Arc<AtomicBool>,
}

impl Desk {
    /// A desk.
    pub fn new(hall: Arc<Hall>, api: Api, settings: Settings, languages: Languages) -> Desk {
        let (words, taste) = (languages.usual(), Taste::usual(&settings.theme));
        let (tongues, me) = (Tongues::default(), Arc::default());
        let reads_all = Arc::new(AtomicBool::new(settings.message_content));
        let sight = Sight::default();
        Desk {
            hall,
            api,
            settings,
            languages,
            words,
            ranked: Arc::default(),
            taste,
            tongues,
            budget: Budget::default(),
            deferred_pings: DeferredPings::default(),
            doors: Doors::default(),
            brought: Brought::default(),
            shuns: Shuns::of(&sight),
            sight,
            members: Members::default(),
            lately: Lately::default(),
            questions: Questions::default(),
            inherited: Arc::default(),
            sessions: Arc::default(),
            me,
            reads_all,
        }
    }

    /// The same desk for somebody with words and a taste of their own.
    pub(super) fn with(&self, words: &'static Words, taste: Taste) -> Desk {
        Desk { words, taste, ..self.clone() }
    }

    /// The same for work that can wait: see [`Api::yielding`].
    pub(super) fn yielding(&self, max_wait: Duration) -> Desk {
        Desk { api: self.api.yielding(max_wait), ..self.clone() }
    }

    /// Rows of the outbox up to this number were there before this process.
    pub(super) fn inherits(&self, last_row: i64) {
        self.inherited.store(last_row, Ordering::Relaxed);
    }

    /// The number of the last row of the outbox that was there before this process; 0 if there was none.
    pub(super) fn inherited(&self) -> i64 {
        self.inherited.load(Ordering::Relaxed)
    }

    /// A session begins: what happened before it may have been missed.
    pub(super) fn begin_session(&self) {
        self.sessions.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the latest session; 0 before the first.
    pub(super) fn session_number(&self) -> u64 {
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
    pub(super) fn reads_less(&self) {
        self.reads_all.store(false, Ordering::Relaxed);
    }

    /// Forgets what is remembered of somebody for a while.
    pub(super) fn forget(&self, who: Person) {
        self.budget.forget(who);
        self.deferred_pings.forget(who);
        self.doors.forget(who);
        self.brought.forget(who);
        self.members.forget_person(who.0);
    }

    /// How messages are laid out here.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            words: self.words,
            taste: &self.taste,
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
    ) -> Result<Seen, Box<Post>> {
        match self.try_order(id, caller, order, source).await? {
            Ok(seen) => Ok(seen),
            Err(denied) => Err(Box::new(self.denied(id, caller.who, &denied).await)),
        }
    }

    /// The same with the table's own refusal as data.
    ///
    /// # Errors
    /// What to tell them who may not act there.
    pub(super) async fn try_order(
        &self,
        id: TableId,
        caller: Caller<'_>,
        order: Order,
        source: u64,
    ) -> Result<Result<Seen, Denied>, Box<Post>> {
        let table = self.open_table(caller, id, action_of(&order)).await?;
        self.may(&table, caller.who, &order).await?;
        Ok(self.hall.order(id, By::Person(caller.who), order, Some(source)).await)
    }

    /// Whether such an order may be given at a table: its server lets the program sit there, and nobody is
    /// helped in a rated game by it.
    async fn may(&self, table: &Table, who: Person, order: &Order) -> Result<(), Box<Post>> {
        let allowed = settings::may_seat(self, table, who, order).await;
        allowed.map_err(|sentence| Box::new(Post::text(sentence)))?;
        if self.helps_rated(table, who, order).await {
            return Err(Box::new(Post::text(self.words.refused(&Refused::NoHelp, Some(table)))));
        }
        Ok(())
    }

    /// Whether an order would have the program help in a rated game that a table stands beside.
    async fn helps_rated(&self, table: &Table, who: Person, order: &Order) -> bool {
        match (fair::help_of(table, order), table.play()) {
            (Some(help), Some(play)) => self.hall.helps_rated(&[who], table.terms().guild, play, help).await,
            _ => false,
        }
    }

    /// A post with what people should know who wait for the program at a table.
    pub fn with_wait(&self, table: &Table, mut post: Post) -> Post {
        let wait = self.hall.wait(table);
        if let Some(line) = self.layout().waiting(table, &wait, self.hall.now_ms()) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }

    /// The same for who has just opened a table, whoever is to move.
    pub fn with_sparing(&self, table: &Table, mut post: Post) -> Post {
        let wait = self.hall.wait(table);
        if let Some(line) = self.layout().sparing(table.chairs(), &wait, self.hall.now_ms()) {
            post.content = format!("{} {line}", post.content);
        }
        post
    }

    /// An answer about a table, which it names unless it is given in the table's own thread.
    pub fn about(&self, table: &Table, channel: u64, post: Post) -> Post {
        let own = table.home().is_some_and(|home| home.thread && home.channel == channel);
        let id = table.id();
        if own || post.content.contains(id.as_str()) {
            return post;
        }
        let args = [("table", id.as_str().into()), ("text", post.content.as_str().into())];
        Post { content: self.words.say("at-table", &args), ..post }
    }

    /// What to tell somebody whose order came to nothing. Where a move can be read in several ways each
    /// gets a button.
    pub async fn denied(&self, id: TableId, who: Person, denied: &Denied) -> Post {
        let table = self.hall.see(id).await.ok();
        let sentence = self.words.denied(denied, table.as_deref());
        match (denied, table) {
            (
                Denied::Refused(Refused::Move(MoveError::Illegal(IllegalMove::Ambiguous { readings }))),
                Some(table),
            ) => self.layout().readings(&table, readings),
            (Denied::Refused(Refused::Stale { .. }), Some(table)) => {
                let mut post = self.layout().state(&table, Some(who));
                post.content = format!("{sentence}\n{}", post.content);
                post
            }
            _ => with_cause(Post::text(sentence), denied),
        }
    }
}

/// A post that says why an order came to nothing, marked if the order may be given again at once.
pub(super) fn with_cause(post: Post, denied: &Denied) -> Post {
    Post { not_kept: matches!(denied, Denied::Journal(_)), ..post }
}
