//! the registry: finds tables, opens them, wakes them after a restart.

mod analysis;
mod deletion;
mod fair_play;
mod freeze;
mod mailboxes;
mod memberships;
mod open_new;
mod pending_turns;
mod program_turn;
mod proofs;
mod quota;
mod quota_state;
mod rated_games;
mod sets;
mod share;
mod time;
mod time_off;

pub use deletion::DeletionOutcome;
use jiff::Timestamp;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, broadcast, watch};

use rookery_core::seed::SeededRng;
use rookery_tasks::{Panicked, Tasks};

use crate::actor::{OrderOutcome, Request};
use crate::hash_chain::HashChain;
use crate::level_ratings;
use crate::model::{Actor, Occupant, Order, TableError, Terms, UserId};
use crate::moderation::Moderation;
use crate::ports::{Batch, Card, Clock, Filter, Job, Journal, MembershipSource, StoreError, Thinker};
use crate::preferences_cache::PreferencesCache;
use crate::rated::{self, Account, RatingRecord};
use crate::rating::{Pool, Rating};
use crate::thinking_limits::{BudgetOwner, ThinkingLimits, ThinkingWait};
use crate::timers::Timers;
use crate::{SourceId, Table, TableId, decide};
use quota_state::{OpenRequest, QuotaState};

/// Happenings that a slow watcher may be behind.
const BROADCAST_CAPACITY: usize = 1_024;

/// The time between moves where the program plays alone, unless a server chooses otherwise.
const EXHIBITION_PACE: Duration = Duration::from_secs(5);

/// All tables of this process. Each is loaded when it is first asked for.
pub struct TableRegistry {
    me: Weak<TableRegistry>,
    preferences_cache: PreferencesCache,
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    thinker: Arc<dyn Thinker>,
    actors: Mutex<HashMap<TableId, mailboxes::ActorHandle>>,
    chance: Mutex<SeededRng>,
    outbox_wakeup: Arc<Notify>,
    /// Tables with new entries, for subscribers.
    changed_tables: broadcast::Sender<TableId>,
    /// That a link for outsiders may have stopped working.
    share_changes: watch::Sender<()>,
    /// Milliseconds between moves where the program plays alone.
    exhibition_pace_ms: AtomicU64,
    /// Who may look for a proof now.
    proof_permits: Semaphore,
    analyses: analysis::Analyses,
    rated_games: rated_games::RatedGames,
    order_counts: OrderCounts,
    /// Held while a game is entered into the ratings.
    rating: tokio::sync::Mutex<()>,
    timers: Timers,
    /// Up to when it is known what time brings at tables that nobody has asked for.
    timers_loaded_until_ms: AtomicI64,
    /// Who is asked about roles and channels.
    memberships: OnceLock<Arc<dyn MembershipSource>>,
    /// The quarter of an hour in which people's days off were last looked at.
    last_time_off_check: AtomicI64,
    /// Turns that the program owes at tables that could not be read when it started.
    deferred_jobs: Mutex<Vec<Job>>,
    moderation: Moderation,
    quota_state: QuotaState,
    /// Where every task of this process is spawned.
    tasks: Tasks,
    /// Whether the program is about to end.
    closing: AtomicBool,
    /// Tables that this version cannot read, each reported once.
    unreadable: Mutex<BTreeSet<TableId>>,
}

/// Names that are drawn for a table before it is given up.
const MAX_NAME_ATTEMPTS: usize = 33;

/// Whether a new table is announced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Announce {
    Yes,
    No,
}

/// What tables were asked, counted since the start.
#[derive(Debug, Default)]
pub struct OrderCounts {
    /// Requests of any kind to actors. A look at a table that is loaded makes none.
    pub requests: AtomicU64,
    /// Orders that became events (or needed none).
    pub carried_out: AtomicU64,
    /// Orders that were refused.
    pub refused: AtomicU64,
    /// Faults of ours.
    pub faults: AtomicU64,
}

impl TableRegistry {
    /// A registry over a journal. `seed` is for names of tables and seeds of games: give it true chance.
    pub fn new(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        thinker: Arc<dyn Thinker>,
        seed: u64,
    ) -> Arc<TableRegistry> {
        TableRegistry::with_tasks(journal, clock, thinker, seed, Tasks::default())
    }

    /// The same; its tasks are spawned among these.
    pub fn with_tasks(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        thinker: Arc<dyn Thinker>,
        seed: u64,
        tasks: Tasks,
    ) -> Arc<TableRegistry> {
        let moderation = Moderation::new(journal.clone());
        Arc::new_cyclic(|me| TableRegistry {
            me: me.clone(),
            preferences_cache: PreferencesCache::new(journal.clone()),
            journal,
            clock,
            thinker,
            actors: Mutex::default(),
            chance: Mutex::new(SeededRng::new(seed)),
            outbox_wakeup: Arc::new(Notify::new()),
            changed_tables: broadcast::Sender::new(BROADCAST_CAPACITY),
            share_changes: watch::Sender::new(()),
            exhibition_pace_ms: AtomicU64::new(EXHIBITION_PACE.as_millis() as u64),
            proof_permits: Semaphore::new(proofs::CONCURRENT_PROOFS),
            analyses: analysis::Analyses::default(),
            rated_games: rated_games::RatedGames::default(),
            order_counts: OrderCounts::default(),
            rating: tokio::sync::Mutex::default(),
            timers: Timers::default(),
            // Half of it, so that what is taken off does not run over.
            timers_loaded_until_ms: AtomicI64::new(i64::MIN / 2),
            memberships: OnceLock::new(),
            last_time_off_check: AtomicI64::new(i64::MIN),
            deferred_jobs: Mutex::default(),
            moderation,
            quota_state: QuotaState::default(),
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
        host: UserId,
        chairs: Vec<Occupant>,
        source: Option<SourceId>,
    ) -> Result<OrderOutcome, TableError> {
        let opening = OpenRequest::new(&terms, host, &chairs);
        let reservation = self.check_open(opening).await?;
        let terms = self.with_commitment(terms);
        let seen = self.open_new(source, |id| {
            let events = decide::open(id, terms.clone(), host, chairs.clone())?;
            Ok((events, Announce::Yes))
        });
        let seen = seen.await?;
        reservation.opened(self).await;
        Ok(seen)
    }

    fn opened(&self, table: Table, batch: Batch) -> OrderOutcome {
        // Before the table's task is there, which enters every later change.
        self.rated_games.update(&table);
        let table = Arc::new(table);
        self.spawn(&mut self.actors(), table.id(), Some(table.clone()));
        self.after_append(&table, &batch);
        let events = batch.entries.into_iter().map(|entry| entry.event).collect();
        OrderOutcome { table, events }
    }

    /// Gives an order to a table. `source` is the message or interaction it came by.
    ///
    /// # Errors
    /// [`TableError`]; nothing has changed then.
    pub async fn order(
        &self,
        id: TableId,
        by: Actor,
        order: Order,
        source: Option<SourceId>,
    ) -> Result<OrderOutcome, TableError> {
        self.check_join(id, by, &order).await?;
        self.send(id, |reply| Request::Order { by, order: order.clone(), source, reply }).await
    }

    /// Looks at a table. Its actor is asked only if the table is not loaded.
    ///
    /// # Errors
    /// If there is none, or the journal fails.
    pub async fn table(&self, id: TableId) -> Result<Arc<Table>, TableError> {
        match self.current_table(id).await {
            Some(table) => Ok(table),
            None => self.send(id, |reply| Request::Get { reply }).await,
        }
    }

    /// Tables that fit, those with the latest event first.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn list(&self, filter: &Filter) -> Result<Vec<Card>, TableError> {
        self.journal.list(filter).await.map_err(|error| TableError::Store(error.to_string()))
    }

    /// The hash chain of a table's record.
    ///
    /// # Errors
    /// [`TableError::Unreadable`] if an entry is damaged or of a newer version, so that asking again is no use;
    /// [`TableError::Store`] if the journal fails.
    pub async fn chain(&self, id: TableId) -> Result<HashChain, TableError> {
        self.journal.chain(id).await.map_err(|error| self.failed_at(id, &error))
    }

    /// Where the tasks of this process are spawned and measured.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Rung whenever there is something new to be said.
    pub fn outbox_wakeup(&self) -> Arc<Notify> {
        self.outbox_wakeup.clone()
    }

    /// Receives the id of every table with new entries from now on. A slow receiver learns that it missed
    /// some.
    pub fn subscribe(&self) -> broadcast::Receiver<TableId> {
        self.changed_tables.subscribe()
    }

    /// The journal that the tables are written to.
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.journal
    }

    /// What people and servers chose.
    pub fn preferences_cache(&self) -> &PreferencesCache {
        &self.preferences_cache
    }

    /// Whom people block, and who is banned from a server.
    pub fn moderation(&self) -> &Moderation {
        &self.moderation
    }

    /// How it stands with the program's turn at a table.
    pub fn wait(&self, table: &Table) -> ThinkingWait {
        self.thinker.wait(table.id(), BudgetOwner::of(table))
    }

    /// What every server gets of the program's thinking.
    pub fn bounds(&self) -> ThinkingLimits {
        self.thinker.bounds()
    }

    /// The time of day.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A fresh seed for a table, of 53 bits: people can type it into Discord again, whose numbers are
    /// doubles.
    pub fn seed(&self) -> u64 {
        self.chance().bits() >> 11
    }

    /// Chooses the time between moves where the program plays alone, so that people can watch.
    pub fn set_exhibition_pace(&self, pace: Duration) {
        self.exhibition_pace_ms.store(u64::try_from(pace.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What tables were asked so far.
    pub fn order_counts(&self) -> &OrderCounts {
        &self.order_counts
    }

    pub(crate) fn count_order(&self, answer: &Result<OrderOutcome, TableError>) {
        let counter = match answer {
            Ok(_) => &self.order_counts.carried_out,
            Err(TableError::Internal) => &self.order_counts.faults,
            Err(_) => &self.order_counts.refused,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The journal is about to be closed: what cannot be written from now on is not complained of.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// How many tables are in memory.
    pub fn loaded_tables(&self) -> usize {
        self.actors().len()
    }

    /// Enters a game that has ended into the ratings, if it counts and has not been entered: a rating is
    /// read and written by one game at a time.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn rate(&self, id: TableId) -> Result<(), TableError> {
        let _alone = self.rating.lock().await;
        let table = self.table(id).await?;
        let Some(pool) = rated::pool(table.chairs()).filter(|_| rated::is_due(&table)) else { return Ok(()) };
        let mut known = Vec::new();
        for account in table.chairs().iter().filter_map(|chair| Account::of(*chair)) {
            known.push(self.rating(account, &table, pool).await?);
        }
        match self.order(id, Actor::System, Order::Rate(known), None).await {
            Ok(_) | Err(TableError::Refused(_)) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// What somebody at a table is rated in its game and a pool: their latest rating, less sure the longer it
    /// has rested until the table's last event, or else what they enter with.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn rating(&self, who: Account, table: &Table, pool: Pool) -> Result<Rating, StoreError> {
        let game = &table.terms().game;
        let latest = self.journal.ratings().rating(who, game, pool).await?;
        let rested = |it: RatingRecord| it.rating.rested(table.at().duration_since(it.at));
        Ok(latest.map_or_else(|| level_ratings::initial_rating(who, game), rested))
    }

    /// A table's task has loaded the table, or changed it: what is looked up in memory follows.
    pub(crate) fn index_table(&self, table: &Table) {
        self.rated_games.update(table);
    }

    /// After a batch was written: rings for the outbox, sets the program thinking.
    pub(crate) fn after_append(&self, table: &Table, batch: &Batch) {
        // Nobody may be watching.
        let _ = self.changed_tables.send(table.id());
        if !batch.outbox_items.is_empty() {
            self.outbox_wakeup.notify_one();
        }
        self.timers.set(table.id(), batch.card.next_due);
        match batch.job {
            Some(job) => self.think_if_owed(table, job),
            None => self.thinker.drop_table(table.id()),
        }
        self.prove_if_decided(table, batch);
        self.apply_time_off_of_joiners(table, batch);
    }

    /// Reads a table from the journal.
    pub(crate) async fn load(&self, id: TableId) -> Result<Table, TableError> {
        let entries = match self.journal.load(id).await {
            Ok(entries) => entries,
            Err(error) => return Err(self.failed_at(id, &error)),
        };
        // Every move is played again.
        match self.tasks.compute("table replay", move || Table::replay(id, &entries)).await {
            Err(Panicked) => Err(TableError::Internal),
            Ok(Ok(Some(table))) => {
                self.unreadable_tables().remove(&id);
                Ok(table)
            }
            Ok(Ok(None)) => Err(TableError::NoTable(id)),
            Ok(Err(error)) => Err(self.report_unreadable(id, &error)),
        }
    }

    /// The journal failed at a table: for good, or trying again is right.
    pub(crate) fn failed_at(&self, id: TableId, error: &StoreError) -> TableError {
        if error.is_unreadable() {
            self.report_unreadable(id, error)
        } else {
            TableError::Store(error.to_string())
        }
    }

    /// A table is left alone that this version cannot read; that is reported once.
    pub(crate) fn report_unreadable(&self, id: TableId, why: &dyn std::error::Error) -> TableError {
        if self.unreadable_tables().insert(id) {
            tracing::error!(%why, "a table's record cannot be read by this version; it is left alone");
        }
        TableError::Unreadable(id)
    }

    /// How many tables were met that this version cannot read.
    pub fn unreadable(&self) -> usize {
        self.unreadable_tables().len()
    }

    fn unreadable_tables(&self) -> std::sync::MutexGuard<'_, BTreeSet<TableId>> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn chance(&self) -> std::sync::MutexGuard<'_, SeededRng> {
        self.chance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_free_name() -> TableError {
    TableError::Store("every name that was drawn for a table is taken".into())
}
