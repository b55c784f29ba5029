//! The registry finds tables, opens them, and resumes them after a restart.

mod analysis;
mod annotations;
mod asked_analyses;
mod cluster;
mod deletion;
mod fair_play;
mod freeze;
mod lists;
mod mailboxes;
mod maintenance;
mod memberships;
mod open_new;
mod pending_turns;
mod program_turn;
mod proofs;
mod queued_jobs;
mod quota;
mod quota_state;
mod rated_games;
mod ratings;
mod sets;
mod share;
mod status;
mod time;
mod time_off;
mod web_sessions;

pub use cluster::shard_of;
pub use deletion::DeletionOutcome;
use jiff::Timestamp;
pub use lists::Cards;
pub use status::{BotStatus, MAX_COUNTED};

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, Semaphore, broadcast, watch};

use rookery_core::seed::SeededRng;
use rookery_tasks::{OrderPart, Panicked, Tasks};

use crate::append_times::AppendTimes;
use crate::hash_chain::HashChain;
use crate::model::{Actor, Occupant, Order, TableError, Terms, UserId};
use crate::moderation::Moderation;
use crate::ports::{AccessChange, Batch, Clock, Job, Journal, MembershipSource, StoreError, Thinker};
use crate::preferences_cache::PreferencesCache;
use crate::requests::{ActorHandle, OrderOutcome, Request};
use crate::thinking_limits::{BudgetOwner, ThinkingLimits, ThinkingWait};
use crate::timers::Timers;
use crate::{SourceId, Table, TableId, decide};
use quota_state::{OpenRequest, QuotaState};

/// The number of changes that a subscriber may be behind.
const BROADCAST_CAPACITY: usize = 1_024;

/// The default time between moves where the bot plays alone.
const EXHIBITION_PACE: Duration = Duration::from_secs(5);

/// All tables of this process. Each is loaded at its first use.
pub struct TableRegistry {
    me: Weak<TableRegistry>,
    preferences_cache: PreferencesCache,
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    thinker: Arc<dyn Thinker>,
    actors: Mutex<HashMap<TableId, ActorHandle>>,
    rng: Mutex<SeededRng>,
    outbox_wakeup: Arc<Notify>,
    /// Sends the ids of tables with new entries.
    changed_tables: broadcast::Sender<TableId>,
    /// Sends the pauses that Discord ordered other processes to make.
    request_pauses: broadcast::Sender<Duration>,
    /// Changes of access that other processes announce.
    access_changes: broadcast::Sender<AccessChange>,
    /// Signals that a share link or a browser's session may have stopped working.
    share_changes: watch::Sender<()>,
    /// Milliseconds between moves where the bot plays alone.
    exhibition_pace_ms: AtomicU64,
    /// Permits to search for a proof.
    proof_permits: Semaphore,
    analyses: analysis::Analyses,
    rated_games: rated_games::RatedGames,
    order_counts: OrderCounts,
    /// Held while a game is entered into the ratings.
    rating: tokio::sync::Mutex<()>,
    timers: Timers,
    append_times: AppendTimes,
    /// Up to this moment all timers of unloaded tables are known.
    timers_loaded_until_ms: AtomicI64,
    /// Answers who has which role and who reads which channel.
    memberships: OnceLock<Arc<dyn MembershipSource>>,
    /// The quarter of an hour in which time off was last checked.
    last_time_off_check: AtomicI64,
    /// Turns owed at tables that could not be read at startup.
    deferred_jobs: Mutex<Vec<Job>>,
    moderation: Moderation,
    quota_state: QuotaState,
    /// Spawns every task of this process.
    tasks: Tasks,
    /// Whether the program is shutting down.
    closing: AtomicBool,
    /// Tables that this version cannot read, each reported once.
    unreadable: Mutex<BTreeSet<TableId>>,
    /// Whether the outbox will be woken for changes of other processes.
    wakes_outbox: AtomicBool,
    /// The time in which this process has what it claimed, if others use the store too.
    lease: Mutex<cluster::Lease>,
    /// How many processes run the gateway.
    gateways: AtomicUsize,
    /// How many processes do jobs of thinking.
    thinkers: AtomicUsize,
    /// What the operators have ordered for the whole bot.
    maintenance: Mutex<maintenance::Maintenance>,
    /// Held while that is changed in the journal.
    maintenance_changes: tokio::sync::Mutex<()>,
}

/// The most names drawn for a new table before giving up.
const MAX_NAME_ATTEMPTS: usize = 33;

/// Whether a new table is announced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Announce {
    Yes,
    No,
}

/// Counts of requests and orders since the start.
#[derive(Debug, Default)]
pub struct OrderCounts {
    /// Requests of any kind to actors. Reading a loaded table makes none.
    pub requests: AtomicU64,
    /// Orders that were accepted, with or without events.
    pub carried_out: AtomicU64,
    /// Orders that were refused, with the reason given to the person.
    pub refused: AtomicU64,
    /// Internal faults, such as a broken record.
    pub faults: AtomicU64,
}

impl TableRegistry {
    #[cfg(any(test, feature = "testing"))]
    /// Creates a registry over a journal. `seed` determines table names and game seeds: pass a truly random one.
    pub fn new(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        thinker: Arc<dyn Thinker>,
        seed: u64,
    ) -> Arc<TableRegistry> {
        TableRegistry::with_tasks(journal, clock, thinker, seed, Tasks::default())
    }

    /// Creates a registry that spawns its tasks with `tasks`.
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
            rng: Mutex::new(SeededRng::new(seed)),
            outbox_wakeup: Arc::new(Notify::new()),
            changed_tables: broadcast::Sender::new(BROADCAST_CAPACITY),
            request_pauses: broadcast::Sender::new(BROADCAST_CAPACITY),
            access_changes: broadcast::Sender::new(BROADCAST_CAPACITY),
            share_changes: watch::Sender::new(()),
            exhibition_pace_ms: AtomicU64::new(EXHIBITION_PACE.as_millis() as u64),
            proof_permits: Semaphore::new(proofs::CONCURRENT_PROOFS),
            analyses: analysis::Analyses::default(),
            rated_games: rated_games::RatedGames::default(),
            order_counts: OrderCounts::default(),
            rating: tokio::sync::Mutex::default(),
            timers: Timers::default(),
            append_times: AppendTimes::default(),
            // Half of the minimum, so that subtracting from it does not overflow.
            timers_loaded_until_ms: AtomicI64::new(i64::MIN / 2),
            memberships: OnceLock::new(),
            last_time_off_check: AtomicI64::new(i64::MIN),
            deferred_jobs: Mutex::default(),
            moderation,
            quota_state: QuotaState::default(),
            tasks,
            closing: AtomicBool::new(false),
            unreadable: Mutex::default(),
            wakes_outbox: AtomicBool::new(false),
            lease: Mutex::default(),
            gateways: AtomicUsize::new(1),
            thinkers: AtomicUsize::new(0),
            maintenance: Mutex::default(),
            maintenance_changes: tokio::sync::Mutex::default(),
        })
    }

    /// Opens a table. `source` is the interaction that requested it.
    ///
    /// # Errors
    /// If the terms do not fit the game, a quota is exceeded, an invited person does not accept requests, or the
    /// journal fails; nothing is opened then.
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
        // The table's actor, which indexes every later change, does not exist yet.
        self.rated_games.update(&table);
        let table = Arc::new(table);
        self.spawn(&mut self.actors(), table.id(), Some(table.clone()));
        self.after_append(&table, &batch);
        let events = batch.entries.into_iter().map(|entry| entry.event).collect();
        OrderOutcome { table, events }
    }

    /// Gives an order to a table. `source` is the message or interaction that gave it.
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
        self.check_pause(by)
            .inspect_err(|_| _ = self.order_counts.refused.fetch_add(1, Ordering::Relaxed))?;
        self.check_join(id, by, &order).await?;
        self.send(id, |reply| Request::Order { by, order: order.clone(), source, reply }).await
    }

    /// Returns a table. Asks its actor only if the table is not loaded, or another process has changed it.
    ///
    /// # Errors
    /// If there is none, or the journal fails.
    pub async fn table(&self, id: TableId) -> Result<Arc<Table>, TableError> {
        match self.current_table(id).await {
            Some(table) if self.is_fresh(&table).await? => Ok(table),
            _ => self.send(id, |reply| Request::Get { reply }).await,
        }
    }

    /// Returns a table that has at least the entries up to a sequence number. The journal is asked only if the one in
    /// memory has not.
    ///
    /// # Errors
    /// If there is none, or the journal fails.
    pub async fn table_since(&self, id: TableId, sequence: u64) -> Result<Arc<Table>, TableError> {
        match self.current_table(id).await {
            Some(table) if table.sequence() >= sequence => Ok(table),
            _ => self.table(id).await,
        }
    }

    /// Returns the hash chain of a table's record.
    ///
    /// # Errors
    /// [`TableError::Unreadable`] if an entry is damaged or of a newer version, so that a retry does not help;
    /// [`TableError::Store`] if the journal fails.
    pub async fn chain(&self, id: TableId) -> Result<HashChain, TableError> {
        self.journal.chain(id).await.map_err(|error| self.failed_at(id, &error))
    }

    /// Returns the spawner of this process's tasks.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Returns the signal that the outbox has new items.
    pub fn outbox_wakeup(&self) -> Arc<Notify> {
        self.outbox_wakeup.clone()
    }

    /// Returns a receiver of the ids of tables with new entries from now on. A slow receiver learns that it missed
    /// some.
    pub fn subscribe(&self) -> broadcast::Receiver<TableId> {
        self.changed_tables.subscribe()
    }

    /// Returns the journal of the tables.
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.journal
    }

    /// Returns the cache of preferences.
    pub fn preferences_cache(&self) -> &PreferencesCache {
        &self.preferences_cache
    }

    /// Returns the cache of blocks and bans.
    pub fn moderation(&self) -> &Moderation {
        &self.moderation
    }

    /// Returns the waiting state of the bot's turn at a table.
    pub fn wait(&self, table: &Table) -> ThinkingWait {
        self.thinker.wait(table.id(), BudgetOwner::of(table))
    }

    /// Returns the thinking limits of each owner.
    pub fn bounds(&self) -> ThinkingLimits {
        self.thinker.bounds()
    }

    /// Returns the current time of the registry's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Draws a seed for a table. It has 53 bits, so that people can enter it in Discord, whose numbers are doubles.
    pub fn seed(&self) -> u64 {
        self.rng().bits() >> 11
    }

    /// Sets the time between moves where the bot plays alone.
    pub fn set_exhibition_pace(&self, pace: Duration) {
        if let Some(cluster) = self.cluster() {
            cluster.set_exhibition_pace(pace);
        }
        self.exhibition_pace_ms.store(u64::try_from(pace.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the counts of requests and orders so far.
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

    /// Marks the journal as closing: failed writes are no longer reported.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Returns the number of tables in memory.
    pub fn loaded_tables(&self) -> usize {
        self.actors().len()
    }

    /// Updates the in-memory indexes after a table was loaded or changed.
    pub(crate) fn index_table(&self, table: &Table) {
        self.rated_games.update(table);
    }

    /// Writes a batch to the journal; the time counts even if that fails.
    pub(crate) async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        let begun = Instant::now();
        let written = self.journal.append(batch).await;
        self.tasks.timings().order_part(OrderPart::Journal, begun.elapsed());
        match &written {
            Ok(()) if batch.outbox_items.is_empty() => {}
            Ok(()) => self.append_times.note(batch.table, batch.at()),
            // Nothing was written.
            Err(StoreError::Conflict(_) | StoreError::OldRating(_)) => {}
            Err(_) => self.resume_after_failure(batch),
        }
        written
    }

    /// Returns when a table's batch that was decided at a moment was in the journal; `None` if that was long ago or
    /// before the start of this process.
    pub fn appended_at(&self, table: TableId, decided: Timestamp) -> Option<Instant> {
        self.append_times.find(table, decided)
    }

    /// Notifies the outbox, the thinker and subscribers after a batch was written.
    pub(crate) fn after_append(&self, table: &Table, batch: &Batch) {
        // There may be no subscriber.
        let _ = self.changed_tables.send(table.id());
        if !batch.outbox_items.is_empty() {
            self.outbox_wakeup.notify_one();
        }
        match batch.job {
            None => self.thinker.drop_table(table.id()),
            Some(job) if self.cluster().is_none() => self.think_if_owed(table, job),
            // The journal has put it into the queue of all processes.
            Some(_) => {}
        }
        if self.cluster().is_none() {
            self.timers.set(table.id(), batch.card.next_due);
            self.prove_if_decided(table, batch);
        }
        self.apply_time_off_of_joiners(table, batch);
    }

    /// Reads a table from the journal.
    pub(crate) async fn load(&self, id: TableId) -> Result<Table, TableError> {
        let entries = match self.journal.load(id).await {
            Ok(entries) => entries,
            Err(error) => return Err(self.failed_at(id, &error)),
        };
        // Replaying a table plays every move again.
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

    /// Maps a storage error at a table to unreadable for good, or to a failure that the caller may retry.
    pub(crate) fn failed_at(&self, id: TableId, error: &StoreError) -> TableError {
        if error.is_unreadable() {
            self.report_unreadable(id, error)
        } else {
            TableError::Store(error.to_string())
        }
    }

    /// Reports an unreadable table, once; it is left unchanged.
    pub(crate) fn report_unreadable(&self, id: TableId, why: &dyn std::error::Error) -> TableError {
        if self.unreadable_tables().insert(id) {
            tracing::error!(%why, "a table's record cannot be read by this version; it is left alone");
        }
        TableError::Unreadable(id)
    }

    /// Returns the number of tables that this version could not read.
    pub fn unreadable(&self) -> usize {
        self.unreadable_tables().len()
    }

    fn unreadable_tables(&self) -> std::sync::MutexGuard<'_, BTreeSet<TableId>> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rng(&self) -> std::sync::MutexGuard<'_, SeededRng> {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_free_name() -> TableError {
    TableError::Store("every name that was drawn for a table is taken".into())
}
