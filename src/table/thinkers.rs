//! The program's players at work: turns that are owed go to a bounded pool of threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::kit::Play;
use crate::kit::player::{Ask, Level, Thought};
use crate::search::levels::Strength;
use crate::search::pool::{Order, Pool, Ticket, Turn, Undone};

use super::TableId;
use super::ports::{Job, Thinker};

/// The table that all questions beside the games count for: no table's number.
const STUDIES: u64 = 0;

/// Who thinks for all tables of a process.
pub struct Thinkers {
    pool: Pool,
    most: Duration,
    /// What is being thought about: one turn a table at most.
    busy: Arc<Mutex<Busy>>,
}

/// The ply that a table's turn is owed for, and its place in the pool once it has one.
type Busy = HashMap<TableId, (usize, Option<Ticket>)>;

impl Thinkers {
    /// So many threads; no move takes longer than `most` of wall time, its waiting included, unless
    /// the threads are so busy that even a glance comes later.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(threads: usize, most: Duration) -> std::io::Result<Thinkers> {
        // No bound on the queue: a table owes one turn at most, and a turn that is owed must be taken.
        Ok(Thinkers { pool: Pool::new(threads, usize::MAX)?, most, busy: Arc::default() })
    }

    /// How many turns wait for a thread or are being thought about.
    pub fn owed(&self) -> usize {
        lock(&self.busy).len()
    }
}

fn lock(busy: &Mutex<Busy>) -> MutexGuard<'_, Busy> {
    busy.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Thinker for Thinkers {
    fn think(&self, job: Job, play: Box<dyn Play>, answer: Box<dyn FnOnce(Option<String>) + Send>) {
        {
            let mut busy = lock(&self.busy);
            if busy.get(&job.table).is_some_and(|(ply, _)| *ply == job.ply) {
                return;
            }
            busy.insert(job.table, (job.ply, None));
        }
        let order = Order::new(number(job.table), job.level, self.most);
        let (busy, spare) = (self.busy.clone(), play.clone_play());
        let done = move |found: Result<Option<String>, Undone>| {
            let mut busy = lock(&busy);
            if busy.get(&job.table).is_some_and(|(ply, _)| *ply == job.ply) {
                busy.remove(&job.table);
            }
            drop(busy);
            answer(found.unwrap_or_else(|why| instead(&job, spare.as_ref(), why)));
        };
        match self.pool.submit(order, move |turn| best(&job, play.as_ref(), turn), done) {
            Ok(ticket) => {
                if let Some((ply, slot)) = lock(&self.busy).get_mut(&job.table)
                    && *ply == job.ply
                {
                    *slot = Some(ticket);
                }
            }
            Err(full) => tracing::error!(table = %job.table, %full, "a turn that is owed found no place"),
        }
    }

    fn study(&self, play: Box<dyn Play>, ask: Ask, answer: Box<dyn FnOnce(Option<Thought<String>>) + Send>) {
        let order = Order { table: STUDIES, urgency: u8::MAX, deadline: None };
        let job = move |turn: &Turn| {
            let wanted = !ask.halt.called();
            let ask = Ask { halt: turn.halt.clone(), ..ask };
            if wanted { play.think(&ask) } else { None }
        };
        let done = |found: Result<Option<Thought<String>>, Undone>| answer(found.ok().flatten());
        if let Err(full) = self.pool.submit(order, job, done) {
            tracing::warn!(%full, "a question found no place");
        }
    }

    fn drop_table(&self, table: TableId) {
        let dropped = lock(&self.busy).remove(&table);
        if let Some((_, Some(ticket))) = dropped {
            ticket.cancel();
        }
    }
}

/// A player that failed is a fault of ours; the game goes on with any legal move.
fn instead(job: &Job, play: &dyn Play, why: Undone) -> Option<String> {
    match why {
        Undone::Cancelled => None,
        Undone::Panicked => {
            tracing::error!(table = %job.table, ply = job.ply, line = play.line(), "a player failed");
            play.moves().into_iter().next()
        }
    }
}

fn best(job: &Job, play: &dyn Play, turn: &Turn) -> Option<String> {
    let mut ask = Ask::new(job.level, job.seed);
    ask.halt = turn.halt.clone();
    ask.limits.time = time(job.level, turn.share());
    play.think(&ask).map(|thought| thought.best)
}

/// The level's own time, or a fair share of what is left until the deadline if that is less. Levels that are bounded
/// by what they look at get no time, so that their moves depend on seed and position only.
fn time(level: Level, share: Option<Duration>) -> Option<Duration> {
    let own = Strength::of(level).time?;
    Some(share.map_or(own, |share| own.min(share)))
}

/// A number for a table, by which the pool shares out turns.
fn number(table: TableId) -> u64 {
    table.as_str().bytes().fold(0, |number, byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;
    use crate::kit::seed::Chance;

    fn job(ply: usize) -> Job {
        Job { table: "K7Q2".parse().unwrap(), ply, level: Level::Easy, seed: 1 }
    }

    fn play() -> Box<dyn Play> {
        games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap()
    }

    #[test]
    fn a_turn_is_answered_with_a_legal_move_and_its_place_is_free_again() {
        let thinkers = Thinkers::new(1, Duration::from_secs(5)).unwrap();
        let (tell, told) = mpsc::channel();
        thinkers.think(job(0), play(), Box::new(move |text| tell.send(text).unwrap()));
        let text = told.recv().unwrap().unwrap();
        assert!(play().moves().contains(&text), "{text}");
        assert_eq!(thinkers.owed(), 0);
    }

    /// Two hundred tables wait for one thread: all are answered, the weaker levels before the stronger.
    #[test]
    fn two_hundred_tables_are_all_answered_and_weak_levels_first() {
        let thinkers = Thinkers::new(1, Duration::from_secs(600)).unwrap();
        let (tell, told) = mpsc::channel();
        let mut chance = Chance::new(1);
        for i in 0..200 {
            let level = if i % 2 == 0 { Level::Easy } else { Level::Beginner };
            let asked = Job { table: TableId::draw(&mut chance, 6), level, ..job(0) };
            let tell = tell.clone();
            thinkers.think(asked, play(), Box::new(move |text| tell.send((level, text)).unwrap()));
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
        let thinkers = Thinkers::new(1, Duration::from_secs(5)).unwrap();
        let (tell, told) = mpsc::channel();
        let slow = Job { level: Level::Expert, ..job(0) };
        for name in ["first", "second"] {
            let tell = tell.clone();
            thinkers.think(slow, play(), Box::new(move |text| tell.send((name, text)).unwrap()));
        }
        assert_eq!(thinkers.owed(), 1);
        thinkers.drop_table(slow.table);
        drop(tell);
        assert_eq!(told.iter().collect::<Vec<_>>(), [("first", None)]);
    }
}
