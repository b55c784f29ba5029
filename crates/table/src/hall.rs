//! The hall: finds tables, opens them, wakes them after a restart.

mod fair;
mod forget;
mod found;
mod freeze;
mod muster;
mod owed;
mod prove;
mod quota;
mod rated_games;
mod rest;
mod sets;
mod share;
mod study;
mod time;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, broadcast, mpsc, oneshot, watch};

use rookery_core::seed::SeededRng;
use rookery_tasks::{Panicked, Tasks};

use super::drawer::Drawer;
use super::host::{Host, Letter, Seen};
use super::moderation::Moderation;
use super::patron::{Bounds, Patron, Wait};
use super::ports::{Batch, Card, Census, Clock, Filter, Job, Journal, JournalError, Thinker};
use super::rated::{self, Account, Standing};
use super::rating::{Pool, Rating};
use super::scale;
use super::watch::Watch;
use super::words::{By, Denied, Occupant, Order, Person, Terms};
use super::{Table, TableId, state};
use quota::Opening;

/// Happenings that a slow watcher may be behind.
const HEARD: usize = 1_024;

/// Letters that may wait at one table before senders wait too.
const MAILBOX: usize = 64;

/// Milliseconds between moves where the program plays alone, unless somebody chooses otherwise.
const SHOW_PACE_MS: u64 = 5_000;

/// All tables of this process. Each is loaded when it is first asked for.
pub struct Hall {
    me: Weak<Hall>,
    drawer: Drawer,
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    thinker: Arc<dyn Thinker>,
    hosts: Mutex<HashMap<TableId, mpsc::Sender<Letter>>>,
    chance: Mutex<SeededRng>,
    bell: Arc<Notify>,
    /// Where something was written, for whoever watches.
    written: broadcast::Sender<TableId>,
    /// That a link for outsiders may have stopped working.
    share_changes: watch::Sender<()>,
    /// Milliseconds between moves where the program plays alone.
    show_pace_ms: AtomicU64,
    /// Who may look for a proof now.
    provers: Semaphore,
    studies: study::Studies,
    rated_games: rated_games::RatedGames,
    tally: Tally,
    /// Held while a game is entered into the ratings.
    rating: tokio::sync::Mutex<()>,
    watch: Watch,
    /// Up to when it is known what time brings at tables that nobody has asked for, in milliseconds since 1970.
    ahead_ms: AtomicI64,
    /// Who is asked about roles and channels.
    census: OnceLock<Arc<dyn Census>>,
    /// The quarter of an hour in which people's days off were last looked at.
    rested: AtomicI64,
    /// Turns that the program owes at tables that could not be read when it started.
    untaken: Mutex<Vec<Job>>,
    moderation: Moderation,
    shares: quota::Shares,
    /// Where every task of this process is spawned.
    tasks: Tasks,
    /// Whether the program is about to end.
    closing: AtomicBool,
    /// Tables that this version cannot read, each reported once.
    unreadable: Mutex<BTreeSet<TableId>>,
}

/// Names that are drawn for a table before it is given up.
const NAMES_TRIED: usize = 33;

/// Whether a new table is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loud {
    Yes,
    No,
}

/// What tables were asked, counted since the start.
#[derive(Debug, Default)]
pub struct Tally {
    /// Orders that became events (or needed none).
    pub carried_out: AtomicU64,
    /// Orders that were refused.
    pub refused: AtomicU64,
    /// Faults of ours.
    pub faults: AtomicU64,
}

impl Hall {
    /// A hall over a journal. `seed` is for names of tables and seeds of games: give it true chance.
    pub fn new(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        thinker: Arc<dyn Thinker>,
        seed: u64,
    ) -> Arc<Hall> {
        Hall::with_tasks(journal, clock, thinker, seed, Tasks::default())
    }

    /// The same; its tasks are spawned among these.
    pub fn with_tasks(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        thinker: Arc<dyn Thinker>,
        seed: u64,
        tasks: Tasks,
    ) -> Arc<Hall> {
        let moderation = Moderation::new(journal.clone());
        Arc::new_cyclic(|me| Hall {
            me: me.clone(),
            drawer: Drawer::new(journal.clone()),
            journal,
            clock,
            thinker,
            hosts: Mutex::default(),
            chance: Mutex::new(SeededRng::new(seed)),
            bell: Arc::new(Notify::new()),
            written: broadcast::Sender::new(HEARD),
            share_changes: watch::Sender::new(()),
            show_pace_ms: AtomicU64::new(SHOW_PACE_MS),
            provers: Semaphore::new(prove::AT_ONCE),
            studies: study::Studies::default(),
            rated_games: rated_games::RatedGames::default(),
            tally: Tally::default(),
            rating: tokio::sync::Mutex::default(),
            watch: Watch::default(),
            // Half of it, so that what is taken off does not run over.
            ahead_ms: AtomicI64::new(i64::MIN / 2),
            census: OnceLock::new(),
            rested: AtomicI64::new(i64::MIN),
            untaken: Mutex::default(),
            moderation,
            shares: quota::Shares::default(),
            tasks,
            closing: AtomicBool::new(false),
            unreadable: Mutex::default(),
        })
    }

    /// Opens a table. `source` is the interaction that asked for it.
    ///
    /// # Errors
    /// If the terms do not fit the game, it would be more than a fair share, somebody does not want to be
    /// asked, or the journal fails; nothing was opened then.
    pub async fn open(
        &self,
        terms: Terms,
        host: Person,
        chairs: Vec<Occupant>,
        source: Option<u64>,
    ) -> Result<Seen, Denied> {
        let opening = Opening::new(&terms, host, &chairs);
        let share = self.may_open(opening).await?;
        let terms = self.sealed(terms);
        let seen = self.found(source, |id| {
            let events = state::open(id, terms.clone(), host, chairs.clone())?;
            Ok((events, Loud::Yes))
        });
        let seen = seen.await?;
        share.opened(self).await;
        Ok(seen)
    }

    fn opened(&self, table: Table, batch: Batch) -> Seen {
        // Before the table's task is there, which enters every later change.
        self.rated_games.update(&table);
        self.spawn(&mut self.hosts(), table.id(), Some(table.clone()));
        self.written(&table, &batch);
        let events = batch.entries.into_iter().map(|entry| entry.event).collect();
        Seen { table: Arc::new(table), events }
    }

    /// Gives an order to a table. `source` is the message or interaction it came by.
    ///
    /// # Errors
    /// [`Denied`]; nothing has changed then.
    pub async fn order(
        &self,
        id: TableId,
        by: By,
        order: Order,
        source: Option<u64>,
    ) -> Result<Seen, Denied> {
        self.may_sit_down(id, by, &order).await?;
        self.write(id, |reply| Letter::Order { by, order: order.clone(), source, reply }).await
    }

    /// Looks at a table.
    ///
    /// # Errors
    /// If there is none, or the journal fails.
    pub async fn see(&self, id: TableId) -> Result<Arc<Table>, Denied> {
        self.write(id, |reply| Letter::See { reply }).await.map(|seen| seen.table)
    }

    /// Tables that fit, those with the latest event first.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn list(&self, filter: &Filter) -> Result<Vec<Card>, Denied> {
        self.journal.list(filter).await.map_err(|error| Denied::Journal(error.to_string()))
    }

    /// Where the tasks of this process are spawned and measured.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Rung whenever there is something new to be said.
    pub fn bell(&self) -> Arc<Notify> {
        self.bell.clone()
    }

    /// Hears of every table where something is written from now on. Who listens too slowly is told that
    /// something was missed.
    pub fn listen(&self) -> broadcast::Receiver<TableId> {
        self.written.subscribe()
    }

    /// The journal that the tables are written to.
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.journal
    }

    /// What people and servers chose.
    pub fn drawer(&self) -> &Drawer {
        &self.drawer
    }

    /// Whom people block, and who is banned from a server.
    pub fn moderation(&self) -> &Moderation {
        &self.moderation
    }

    /// How it stands with the program's turn at a table.
    pub fn wait(&self, table: &Table) -> Wait {
        self.thinker.wait(table.id(), Patron::of(table))
    }

    /// What every server gets of the program's thinking.
    pub fn bounds(&self) -> Bounds {
        self.thinker.bounds()
    }

    /// The time of day.
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// A fresh seed for a table, of 53 bits: people can type it into Discord again, whose numbers are
    /// doubles.
    pub fn seed(&self) -> u64 {
        self.chance().bits() >> 11
    }

    /// Chooses the time between moves where the program plays alone, so that people can watch.
    pub fn set_show_pace(&self, pace: Duration) {
        self.show_pace_ms.store(u64::try_from(pace.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What tables were asked so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(super) fn count(&self, answer: &Result<Seen, Denied>) {
        let counter = match answer {
            Ok(_) => &self.tally.carried_out,
            Err(Denied::Fault) => &self.tally.faults,
            Err(_) => &self.tally.refused,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The journal is about to be closed: what cannot be written from now on is not complained of.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// How many tables are in memory.
    pub fn awake(&self) -> usize {
        self.hosts().len()
    }

    /// Enters a game that has ended into the ratings, if it counts and has not been entered: a rating is
    /// read and written by one game at a time.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn rate(&self, id: TableId) -> Result<(), Denied> {
        let _alone = self.rating.lock().await;
        let table = self.see(id).await?;
        let Some(pool) = rated::pool(table.chairs()).filter(|_| rated::is_due(&table)) else { return Ok(()) };
        let mut known = Vec::new();
        for account in table.chairs().iter().filter_map(|chair| Account::of(*chair)) {
            known.push(self.rating(account, &table, pool).await?);
        }
        match self.order(id, By::House, Order::Rate(known), None).await {
            Ok(_) | Err(Denied::Refused(_)) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// What somebody at a table is rated in its game and a pool: their latest rating, less sure the longer it
    /// has rested until the table's last event, or else what they enter with.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn rating(&self, who: Account, table: &Table, pool: Pool) -> Result<Rating, JournalError> {
        let game = &table.terms().game;
        let latest = self.journal.ratings().rating(who, game, pool).await?;
        let rested = |it: Standing| it.rating.rested(table.at_ms() - it.at_ms);
        Ok(latest.map_or_else(|| scale::entry(who, game), rested))
    }

    /// A table's task has loaded the table, or changed it: what is looked up in memory follows.
    pub(super) fn note_current(&self, table: &Table) {
        self.rated_games.update(table);
    }

    /// After a batch was written: rings for the outbox, sets the program thinking.
    pub(super) fn written(&self, table: &Table, batch: &Batch) {
        // Nobody may be watching.
        let _ = self.written.send(table.id());
        if !batch.says.is_empty() {
            self.bell.notify_one();
        }
        self.watch.set(table.id(), batch.card.next_ms);
        match batch.job {
            Some(job) => self.think_if_owed(table, job),
            None => self.thinker.drop_table(table.id()),
        }
        self.prove_if_decided(table, batch);
        self.rest_who_sat_down(table, batch);
    }

    fn think_if_owed(&self, table: &Table, job: Job) {
        let (Some(play), true) = (table.play(), table.job() == Some(job)) else { return };
        let (me, tasks, runtime) = (self.me.clone(), self.tasks.clone(), tokio::runtime::Handle::current());
        let pace_ms = if table.is_for_show() { self.show_pace_ms.load(Ordering::Relaxed) } else { 0 };
        let at = tokio::time::Instant::now() + Duration::from_millis(pace_ms);
        let answer = move |text: Option<String>| {
            let (Some(hall), Some(text)) = (me.upgrade(), text) else { return };
            runtime.spawn(tasks.measure("program's move", async move {
                tokio::time::sleep_until(at).await;
                hall.play_thought(job, text).await;
            }));
        };
        self.thinker.think(job, Patron::of(table), play.clone_play(), Box::new(answer));
    }

    /// The program's move comes back as an ordinary order. Only a journal that fails is waited for:
    /// the turn is owed until it is written.
    async fn play_thought(&self, job: Job, text: String) {
        let order = Order::Move { text, ply: Some(job.ply) };
        loop {
            match self.order(job.table, By::Ai, order.clone(), None).await {
                // The turn is owed still, after the next start.
                Err(Denied::Journal(_)) if self.closing.load(Ordering::Relaxed) => return,
                Err(Denied::Journal(why)) => {
                    tracing::warn!(table = %job.table, why, "the program's move waits for the journal");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                Err(error) => {
                    return tracing::info!(table = %job.table, %error, "the program's move came to nothing");
                }
                Ok(_) => return,
            }
        }
    }

    /// Reads a table from the journal.
    pub(super) async fn load(&self, id: TableId) -> Result<Table, Denied> {
        let entries = match self.journal.load(id).await {
            Ok(entries) => entries,
            Err(error) => return Err(self.failed_at(id, &error)),
        };
        // Every move is played again.
        match self.tasks.compute("table replay", move || Table::replay(id, &entries)).await {
            Err(Panicked) => Err(Denied::Fault),
            Ok(Ok(Some(table))) => {
                self.unreadable_tables().remove(&id);
                Ok(table)
            }
            Ok(Ok(None)) => Err(Denied::NoTable(id)),
            Ok(Err(error)) => Err(self.cannot_read(id, &error)),
        }
    }

    /// The journal failed at a table: for good, or trying again is right.
    pub(super) fn failed_at(&self, id: TableId, error: &JournalError) -> Denied {
        if error.is_unreadable() { self.cannot_read(id, error) } else { Denied::Journal(error.to_string()) }
    }

    /// A table is left alone that this version cannot read; that is reported once.
    pub(super) fn cannot_read(&self, id: TableId, why: &dyn std::error::Error) -> Denied {
        if self.unreadable_tables().insert(id) {
            tracing::error!(%why, "a table's record cannot be read by this version; it is left alone");
        }
        Denied::Unreadable(id)
    }

    /// How many tables were met that this version cannot read.
    pub fn unreadable(&self) -> usize {
        self.unreadable_tables().len()
    }

    fn unreadable_tables(&self) -> std::sync::MutexGuard<'_, BTreeSet<TableId>> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an idle table go, unless a letter came meanwhile. Says whether it is gone. A table that was opened
    /// under this name meanwhile stays.
    pub(super) fn forget(
        &self,
        id: TableId,
        own: &mpsc::WeakSender<Letter>,
        mail: &mpsc::Receiver<Letter>,
    ) -> bool {
        let mut hosts = self.hosts();
        let idle = mail.is_empty();
        let is_own = |known: &mpsc::Sender<Letter>| own.upgrade().is_some_and(|own| own.same_channel(known));
        if idle && hosts.get(&id).is_some_and(is_own) {
            hosts.remove(&id);
        }
        idle
    }

    async fn write<T>(
        &self,
        id: TableId,
        letter: impl Fn(oneshot::Sender<Result<T, Denied>>) -> Letter,
    ) -> Result<T, Denied> {
        // A table that fell asleep between finding it and writing to it is woken again.
        for _ in 0..3 {
            let mailbox = self.mailbox(id);
            let (reply, answer) = oneshot::channel();
            if mailbox.send(letter(reply)).await.is_err() {
                continue;
            }
            if let Ok(answer) = answer.await {
                return answer;
            }
        }
        Err(Denied::Fault)
    }

    fn mailbox(&self, id: TableId) -> mpsc::Sender<Letter> {
        let mut hosts = self.hosts();
        match hosts.get(&id).filter(|mailbox| !mailbox.is_closed()) {
            Some(mailbox) => mailbox.clone(),
            None => self.spawn(&mut hosts, id, None),
        }
    }

    fn spawn(
        &self,
        hosts: &mut HashMap<TableId, mpsc::Sender<Letter>>,
        id: TableId,
        table: Option<Table>,
    ) -> mpsc::Sender<Letter> {
        let (mailbox, mail) = mpsc::channel(MAILBOX);
        let hall = self.me.upgrade().expect("a hall outlives the calls on it");
        drop(self.tasks.spawn("table", Host::new(hall, id, table, (mail, mailbox.downgrade())).run()));
        hosts.insert(id, mailbox.clone());
        mailbox
    }

    fn hosts(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, mpsc::Sender<Letter>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn chance(&self) -> std::sync::MutexGuard<'_, SeededRng> {
        self.chance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_name() -> Denied {
    Denied::Journal("every name that was drawn for a table is taken".into())
}
