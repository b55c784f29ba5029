//! Follows docs/operate.md from one process to ten, and through an upgrade that is rolled back: every command there is
//! run, in order, while people play.

use std::collections::BTreeMap;
use std::process::Command;

use rookery_playground::{Options, Playground, limits::RateLimits};
use rookery_store::Postgres;
use rookery_store::testing::postgres_server::Server;
use rookery_table::ports::Cluster;
use serde_json::json;
use tempfile::TempDir;

use crate::bot_game::play_against_bot;
use crate::command_line::Program;
use crate::duel::slash_play;
use crate::eventually::eventually;

const GUIDE: &str = include_str!("../../docs/operate.md");
const STORE: &str = "ROOKERY_STORE__URL";

/// Returns a section of the guide.
fn section(title: &str) -> &'static str {
    let begin = GUIDE.find(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no section {title}"));
    let rest = &GUIDE[begin + 4..];
    rest.split("\n## ").next().unwrap()
}

/// Returns the blocks of commands in a section that are for the program itself, each by its lines.
fn blocks(section: &str) -> Vec<Vec<&str>> {
    let blocks = section.split("```text\n").skip(1).map(|block| block.split("```").next().unwrap().trim());
    let blocks = blocks.map(|block| block.lines().collect::<Vec<_>>());
    blocks.filter(|lines| lines.iter().any(|line| line.starts_with("rookery"))).collect()
}

/// Returns the commands of the table of ten processes, each as often as it says.
fn ten_processes(section: &str) -> Vec<&str> {
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let count: usize = cells.next()?.parse().ok()?;
        Some(vec![cells.next()?.trim_matches('`'); count])
    });
    rows.flatten().collect()
}

/// An operator who follows the guide.
struct Operator {
    folder: TempDir,
    playground: Playground,
    environment: BTreeMap<String, String>,
    /// What stands in the guide, and the address to use in its place.
    addresses: Vec<(&'static str, String)>,
    running: Vec<Program>,
}

impl Operator {
    async fn follow_all(&mut self, lines: &[&str]) {
        for line in lines {
            self.follow(line).await;
        }
    }

    /// Does what one line of the guide says.
    async fn follow(&mut self, line: &str) {
        if line == "# Stop the bot." {
            return self.stop(self.running.len()).await;
        }
        // The quotation marks are for the shell.
        let mut line = line.replace('\'', "");
        for (shown, address) in &self.addresses {
            let words = line.split(' ').map(|word| match word.strip_suffix(shown) {
                Some(before) if before.is_empty() || before.ends_with('=') => format!("{before}{address}"),
                _ => word.to_owned(),
            });
            line = words.collect::<Vec<_>>().join(" ");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["export", setting] => {
                let (name, value) = setting.split_once('=').unwrap();
                self.environment.insert(name.to_owned(), value.to_owned());
            }
            ["rookery"] | ["rookery", "run" | "worker", ..] => self.start(&words[1..]).await,
            ["rookery", ..] => self.run(&words[1..]),
            _ => panic!("the guide shows a line that is no command: {line}"),
        }
    }

    /// Runs a command to its end.
    fn run(&self, words: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.args(words).current_dir(self.folder.path()).env_clear().envs(&self.environment);
        let output = command.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{words:?}: {printed}{}", String::from_utf8_lossy(&output.stderr));
        assert!(!printed.is_empty(), "{words:?} prints nothing");
        // Progress is for terminals.
        assert!(output.stderr.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Starts a process of the bot, and waits until it runs.
    async fn start(&mut self, words: &[&str]) {
        let environment: Vec<_> = self.environment.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.running.push(Program::start(self.folder.path(), words, &environment));
        if let Some(address) = self.environment.get(STORE).filter(|url| url.starts_with("postgres")) {
            let count = self.running.len();
            // Only while it waits: the commands that move a journal need the store alone.
            let store = Postgres::open(address).await.unwrap();
            eventually(&format!("{count} processes run"), async || {
                store.processes().await.unwrap().len() == count
            })
            .await;
            store.close().await;
        }
        self.playground.wait_for_bot().await.unwrap();
    }

    /// Stops the processes that were started first.
    async fn stop(&mut self, count: usize) {
        let mut leaving: Vec<Program> = self.running.drain(..count).collect();
        leaving.iter().for_each(Program::terminate);
        for program in &mut leaving {
            let (status, said) = program.ended().await;
            assert!(status.success(), "{status}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guide_leads_from_one_process_to_ten_and_back_after_an_upgrade() {
    let Some(server) = Server::start() else { return };
    let first = server.url(&server.create_database("").await);
    let second = server.url(&server.create_database("").await);
    let options = Options { rate_limits: RateLimits::none(), ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let environment = [
        ("DISCORD_TOKEN", playground.token().to_owned()),
        ("DISCORD_API_BASE", playground.api_base()),
        ("ROOKERY_AI__THREADS", "1".to_owned()),
    ];
    let mut operator = Operator {
        folder: tempfile::tempdir().unwrap(),
        playground,
        environment: environment.map(|(name, value)| (name.to_owned(), value)).into(),
        addresses: vec![
            ("postgres://rookery:PASSWORD@localhost/rookery", first),
            ("postgres://rookery:PASSWORD@localhost/rookery2", second),
        ],
        running: Vec::new(),
    };
    let growing = section("From one process to ten");
    let steps = blocks(growing);
    operator.follow_all(&steps[0]).await;
    let (ada, games) = (operator.playground.user("Ada"), operator.playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6", "first": "me"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let board = play_against_bot(&ada, &board, 2).await;
    for step in &steps[1..] {
        operator.follow_all(step).await;
    }
    let few = operator.running.len();
    assert_eq!(few, 4, "two runners and two workers");
    let ten = ten_processes(growing);
    assert_eq!(ten.len(), 10);
    operator.follow_all(&ten).await;
    operator.stop(few).await;
    let board = play_against_bot(&ada, &board, 4).await;

    let upgrade = blocks(section("Upgrade and roll back"));
    let [backup, restore, move_back] = &upgrade[..] else { panic!("{upgrade:?}") };
    operator.follow_all(backup).await;
    operator.follow_all(move_back).await;
    play_against_bot(&ada, &board, 6).await;
    operator.stop(1).await;

    // The same with a file, which begins as the backup of the database.
    operator.environment.remove(STORE);
    operator.follow_all(restore).await;
    operator.run(&["check"]);
    operator.playground.stop().await;
}
