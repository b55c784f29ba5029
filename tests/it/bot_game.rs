//! A game of the Amazons against the bot, whose moves are random.

use std::time::Instant;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::command_line::PATIENCE;
use crate::duel::has_move_at;
use crate::eventually::retry_interval;

/// Returns a legal move of the Amazons, the first of the completions of `/move`. Waits for a bot that is just starting.
async fn completed_move(ada: &Person, thread: Id) -> String {
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

/// Plays a legal move of the Amazons, and waits for the board after the bot's.
pub(crate) async fn play_against_bot(ada: &Person, board: &VisibleMessage, ply: usize) -> VisibleMessage {
    let text = completed_move(ada, board.channel).await;
    ada.reply(board, &text).unwrap();
    ada.wait_for(board.channel, "the bot's move", |it| has_move_at(it, ply)).await.unwrap()
}
