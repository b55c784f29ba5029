//! One attempt of one person to reach a table through one entrance, and its result.

use std::time::Duration;

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::{Value, json};

use super::entrances::{AttemptResult, a_move, no_table};
use super::stage::AccessSetup;

use crate::eventually::eventually;

/// Sentences of `locales/en` that only appear for an existing table, although they do not name it.
const ABOUT_A_TABLE: [&str; 7] = [
    "This game isn't over.",
    "This game is over.",
    "No moves were played",
    "You're playing in this game",
    "You aren't playing in this game",
    "Only this game's players can share it.",
    "Your report is only in Rookery's log",
];

/// The answer that a banned person gets.
const BANNED: &str = "banned you from using Rookery here";

/// Formats an answer, with `#` for the table's name.
fn outcome_text(answer: &VisibleMessage, table: &str) -> String {
    format!("{} ({} files)", answer.content().replace(table, "#"), answer.files().len())
}

/// How a move is entered.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Command,
    Written,
    Corrected,
}

/// Compares an answer with the one for a table that does not exist: a person without access must get the same.
fn compared(answer: &str, none: &str) -> AttemptResult {
    let shows = answer.contains('#') || !answer.ends_with("(0 files)");
    match answer {
        _ if answer == none || answer.contains(BANNED) => AttemptResult::Refused,
        _ if answer.contains("no game") => AttemptResult::Unclear(answer.to_owned()),
        _ if shows || ABOUT_A_TABLE.iter().any(|words| answer.contains(words)) => AttemptResult::Allowed,
        _ => AttemptResult::Unclear(answer.to_owned()),
    }
}

/// Classifies the answer to a press, a menu or a reply: these are tried only at an existing table.
fn shown(answer: &VisibleMessage, table: &str) -> AttemptResult {
    let outcome_text = outcome_text(answer, table);
    let none = "There's no game # that you can see. `/games` lists yours. (0 files)";
    compared(&outcome_text, none)
}

/// A person in a channel, and the table that they try to reach.
pub(super) struct Attempt<'a> {
    pub(super) stage: &'a AccessSetup,
    pub(super) person: &'a Person,
    pub(super) table: &'a str,
    pub(super) channel: Id,
}

impl Attempt<'_> {
    async fn slash(&self, name: &str, options: &Value, table: &str) -> Option<String> {
        let asked = self.person.slash(self.channel, name, options).ok()?;
        Some(outcome_text(&asked.message().await.unwrap(), table))
    }

    pub(super) async fn command(&self, name: &str) -> AttemptResult {
        let options = |table: &str| match name {
            "report" => json!({"table": table, "text": "x"}),
            _ => json!({"table": table}),
        };
        let Some(answer) = self.slash(name, &options(self.table), self.table).await else {
            return AttemptResult::ByDiscord;
        };
        let nobodys = no_table(self.table);
        let none = self.slash(name, &options(&nobodys), &nobodys).await.unwrap();
        compared(&answer, &none)
    }

    fn addressed(&self, table: &str, text: &str) -> String {
        let is_dm = self.channel == self.person.dm();
        if is_dm { format!("{table} {text}") } else { format!("<@{BOT_ID}> {table} {text}") }
    }

    pub(super) async fn said(&self, table: &str, text: &str) -> Option<String> {
        let said = self.person.say(self.channel, &self.addressed(table, text)).ok()?;
        Some(outcome_text(&self.stage.bot.answer_to(self.person, &said).await, table))
    }

    pub(super) async fn word(&self, word: &str) -> AttemptResult {
        let Some(answer) = self.said(self.table, word).await else { return AttemptResult::ByDiscord };
        let none = self.said(&no_table(self.table), word).await.unwrap();
        compared(&answer, &none)
    }

    /// Finds a message of the table with this button among those that the person sees.
    fn message(&self, label: &str) -> Option<VisibleMessage> {
        let fits = |it: &VisibleMessage| {
            !it.is_ephemeral() && it.button(label).is_some_and(|id| id.contains(self.table))
        };
        self.person.messages(self.channel).into_iter().find(fits)
    }

    pub(super) async fn button(&self, label: &str) -> AttemptResult {
        let Some(message) = self.message(label) else { return AttemptResult::ByDiscord };
        let id = message.button(label).unwrap().to_owned();
        let answer = self.person.click(&message, &id).unwrap().message().await.unwrap();
        shown(&answer, self.table)
    }

    pub(super) async fn menu(&self, name: &str) -> AttemptResult {
        let Some(message) = self.message("As text") else { return AttemptResult::ByDiscord };
        let answer = self.person.on_message(&message, name).unwrap().message().await.unwrap();
        shown(&answer, self.table)
    }

    pub(super) async fn reply(&self) -> AttemptResult {
        let Some(message) = self.message("As text") else { return AttemptResult::ByDiscord };
        let said = self.person.reply(&message, "clock").unwrap();
        let answer = self.stage.bot.answer_to(self.person, &said).await;
        shown(&answer, self.table)
    }

    /// Whether completion offers the table.
    pub(super) async fn completed(&self) -> AttemptResult {
        let options = json!({"table": &self.table[..2]});
        let Ok(offered) = self.person.complete(self.channel, "replay", &options, "table").await else {
            return AttemptResult::ByDiscord;
        };
        let is_there = offered.iter().any(|choice| choice["value"] == self.table);
        if is_there { AttemptResult::Allowed } else { AttemptResult::Refused }
    }

    /// Whether any list of games contains the table.
    pub(super) async fn listed(&self) -> AttemptResult {
        let mut is_there = false;
        for which in ["mine", "here", "open", "finished"] {
            let asked = self.slash("games", &json!({"which": which}), "no table").await;
            let Some(list) = asked else { return AttemptResult::ByDiscord };
            is_there |= list.contains(&format!("[{}]", self.table)) || list.contains(self.table);
        }
        if is_there { AttemptResult::Allowed } else { AttemptResult::Refused }
    }

    /// Tries to play a move.
    pub(super) async fn moved(&self, way: Way) -> AttemptResult {
        let text = a_move(self.stage, self.table).await.unwrap();
        let before = self.ply().await;
        let came = match way {
            Way::Command => {
                let options = json!({"table": self.table, "move": text});
                self.slash("move", &options, self.table).await.is_some()
            }
            Way::Written => match self.person.say(self.channel, &self.addressed(self.table, &text)) {
                Ok(said) => {
                    self.until_answered_or_moved(&said, before).await;
                    true
                }
                Err(_) => false,
            },
            Way::Corrected => self.corrected(&text).await,
        };
        match (came, self.ply().await > before) {
            (false, _) => AttemptResult::ByDiscord,
            (true, false) => AttemptResult::Refused,
            (true, true) => {
                // The bot answers at once, and then it is the same person's turn again.
                let answered = async || {
                    self.stage.bot.table(self.table).await.to_move().map(|seat| seat.index()) != Some(1)
                };
                eventually("the bot's move", answered).await;
                AttemptResult::Allowed
            }
        }
    }

    /// Writes a move with a typing error and corrects it; returns whether Discord accepts the message. The bot answers
    /// a correction by changing its first answer, or by the move.
    async fn corrected(&self, text: &str) -> bool {
        let Ok(said) = self.person.say(self.channel, &self.addressed(self.table, "z9-z8/z7")) else {
            return false;
        };
        self.stage.bot.answer_to(self.person, &said).await;
        self.stage.bot.playground.clock().advance(Duration::from_secs(1));
        self.person.edit(&said, &self.addressed(self.table, text)).unwrap();
        // An edit is identified by its timestamp: no message of the same millisecond may follow while the clock stands
        // still.
        self.stage.bot.playground.clock().advance(Duration::from_millis(1));
        // Messages of one channel are handled in order: once a later one is answered, the correction is handled too.
        let later = self.person.say(self.channel, &self.addressed(&no_table(self.table), "help")).unwrap();
        self.stage.bot.answer_to(self.person, &later).await;
        true
    }

    async fn ply(&self) -> usize {
        self.stage.bot.table(self.table).await.ply()
    }

    /// Waits for an answer or a move: in the channel of the boards, a move is answered by the next board.
    async fn until_answered_or_moved(&self, said: &VisibleMessage, before: usize) {
        let id = said.id.to_string();
        let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
        eventually(&format!("a move or an answer to {:?}", said.content()), async || {
            self.ply().await > before || self.person.messages(said.channel).iter().any(answers)
        })
        .await;
    }
}
