//! Schedules jobs. Nothing here reads a clock: callers pass the time.
//!
//! Overdue jobs go first; then the lower urgency number (easy levels are quick, so they go before the strong ones at
//! little cost); then the owner with the fewest running threads and the least recent turn; then the same between the
//! owner's tables; then the oldest job. An owner with a hundred tables does not delay other owners.
//!
//! Idle threads are lent to running jobs and recalled as soon as another job can start; the number of busy threads
//! never exceeds the size of the pool.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::job::{JobContext, JobSpec, Load, PoolSize, QueueFull};
use rookery_core::player::Halt;

/// The queue and the running jobs. `R` is the work.
pub(super) struct Queue<R> {
    waiting: Vec<Waiting<R>>,
    running: Vec<Running>,
    lent: Vec<LentThread>,
    /// For tables and owners with jobs: the number of their last started job.
    served: HashMap<u64, u64>,
    owners_served: HashMap<u64, u64>,
    begun: u64,
    next_id: u64,
    size: PoolSize,
    closing: bool,
}

struct Waiting<R> {
    id: u64,
    order: JobSpec,
    run: R,
}

struct Running {
    id: u64,
    order: JobSpec,
    halt: Halt,
}

/// A thread lent to a running job.
struct LentThread {
    loan: u64,
    halt: Halt,
}

/// The priority of a job: the smallest goes first.
type JobPriority = (bool, Option<Instant>, u8, usize, u64, usize, u64, u64);

/// The jobs that share the time to a deadline, as counted when one of them started.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeadlineShare {
    size: PoolSize,
    /// Owners with waiting jobs, including this job's owner.
    owners: usize,
    /// The waiting jobs of this owner, including this one.
    own: usize,
}

impl DeadlineShare {
    /// An equal share of the time left for every owner, and within an owner for every job. Never more than is left: a
    /// job that starts before the deadline can end before it.
    pub(super) fn share(self, left: Duration) -> Duration {
        let PoolSize { threads, threads_per_owner, .. } = self.size;
        let parts = (self.own * self.owners).div_ceil(threads).max(self.own.div_ceil(threads_per_owner));
        left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX)
    }
}

impl<R> Queue<R> {
    pub(super) fn new(size: PoolSize) -> Queue<R> {
        let threads = size.threads.max(1);
        let threads_per_owner = size.threads_per_owner.clamp(1, threads);
        Queue {
            waiting: Vec::new(),
            running: Vec::new(),
            lent: Vec::new(),
            served: HashMap::new(),
            owners_served: HashMap::new(),
            begun: 0,
            next_id: 0,
            size: PoolSize { threads, threads_per_owner, ..size },
            closing: false,
        }
    }

    /// Adds a job; returns its number.
    pub(super) fn push(&mut self, order: JobSpec, run: R) -> Result<u64, QueueFull> {
        if self.waiting.len() >= self.size.max_waiting {
            return Err(QueueFull { waiting: self.waiting.len() });
        }
        self.next_id += 1;
        self.waiting.push(Waiting { id: self.next_id, order, run });
        Ok(self.next_id)
    }

    /// Removes the job that goes first, if one may start: the work, its context and its number. If all threads that it
    /// could use are lent, recalls one and returns `None`.
    pub(super) fn begin(&mut self, now: Instant) -> Option<(R, JobContext, u64)> {
        let free = |i: &usize| self.may_begin(&self.waiting[*i].order, now);
        let rank = |i: &usize| self.rank(&self.waiting[*i], now);
        let first = (0..self.waiting.len()).filter(free).min_by_key(rank)?;
        if self.idle() == 0 {
            self.recall_lent(now);
            return None;
        }
        let deadline_share = self.deadline_share(self.waiting[first].order.owner);
        let Waiting { id, order, run } = self.waiting.remove(first);
        self.begun += 1;
        self.served.insert(order.table, self.begun);
        self.owners_served.insert(order.owner, self.begun);
        let halt = Halt::default();
        self.running.push(Running { id, order, halt: halt.clone() });
        Some((run, JobContext::new(halt, order.deadline, deadline_share), id))
    }

    /// Lends all threads that no waiting job can use: the id of each loan, and the halt that recalls it.
    pub(super) fn lend(&mut self, now: Instant) -> Vec<(u64, Halt)> {
        let begun = self.lent.len();
        for _ in self.wanted(now)..self.idle() {
            self.next_id += 1;
            self.lent.push(LentThread { loan: self.next_id, halt: Halt::default() });
        }
        self.lent[begun..].iter().map(|lent| (lent.loan, lent.halt.clone())).collect()
    }

    /// A lent thread was returned.
    pub(super) fn return_loan(&mut self, loan: u64) {
        self.lent.retain(|lent| lent.loan != loan);
    }

    /// Recalls as many threads as there are jobs that could start.
    fn recall_lent(&self, now: Instant) {
        let wanted = self.wanted(now);
        self.lent.iter().take(wanted).for_each(|lent| lent.halt.call());
    }

    /// The number of idle threads.
    fn idle(&self) -> usize {
        self.size.threads.saturating_sub(self.running.len() + self.lent.len())
    }

    /// The number of jobs that would start now if there were threads.
    fn wanted(&self, now: Instant) -> usize {
        self.waiting.iter().filter(|waiting| self.may_begin(&waiting.order, now)).count()
    }

    /// Whether the owner is below its thread limit; overdue jobs ignore the limit.
    fn may_begin(&self, order: &JobSpec, now: Instant) -> bool {
        let overdue = order.deadline.is_some_and(|deadline| deadline <= now);
        overdue || self.threads_of(order.owner) < self.size.threads_per_owner
    }

    fn threads_of(&self, owner: u64) -> usize {
        self.running.iter().filter(|running| running.order.owner == owner).count()
    }

    fn rank(&self, waiting: &Waiting<R>, now: Instant) -> JobPriority {
        let JobSpec { table, owner, urgency, deadline } = waiting.order;
        let overdue = deadline.filter(|deadline| *deadline <= now);
        let busy = self.running.iter().filter(|running| running.order.table == table).count();
        let last = |of: &HashMap<u64, u64>, key| of.get(&key).copied().unwrap_or(0);
        let owners = (self.threads_of(owner), last(&self.owners_served, owner));
        let own = (busy, last(&self.served, table));
        (overdue.is_none(), overdue, urgency, owners.0, owners.1, own.0, own.1, waiting.id)
    }

    fn deadline_share(&self, owner: u64) -> DeadlineShare {
        let owners: HashSet<u64> = self.waiting.iter().map(|waiting| waiting.order.owner).collect();
        let own = self.waiting.iter().filter(|waiting| waiting.order.owner == owner).count();
        DeadlineShare { size: self.size, owners: owners.len(), own }
    }

    /// A waiting job's place among those of the same owner, from 1.
    pub(super) fn place(&self, id: u64, now: Instant) -> Option<usize> {
        let matches = self.waiting.iter().find(|waiting| waiting.id == id)?;
        let rank = self.rank(matches, now);
        let own = self.waiting.iter().filter(|waiting| waiting.order.owner == matches.order.owner);
        Some(1 + own.filter(|waiting| self.rank(waiting, now) < rank).count())
    }

    /// The time until the next waiting job becomes overdue; `None` if there is none.
    pub(super) fn overdue_in(&self, now: Instant) -> Option<Duration> {
        let deadlines = self.waiting.iter().filter_map(|waiting| waiting.order.deadline);
        deadlines.filter(|deadline| *deadline > now).map(|deadline| deadline - now).min()
    }

    pub(super) fn end(&mut self, id: u64) {
        self.running.retain(|running| running.id != id);
        self.forget();
    }

    /// Cancels a job by its number; returns it if it had not started.
    pub(super) fn cancel(&mut self, matches: impl Fn(u64) -> bool) -> Vec<R> {
        self.running.iter().filter(|running| matches(running.id)).for_each(|running| running.halt.call());
        let off: Vec<Waiting<R>> = self.waiting.extract_if(.., |waiting| matches(waiting.id)).collect();
        self.forget();
        off.into_iter().map(|waiting| waiting.run).collect()
    }

    /// Forgets tables and owners without jobs.
    fn forget(&mut self) {
        let orders = || self.waiting.iter().map(|w| &w.order).chain(self.running.iter().map(|r| &r.order));
        let tables: HashSet<u64> = orders().map(|order| order.table).collect();
        let owners: HashSet<u64> = orders().map(|order| order.owner).collect();
        self.served.retain(|table, _| tables.contains(table));
        self.owners_served.retain(|owner, _| owners.contains(owner));
    }

    pub(super) fn load(&self) -> Load {
        Load { waiting: self.waiting.len(), running: self.running.len() }
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing
    }
}
