//! The program's players at work: turns that are owed go to a bounded pool of threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rookery_core::Play;
use rookery_core::helper_threads::HelperThreads;
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_search::levels::Strength;
use rookery_search::pool::{JobContext, JobError, JobHandle, JobSpec, Pool, PoolSize};

use crate::TableId;
use crate::ports::{Answer, Job, Thinker};
use crate::thinking_budget::ThinkingBudgets;
use crate::thinking_limits::{BudgetOwner, QueuePosition, ThinkingLimits, ThinkingWait};

/// The table that all questions beside the games count for: no table's number.
const ANALYSES: u64 = 0;

/// What a thought may take of a level's time once a owner's allowance is used up.
const SPARING_TIME: Duration = Duration::from_millis(50);

/// Who thinks for all tables of a process.
pub struct ThinkerPool {
    pool: Pool,
    most: Duration,
    bounds: ThinkingLimits,
    budgets: Arc<ThinkingBudgets>,
    /// What is being thought about: one turn a table at most.
    owed_turns: Arc<Mutex<OwedTurns>>,
}

#[derive(Default)]
struct OwedTurns {
    turns: HashMap<TableId, OwedTurn>,
    /// How many turns were ever asked for.
    asked: u64,
}

/// A turn that is owed.
struct OwedTurn {
    ply: usize,
    /// Which of all that were asked for: the same turn may be asked for again before a thought that was called off
    /// has ended.
    number: u64,
    /// Its place in the pool, once it has one.
    ticket: Option<JobHandle>,
}

impl OwedTurns {
    /// Notes a turn, and says its number; `None` if it is owed already.
    fn note(&mut self, table: TableId, ply: usize) -> Option<u64> {
        if self.turns.get(&table).is_some_and(|owed| owed.ply == ply) {
            return None;
        }
        self.asked += 1;
        self.turns.insert(table, OwedTurn { ply, number: self.asked, ticket: None });
        Some(self.asked)
    }

    /// The turn of this number, if it is still owed.
    fn find(&mut self, table: TableId, number: u64) -> Option<&mut OwedTurn> {
        self.turns.get_mut(&table).filter(|owed| owed.number == number)
    }
}

impl ThinkerPool {
    /// A pool of `threads` threads. No move takes longer than `most` of wall time, waiting included, unless
    /// the threads are
    /// too busy even for the shortest search. No owner gets more than its bounds.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(threads: usize, most: Duration, bounds: ThinkingLimits) -> std::io::Result<ThinkerPool> {
        let bounds = ThinkingLimits { tables: bounds.tables.clamp(1, threads.max(1)), ..bounds };
        // No bound on the queue: a table owes one turn at most, and a turn that is owed must be taken.
        let size = PoolSize { threads_per_owner: bounds.tables, ..PoolSize::new(threads) };
        let budgets = Arc::new(ThinkingBudgets::new(bounds.hourly));
        Ok(ThinkerPool { pool: Pool::new(size)?, most, bounds, budgets, owed_turns: Arc::default() })
    }

    /// How many thoughts were ended by a fault of ours since the start.
    pub fn panics(&self) -> u64 {
        self.pool.panics()
    }

    /// How many turns wait for a thread or are being thought about.
    pub fn owed(&self) -> usize {
        lock(&self.owed_turns).turns.len()
    }
}

fn lock(owed_turns: &Mutex<OwedTurns>) -> MutexGuard<'_, OwedTurns> {
    owed_turns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Thinker for ThinkerPool {
    fn think(&self, job: Job, owner: BudgetOwner, play: Box<dyn Play>, answer: Answer<String>) {
        let Some(number) = lock(&self.owed_turns).note(job.table, job.ply) else { return };
        let order = JobSpec::new(table_number(job.table), owner.id, job.level, owner.waits, self.most);
        let (owed_turns, spare) = (self.owed_turns.clone(), play.clone_play());
        let budgets = self.budgets.clone();
        let thought = move |turn: &JobContext| {
            budgets.spend(owner.id, |sparing| (best(&job, play.as_ref(), turn, sparing), turn.helped()))
        };
        let done = move |found: Result<Option<String>, JobError>| {
            let mut owed_turns = lock(&owed_turns);
            if owed_turns.find(job.table, number).is_some() {
                owed_turns.turns.remove(&job.table);
            }
            drop(owed_turns);
            answer(found.unwrap_or_else(|why| fallback_move(&job, spare.as_ref(), why)));
        };
        match self.pool.submit(order, thought, done) {
            Ok(ticket) => {
                if let Some(owed) = lock(&self.owed_turns).find(job.table, number) {
                    owed.ticket = Some(ticket);
                }
            }
            Err(full) => tracing::error!(table = %job.table, %full, "a turn that is owed found no place"),
        }
    }

    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        answer: Answer<SearchResult<String>>,
    ) {
        let order = JobSpec { table: ANALYSES, owner: owner.id, urgency: u8::MAX, deadline: None };
        let budgets = self.budgets.clone();
        let job = move |turn: &JobContext| {
            let wanted = !ask.halt.called();
            let ask = SearchRequest { halt: turn.halt.or(&ask.halt), ..ask };
            let think = |sparing: bool| if wanted && !sparing { play.think(&ask) } else { None };
            budgets.spend(owner.id, |sparing| (think(sparing), turn.helped()))
        };
        let done = |found: Result<Option<SearchResult<String>>, JobError>| answer(found.ok().flatten());
        if let Err(full) = self.pool.submit(order, job, done) {
            tracing::warn!(%full, "a question found no place");
        }
    }

    fn drop_table(&self, table: TableId) {
        let dropped = lock(&self.owed_turns).turns.remove(&table);
        if let Some(ticket) = dropped.and_then(|owed| owed.ticket) {
            ticket.cancel();
        }
    }

    fn wait(&self, table: TableId, owner: BudgetOwner) -> ThinkingWait {
        let place = lock(&self.owed_turns).turns.get(&table).and_then(|owed| owed.ticket.as_ref()?.place());
        let line = place.map(|place| QueuePosition { tables: self.bounds.tables, place });
        ThinkingWait { line, sparing: self.budgets.refilled_in(owner.id, Instant::now()) }
    }

    fn bounds(&self) -> ThinkingLimits {
        self.bounds
    }
}

/// A player that failed is a fault of ours; the game goes on with any legal move.
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
    // A glance is over before others have begun.
    ask.helpers = if sparing { HelperThreads::None } else { turn.helpers.clone() };
    ask.limits.time = time(job.level, turn.share(), sparing);
    ask
}

/// The level's own time, or a fair share of what is left until the deadline if that is less, or a glance.
/// Levels that are bounded by what they look at get no time, so that their moves depend on seed and position
/// only.
fn time(level: Level, share: Option<Duration>, sparing: bool) -> Option<Duration> {
    let own = Strength::of(level).time?;
    let sparing_time = sparing.then_some(SPARING_TIME);
    share.into_iter().chain(sparing_time).chain([own]).min()
}

/// A number for a table, by which the pool shares out turns.
fn table_number(table: TableId) -> u64 {
    table.as_str().bytes().fold(0, |number, byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use rookery_core::player::{HaltOnDrop, Limits, ProgressListener};
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    const ADA: BudgetOwner = BudgetOwner { id: 1, waits: true };

    fn job(ply: usize) -> Job {
        Job { table: "K7Q2".parse().unwrap(), ply, level: Level::Easy, seed: 1 }
    }

    fn play() -> Box<dyn Play> {
        rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap()
    }

    #[test]
    fn a_turn_is_answered_with_a_legal_move_and_its_place_is_free_again() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(5), ThinkingLimits::NONE).unwrap();
        let (tell, told) = mpsc::channel();
        thinkers.think(job(0), ADA, play(), Box::new(move |text| tell.send(text).unwrap()));
        let text = told.recv().unwrap().unwrap();
        assert!(play().moves().contains(&text), "{text}");
        assert_eq!(thinkers.owed(), 0);
    }

    /// Two hundred tables wait for one thread: all are answered, the weaker levels before the stronger.
    #[test]
    fn two_hundred_tables_are_all_answered_and_weak_levels_first() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(600), ThinkingLimits::NONE).unwrap();
        let (tell, told) = mpsc::channel();
        let mut chance = SeededRng::new(1);
        for i in 0..200 {
            let level = if i % 2 == 0 { Level::Easy } else { Level::Beginner };
            let asked = Job { table: TableId::draw(&mut chance, 6), level, ..job(0) };
            let tell = tell.clone();
            thinkers.think(asked, ADA, play(), Box::new(move |text| tell.send((level, text)).unwrap()));
        }
        drop(tell);
        let answers: Vec<_> = told.iter().collect();
        let legal = play().moves();
        assert_eq!(answers.len(), 200);
        assert!(answers.iter().all(|(_, text)| text.as_ref().is_some_and(|text| legal.contains(text))));
        // Some were answered before all had asked.
        let weak = answers[..100].iter().filter(|(level, _)| *level == Level::Beginner).count();
        assert!(weak >= 60, "{weak} beginners among the first hundred");
        assert_eq!(thinkers.owed(), 0);
    }

    #[test]
    fn the_same_turn_is_not_thought_about_twice_and_can_be_called_off() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(5), ThinkingLimits::NONE).unwrap();
        let (tell, told) = mpsc::channel();
        let slow = Job { level: Level::Expert, ..job(0) };
        for name in ["first", "second"] {
            let tell = tell.clone();
            thinkers.think(slow, ADA, play(), Box::new(move |text| tell.send((name, text)).unwrap()));
        }
        assert_eq!(thinkers.owed(), 1);
        thinkers.drop_table(slow.table);
        drop(tell);
        assert_eq!(told.iter().collect::<Vec<_>>(), [("first", None)]);
    }

    #[test]
    fn a_thought_that_was_called_off_does_not_end_the_same_turn_asked_for_again() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(60), ThinkingLimits::NONE).unwrap();
        let (tell, told) = mpsc::channel();
        let slow = Job { level: Level::Expert, ..job(5) };
        let ask = || {
            let tell = tell.clone();
            thinkers.think(slow, ADA, play(), Box::new(move |text| tell.send(text).unwrap()));
        };
        ask();
        while thinkers.wait(slow.table, ADA).line.is_some() {
            std::thread::yield_now();
        }
        thinkers.drop_table(slow.table);
        ask();
        assert_eq!(told.recv().unwrap(), None);
        assert_eq!(thinkers.owed(), 1);
        thinkers.drop_table(slow.table);
        assert_eq!(told.recv().unwrap(), None, "it can be called off as well");
    }

    /// It has no bound of its own that it could come to.
    #[test]
    fn a_study_that_nobody_waits_for_any_more_makes_room_for_the_next() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(60), ThinkingLimits::NONE).unwrap();
        let (tell, told) = mpsc::channel();
        let (begun, begins) = mpsc::channel();
        let endless = Limits { depth: Some(1_000), ..Limits::default() };
        let progress = ProgressListener::new(move |_| begun.send(()).unwrap_or(()));
        let ask = SearchRequest { limits: endless, progress, ..SearchRequest::new(Level::Expert, 1) };
        let halt = HaltOnDrop(ask.halt.clone());
        let start = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        let first = tell.clone();
        thinkers.analyse(ADA, start, ask, Box::new(move |_| first.send("first").unwrap()));
        thinkers.analyse(
            ADA,
            play(),
            SearchRequest::new(Level::Easy, 1),
            Box::new(move |_| tell.send("next").unwrap()),
        );
        begins.recv().unwrap();
        assert!(told.try_recv().is_err());
        drop(halt);
        assert_eq!(told.iter().collect::<Vec<_>>(), ["first", "next"]);
    }

    #[test]
    fn only_levels_that_think_at_length_are_cut_short() {
        let second = Some(Duration::from_secs(1));
        assert_eq!(time(Level::Expert, second, false), second, "the share of the time to the deadline");
        assert_eq!(time(Level::Hard, None, false), second, "its own");
        assert_eq!(time(Level::Expert, second, true), Some(SPARING_TIME));
        assert_eq!(time(Level::Expert, Some(Duration::ZERO), true), Some(Duration::ZERO));
        assert_eq!(time(Level::Medium, second, true), None);
    }

    #[test]
    fn idle_threads_think_along_but_not_for_a_glance() {
        let pool = Pool::new(PoolSize::new(3)).unwrap();
        for (sparing, many) in [(false, 2), (true, 0)] {
            let (tell, told) = mpsc::channel();
            let order = JobSpec::new(1, 1, Level::Expert, true, Duration::from_secs(60));
            let along =
                move |turn: &JobContext| search_request(&job(0), turn, sparing).helpers.reserve().len();
            pool.submit(order, along, move |along| tell.send(along).unwrap()).unwrap();
            assert_eq!(told.recv().unwrap(), Ok(many));
        }
    }

    /// A owner who has had everything: a move comes as ever, what could be left out is left out, others
    /// know nothing of it.
    #[test]
    fn who_has_used_up_their_share_still_gets_a_move_but_no_study() {
        let bounds = ThinkingLimits { hourly: Duration::from_secs(60), ..ThinkingLimits::NONE };
        let thinkers = ThinkerPool::new(1, Duration::from_secs(60), bounds).unwrap();
        thinkers.budgets.charge(ADA.id, bounds.hourly, Instant::now());
        let (tell, told) = mpsc::channel();
        let studied = tell.clone();
        let expert = Job { level: Level::Expert, ..job(0) };
        thinkers.think(expert, ADA, play(), Box::new(move |text| tell.send(text).unwrap()));
        assert!(play().moves().contains(&told.recv().unwrap().unwrap()));
        let answer =
            move |found: Option<SearchResult<String>>| studied.send(found.map(|it| it.best)).unwrap();
        thinkers.analyse(ADA, play(), SearchRequest::new(Level::Easy, 1), Box::new(answer));
        assert_eq!(told.recv().unwrap(), None);
        assert!(thinkers.wait(expert.table, ADA).sparing.is_some());
        assert_eq!(thinkers.wait(expert.table, BudgetOwner { id: 2, ..ADA }), ThinkingWait::default());
    }

    #[test]
    fn who_waits_is_told_their_place_among_their_own() {
        let thinkers = ThinkerPool::new(1, Duration::from_secs(600), ThinkingLimits::NONE).unwrap();
        let mut chance = SeededRng::new(3);
        let mut ask = |owner| {
            let table = TableId::draw(&mut chance, 6);
            let job = Job { table, level: Level::Expert, ..job(0) };
            thinkers.think(job, owner, play(), Box::new(|_| ()));
            table
        };
        let first = ask(ADA);
        while thinkers.wait(first, ADA).line.is_some() {
            std::thread::yield_now();
        }
        let ben = BudgetOwner { id: 2, ..ADA };
        let (second, third, other) = (ask(ADA), ask(ADA), ask(ben));
        let place = |table, owner| thinkers.wait(table, owner).line.map(|line| line.place);
        assert_eq!([place(second, ADA), place(third, ADA), place(other, ben)], [Some(1), Some(2), Some(1)]);
        assert_eq!(place(first, ADA), None, "it is being thought about");
        [first, second, third, other].into_iter().for_each(|table| thinkers.drop_table(table));
    }
}
