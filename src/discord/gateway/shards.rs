//! The shards of the gateway that this process runs: all of them, or its part if several processes run the gateway.
//!
//! A process takes shards that nobody has until it has its part, and gives some back when another process has joined. A
//! shard that it takes from a process that has ended begins with a new session; messages that were written in between
//! are read then, as after a restart.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rookery_table::OutageScope;
use rookery_table::ports::ShardState;
use rookery_table::registry::TableRegistry;
use rookery_tasks::heartbeat;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::identify_queue::Buckets;
use super::{GatewayInfo, PAUSE, RunError, intents, run_error};
use crate::discord::handlers::events::EventHandler;
use crate::discord::state::context::Context;
use crate::discord::state::in_progress::InProgress;
use crate::discord::wire::session::{IdentifyQueue, Session, SessionRefused, ShardId};
use crate::shutdown::Stop;

/// The interval between checks of the connections and of the number of shards to run.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often the store gets the moment at which a shard was connected.
const ALIVE_INTERVAL: Duration = Duration::from_secs(4);
/// How long the sessions may take to close when the program stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// What the shards of a process need.
pub(super) struct Shards {
    pub(super) ctx: Arc<Context>,
    pub(super) gateway: GatewayInfo,
    pub(super) token: String,
    /// Becomes true when Discord has sent what the jobs need.
    pub(super) ready: watch::Sender<bool>,
    pub(super) in_progress: InProgress,
    pub(super) stop: Stop,
}

/// The running shards, each with the signal that ends it.
#[derive(Default)]
struct Running {
    ends: HashMap<u32, Arc<Notify>>,
    tasks: JoinSet<(u32, Result<(), RunError>)>,
}

impl Shards {
    /// Runs shards until the program stops.
    ///
    /// # Errors
    /// If Discord refuses a session for good.
    pub(super) async fn run(self) -> Result<(), RunError> {
        let total = match self.ctx.settings.shards {
            0 => self.gateway.shards.max(1),
            chosen => chosen,
        };
        if total > 1 || self.registry().cluster().is_some() {
            self.registry().set_shard_count(total);
        }
        let queue = Arc::new(Buckets::new(self.ctx.registry.clone(), self.gateway.max_concurrency));
        let shards = Arc::new(self);
        let (mut running, mut ticks) = (Running::default(), tokio::time::interval(POLL_INTERVAL));
        let ended = loop {
            tokio::select! {
                _ = ticks.tick() => shards.balance(total, &queue, &mut running).await,
                Some(ended) = running.tasks.join_next() => match ended {
                    Ok((shard, Ok(()))) => drop(running.ends.remove(&shard)),
                    Ok((_, Err(error))) => break Err(error),
                    Err(error) => tracing::error!(%error, "a shard ended unexpectedly"),
                },
                () = shards.stop.finishing() => break Ok(()),
            }
        };
        // The sessions close by themselves when the program stops.
        let closing = async { while running.tasks.join_next().await.is_some() {} };
        if ended.is_ok() && tokio::time::timeout(CLOSE_TIMEOUT, closing).await.is_err() {
            tracing::info!("a gateway session did not close in time");
        }
        ended
    }

    fn registry(&self) -> &TableRegistry {
        &self.ctx.registry
    }

    /// Takes and gives back shards, so that all processes have about as many.
    async fn balance(self: &Arc<Shards>, total: u32, queue: &Arc<Buckets>, running: &mut Running) {
        let Some(cluster) = self.registry().cluster() else {
            for number in (0..total).filter(|number| !running.ends.contains_key(number)).collect::<Vec<_>>() {
                self.start(ShardId { number, total }, ShardState::default(), queue, running);
            }
            return;
        };
        for (_, end) in running.ends.iter().filter(|(number, _)| !cluster.has_shard(**number)) {
            end.notify_one();
        }
        let part = total.div_ceil(u32::try_from(self.registry().gateways()).unwrap_or(u32::MAX)) as usize;
        if let Some((number, end)) = running.ends.iter().next().filter(|_| running.ends.len() > part) {
            tracing::info!(number, "another process takes a shard");
            end.notify_one();
        }
        for number in 0..total {
            if running.ends.len() >= part {
                return;
            }
            if running.ends.contains_key(&number) {
                continue;
            }
            match cluster.take_shard(number).await {
                Ok(Some(state)) => self.start(ShardId { number, total }, state, queue, running),
                Ok(None) => {}
                Err(error) => return tracing::warn!(%error, "no shard can be taken; trying again"),
            }
        }
    }

    fn start(
        self: &Arc<Shards>,
        shard: ShardId,
        state: ShardState,
        queue: &Arc<Buckets>,
        running: &mut Running,
    ) {
        let (shards, queue, end) = (self.clone(), queue.clone(), Arc::new(Notify::new()));
        running.ends.insert(shard.number, end.clone());
        if let Some(alive_at) = state.alive_at {
            self.registry().begin_outage(OutageScope::Shard(shard.number), alive_at);
        }
        running.tasks.spawn(async move {
            let running = async {
                tokio::select! {
                    ended = shards.run_shard(shard, state, queue) => ended,
                    () = end.notified() => Ok(()),
                }
            };
            // After a panic the shard is given back, and started again like any other that nobody has.
            let ended = shards.registry().tasks().measure("shard", running).await.unwrap_or(Ok(()));
            shards.give_back(shard).await;
            (shard.number, ended)
        });
    }

    async fn give_back(&self, shard: ShardId) {
        let Some(cluster) = self.registry().cluster() else { return };
        if let Err(error) = cluster.release_shard(shard.number).await {
            tracing::warn!(%error, "a shard is free when this process ends");
        }
    }

    /// Runs sessions of a shard until one ends for good; starts a new one after a panic.
    async fn run_shard(
        &self,
        shard: ShardId,
        state: ShardState,
        queue: Arc<dyn IdentifyQueue>,
    ) -> Result<(), RunError> {
        let (ctx, ready) = (self.ctx.clone(), self.ready.clone());
        let handler = EventHandler::new(ctx, ready, self.in_progress.clone(), state.alive_at).await;
        let handler = Arc::new(handler);
        loop {
            let session = self.run_session(&handler, shard, &queue);
            if let Some(ended) = self.registry().tasks().measure("gateway", session).await {
                return ended;
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = self.stop.finishing() => return Ok(()),
            }
        }
    }

    /// Connects with all intents, and again without Message Content if Discord disallows that one.
    async fn run_session(
        &self,
        handler: &Arc<EventHandler>,
        shard: ShardId,
        queue: &Arc<dyn IdentifyQueue>,
    ) -> Result<(), RunError> {
        let connect = async |content| {
            let (url, tasks) = (self.gateway.url.clone(), self.registry().tasks().clone());
            let session = Session::new(url, &self.token, intents(content), (shard, queue.clone()), tasks);
            let session = Arc::new(session);
            let on = |event| handler.receive(event, &session);
            tokio::select! {
                ended = session.run(&self.stop, &on) => ended,
                () = self.watch_connection(shard, session.connected()) => Ok(()),
            }
        };
        let content = self.ctx.reads_all();
        match connect(content).await {
            Err(SessionRefused::DisallowedIntents) if content => {
                tracing::warn!(
                    "the Message Content intent is not switched on in Discord's developer portal: going on \
                     without, so moves are typed as replies, with a mention, or in direct messages"
                );
                handler.note_content_withheld();
                connect(false).await.map_err(run_error)
            }
            ended => ended.map_err(run_error),
        }
    }

    /// Tells whether Discord is reachable on a shard. Never returns.
    async fn watch_connection(&self, shard: ShardId, mut connected: watch::Receiver<bool>) {
        let mut told_at = None;
        loop {
            heartbeat();
            let changed = tokio::time::timeout(POLL_INTERVAL, connected.changed()).await;
            let is_connected = *connected.borrow_and_update();
            if is_connected {
                // Also repeated at each interval, in case an earlier report failed.
                self.note_connected(shard, &mut told_at).await;
            } else if changed.is_err() {
                self.note_lost(shard);
            }
        }
    }

    async fn note_connected(&self, shard: ShardId, told_at: &mut Option<Instant>) {
        let registry = self.registry();
        if registry.cluster().is_none() {
            // The time since the last run is given back, and that without a connection.
            registry.connection_restored().await;
        }
        registry.end_outage(OutageScope::Shard(shard.number)).await;
        let is_told = told_at.is_some_and(|told_at| told_at.elapsed() < ALIVE_INTERVAL);
        let Some(cluster) = registry.cluster().filter(|_| !is_told) else { return };
        // After the lost time was given back: from now on other processes let clocks run out here.
        let state = ShardState { total: shard.total, alive_at: Some(registry.now()) };
        match cluster.store_shard(shard.number, state).await {
            Ok(()) => *told_at = Some(Instant::now()),
            Err(error) => tracing::warn!(%error, "others cannot be told that a shard is connected"),
        }
    }

    fn note_lost(&self, shard: ShardId) {
        let registry = self.registry();
        if shard.total == 1 && registry.cluster().is_none() {
            registry.connection_lost();
        } else {
            registry.begin_outage(OutageScope::Shard(shard.number), registry.now());
        }
    }
}
