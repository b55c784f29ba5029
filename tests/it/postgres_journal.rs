//! The real program with its journal in PostgreSQL: it plays, survives a kill, and moves from one store to the other.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{Options, Playground, limits::RateLimits};
use rookery_store::testing::postgres_server::Server;
use serde_json::json;

use crate::command_line::{PATIENCE, Program};
use crate::duel::{has_move_at, slash_play};
use crate::eventually::retry_interval;

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

/// Returns a legal move, chosen from the completions of `/move`. Waits for a bot that is just starting.
async fn legal_move(ada: &Person, thread: Id) -> String {
    let since = Instant::now();
    let mut typed = String::new();
    // A whole move ends with the square of the arrow.
    while typed.split_once('/').is_none_or(|(_, arrow)| arrow.is_empty()) {
        assert!(since.elapsed() < PATIENCE, "no completion of {typed:?}");
        match ada.complete(thread, "move", &json!({"move": typed}), "move").await.as_deref() {
            Ok([first, ..]) => typed = first["value"].as_str().unwrap().to_owned(),
            Ok([]) | Err(_) => retry_interval().await,
        }
    }
    typed
}

/// Plays a legal move, and waits for the board after the bot's.
async fn plays(ada: &Person, board: &VisibleMessage, ply: usize) -> VisibleMessage {
    let text = legal_move(ada, board.channel).await;
    ada.reply(board, &text).unwrap();
    ada.wait_for(board.channel, "the bot's move", |it| has_move_at(it, ply)).await.unwrap()
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
    let board = plays(&ada, &board, 2).await;

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
    let board = plays(&ada, &board, 4).await;
    program.kill();

    let (ok, told) = rookery(folder.path(), &["move-store", &url, &file], &url);
    assert!(ok && told.contains("events"), "{told}");
    let (ok, told) = rookery(folder.path(), &["check"], &file);
    assert!(ok && told.contains("undamaged"), "{told}");
    let mut program = start(&playground, folder.path(), &file).await;
    plays(&ada, &board, 6).await;
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
