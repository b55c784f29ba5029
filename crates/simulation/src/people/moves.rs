//! How people move: typed in a reply, with a mention, in a direct message or with a command, or tapped in the panel.

use std::collections::BTreeMap;
use std::time::Duration;

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::{PendingInteraction, Person};
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::Table;
use serde_json::json;

use super::People;
use crate::tables;
use crate::world::lock;

/// The most taps of a move.
const MAX_TAPS: usize = 8;
/// How long a person waits for the panel to change.
const PATIENCE: Duration = Duration::from_secs(5);

impl People {
    /// Plays a move at a random table.
    pub(super) async fn play(&mut self) {
        let tables = tables::running(&self.world);
        let Some(table) = self.rng.pick(&tables) else { return };
        let Some((who, text)) = self.next_move(table) else { return };
        let thread = table.board_channel().map(|it| Id(it.channel.0));
        match (self.rng.below(6), thread) {
            (0, Some(thread)) => self.tap_move(&who, thread).await,
            (1 | 2, Some(thread)) => drop(self.move_by_command(&who, thread, &text)),
            (3, Some(thread)) => {
                let said = who.say(thread, &format!("<@{BOT_ID}> {text}"));
                self.note(&who, &format!("plays {text} at {} with a mention: {}", table.id(), said.is_ok()));
            }
            (4, Some(thread)) => self.reply_with_move(&who, thread, &text),
            _ => {
                let said = who.say(who.dm(), &format!("{} {text}", table.id()));
                self.note(&who, &format!("plays {text} at {} by message: {}", table.id(), said.is_ok()));
            }
        }
    }

    /// Returns the person to move, and a legal move.
    pub(super) fn next_move(&mut self, table: &Table) -> Option<(Person, String)> {
        let occupant = table.occupant(table.to_move()?)?;
        let who = self.everyone.iter().find(|who| occupant.person().is_some_and(|it| it.0 == who.id.0))?;
        let text = self.rng.pick(&table.play()?.moves())?.clone();
        Some((who.clone(), text))
    }

    fn move_by_command(&self, who: &Person, thread: Id, text: &str) -> Option<PendingInteraction> {
        let asked = who.slash(thread, "move", &json!({"move": text}));
        self.asked(who, format!("uses /move {text} in {thread}"), asked)
    }

    fn reply_with_move(&mut self, who: &Person, thread: Id, text: &str) {
        let board = who.messages(thread).into_iter().rev().find(|it| !it.files().is_empty());
        let Some(board) = board else { return };
        let said = who.reply(&board, text);
        self.note(who, &format!("plays {text} as a reply to {}: {}", board.id, said.is_ok()));
    }

    /// Presses *Move* under the latest board, and taps through the panel.
    async fn tap_move(&mut self, who: &Person, thread: Id) {
        let board = who.messages(thread).into_iter().rev().find(|it| it.button("Move").is_some());
        let Some(board) = board else { return };
        let button = board.button("Move").unwrap_or_default();
        let Some(mut asked) =
            self.asked(who, format!("opens the panel of {}", board.id), who.click(&board, button))
        else {
            return;
        };
        for _ in 0..MAX_TAPS {
            let Ok(Ok(panel)) = tokio::time::timeout(PATIENCE, asked.message()).await else { return };
            let Some(panel) = who.refetch(&panel) else { return };
            let choices = offered(&panel);
            let Some((id, value)) = self.rng.pick(&choices).cloned() else { return };
            let values: Vec<&str> = value.iter().map(String::as_str).collect();
            let pressed = who.choose(&panel, &id, &values);
            let Some(next) = self.asked(who, format!("taps {id} {values:?}"), pressed) else { return };
            let _answered = tokio::time::timeout(PATIENCE, next.answer()).await;
            self.pause(800).await;
            asked = next;
        }
    }

    /// Plays one more move at every running table where a person is to move.
    pub(super) async fn last_moves(&mut self) {
        let mut before = BTreeMap::new();
        for table in tables::running(&self.world) {
            let Some((who, text)) = self.next_move(&table) else { continue };
            // Several games may be played in a channel that is not their own, and `/move` would have to ask which.
            let own = table.board_channel().filter(|place| place.thread && self.rng.below(2) == 0);
            let is_asked =
                own.is_some_and(|it| self.move_by_command(&who, Id(it.channel.0), &text).is_some());
            if !is_asked {
                let said = who.say(who.dm(), &format!("{} {text}", table.id()));
                self.note(&who, &format!("plays {text} at {} at last: {}", table.id(), said.is_ok()));
            }
            before.insert(table.id(), table.ply());
            self.pause(500).await;
        }
        *lock(&self.world.last_moves) = Some(before);
    }
}

/// Returns all choices of a panel: its buttons, and the options of its selects.
fn offered(panel: &VisibleMessage) -> Vec<(String, Option<String>)> {
    if let Some(play) = panel.button("Play move") {
        return vec![(play.to_owned(), None)];
    }
    let labels = panel.buttons().into_iter().filter(|label| !["Back", "As text"].contains(label));
    let buttons = labels.filter_map(|label| Some((panel.button(label)?.to_owned(), None)));
    let selects = panel.selects().into_iter().flat_map(|select| {
        let id = select["custom_id"].as_str().unwrap_or_default().to_owned();
        let values = select["options"].as_array().into_iter().flatten();
        values.filter_map(move |one| Some((id.clone(), Some(one["value"].as_str()?.to_owned()))))
    });
    buttons.chain(selects).collect()
}
