//! The queue of work that any process with players may do: turns of the bot, proofs and analyses. The queue is graphile_worker's,
//! in a schema of its own.
//!
//! A job is added by the transaction that makes it necessary, and names only its table and ply; the journal says the
//! rest. So a job that is done twice, or too late, changes nothing. A job of a process that ended is done by another
//! one after [`SWEEP_THRESHOLD`].

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use graphile_worker::{
    IntoTaskHandlerResult, TaskHandler, Worker, WorkerContext, WorkerOptions, WorkerRecoveryConfig,
    WorkerShutdownConfig,
};
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::query;

use super::connections::{Transaction, connect};
use super::errors::store_error;
use super::locks::{KINDS, QUEUE_UPGRADE};
use super::{Postgres, limit};
use crate::rows::{StoredRow, to_i64};
use rookery_table::TableId;
use rookery_table::ports::{Batch, JobRunner, QueuedJob, StoreError};

/// The schema of the queue.
const SCHEMA: &str = "graphile_worker";

/// Adds the job of a turn, in place of an earlier one of its table.
const ADD_TURN: &str = "SELECT 1 FROM graphile_worker.add_job('turn', \
     json_build_object('table', $1::text, 'ply', $2::bigint), run_at => now() + make_interval(secs => $3::float8), \
     max_attempts => 1000, job_key => 'turn ' || $1, priority => $4::int)";
/// Adds the job of a proof, in place of an earlier one of its table. Turns come first.
const ADD_PROOF: &str = "SELECT 1 FROM graphile_worker.add_job('proof', \
     json_build_object('table', $1::text, 'ply', $2::bigint), max_attempts => 10, job_key => 'proof ' || $1, \
     priority => 2000)";
/// Removes the job of a turn that is not owed any more.
const REMOVE_TURN: &str = "SELECT 1 FROM graphile_worker.remove_job('turn ' || $1)";
/// The number of turns that the bot owes on a server, up to a limit. With it as the priority, servers take turns.
pub(super) const OWED_ON_SERVER: &str = "SELECT count(*) FROM (SELECT 1 FROM cards JOIN jobs USING (table_id) \
     WHERE cards.guild = $1 AND cards.stage = 1 LIMIT $2) AS owed";
/// Adds the jobs of turns and proofs that are owed and not in the queue, as after a move from another store.
const ADD_MISSING: &str = "SELECT count(*) FROM ( \
     SELECT graphile_worker.add_job('turn', json_build_object('table', table_id, 'ply', ply), max_attempts => 1000, \
         job_key => 'turn ' || table_id, job_key_mode => 'unsafe_dedupe') FROM jobs \
     UNION ALL \
     SELECT graphile_worker.add_job('proof', json_build_object('table', table_id, 'ply', ply), max_attempts => 10, \
         job_key => 'proof ' || table_id, priority => 2000, job_key_mode => 'unsafe_dedupe') \
     FROM cards WHERE stage = 1 AND proof_owed) AS added";

/// The largest priority number of a turn.
const MAX_PRIORITY: usize = 1_000;
/// How often a process tells the queue that it is alive, and how often it looks for those that don't.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// After this time without a sign a process has ended, and its jobs are free.
const SWEEP_THRESHOLD: Duration = Duration::from_secs(10);
/// How long running jobs may take when the program stops; afterwards another process does them.
const GRACE_PERIOD: Duration = Duration::from_secs(2);
/// The most analyses at the same time.
const CONCURRENT_ANALYSES: usize = 4;
/// How long the delay is in which a job is looked for that was not announced.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
struct Runner(Arc<dyn JobRunner>);

/// A turn of the bot.
#[derive(Deserialize, Serialize)]
struct Turn {
    table: String,
    ply: usize,
}

/// A search for a proof.
#[derive(Deserialize, Serialize)]
struct Proof {
    table: String,
    ply: usize,
}

/// An analysis that somebody waits for.
#[derive(Deserialize, Serialize)]
struct Analysis {
    request: i64,
}

async fn run(context: &WorkerContext, table: &str, job: impl Fn(TableId) -> QueuedJob) -> Result<(), String> {
    let Some(Runner(runner)) = context.get_ext::<Runner>() else { return Err("nobody does the jobs".into()) };
    let table = table.parse().map_err(|_| format!("{table} is no table's name"))?;
    runner.run(job(table)).await
}

impl TaskHandler for Turn {
    const IDENTIFIER: &'static str = "turn";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        run(&context, &self.table, |table| QueuedJob::Turn { table, ply: self.ply }).await
    }
}

impl TaskHandler for Proof {
    const IDENTIFIER: &'static str = "proof";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        run(&context, &self.table, |table| QueuedJob::Proof { table, ply: self.ply }).await
    }
}

impl TaskHandler for Analysis {
    const IDENTIFIER: &'static str = "analysis";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(Runner(runner)) = context.get_ext::<Runner>() else {
            return Err("nobody does the jobs".into());
        };
        runner.run(QueuedJob::Analysis { request: self.request }).await
    }
}

fn options(options: &PgConnectOptions) -> WorkerOptions {
    let pool = PgPoolOptions::new().max_connections(3).connect_lazy_with(options.clone());
    WorkerOptions::default().schema(SCHEMA).pg_pool(pool)
}

/// Creates or upgrades the schema of the queue. One process at a time does it.
pub(super) async fn upgrade_queue(to: &PgConnectOptions) -> Result<(), StoreError> {
    let mut session = connect(to.clone().options([("idle_session_timeout", "0")])).await?;
    let lock = query("SELECT pg_advisory_lock($1, $2)").bind(KINDS).bind(QUEUE_UPGRADE);
    lock.execute(&mut session).await.map_err(store_error)?;
    let upgraded =
        options(&to.clone().options([("idle_session_timeout", "0")])).init().await.map_err(queue_error)?;
    drop(upgraded);
    query(ADD_MISSING).execute(&mut session).await.map_err(store_error)?;
    Ok(())
}

fn queue_error(error: impl std::fmt::Display) -> StoreError {
    StoreError::Backend(format!("the queue of the bot's work: {error}"))
}

/// Adds and removes the jobs that a batch makes necessary or needless. `had_turn` says whether a turn was owed before.
pub(super) async fn queue_jobs(
    to: &mut Transaction,
    batch: &Batch,
    (had_turn, pace): (bool, Duration),
) -> Result<(), StoreError> {
    let table = batch.table.as_str().to_owned();
    match batch.job {
        Some(job) => {
            let is_exhibition = batch.card.people.iter().flatten().next().is_none();
            let delay = if is_exhibition { pace.as_secs_f64() } else { 0.0 };
            let priority = priority(to, batch).await?;
            let add = query(ADD_TURN).bind(table.clone()).bind(job.ply as i64).bind(delay).bind(priority);
            to.row(add).await?;
        }
        None if had_turn => drop(to.row(query(REMOVE_TURN).bind(table.clone())).await?),
        None => {}
    }
    if batch.card.proof_owed {
        to.row(query(ADD_PROOF).bind(table).bind(batch.card.ply as i64)).await?;
    }
    Ok(())
}

async fn priority(from: &mut Transaction, batch: &Batch) -> Result<i32, StoreError> {
    let Some(guild) = batch.card.guild else { return Ok(0) };
    let count = from.row(query(OWED_ON_SERVER).bind(to_i64(guild)).bind(limit(MAX_PRIORITY))).await?;
    let count = count.map_or(Ok(0), |row| row.integer(0))?;
    Ok(i32::try_from(count).unwrap_or(i32::MAX))
}

impl Postgres {
    /// Does jobs of the queue until `stop` completes.
    pub(super) async fn do_jobs(
        &self,
        most: usize,
        runner: Arc<dyn JobRunner>,
        stop: BoxFuture<'static, ()>,
    ) -> Result<(), StoreError> {
        let stop = stop.shared();
        // Analyses have places of their own, so that no turn waits for one.
        let turns =
            self.worker(most, runner.clone(), stop.clone()).define_job::<Turn>().define_job::<Proof>();
        let analyses = self.worker(CONCURRENT_ANALYSES, runner, stop).define_job::<Analysis>();
        let turns: Worker = turns.init().await.map_err(queue_error)?;
        let analyses: Worker = analyses.init().await.map_err(queue_error)?;
        let (turns, analyses) = tokio::join!(turns.run(), analyses.run());
        turns.and(analyses).map_err(queue_error)
    }

    /// Returns the options of a worker for some jobs.
    fn worker(
        &self,
        most: usize,
        runner: Arc<dyn JobRunner>,
        stop: Shared<BoxFuture<'static, ()>>,
    ) -> WorkerOptions {
        let recovery = WorkerRecoveryConfig::default()
            .heartbeat_interval(HEARTBEAT_INTERVAL)
            .sweep_interval(HEARTBEAT_INTERVAL)
            .sweep_threshold(SWEEP_THRESHOLD)
            .recovery_delay(Duration::ZERO);
        let shutdown = WorkerShutdownConfig::default()
            .listen_os_shutdown_signals(false)
            .grace_period(GRACE_PERIOD)
            .interrupted_job_retry_delay(Duration::ZERO)
            .shutdown_signal(stop);
        options(self.connections.options())
            .concurrency(most.max(1))
            .poll_interval(POLL_INTERVAL)
            .worker_recovery(recovery)
            .worker_shutdown(shutdown)
            .add_extension(Runner(runner))
    }
}
