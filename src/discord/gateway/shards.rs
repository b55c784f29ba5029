//! The shards of the gateway that this process runs: all of them, or its part if several processes run the gateway.
//!
//! A process takes shards that nobody has until it has its part, and gives some back when another process has joined. It
//! resumes the session of the process that had the shard: Discord repeats the events in between. If Discord has ended
//! that session, a new one begins, and messages that were written meanwhile are read, as after a restart.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::SignedDuration;
use rookery_table::OutageScope;
use rookery_table::ports::{GatewaySession, ShardState};
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
use crate::discord::wire::network::Network;
use crate::discord::wire::session::{IdentifyQueue, Session, SessionRefused, ShardId};
use crate::shutdown::Stop;

/// The interval between checks of the connections and of the number of shards to run.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often the store gets the moment at which a shard was connected.
const ALIVE_INTERVAL: Duration = Duration::from_secs(4);
/// The age of a session that Discord certainly has ended.
const MAX_SESSION_AGE: SignedDuration = SignedDuration::from_mins(10);
/// How long the sessions may take to close when the program stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// What the shards of a process need.
pub(super) struct Shards {
    pub(super) ctx: Arc<Context>,
    pub(super) gateway: GatewayInfo,
    pub(super) token: String,
    pub(super) network: Arc<dyn Network>,
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

/// The latest session of a shard.
#[derive(Default)]
struct LatestSession(Mutex<Option<Arc<Session>>>);

impl LatestSession {
    fn set(&self, session: &Arc<Session>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.clone());
    }

    fn resumable(&self) -> Option<GatewaySession> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.resumable()
    }
}

/// What the other processes were told of a session last.
struct Told {
    at: Option<Instant>,
    /// The session then, or with which this process began.
    session: Option<GatewaySession>,
}

impl Told {
    /// Returns a session up to the events that are certainly handled, if this process ended now: those that had arrived
    /// when the session was told of before.
    fn handled(&self, session: GatewaySession) -> GatewaySession {
        let known = self.session.as_ref().filter(|known| known.id == session.id);
        GatewaySession { sequence: known.map_or(1, |known| known.sequence), ..session }
    }
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
                biased;
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
        let latest = LatestSession::default();
        if let Some(alive_at) = state.alive_at {
            self.registry().begin_outage(OutageScope::Shard(shard.number), alive_at);
        }
        running.tasks.spawn(async move {
            let running = async {
                tokio::select! {
                    biased;
                    ended = shards.run_shard(shard, state, queue, &latest) => ended,
                    () = end.notified() => Ok(()),
                }
            };
            // After a panic the shard is given back, and started again like any other that nobody has.
            let ended = shards.registry().tasks().measure("shard", running).await.unwrap_or(Ok(()));
            shards.give_back(shard, &latest).await;
            (shard.number, ended)
        });
    }

    /// Releases a shard for other processes, with its session up to the last event.
    async fn give_back(&self, shard: ShardId, latest: &LatestSession) {
        let Some(cluster) = self.registry().cluster() else { return };
        let is_ours = cluster.has_shard(shard.number) && self.has_intended_session();
        if let Some(session) = latest.resumable().filter(|_| is_ours) {
            let alive_at = Some(self.registry().now());
            let state = ShardState { total: shard.total, alive_at, session: Some(session) };
            if let Err(error) = cluster.store_shard(shard.number, state).await {
                tracing::warn!(%error, "another process begins with a new session");
            }
        }
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
        latest: &LatestSession,
    ) -> Result<(), RunError> {
        let (ctx, ready) = (self.ctx.clone(), self.ready.clone());
        let handler = EventHandler::new(ctx, ready, self.in_progress.clone(), state.alive_at).await;
        let handler = Arc::new(handler);
        let mut others = self.session_of_another(shard, state);
        loop {
            let session = self.run_session(&handler, shard, &queue, (others.take(), latest));
            if let Some(ended) = self.registry().tasks().measure("gateway", session).await {
                return ended;
            }
            tokio::select! {
                biased;
                () = tokio::time::sleep(PAUSE) => {}
                () = self.stop.finishing() => return Ok(()),
            }
        }
    }

    /// Returns the session with which another process had the shard, if it can be resumed.
    fn session_of_another(&self, shard: ShardId, state: ShardState) -> Option<GatewaySession> {
        let age = self.registry().now().duration_since(state.alive_at?);
        state.session.filter(|_| state.total == shard.total && age < MAX_SESSION_AGE)
    }

    /// Whether Discord grants the intents of the settings. A session without one of them is not handed on, because its
    /// next process would not know.
    fn has_intended_session(&self) -> bool {
        self.ctx.reads_all() == self.ctx.settings.message_content
    }

    /// Connects with all intents, and again without Message Content if Discord disallows that one.
    async fn run_session(
        &self,
        handler: &Arc<EventHandler>,
        shard: ShardId,
        queue: &Arc<dyn IdentifyQueue>,
        (mut others, latest): (Option<GatewaySession>, &LatestSession),
    ) -> Result<(), RunError> {
        let mut connect = async |content| {
            let (url, tasks) = (self.gateway.url.clone(), self.registry().tasks().clone());
            let (queue, network) = (queue.clone(), self.network.clone());
            let session = Session::new(url, &self.token, intents(content), (shard, queue), network, tasks);
            let (is_shared, begun) = (self.registry().cluster().is_some(), others.take());
            let told = Told { at: None, session: begun.clone() };
            let session = Arc::new(if is_shared { session.shared(begun) } else { session });
            latest.set(&session);
            let on = |event| handler.receive(event, &session);
            tokio::select! {
                biased;
                ended = session.run(&self.stop, &on) => ended,
                () = self.watch_connection(shard, &session, told) => Ok(()),
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
    async fn watch_connection(&self, shard: ShardId, session: &Session, mut told: Told) {
        let (registry, mut connected) = (self.registry(), session.connected());
        // In a process that has the store alone, the task of the clocks watches.
        let watch = registry.cluster().map(|_| registry.watch_for_sleep(shard.number));
        loop {
            heartbeat();
            let changed = tokio::time::timeout(POLL_INTERVAL, connected.changed()).await;
            if let Some(watch) = &watch {
                watch.check();
            }
            let is_connected = *connected.borrow_and_update();
            if is_connected {
                // Also repeated at each interval, in case an earlier report failed.
                self.note_connected(shard, session, &mut told).await;
            } else if changed.is_err() {
                self.note_lost(shard);
            }
            // The machine may also sleep while the store is asked.
            if let Some(watch) = &watch {
                watch.check();
            }
        }
    }

    async fn note_connected(&self, shard: ShardId, session: &Session, told: &mut Told) {
        let registry = self.registry();
        if registry.cluster().is_none() {
            // The time since the last run is given back, and that without a connection.
            registry.connection_restored().await;
        }
        registry.end_outage(OutageScope::Shard(shard.number)).await;
        let is_told = told.at.is_some_and(|told_at| told_at.elapsed() < ALIVE_INTERVAL);
        let Some(cluster) = registry.cluster().filter(|_| !is_told) else { return };
        // After the lost time was given back: from now on other processes let clocks run out here.
        let session = session.resumable().filter(|_| self.has_intended_session());
        let state = ShardState {
            total: shard.total,
            alive_at: Some(registry.now()),
            session: session.clone().map(|session| told.handled(session)),
        };
        match cluster.store_shard(shard.number, state).await {
            Ok(()) => *told = Told { at: Some(Instant::now()), session },
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
