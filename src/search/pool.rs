//! Many tables thinking on few threads.
//!
//! Who goes first: whoever's deadline has passed; then the less urgent number (easy levels are quick,
//! so they go before the strong ones and nobody minds); then the table that has had fewest turns
//! lately; then whoever came first. Plain threads: asynchronous callers pass a callback that sends
//! the answer down a channel of theirs.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::kit::player::{Halt, Level};

/// What is asked of the pool.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Whose thought it is: turns are shared out between tables.
    pub table: u64,
    /// 0 goes first.
    pub urgency: u8,
    /// When the answer is wanted.
    pub deadline: Option<Instant>,
}

impl Order {
    /// A thought of a level for a table, wanted within a time from now.
    pub fn new(table: u64, level: Level, within: Duration) -> Order {
        Order { table, urgency: level as u8, deadline: Some(Instant::now() + within) }
    }
}

/// What a job is told when its turn comes.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Called when the answer is wanted now, or no more. Pass it on in the question to the player.
    pub halt: Halt,
    deadline: Option<Instant>,
    threads: usize,
    waiting: usize,
}

impl Turn {
    /// Of the time left to the deadline so much that those who waited when the turn came get as much
    /// each; `None` if there is no deadline.
    pub fn share(&self) -> Option<Duration> {
        self.left().map(|left| share(left, self.threads, self.waiting))
    }

    /// Time left to the deadline, zero once it has passed; `None` if there is none.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

fn share(left: Duration, threads: usize, waiting: usize) -> Duration {
    let parts = u32::try_from((waiting + 1).div_ceil(threads)).unwrap_or(u32::MAX);
    left / parts
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undone {
    /// It was called off, or the pool closed.
    #[error("the thought was called off")]
    Cancelled,
    /// The job panicked: a bug in the player.
    #[error("the player failed; this is a bug in it, and the table should ask again or seat somebody else")]
    Panicked,
}

/// Too many are waiting already. Try again when some have been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} thoughts are waiting already; try again in a moment")]
pub struct Full {
    /// How many are waiting.
    pub waiting: usize,
}

/// How busy the pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Jobs that wait for a thread.
    pub waiting: usize,
    /// Jobs that run.
    pub running: usize,
}

/// The threads and the queue before them. Dropping it calls everything off and waits for the threads.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A job in the pool. Dropping the ticket changes nothing.
#[derive(Debug)]
pub struct Ticket {
    shared: Arc<Shared>,
    id: u64,
}

impl Ticket {
    /// Calls the job off: its callback hears [`Undone::Cancelled`], at once if it has not begun.
    pub fn cancel(&self) {
        self.shared.cancel(|id, _| id == self.id);
    }

    /// Wants the answer now: the job's halt is called, and what it returns counts.
    pub fn hurry(&self) {
        let state = self.shared.lock();
        state.running.iter().filter(|running| running.id == self.id).for_each(|running| running.halt.call());
    }
}

impl Pool {
    /// So many threads, and at most so many jobs waiting for them.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(threads: usize, most_waiting: usize) -> std::io::Result<Pool> {
        let threads = threads.max(1);
        let state = Mutex::new(State { threads, most_waiting, ..State::default() });
        let shared = Arc::new(Shared { state, called: Condvar::new() });
        let mut pool = Pool { shared, threads: Vec::new() };
        for i in 0..threads {
            let shared = Arc::clone(&pool.shared);
            let named = std::thread::Builder::new().name(format!("thinker-{i}"));
            pool.threads.push(named.spawn(move || shared.work())?);
        }
        Ok(pool)
    }

    /// Puts a job in the queue. `done` hears what it returned, on the thread that ran it; or why it
    /// did not. It must be quick, and it is called exactly once.
    ///
    /// # Errors
    /// If the queue is full; then neither `job` nor `done` is ever called.
    pub fn submit<T>(
        &self,
        order: Order,
        job: impl FnOnce(&Turn) -> T + Send + 'static,
        done: impl FnOnce(Result<T, Undone>) + Send + 'static,
    ) -> Result<Ticket, Full> {
        let run = move |fate: Fate| {
            let Fate::Run(turn) = fate else { return done(Err(Undone::Cancelled)) };
            let answer = catch_unwind(AssertUnwindSafe(|| job(&turn.turn)));
            done(match answer {
                _ if turn.is_cancelled() => Err(Undone::Cancelled),
                answer => answer.map_err(|_| Undone::Panicked),
            });
        };
        let mut state = self.shared.lock();
        if state.waiting.len() >= state.most_waiting {
            return Err(Full { waiting: state.waiting.len() });
        }
        state.next_id += 1;
        let id = state.next_id;
        state.waiting.push(Waiting { id, order, run: Box::new(run) });
        drop(state);
        self.shared.called.notify_one();
        Ok(Ticket { shared: Arc::clone(&self.shared), id })
    }

    /// Calls off everything of a table that nobody waits for any more.
    pub fn cancel_table(&self, table: u64) {
        self.shared.cancel(|_, of| of == table);
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load { waiting: state.waiting.len(), running: state.running.len() }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.cancel(|_, _| true);
        self.shared.called.notify_all();
        for thread in self.threads.drain(..) {
            // A thread cannot have panicked: jobs and callbacks are caught.
            let _ = thread.join();
        }
    }
}

struct Shared {
    state: Mutex<State>,
    called: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    /// For tables with jobs: the number of the last job that was begun for them.
    served: HashMap<u64, u64>,
    begun: u64,
    next_id: u64,
    threads: usize,
    most_waiting: usize,
    closing: bool,
}

struct Waiting {
    id: u64,
    order: Order,
    run: Box<dyn FnOnce(Fate) + Send>,
}

#[derive(Clone)]
struct Running {
    id: u64,
    table: u64,
    halt: Halt,
    /// Called when the answer is not wanted any more.
    cancelled: Halt,
}

enum Fate {
    Run(Begun),
    Cancel,
}

struct Begun {
    turn: Turn,
    cancelled: Halt,
}

impl Begun {
    fn is_cancelled(&self) -> bool {
        self.cancelled.called()
    }
}

impl Shared {
    /// No job runs under the lock, so a poisoned one still guards a whole state.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does.
    fn work(&self) {
        while let Some((waiting, begun, id)) = self.next() {
            // A callback that panics must not take the thread with it.
            let _ = catch_unwind(AssertUnwindSafe(|| (waiting.run)(Fate::Run(begun))));
            self.lock().end(id);
        }
    }

    /// Waits for a job; `None` when the pool closes.
    fn next(&self) -> Option<(Waiting, Begun, u64)> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(waiting) = state.pick(Instant::now()) {
                let id = waiting.id;
                let begun = state.begin(&waiting);
                return Some((waiting, begun, id));
            }
            state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn cancel(&self, meant: impl Fn(u64, u64) -> bool) {
        let mut state = self.lock();
        for running in state.running.iter().filter(|running| meant(running.id, running.table)) {
            running.cancelled.call();
            running.halt.call();
        }
        let all = std::mem::take(&mut state.waiting);
        let (off, on) = all.into_iter().partition(|waiting| meant(waiting.id, waiting.order.table));
        state.waiting = on;
        state.forget();
        drop(state);
        let off: Vec<Waiting> = off;
        off.into_iter().for_each(|waiting| (waiting.run)(Fate::Cancel));
    }
}

impl State {
    fn pick(&mut self, now: Instant) -> Option<Waiting> {
        let rank = |waiting: &Waiting| {
            let Order { table, urgency, deadline } = waiting.order;
            let overdue = deadline.filter(|deadline| *deadline <= now);
            let busy = self.running.iter().filter(|running| running.table == table).count();
            let served = self.served.get(&table).copied().unwrap_or(0);
            (overdue.is_none(), overdue, urgency, busy, served, waiting.id)
        };
        let first = (0..self.waiting.len()).min_by_key(|i| rank(&self.waiting[*i]))?;
        Some(self.waiting.remove(first))
    }

    fn begin(&mut self, waiting: &Waiting) -> Begun {
        let Order { table, deadline, .. } = waiting.order;
        self.begun += 1;
        self.served.insert(table, self.begun);
        let running = Running { id: waiting.id, table, halt: Halt::default(), cancelled: Halt::default() };
        self.running.push(running.clone());
        let (threads, waiting) = (self.threads, self.waiting.len());
        let turn = Turn { halt: running.halt, deadline, threads, waiting };
        Begun { turn, cancelled: running.cancelled }
    }

    fn end(&mut self, id: u64) {
        self.running.retain(|running| running.id != id);
        self.forget();
    }

    /// Remembers only tables that have jobs.
    fn forget(&mut self) {
        let State { served, waiting, running, .. } = self;
        served.retain(|table, _| {
            waiting.iter().any(|w| w.order.table == *table) || running.iter().any(|r| r.table == *table)
        });
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        f.debug_struct("Shared")
            .field("waiting", &state.waiting.len())
            .field("running", &state.running.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    type Answers = Receiver<(usize, Result<usize, Undone>)>;

    /// A pool of one thread that is kept busy until the sender speaks, so that a queue can form.
    fn held() -> (Pool, Sender<()>) {
        let pool = Pool::new(1, 100).unwrap();
        let (go, wait) = channel::<()>();
        let (begun, begins) = channel();
        let job = move |_: &Turn| {
            begun.send(()).unwrap();
            wait.recv().ok()
        };
        pool.submit(order(0, 0), job, |_| ()).unwrap();
        begins.recv().unwrap();
        (pool, go)
    }

    fn order(table: u64, urgency: u8) -> Order {
        Order { table, urgency, deadline: None }
    }

    fn answers(pool: &Pool, orders: &[Order]) -> (Vec<Ticket>, Answers) {
        let (tell, told) = channel();
        let submit = |(i, order): (usize, &Order)| {
            let tell = tell.clone();
            pool.submit(*order, move |_| i, move |answer| tell.send((i, answer)).unwrap()).unwrap()
        };
        (orders.iter().enumerate().map(submit).collect(), told)
    }

    fn order_of(told: &Answers) -> Vec<usize> {
        told.iter().map(|(i, _)| i).collect()
    }

    #[test]
    fn urgent_jobs_go_first_and_tables_take_turns() {
        let (pool, go) = held();
        let orders = [order(1, 5), order(1, 5), order(1, 5), order(2, 5), order(3, 1)];
        let (_tickets, told) = answers(&pool, &orders);
        go.send(()).unwrap();
        // Table 3 is urgent; then 1 and 2 by arrival, then 1 again, which was served before.
        assert_eq!(order_of(&told), [4, 0, 3, 1, 2]);
    }

    #[test]
    fn an_overdue_job_goes_before_urgent_ones() {
        let (pool, go) = held();
        let late = Order { deadline: Some(Instant::now()), ..order(1, 9) };
        let (_tickets, told) = answers(&pool, &[order(2, 0), late]);
        go.send(()).unwrap();
        assert_eq!(order_of(&told), [1, 0]);
    }

    #[test]
    fn a_waiting_job_is_cancelled_at_once_and_by_table() {
        let (pool, go) = held();
        let (tickets, told) = answers(&pool, &[order(1, 0), order(2, 0), order(2, 0)]);
        tickets[0].cancel();
        assert_eq!(told.recv().unwrap(), (0, Err(Undone::Cancelled)));
        pool.cancel_table(2);
        assert_eq!(order_of(&told), [1, 2]);
        assert_eq!(pool.load(), Load { waiting: 0, running: 1 });
        drop(go);
    }

    #[test]
    fn a_running_job_is_halted_and_its_answer_counts_only_when_hurried() {
        for (cancel, wanted) in [(true, Err(Undone::Cancelled)), (false, Ok(7))] {
            let pool = Pool::new(1, 1).unwrap();
            let ((begun, begins), (tell, told)) = (channel(), channel());
            let job = move |turn: &Turn| {
                begun.send(()).unwrap();
                while !turn.halt.called() {
                    std::thread::yield_now();
                }
                7
            };
            let ticket = pool.submit(order(1, 0), job, move |answer| tell.send(answer).unwrap()).unwrap();
            begins.recv().unwrap();
            if cancel {
                ticket.cancel()
            } else {
                ticket.hurry()
            }
            assert_eq!(told.recv().unwrap(), wanted);
        }
    }

    #[test]
    fn a_panic_is_reported_and_the_thread_goes_on() {
        let pool = Pool::new(1, 5).unwrap();
        let (tell, told) = channel();
        let again = tell.clone();
        let bad = |_: &Turn| -> u8 { panic!("on purpose, to see that it is caught") };
        pool.submit(order(1, 0), bad, move |answer| tell.send(answer).unwrap()).unwrap();
        assert_eq!(told.recv().unwrap(), Err(Undone::Panicked));
        pool.submit(order(1, 0), |_| 3, move |answer| again.send(answer).unwrap()).unwrap();
        assert_eq!(told.recv().unwrap(), Ok(3));
    }

    #[test]
    fn a_full_queue_says_so_and_closing_answers_everybody() {
        let (pool, go) = held();
        let orders = vec![order(1, 0); 100];
        let (_tickets, told) = answers(&pool, &orders);
        let refused = pool.submit(order(2, 0), |_| (), |_| ());
        assert_eq!(refused.err(), Some(Full { waiting: 100 }));
        drop(go);
        drop(pool);
        assert_eq!(told.iter().count(), 100);
    }

    /// A clock of our own: two hundred tables ask at once; everybody is answered by the deadline, and
    /// nobody gets much less than the others.
    #[test]
    fn many_who_wait_share_the_time_to_the_deadline() {
        for threads in [1, 2, 7] {
            let deadline = Duration::from_secs(8);
            let mut free_at = vec![Duration::ZERO; threads];
            let mut shares = Vec::new();
            for waiting in (0..200).rev() {
                free_at.sort_unstable();
                let took = share(deadline - free_at[0], threads, waiting);
                free_at[0] += took;
                assert!(free_at[0] <= deadline, "{threads} threads, {waiting} wait");
                shares.push(took);
            }
            let fair = deadline * threads as u32 / 200;
            let least = shares.iter().min().copied().unwrap_or_default();
            assert!(
                least * 2 >= fair && *shares.iter().take(100).max().unwrap() <= 2 * fair,
                "{least:?} of {fair:?}"
            );
        }
        assert_eq!(share(Duration::from_secs(8), 2, 0), Duration::from_secs(8));
    }

    #[test]
    fn a_turn_knows_how_many_wait_behind_it() {
        let (pool, go) = held();
        let (tell, told) = channel();
        for table in 1..=4 {
            let tell = tell.clone();
            let order =
                Order { deadline: Some(Instant::now() + Duration::from_secs(400)), ..order(table, 0) };
            pool.submit(order, |turn| turn.share(), move |share| tell.send(share).unwrap()).unwrap();
        }
        drop((tell, go));
        let shares: Vec<u64> =
            told.iter().map(|share| share.unwrap().unwrap().as_secs().div_ceil(10) * 10).collect();
        assert_eq!(shares, [100, 140, 200, 400]);
    }
}
