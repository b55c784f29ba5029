//! The real program and its journal: one process owns the file; backups are made beside it, restored and
//! checked.

use std::path::Path;
use std::process::{Command, Output};

use rookery_playground::{Options, Playground, limits::RateLimits};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::command_line::Program;
use crate::duel::slash_play;

/// Runs a command of the program in a folder of its own.
fn rookery(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(words).current_dir(folder).env_clear().output().unwrap()
}

fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let output = rookery(folder, words);
    assert!(output.status.success(), "{words:?}: {}", says(&output));
    says(&output)
}

fn fails(folder: &Path, words: &[&str]) -> String {
    let output = rookery(folder, words);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {}", says(&output));
    says(&output)
}

/// Starts the program on a playground and opens one table.
async fn playing(folder: &Path) -> (Playground, Program) {
    let options = Options { rate_limits: RateLimits::none(), ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let program = start(&playground, folder);
    playground.wait_for_bot().await.unwrap();
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6", "first": "me"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    ada.wait_for_thread(games, "Amazons").await.unwrap();
    (playground, program)
}

fn start(playground: &Playground, folder: &Path) -> Program {
    let base = playground.api_base();
    Program::start(folder, &[], &[("DISCORD_TOKEN", playground.token()), ("DISCORD_API_BASE", &base)])
}

/// Changes a file behind the back of its owner.
async fn change(file: &Path, sql: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    let changed = sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    assert!(changed.rows_affected() > 0, "{sql}");
    connection.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn second_process_on_the_same_file_names_the_first_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (playground, first) = playing(folder.path()).await;
    let other = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let base = playground.api_base();
    let environment = [
        ("DISCORD_TOKEN", playground.token()),
        ("DISCORD_API_BASE", base.as_str()),
        ("ROOKERY_STORE__PATH", path.to_str().unwrap()),
    ];
    let mut second = Program::start(other.path(), &[], &environment);
    let (status, said) = second.ended().await;
    assert!(!status.success() && said.contains(&format!("in use by process {} on ", first.id())), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_beside_a_running_bot_is_checked_and_restored_once_it_has_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_playground, mut bot) = playing(folder).await;
    let told = succeeds(folder, &["backup", "copy.sqlite"]);
    assert!(told.contains("copy.sqlite holds all of rookery.sqlite"), "{told}");
    let told = fails(folder, &["backup", "copy.sqlite"]);
    assert!(told.contains("there already") && told.contains("--overwrite"), "{told}");
    succeeds(folder, &["backup", "--overwrite", "copy.sqlite"]);
    let names =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let beside: Vec<_> = names.filter(|name| name.starts_with("copy")).collect();
    assert_eq!(beside, ["copy.sqlite"], "whole in one file");
    for file in ["copy.sqlite", "rookery.sqlite"] {
        let told = succeeds(folder, &["check", file]);
        assert!(told.contains("tables        1 (1 unfinished)") && told.contains("is undamaged"), "{told}");
    }
    let told = fails(folder, &["restore", "copy.sqlite"]);
    assert!(told.contains(&format!("in use by process {} on ", bot.id())), "{told}");
    bot.kill();
    change(&folder.join("rookery.sqlite"), "DELETE FROM cards").await;
    let told = fails(folder, &["check"]);
    assert!(told.contains("has no card"), "{told}");
    assert!(told.contains("Damaged tables: 1 of 1"), "{told}");
    let told = succeeds(folder, &["restore", "copy.sqlite"]);
    let kept = told.split("is kept as ").nth(1).unwrap().trim().trim_end_matches('.').to_owned();
    succeeds(folder, &["check"]);
    fails(folder, &["check", &kept]);
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_backup_is_refused_and_the_journal_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_playground, mut bot) = playing(folder).await;
    bot.kill();
    succeeds(folder, &["backup", "copy.sqlite"]);
    change(&folder.join("copy.sqlite"), "UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 2").await;
    let told = fails(folder, &["check", "copy.sqlite"]);
    assert!(told.contains("DAMAGED table") && told.contains("entry 2 is not as it was written"), "{told}");
    let before = std::fs::read(folder.join("rookery.sqlite")).unwrap();
    let told = fails(folder, &["restore", "copy.sqlite"]);
    assert!(told.contains("nothing was restored") && told.contains("entry 2"), "{told}");
    assert_eq!(std::fs::read(folder.join("rookery.sqlite")).unwrap(), before);
    let told = succeeds(folder, &["restore", "--damaged", "copy.sqlite"]);
    assert!(told.contains("is kept as"), "{told}");
    fails(folder, &["check"]);
}

#[test]
fn files_that_are_no_journal_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let told = fails(folder, &["backup", "copy.sqlite"]);
    assert!(told.contains("rookery.sqlite: there is no such file"), "{told}");
    assert!(!folder.join("rookery.sqlite").exists() && !folder.join("copy.sqlite").exists());
    std::fs::write(folder.join("letter.txt"), "Dear Ada, ".repeat(1_000)).unwrap();
    for words in [["check", "letter.txt"], ["restore", "letter.txt"]] {
        let told = fails(folder, &words);
        assert!(told.contains("letter.txt: ") && told.contains("not a database"), "{told}");
    }
}

/// The cause of the exit is logged first, without the errors that follow from it.
#[tokio::test]
async fn without_a_server_the_reason_is_the_first_thing_said() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://{nobody}");
    for _ in 0..3 {
        let words = [("DISCORD_TOKEN", "abc"), ("DISCORD_API_BASE", base.as_str())];
        let (status, said) = Program::start(folder.path(), &[], &words).ended().await;
        assert!(!status.success());
        assert!(said.lines().all(|line| line.contains(&base)), "{said}");
        assert!(!said.contains("closed"), "{said}");
    }
}
