//! The real program with its journal in PostgreSQL: it plays, survives a kill, and moves from one store to the other.

use std::path::Path;
use std::process::Command;

use rookery_playground::{Options, Playground, limits::RateLimits};
use rookery_store::testing::postgres_server::Server;
use serde_json::json;

use crate::bot_game::play_against_bot;
use crate::command_line::Program;
use crate::duel::slash_play;

/// Starts the program on a playground with its journal at this address.
async fn start(playground: &Playground, folder: &Path, url: &str) -> Program {
    let base = playground.api_base();
    let environment = [
        ("DISCORD_TOKEN", playground.token()),
        ("DISCORD_API_BASE", base.as_str()),
        ("ROOKERY_STORE__URL", url),
    ];
    let program = Program::start(folder, &[], &environment);
    playground.wait_for_bot().await.unwrap();
    program
}

/// Runs a command of the program; returns whether it succeeded, and what it printed.
fn rookery(folder: &Path, words: &[&str], url: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(words).current_dir(folder).env_clear().env("ROOKERY_STORE__URL", url);
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), printed.into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn game_in_postgres_outlives_a_kill_and_goes_on_in_a_file() {
    let Some(server) = Server::start() else { return };
    let database = server.create_database("").await;
    let url = server.url(&database);
    let folder = tempfile::tempdir().unwrap();
    let options = Options { rate_limits: RateLimits::none(), ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let mut program = start(&playground, folder.path(), &url).await;
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6", "first": "me"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let board = play_against_bot(&ada, &board, 2).await;

    // A move is refused while the bot runs; a backup and a check are made, and the doctor only looks.
    let (ok, told) = rookery(folder.path(), &["doctor"], &url);
    assert!(told.contains("PostgreSQL") && told.contains("answers"), "{ok} {told}");
    let (ok, told) = rookery(folder.path(), &["backup", "copy.sqlite"], &url);
    assert!(ok && told.contains("copy.sqlite holds all of postgres://"), "{told}");
    let (ok, told) = rookery(folder.path(), &["check", "copy.sqlite"], &url);
    assert!(ok && told.contains("tables        1 (1 unfinished)") && told.contains("undamaged"), "{told}");
    let (ok, told) = rookery(folder.path(), &["check"], &url);
    assert!(ok && told.contains("tables        1 (1 unfinished)") && told.contains("undamaged"), "{told}");
    let file = format!("sqlite:{}", folder.path().join("moved.sqlite").display());
    let (ok, told) = rookery(folder.path(), &["move-store", &url, &file], &url);
    assert!(!ok && told.contains("in use"), "{told}");

    program.kill();
    let mut program = start(&playground, folder.path(), &url).await;
    let board = play_against_bot(&ada, &board, 4).await;
    program.kill();

    let (ok, told) = rookery(folder.path(), &["move-store", &url, &file], &url);
    assert!(ok && told.contains("events"), "{told}");
    let (ok, told) = rookery(folder.path(), &["check"], &file);
    assert!(ok && told.contains("undamaged"), "{told}");
    let mut program = start(&playground, folder.path(), &file).await;
    play_against_bot(&ada, &board, 6).await;
    program.kill();

    let (ok, told) = rookery(folder.path(), &["move-store", &file, &url], &url);
    assert!(!ok && told.contains("is not empty"), "{told}");
    let (ok, told) = rookery(folder.path(), &["restore", "copy.sqlite"], &url);
    assert!(!ok && told.contains("rookery move-store sqlite:copy.sqlite postgres://"), "{told}");
    let restored = server.url(&server.create_database("").await);
    let (ok, told) = rookery(folder.path(), &["move-store", "sqlite:copy.sqlite", &restored], &url);
    assert!(ok && told.contains("events"), "{told}");
    let (ok, told) = rookery(folder.path(), &["check"], &restored);
    assert!(ok && told.contains("undamaged"), "{told}");
}
