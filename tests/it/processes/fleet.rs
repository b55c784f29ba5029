//! The processes, their database and their Discord.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rookery_playground::{Options, Playground, limits::RateLimits};
use rookery_store::Postgres;
use rookery_store::testing::postgres_server::Server;
use rookery_table::ports::Journal;
use tokio::task::JoinHandle;

use super::proxy::Proxy;
use crate::command_line::{PATIENCE, Program};
use crate::eventually::poll_interval;

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Everything.
    Whole,
    /// The gateway, and what it needs at once.
    Gateway,
    /// Everything but the bot's moves and the web pages.
    Front,
    /// The web pages alone.
    Web,
    /// The bot's moves.
    Worker,
}

impl Part {
    fn words(self) -> &'static [&'static str] {
        match self {
            Part::Whole => &[],
            Part::Front => &["run", "--roles", "gateway,outbox,timers"],
            Part::Gateway => &["run", "--roles", "gateway"],
            Part::Web => &["run", "--roles", "web"],
            Part::Worker => &["worker"],
        }
    }
}

/// The processes, each with its folder; one may be dead.
pub(super) struct Fleet {
    pub(super) playground: Arc<Playground>,
    pub(super) journal: Postgres,
    server: Server,
    database: String,
    folder: tempfile::TempDir,
    parts: Vec<Part>,
    /// The way of each process to the database.
    proxies: Vec<Proxy>,
    /// Settings beside the usual ones.
    settings: Vec<(&'static str, String)>,
    programs: Mutex<Vec<Option<Program>>>,
    shards: u64,
    gaps: Arc<Mutex<Vec<Duration>>>,
    watching: JoinHandle<()>,
}

impl Fleet {
    /// Starts everything, or returns `None` after saying that the test is skipped.
    pub(super) async fn begin(shards: u32, parts: &[Part]) -> Option<Fleet> {
        Fleet::with(shards, parts, RateLimits::none(), Vec::new()).await
    }

    /// Does the same with a Discord that has limits, and with more settings.
    pub(super) async fn with(
        shards: u32,
        parts: &[Part],
        rate_limits: RateLimits,
        settings: Vec<(&'static str, String)>,
    ) -> Option<Fleet> {
        let server = Server::start()?;
        let database = server.create_database("").await;
        let options = Options { rate_limits, shards, ..Options::default() };
        let playground = Arc::new(Playground::start(options).await.unwrap());
        let journal = Postgres::open(&server.url(&database)).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let programs = Mutex::new(parts.iter().map(|_| None).collect());
        let proxies = parts.iter().map(|_| Proxy::start(&server)).collect();
        let (parts, shards) = (parts.to_vec(), shards.into());
        let gaps = Arc::default();
        let watching = tokio::spawn(watch_gaps(playground.clone(), shards, Arc::clone(&gaps)));
        let fleet = Fleet {
            playground,
            journal,
            server,
            database,
            folder,
            parts,
            proxies,
            settings,
            programs,
            shards,
            gaps,
            watching,
        };
        fleet.start_all();
        Some(fleet)
    }

    /// Starts the processes that don't run.
    pub(super) fn start_all(&self) {
        for (at, program) in self.programs.lock().unwrap().iter_mut().enumerate() {
            program.get_or_insert_with(|| self.start(at));
        }
    }

    fn start(&self, at: usize) -> Program {
        let url = Server::url_at(self.proxies[at].folder(), &self.database);
        let base = self.playground.api_base();
        let folder: PathBuf = self.folder.path().join(at.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let discord = [("DISCORD_TOKEN", self.playground.token()), ("DISCORD_API_BASE", base.as_str())];
        let mut environment = vec![
            ("ROOKERY_STORE__URL", url.as_str()),
            ("ROOKERY_AI__THREADS", "1"),
            ("ROOKERY_LIMITS__TABLES_PER_PERSON", "0"),
            ("ROOKERY_LIMITS__TABLES_PER_HOUR", "0"),
        ];
        environment.extend(self.settings.iter().map(|(name, value)| (*name, value.as_str())));
        // A worker needs no token.
        environment.extend(discord.into_iter().filter(|_| self.parts[at] != Part::Worker));
        Program::start(&folder, self.parts[at].words(), &environment)
    }

    /// Kills a process.
    pub(super) fn kill(&self, at: usize) {
        if let Some(mut program) = self.programs.lock().unwrap()[at].take() {
            program.kill();
        }
    }

    /// Whether no process is left that has a gateway and an outbox.
    pub(super) fn is_headless(&self) -> bool {
        let programs = self.programs.lock().unwrap();
        programs.iter().zip(&self.parts).all(|(it, part)| it.is_none() || *part != Part::Whole)
    }

    /// Asks a process to stop, and waits for its end.
    pub(super) async fn stop(&self, at: usize) {
        let mut program = self.programs.lock().unwrap()[at].take().unwrap();
        program.terminate();
        let (status, said) = program.ended().await;
        assert!(status.success(), "{said}");
    }

    /// Restarts the database.
    pub(super) fn restart_database(&self) {
        self.server.stop();
        self.server.start_again();
    }

    /// Cuts all connections of a process to the database.
    pub(super) fn cut_connections(&self, at: usize) {
        self.proxies[at].cut();
    }

    /// Holds back everything between a process and the database until [`Fleet::resume_connections`].
    pub(super) fn stall_connections(&self, at: usize) {
        self.proxies[at].stall();
    }

    /// Ends a stall.
    pub(super) fn resume_connections(&self, at: usize) {
        self.proxies[at].resume();
    }

    /// Returns the shards without a connection to Discord.
    pub(super) fn missing_shards(&self) -> Vec<u64> {
        let connected = self.playground.connected_shards();
        (0..self.shards).filter(|shard| !connected.contains(shard)).collect()
    }

    /// Returns how long shards were without a connection since all were connected first.
    pub(super) fn gaps(&self) -> String {
        let mut gaps = self.gaps.lock().unwrap().clone();
        gaps.sort();
        let at = |part: usize| gaps.get((gaps.len() * part / 100).min(gaps.len().saturating_sub(1)));
        format!(
            "{} gaps of shards, half of them up to {:?}, 90 % up to {:?}, the longest {:?}",
            gaps.len(),
            at(50),
            at(90),
            gaps.last()
        )
    }

    /// Waits until every shard is connected.
    pub(super) async fn until_connected(&self) {
        let since = Instant::now();
        while !self.missing_shards().is_empty() {
            assert!(
                since.elapsed() < PATIENCE,
                "not connected: {:?}\n{}",
                self.missing_shards(),
                self.said()
            );
            poll_interval().await;
        }
    }

    /// Returns how many analyses were asked of processes that think.
    pub(super) async fn asked_analyses(&self) -> i64 {
        let mut connection = self.server.connect(&self.database).await;
        let sql = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM thinking_requests_id_seq";
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
    }

    /// Returns how many processes do jobs of thinking, as far as the others know.
    pub(super) async fn thinking_processes(&self) -> i64 {
        let mut connection = self.server.connect(&self.database).await;
        let sql = "SELECT count(*) FROM processes WHERE thinks";
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap()
    }

    /// Returns the journal for reading.
    pub(super) fn journal(&self) -> &dyn Journal {
        &self.journal
    }

    /// Returns what the processes wrote to their logs last.
    pub(super) fn said(&self) -> String {
        let last = |at: usize| {
            let path = self.folder.path().join(at.to_string()).join("stderr");
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            format!(
                "--- {at} ({:?})\n{}\n",
                self.parts[at],
                lines[lines.len().saturating_sub(40)..].join("\n")
            )
        };
        (0..self.parts.len()).map(last).collect()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

/// Notes how long shards are without a connection, once each had one.
async fn watch_gaps(playground: Arc<Playground>, shards: u64, gaps: Arc<Mutex<Vec<Duration>>>) {
    let mut lost_at = HashMap::new();
    let mut known = BTreeSet::new();
    loop {
        let connected = playground.connected_shards();
        for shard in 0..shards {
            if !connected.contains(&shard) && known.contains(&shard) {
                lost_at.entry(shard).or_insert_with(Instant::now);
            } else if let Some(at) = lost_at.remove(&shard) {
                gaps.lock().unwrap().push(at.elapsed());
            }
        }
        known.extend(connected);
        poll_interval().await;
    }
}
