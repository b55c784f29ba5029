//! The bot's players: owed turns are searched on a bounded pool of threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use rookery_core::helper_threads::HelperThreads;
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_search::levels::Strength;
use rookery_search::pool::{JobContext, JobError, JobHandle, JobSpec, PoolSize, SearchPool};
use rookery_tasks::{Queue, RecordOnDrop, Timings};

use crate::TableId;
use crate::ports::{Answer, Job, Thinker};
use crate::thinking_budget::ThinkingBudgets;
use crate::thinking_limits::{BudgetOwner, QueuePosition, ThinkingLimits, ThinkingWait};

/// The table number of all analyses; no table has it.
const ANALYSES: u64 = 0;

/// The search time of a level once the owner's budget is used up.
const SPARING_TIME: Duration = Duration::from_millis(50);

/// The thread pool that searches for all tables of a process.
pub struct ThinkerPool {
    pool: SearchPool,
    most: Duration,
    bounds: ThinkingLimits,
    budgets: Arc<ThinkingBudgets>,
    timings: Timings,
    /// The owed turns, one per table at most.
    owed_turns: Arc<Mutex<OwedTurns>>,
}

#[derive(Default)]
struct OwedTurns {
    turns: HashMap<TableId, OwedTurn>,
    /// The number of turns requested so far.
    asked: u64,
}

struct OwedTurn {
    ply: usize,
    /// The number of the request: the same turn may be requested again before a cancelled search has ended.
    number: u64,
    /// Its handle in the pool, once it has one.
    handle: Option<JobHandle>,
}

impl OwedTurns {
    /// Records a turn and returns its number; `None` if it is owed already.
    fn note(&mut self, table: TableId, ply: usize) -> Option<u64> {
        if self.turns.get(&table).is_some_and(|owed| owed.ply == ply) {
            return None;
        }
        self.asked += 1;
        self.turns.insert(table, OwedTurn { ply, number: self.asked, handle: None });
        Some(self.asked)
    }

    /// Returns the turn of this number, if it is still owed.
    fn find(&mut self, table: TableId, number: u64) -> Option<&mut OwedTurn> {
        self.turns.get_mut(&table).filter(|owed| owed.number == number)
    }
}

impl ThinkerPool {
    /// Creates a pool of `threads` threads. No move takes longer than `most` of wall time, including the wait, unless
    /// the threads are too busy even for the shortest search. `bounds` limits each owner.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn new(threads: usize, most: Duration, bounds: ThinkingLimits) -> std::io::Result<ThinkerPool> {
        let bounds = ThinkingLimits { tables: bounds.tables.clamp(1, threads.max(1)), ..bounds };
        // The queue is not bounded: a table owes one turn at most, and an owed turn must be taken.
        let size = PoolSize { threads_per_owner: bounds.tables, ..PoolSize::new(threads) };
        let budgets = Arc::new(ThinkingBudgets::new(bounds.hourly));
        Ok(ThinkerPool {
            pool: SearchPool::new(size)?,
            most,
            bounds,
            budgets,
            timings: Timings::default(),
            owed_turns: Arc::default(),
        })
    }

    /// Records the duration of searches and waits in these histograms.
    #[must_use]
    pub fn with_timings(self, timings: &Timings) -> ThinkerPool {
        ThinkerPool { timings: timings.clone(), ..self }
    }

    /// Returns the number of searches that have panicked since the start.
    pub fn panics(&self) -> u64 {
        self.pool.panics()
    }

    /// Returns the number of turns that wait for a thread or are being searched.
    pub fn owed(&self) -> usize {
        lock(&self.owed_turns).turns.len()
    }
}

fn lock(owed_turns: &Mutex<OwedTurns>) -> MutexGuard<'_, OwedTurns> {
    owed_turns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Thinker for ThinkerPool {
    fn think(&self, job: Job, owner: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        let (tell, told) = oneshot::channel();
        let Some(number) = lock(&self.owed_turns).note(job.table, job.ply) else { return told };
        let order = JobSpec::new(table_number(job.table), owner.id, job.level, owner.waits, self.most);
        let (owed_turns, spare) = (self.owed_turns.clone(), play.clone_play());
        let (budgets, timings, queued) = (self.budgets.clone(), self.timings.clone(), Instant::now());
        let thought = move |turn: &JobContext| {
            timings.queue_age(Queue::Thinking, queued.elapsed());
            let (game, level) = (play.info().key, job.level.key());
            let _timer = RecordOnDrop::new(|took| timings.thinking(game, level, took));
            budgets.spend(owner.id, |sparing| (best(&job, play.as_ref(), turn, sparing), turn.helper_time()))
        };
        let done = move |found: Result<Option<String>, JobError>| {
            let mut owed_turns = lock(&owed_turns);
            if owed_turns.find(job.table, number).is_some() {
                owed_turns.turns.remove(&job.table);
            }
            drop(owed_turns);
            // The receiver is gone once the program ends.
            let _ = tell.send(found.unwrap_or_else(|why| fallback_move(&job, spare.as_ref(), why)));
        };
        match self.pool.submit(order, thought, done) {
            Ok(handle) => {
                if let Some(owed) = lock(&self.owed_turns).find(job.table, number) {
                    owed.handle = Some(handle);
                }
            }
            Err(full) => tracing::error!(table = %job.table, %full, "a turn that is owed found no place"),
        }
        told
    }

    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        self.study(owner, ask, move |ask| play.think(ask))
    }

    fn best_lines(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        self.study(owner, ask, move |ask| play.analyse(ask, most))
    }

    fn drop_table(&self, table: TableId) {
        let dropped = lock(&self.owed_turns).turns.remove(&table);
        if let Some(handle) = dropped.and_then(|owed| owed.handle) {
            handle.cancel();
        }
    }

    fn wait(&self, table: TableId, owner: BudgetOwner) -> ThinkingWait {
        let place = lock(&self.owed_turns).turns.get(&table).and_then(|owed| owed.handle.as_ref()?.place());
        let line = place.map(|place| QueuePosition { tables: self.bounds.tables, place });
        ThinkingWait { line, sparing: self.budgets.refilled_in(owner.id, Instant::now()) }
    }

    fn share_budgets(&self, processes: usize) {
        self.budgets.share(processes);
    }

    fn bounds(&self) -> ThinkingLimits {
        self.bounds
    }
}

impl ThinkerPool {
    /// Searches for a person once a thread is free, if the owner's budget allows it.
    fn study<T: Send + 'static>(
        &self,
        owner: BudgetOwner,
        ask: SearchRequest,
        search: impl FnOnce(&SearchRequest) -> Option<T> + Send + 'static,
    ) -> Answer<T> {
        let (tell, told) = oneshot::channel();
        let order = JobSpec { table: ANALYSES, owner: owner.id, urgency: u8::MAX, deadline: None };
        let budgets = self.budgets.clone();
        let job = move |turn: &JobContext| {
            let wanted = !ask.halt.called();
            let ask = SearchRequest { halt: turn.halt.or(&ask.halt), ..ask };
            let think = |sparing: bool| if wanted && !sparing { search(&ask) } else { None };
            budgets.spend(owner.id, |sparing| (think(sparing), turn.helper_time()))
        };
        // The requester may be gone by then.
        let done = |found: Result<Option<T>, JobError>| drop(tell.send(found.ok().flatten()));
        if let Err(full) = self.pool.submit(order, job, done) {
            tracing::warn!(%full, "a question found no place");
        }
        told
    }
}

/// Returns any legal move after a search has failed, so that the game continues.
fn fallback_move(job: &Job, play: &dyn Play, why: JobError) -> Option<String> {
    match why {
        JobError::Cancelled => None,
        JobError::Panicked => {
            tracing::error!(table = %job.table, ply = job.ply, line = play.line(), "a player failed");
            play.moves().into_iter().next()
        }
    }
}

fn best(job: &Job, play: &dyn Play, turn: &JobContext, sparing: bool) -> Option<String> {
    play.think(&search_request(job, turn, sparing)).map(|thought| thought.best)
}

fn search_request(job: &Job, turn: &JobContext, sparing: bool) -> SearchRequest {
    let mut ask = SearchRequest::new(job.level, job.seed);
    ask.halt = turn.halt.clone();
    ask.book = true;
    // A very short search ends before helpers have started.
    ask.helpers = if sparing { HelperThreads::None } else { turn.helpers.clone() };
    ask.limits.time = time(job.level, turn.share(), sparing);
    ask
}

/// Returns a level's own time, or its share of the time until the deadline if that is less, or the sparing time. Levels
/// bounded by nodes get no time, so that their moves depend on seed and position only.
fn time(level: Level, share: Option<Duration>, sparing: bool) -> Option<Duration> {
    let own = Strength::of(level).time?;
    let sparing_time = sparing.then_some(SPARING_TIME);
    share.into_iter().chain(sparing_time).chain([own]).min()
}

/// Returns a number for a table, by which the pool distributes turns.
fn table_number(table: TableId) -> u64 {
    table.as_str().bytes().fold(0, |number, byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests;
