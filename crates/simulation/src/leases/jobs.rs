//! The queue of jobs: one for each turn, proof and analysis, done by any process.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use rookery_table::ports::{Batch, JobRunner, QueuedJob};

use super::{Leases, Member};

/// The delay before a job is tried again.
const RETRY_MS: i64 = 1_000;
/// How long a process waits for a job that was not announced.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A job, and the process that does it.
#[derive(Debug)]
struct Queued {
    job: QueuedJob,
    /// Distinguishes it from others of its name.
    number: u64,
    not_before_ms: i64,
    member: Option<Member>,
}

/// A job that a process has taken.
pub(super) struct Taken {
    name: String,
    number: u64,
    job: QueuedJob,
}

/// The jobs by name: a new one replaces the one of its name.
#[derive(Debug, Default)]
pub(super) struct Queue {
    jobs: BTreeMap<String, Queued>,
    numbers: u64,
}

impl Queue {
    fn add(&mut self, name: String, job: QueuedJob, now_ms: i64) {
        self.numbers += 1;
        let queued = Queued { job, number: self.numbers, not_before_ms: now_ms, member: None };
        self.jobs.insert(name, queued);
    }

    /// Adds and removes the jobs that a batch makes necessary or needless.
    pub(super) fn add_jobs_of(&mut self, batch: &Batch, now_ms: i64) {
        let table = batch.table;
        let turn = format!("turn {table}");
        match batch.job {
            Some(job) => self.add(turn, QueuedJob::Turn { table, ply: job.ply }, now_ms),
            None => drop(self.jobs.remove(&turn)),
        }
        if batch.card.proof_owed {
            self.add(format!("proof {table}"), QueuedJob::Proof { table, ply: batch.card.ply }, now_ms);
        }
    }

    pub(super) fn add_analysis(&mut self, request: i64, now_ms: i64) {
        self.add(format!("analysis {request}"), QueuedJob::Analysis { request }, now_ms);
    }

    pub(super) fn free_jobs_of(&mut self, member: Member) {
        for queued in self.jobs.values_mut().filter(|queued| queued.member == Some(member)) {
            queued.member = None;
        }
    }

    fn take(&mut self, member: Member, now_ms: i64) -> Option<Taken> {
        let free =
            |(_, queued): &(&String, &mut Queued)| queued.member.is_none() && queued.not_before_ms <= now_ms;
        let (name, queued) = self.jobs.iter_mut().filter(free).min_by_key(|(_, queued)| queued.number)?;
        queued.member = Some(member);
        Some(Taken { name: name.clone(), number: queued.number, job: queued.job })
    }

    fn end(&mut self, taken: &Taken, is_done: bool, now_ms: i64) {
        let Some(queued) = self.jobs.get_mut(&taken.name).filter(|queued| queued.number == taken.number)
        else {
            return;
        };
        if is_done {
            self.jobs.remove(&taken.name);
        } else {
            (queued.member, queued.not_before_ms) = (None, now_ms + RETRY_MS);
        }
    }
}

impl Leases {
    /// Does jobs for a process, at most `most` at a time, until `stop` completes.
    pub(crate) async fn work(
        &self,
        member: Member,
        (most, runner): (usize, Arc<dyn JobRunner>),
        mut stop: BoxFuture<'static, ()>,
    ) {
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < most
                && let Some(taken) = self.take_job(member)
            {
                let runner = runner.clone();
                running.push(async move {
                    let done = runner.run(taken.job).await;
                    (taken, done.is_ok())
                });
            }
            tokio::select! {
                biased;
                () = &mut stop => return,
                Some((taken, is_done)) = running.next() => {
                    self.state().queue.end(&taken, is_done, self.time.now_ms());
                }
                () = self.queued.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// The real queue has signs of life of its own; here the jobs of a process are freed with the rest.
    fn take_job(&self, member: Member) -> Option<Taken> {
        let now_ms = self.time.now_ms();
        let mut state = self.state();
        state.note_seen(member, now_ms);
        state.queue.take(member, now_ms)
    }
}
