//! The processes of the bot, and their store.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rookery_playground::Playground;
use rookery_store::testing::postgres_server::Server;
use sqlx::{Connection, PgConnection, Row, query};

use crate::{Load, Store};

/// The limits of the configuration, which one person with many games would reach.
const WITHOUT_LIMITS: [&str; 7] = [
    "TABLES_PER_PERSON",
    "TABLES_PER_SERVER",
    "TABLES_PER_HOUR",
    "CHALLENGES_PER_HOUR",
    "CHALLENGES_TO_ONE_PER_HOUR",
    "CHALLENGE_WAIT_MINUTES",
    "IMPORTS_PER_HOUR",
];
/// How long processes may take to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// The running processes; they are killed when this is dropped.
pub(crate) struct Fleet {
    children: Vec<Child>,
    folder: tempfile::TempDir,
    url: String,
    server: Option<Server>,
}

impl Fleet {
    /// Starts the processes, and waits until each shard is connected.
    pub(crate) async fn start(load: &Load, playground: &Playground) -> Result<Fleet> {
        let folder = tempfile::tempdir()?;
        let (server, url) = match (load.store, &load.url) {
            (Store::Sqlite, _) => {
                (None, format!("sqlite:{}", folder.path().join("rookery.sqlite").display()))
            }
            (Store::Postgres, Some(url)) => (None, url.clone()),
            (Store::Postgres, None) => {
                let server = Server::start().context("there is no PostgreSQL on this machine")?;
                let url = server.url(&server.create_database("").await);
                (Some(server), url)
            }
        };
        let mut fleet = Fleet { children: Vec::new(), folder, url, server };
        for number in 0..load.processes {
            let child = fleet.spawn(number, playground)?;
            fleet.children.push(child);
        }
        let connecting = async {
            while playground.connected_shards().len() < load.processes as usize {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            playground.wait_for_bot().await
        };
        tokio::time::timeout(CONNECT_TIMEOUT, connecting)
            .await
            .with_context(|| format!("the bot doesn't connect; see {}", fleet.folder.path().display()))??;
        Ok(fleet)
    }

    fn spawn(&self, number: u32, playground: &Playground) -> Result<Child> {
        let folder = self.folder.path().join(number.to_string());
        std::fs::create_dir(&folder)?;
        let output = |name: &str| File::create(folder.join(name));
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command
            .current_dir(&folder)
            .env_clear()
            .env("DISCORD_TOKEN", playground.token())
            .env("DISCORD_API_BASE", playground.api_base())
            .env("ROOKERY_DISCORD__MESSAGE_CONTENT", "true")
            .env("ROOKERY_STORE__URL", &self.url)
            // Discord's limit would end the measurement at 25 moves a second.
            .env("ROOKERY_DISCORD__REQUESTS_PER_SECOND", "100000")
            .envs(WITHOUT_LIMITS.map(|limit| (format!("ROOKERY_LIMITS__{limit}"), "0")))
            .stdin(Stdio::null())
            .stdout(output("stdout")?)
            .stderr(output("stderr")?);
        Ok(command.spawn()?)
    }

    pub(crate) fn process_ids(&self) -> Vec<u32> {
        self.children.iter().map(Child::id).collect()
    }

    /// Prints how many transactions the database counted for a board.
    pub(crate) async fn print_transactions(&self, boards: usize) -> Result<()> {
        if !self.url.starts_with("postgres") {
            return Ok(());
        }
        let mut connection = PgConnection::connect(&self.url).await?;
        let statement = "SELECT xact_commit, pg_database_size(datname) FROM pg_stat_database \
                         WHERE datname = current_database()";
        let row = query(statement).fetch_one(&mut connection).await?;
        let (transactions, bytes): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        println!(
            "database: {:.1} transactions a move with all else included, {} MiB",
            transactions as f64 / boards.max(1) as f64,
            bytes >> 20
        );
        Ok(connection.close().await?)
    }

    /// Stops the processes as an operator would.
    pub(crate) async fn stop(mut self) -> Result<()> {
        for child in &mut self.children {
            let pid = rustix::process::Pid::from_raw(child.id().cast_signed()).context("a process number")?;
            rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
        }
        for mut child in std::mem::take(&mut self.children) {
            let status = tokio::task::spawn_blocking(move || child.wait()).await??;
            if !status.success() {
                bail!("a process ended with {status}");
            }
        }
        drop(self.server.take());
        Ok(())
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for child in &mut self.children {
            // One that has ended already can't be killed.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
