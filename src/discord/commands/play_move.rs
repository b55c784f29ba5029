//! `/move`: plays a move, completed step by step while it is typed.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::{IllegalMove, MoveError};
use rookery_i18n::Words;
use rookery_table::fair::Help;
use rookery_table::{Order, Status, Table, hints};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::ranked::Best;
use super::super::which::Want;
use super::super::{buttons, complete, rehouse, teams};
use super::{Command, Kind, completed, meant, option, required, table_option};

/// Plays a move.
pub(super) struct PlayMove;

#[async_trait]
impl Command for PlayMove {
    fn name(&self) -> &'static str {
        "move"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let text = required(completed(option(words, Kind::Text, "move", "command-move-move")));
        vec![text, table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::Act).await {
            Ok(table) => {
                let table = teams::enlisted(desk, table, asked.into()).await;
                let post = play(desk, asked, &table, given.text("move").unwrap_or_default()).await;
                desk.about(&table, asked.place.channel, post)
            }
            Err(post) => *post,
        }
    }

    async fn complete(&self, desk: &Desk, asked: &Asked, given: &Given) -> Vec<String> {
        match meant(desk, asked, given, Want::Act).await {
            Ok(table) => moves(desk, &table, asked, given.typed()).await,
            Err(_) => Vec::new(),
        }
    }
}

/// Moves are offered to who is to move, and to nobody else.
async fn moves(desk: &Desk, table: &Table, asked: &Asked, typed: &str) -> Vec<String> {
    let theirs = table.to_move().is_some_and(|turn| teams::plays(table, turn, asked.into()));
    let Some(play) = table.play().filter(|_| theirs) else { return Vec::new() };
    // Which moves look best is help as well.
    let helps = hints::may_help(table).is_err()
        || desk.hall.helps_rated(&[asked.who], asked.place.guild, play, Help::Tells).await;
    let best = if helps { Best::default() } else { desk.ranked.of(desk.hall.tasks(), table).await };
    let (play, typed) = (play.clone_play(), typed.to_owned());
    let found = move || complete::completions(play.as_ref(), &typed, &best);
    desk.hall.tasks().compute("completion", found).await.unwrap_or_default()
}

/// A move that is right so far opens the panel where it stopped.
async fn play(desk: &Desk, asked: &Asked, table: &Table, text: &str) -> Post {
    let unfinished = table.play().filter(|_| *table.status() == Status::Running).and_then(|play| {
        let incomplete = matches!(play.read(text), Err(MoveError::Illegal(IllegalMove::Incomplete { .. })));
        incomplete.then(|| complete::typed(play, text).taken)
    });
    if let Some(taken) = unfinished {
        return buttons::panel_at(desk, asked, table, &taken, None);
    }
    let order = Order::Move { text: text.to_owned(), ply: None };
    match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(seen) => {
            let post = buttons::played(desk, &seen);
            rehouse::with_board(desk, asked.place, asked.who, &seen.table, post).await
        }
        Err(post) => *post,
    }
}
