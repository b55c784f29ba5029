//! The processes, their database and their Discord.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use rookery_playground::{Options, Playground, limits::RateLimits};
use rookery_store::Postgres;
use rookery_store::testing::postgres_server::Server;
use rookery_table::ports::{Cluster, Journal};
use sqlx::query;

use crate::command_line::{PATIENCE, Program};
use crate::eventually::poll_interval;

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Everything.
    Whole,
    /// The gateway, and what it needs at once.
    Gateway,
    /// The bot's moves.
    Worker,
}

impl Part {
    fn words(self) -> &'static [&'static str] {
        match self {
            Part::Whole => &[],
            Part::Gateway => &["run", "--roles", "gateway"],
            Part::Worker => &["worker"],
        }
    }
}

/// The processes, each with its folder; one may be dead.
pub(super) struct Fleet {
    pub(super) playground: Playground,
    pub(super) journal: Postgres,
    server: Server,
    database: String,
    folder: tempfile::TempDir,
    parts: Vec<Part>,
    programs: Mutex<Vec<Option<Program>>>,
    shards: usize,
}

impl Fleet {
    /// Starts everything, or returns `None` after saying that the test is skipped.
    pub(super) async fn begin(shards: u32, parts: &[Part]) -> Option<Fleet> {
        let server = Server::start()?;
        let database = server.create_database("").await;
        let options = Options { rate_limits: RateLimits::none(), shards, ..Options::default() };
        let playground = Playground::start(options).await.unwrap();
        let journal = Postgres::open(&server.url(&database)).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let programs = Mutex::new(parts.iter().map(|_| None).collect());
        let (parts, shards) = (parts.to_vec(), shards as usize);
        let fleet = Fleet { playground, journal, server, database, folder, parts, programs, shards };
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
        let (base, url) = (self.playground.api_base(), self.server.url(&self.database));
        let folder: PathBuf = self.folder.path().join(at.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let discord = [("DISCORD_TOKEN", self.playground.token()), ("DISCORD_API_BASE", base.as_str())];
        let mut environment = vec![("ROOKERY_STORE__URL", url.as_str()), ("ROOKERY_AI__THREADS", "1")];
        // A worker needs no token.
        environment.extend(discord.into_iter().filter(|_| self.parts[at] != Part::Worker));
        Program::start(&folder, self.parts[at].words(), &environment)
    }

    /// Kills a process, and starts it again at once or with the next one that is killed.
    pub(super) fn kill_and_start(&self, at: usize, at_once: bool) {
        let is_headless = {
            let mut programs = self.programs.lock().unwrap();
            if let Some(mut program) = programs[at].take() {
                program.kill();
            }
            // One of those with a gateway and an outbox must live.
            programs.iter().zip(&self.parts).all(|(it, part)| it.is_none() || *part != Part::Whole)
        };
        if at_once || is_headless {
            self.start_all();
        }
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

    /// Cuts all connections to the database.
    pub(super) async fn cut_connections(&self) {
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let mut connection = self.server.connect(&self.database).await;
        query(cut).execute(&mut connection).await.unwrap();
    }

    /// Waits until every shard is connected.
    pub(super) async fn until_connected(&self) {
        let begun = jiff::Timestamp::now();
        let since = Instant::now();
        loop {
            let known = self.journal.shards().await.unwrap_or_default();
            let is_new = |at: &Option<jiff::Timestamp>| at.is_some_and(|at| at >= begun);
            if known.iter().filter(|(_, state)| is_new(&state.alive_at)).count() == self.shards {
                return;
            }
            assert!(since.elapsed() < PATIENCE, "not all shards are connected: {known:?}\n{}", self.said());
            poll_interval().await;
        }
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
