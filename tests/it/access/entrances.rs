//! Every way in which somebody can come to a table, each tried with the table and with a name that no table has: who
//! may not see a table must be told the same of both.

use std::time::Duration;

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::people::person::Person;
use rookery_playground::people::visible_message::VisibleMessage;
use rookery_table::{Actor, Order};
use serde_json::{Value, json};

use super::stage::{Place, Stage, Who};

/// A name of the same shape that no table has.
fn no_table(like: &str) -> String {
    like.chars().map(|sign| if sign.is_ascii_digit() { '9' } else { 'Z' }).collect()
}

/// Origin where it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The table's own channel or thread.
    Own,
    /// Another channel of its server.
    Lobby,
    /// A channel of another server.
    Elsewhere,
    /// Direct messages with the bot.
    Dm,
}

/// How long it takes to look again whether something has come.
const GLANCE: Duration = Duration::from_millis(5);

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    See,
    Join,
    Act,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::See => "see",
            Kind::Join => "join",
            Kind::Act => "act",
        }
    }
}

/// One way to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    /// A slash command that names it.
    Command(&'static str, Origin),
    /// A word with its name in front, in direct messages or with a mention.
    Word(&'static str, Origin),
    /// A button under its public message, by its label.
    Button(&'static str),
    /// The menu of its public message.
    Menu(&'static str),
    /// A reply to its board.
    Reply,
    /// The completion of its name.
    Completed(Origin),
    /// A list of games on the server.
    Listed(Origin),
    /// A move by command.
    Move(Origin),
    /// A move written with the table's name.
    Typed(Origin),
    /// A seat taken by a word.
    Yes(Origin),
    /// A seat taken by the button.
    JoinButton,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    AllowedValues,
    OrderError,
    /// Discord itself does not let them.
    ByDiscord,
}

use Entrance::{Button, Command, Completed, JoinButton, Listed, Menu, Move, Reply, Typed, Word, Yes};
use Origin::{Dm, Elsewhere, Lobby, Own};

pub(super) const ENTRANCES: [Entrance; 39] = [
    Command("board", Own),
    Command("board", Lobby),
    Command("board", Elsewhere),
    Command("board", Dm),
    Command("export", Lobby),
    Command("export", Elsewhere),
    Command("export", Dm),
    Command("replay", Lobby),
    Command("replay", Elsewhere),
    Command("replay", Dm),
    Command("verify", Lobby),
    Command("verify", Elsewhere),
    Command("verify", Dm),
    Command("analyse", Elsewhere),
    Command("analyse", Dm),
    Command("watch", Lobby),
    Command("watch", Elsewhere),
    Command("watch", Dm),
    Command("if", Elsewhere),
    Command("resign", Elsewhere),
    Command("hint", Dm),
    Word("board", Own),
    Word("board", Lobby),
    Word("board", Elsewhere),
    Word("text", Dm),
    Word("clock", Dm),
    Button("As text"),
    Menu("Replay from here"),
    Reply,
    Completed(Lobby),
    Completed(Dm),
    Listed(Lobby),
    Move(Lobby),
    Move(Dm),
    Typed(Dm),
    Typed(Lobby),
    Yes(Dm),
    Yes(Lobby),
    JoinButton,
];

impl Entrance {
    pub(super) fn kind(self) -> Kind {
        match self {
            Move(_) | Typed(_) => Kind::Act,
            Yes(_) | JoinButton => Kind::Join,
            _ => Kind::See,
        }
    }

    pub(super) fn from(self) -> Origin {
        match self {
            Command(_, from) | Word(_, from) | Completed(from) | Listed(from) => from,
            Move(from) | Typed(from) | Yes(from) => from,
            Button(_) | Menu(_) | Reply | JoinButton => Own,
        }
    }

    /// Whether it is a message that somebody writes.
    pub(super) fn is_written(self) -> bool {
        matches!(self, Word(..) | Reply | Typed(_) | Yes(_)) && self.from() == Lobby
    }

    /// Whether there is such a way to such a table at all.
    pub(super) fn leads_to(self, who: Who, place: Place) -> bool {
        let posted = matches!(place, Place::Open | Place::Closed);
        match self {
            // Those who sit there already have no seat to take; a former player's waiting table is Ben's.
            Yes(_) | JoinButton => posted && who != Who::Player,
            Move(_) | Typed(_) => place != Place::Study,
            Button(_) | Menu(_) | Reply => place != Place::Study,
            Command(_, Own) | Word(_, Own) => place != Place::Study,
            // They offer what everybody reads who reads along there, and to each their own: talk/lists.rs.
            Completed(_) => who != Who::Member || !posted,
            // A server's list of finished games has no studies.
            Listed(_) => (who != Who::Member || !posted) && place != Place::Study,
            _ => true,
        }
    }

    pub(super) async fn tried(self, stage: &Stage, who: Who, place: Place) -> Tried {
        stage.house.quiet().await;
        if who == Who::AnotherBot {
            return self.by_bot(stage, place).await;
        }
        let (person, (table, channel)) = (stage.person(who), stage.running(who, place));
        let at = At { stage, person, table, channel: self.channel(stage, person, *channel) };
        match self {
            Command("watch", _) => {
                let tried = at.command("watch").await;
                let id = table.parse().unwrap();
                let person = rookery_table::Person(person.id.0);
                stage.house.registry.journal().follows().unfollow(person, id).await.unwrap();
                tried
            }
            Command(name, _) => at.command(name).await,
            Word(word, _) => at.word(word).await,
            Button(label) => at.button(label).await,
            Menu(name) => at.menu(name).await,
            Reply => at.reply().await,
            Completed(_) => at.completed().await,
            Listed(_) => at.listed().await,
            Move(_) => at.moved(true).await,
            Typed(_) => at.moved(false).await,
            Yes(_) | JoinButton => self.joined(stage, who, place).await,
        }
    }

    fn channel(self, stage: &Stage, person: &Person, own: Id) -> Id {
        let playground = &stage.house.playground;
        match self.from() {
            Own => own,
            Lobby => playground.channel("lobby"),
            Elsewhere => playground.channel("table"),
            Dm => person.dm(),
        }
    }

    /// Whether somebody comes to sit at Ben's table with free seats.
    async fn joined(self, stage: &Stage, who: Who, place: Place) -> Tried {
        let (table, own) = stage.waiting(place).unwrap();
        let person = stage.person(who);
        let at = At { stage, person, table, channel: self.channel(stage, person, *own) };
        let is_answered = match self {
            JoinButton => at.button("Join").await != Tried::ByDiscord,
            _ => at.said(table, "yes").await.is_some(),
        };
        let (id, person) = (table.parse().unwrap(), rookery_table::Person(person.id.0));
        if stage.house.table(table).await.seat_of(person).is_some() {
            stage.house.registry.order(id, Actor::Person(person), Order::Leave, None).await.unwrap();
            return Tried::AllowedValues;
        }
        if is_answered { Tried::OrderError } else { Tried::ByDiscord }
    }

    /// Another bot is not answered, whatever it writes; a person who writes after it is.
    async fn by_bot(self, stage: &Stage, place: Place) -> Tried {
        let bot = stage.person(Who::AnotherBot);
        let (table, _) = match self.kind() {
            Kind::Join => stage.waiting(place).unwrap(),
            _ => stage.running(Who::AnotherBot, place),
        };
        if !self.is_written() {
            let from = self.channel(stage, bot, stage.house.games());
            let refused = bot.slash(from, "board", &json!({"table": table})).is_err();
            return if refused { Tried::ByDiscord } else { Tried::AllowedValues };
        }
        let before = stage.house.table(table).await.sequence();
        let lobby = self.channel(stage, bot, stage.house.games());
        let said = bot.say(lobby, &format!("<@{BOT_ID}> {table} {}", self.text(stage, table).await)).unwrap();
        let member = stage.person(Who::Member);
        let asked = member.say(lobby, &format!("<@{BOT_ID}> help")).unwrap();
        stage.house.answer_to(member, &asked).await;
        let id = said.id.to_string();
        let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
        let silent = !member.messages(lobby).iter().any(answers);
        let unmoved = stage.house.table(table).await.sequence() == before;
        if silent && unmoved { Tried::OrderError } else { Tried::AllowedValues }
    }

    async fn text(self, stage: &Stage, table: &str) -> String {
        match self {
            Word(word, _) => word.to_owned(),
            Typed(_) => a_move(stage, table).await.unwrap_or_default(),
            _ => "yes".to_owned(),
        }
    }
}

/// Some legal move of a table.
async fn a_move(stage: &Stage, table: &str) -> Option<String> {
    stage.house.table(table).await.play()?.moves().into_iter().next()
}

/// Somebody somewhere, with a table in mind.
struct At<'a> {
    stage: &'a Stage,
    person: &'a Person,
    table: &'a str,
    channel: Id,
}

/// What somebody was answered, the table's name left out.
fn told(answer: &VisibleMessage, table: &str) -> String {
    format!("{} ({} files)", answer.content().replace(table, "#"), answer.files().len())
}

impl At<'_> {
    async fn slash(&self, name: &str, options: &Value, table: &str) -> Option<String> {
        let asked = self.person.slash(self.channel, name, options).ok()?;
        Some(told(&asked.message().await.unwrap(), table))
    }

    async fn command(&self, name: &str) -> Tried {
        let Some(answer) = self.slash(name, &json!({"table": self.table}), self.table).await else {
            return Tried::ByDiscord;
        };
        let nobodys = no_table(self.table);
        let none = self.slash(name, &json!({"table": nobodys}), &nobodys).await.unwrap();
        Self::compared(&answer, &none)
    }

    /// Who may not see it is told what is told of no table.
    fn compared(answer: &str, none: &str) -> Tried {
        if answer == none { Tried::OrderError } else { Tried::AllowedValues }
    }

    fn addressed(&self, table: &str, text: &str) -> String {
        let is_dm = self.channel == self.person.dm();
        if is_dm { format!("{table} {text}") } else { format!("<@{BOT_ID}> {table} {text}") }
    }

    async fn said(&self, table: &str, text: &str) -> Option<String> {
        let said = self.person.say(self.channel, &self.addressed(table, text)).ok()?;
        Some(told(&self.stage.house.answer_to(self.person, &said).await, table))
    }

    async fn word(&self, word: &str) -> Tried {
        let Some(answer) = self.said(self.table, word).await else { return Tried::ByDiscord };
        let none = self.said(&no_table(self.table), word).await.unwrap();
        Self::compared(&answer, &none)
    }

    /// A message of the table's that has such a button, where somebody sees it.
    fn message(&self, label: &str) -> Option<VisibleMessage> {
        let fits = |it: &VisibleMessage| {
            !it.is_ephemeral() && it.button(label).is_some_and(|id| id.contains(self.table))
        };
        self.person.messages(self.channel).into_iter().find(fits)
    }

    async fn button(&self, label: &str) -> Tried {
        let Some(message) = self.message(label) else { return Tried::ByDiscord };
        let id = message.button(label).unwrap().to_owned();
        let answer = self.person.click(&message, &id).unwrap().message().await.unwrap();
        if answer.content().contains("There is no table") { Tried::OrderError } else { Tried::AllowedValues }
    }

    async fn menu(&self, name: &str) -> Tried {
        let Some(message) = self.message("As text") else { return Tried::ByDiscord };
        let answer = self.person.on_message(&message, name).unwrap().message().await.unwrap();
        if answer.files().is_empty() { Tried::OrderError } else { Tried::AllowedValues }
    }

    async fn reply(&self) -> Tried {
        let Some(message) = self.message("As text") else { return Tried::ByDiscord };
        let said = self.person.reply(&message, "clock").unwrap();
        let answer = self.stage.house.answer_to(self.person, &said).await;
        if answer.content().contains("no table") { Tried::OrderError } else { Tried::AllowedValues }
    }

    /// Offered or not, as a list would tell of it.
    async fn completed(&self) -> Tried {
        let options = json!({"table": &self.table[..2]});
        let Ok(offered) = self.person.complete(self.channel, "replay", &options, "table").await else {
            return Tried::ByDiscord;
        };
        let is_there = offered.iter().any(|choice| choice["value"] == self.table);
        if is_there { Tried::AllowedValues } else { Tried::OrderError }
    }

    /// Whether it stands in any list of games that is offered.
    async fn listed(&self) -> Tried {
        let mut is_there = false;
        for which in ["mine", "here", "open", "finished"] {
            let asked = self.slash("games", &json!({"which": which}), "no table").await;
            let Some(list) = asked else { return Tried::ByDiscord };
            is_there |= list.contains(&format!("[{}]", self.table)) || list.contains(self.table);
        }
        if is_there { Tried::AllowedValues } else { Tried::OrderError }
    }

    /// Whether a move was played.
    async fn moved(&self, by_command: bool) -> Tried {
        let text = a_move(self.stage, self.table).await.unwrap();
        let before = self.ply().await;
        if by_command {
            let options = json!({"table": self.table, "move": text});
            if self.slash("move", &options, self.table).await.is_none() {
                return Tried::ByDiscord;
            }
        } else {
            let Ok(said) = self.person.say(self.channel, &self.addressed(self.table, &text)) else {
                return Tried::ByDiscord;
            };
            self.until_answered_or_moved(&said, before).await;
        }
        if self.ply().await == before {
            return Tried::OrderError;
        }
        // The bot answers at once, so that it is the same person's turn again.
        while self.stage.house.table(self.table).await.to_move().map(|seat| seat.index()) == Some(1) {
            tokio::time::sleep(GLANCE).await;
        }
        Tried::AllowedValues
    }

    async fn ply(&self) -> usize {
        self.stage.house.table(self.table).await.ply()
    }

    /// Where the boards are a move is answered by the next board.
    async fn until_answered_or_moved(&self, said: &VisibleMessage, before: usize) {
        let id = said.id.to_string();
        let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
        for _ in 0..4_000 {
            if self.ply().await > before || self.person.messages(said.channel).iter().any(answers) {
                return;
            }
            tokio::time::sleep(GLANCE).await;
        }
        panic!("after 20 s neither a move nor an answer to {:?}", said.content());
    }
}
