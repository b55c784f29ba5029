//! Every way to reach a table, each tried with the table and with a name that no table has: a person without access
//! must get the same answer to both.

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{Actor, Order};
use serde_json::json;

use super::attempts::{Attempt, Way};
use super::stage::{AccessSetup, PersonKind, TableKind};

/// Returns a name of the same shape that no table has.
pub(super) fn no_table(like: &str) -> String {
    like.chars().map(|sign| if sign.is_ascii_digit() { '9' } else { 'Z' }).collect()
}

/// The place from which an entrance is tried.
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

/// The access that an entrance requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    See,
    Join,
    Act,
    /// Opening the page of a link.
    Link,
    /// Nobody has it.
    Never,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::See => "see",
            Kind::Join => "join",
            Kind::Act => "act",
            Kind::Link => "link",
            Kind::Never => "never",
        }
    }
}

/// One way to reach a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    /// A slash command that names the table.
    Command(&'static str, Origin),
    /// A word after the table's name, in direct messages or with a mention.
    Word(&'static str, Origin),
    /// A button under the table's public message, by its label.
    Button(&'static str),
    /// The context menu of the table's public message.
    Menu(&'static str),
    /// A reply to the table's board.
    Reply,
    /// The autocompletion of the table's name.
    Completed(Origin),
    /// A list of the server's games.
    Listed(Origin),
    /// A move by slash command.
    Move(Origin),
    /// A typed move with the table's name.
    Typed(Origin),
    /// A message that an edit turns into a move with the table's name.
    Edited(Origin),
    /// Joining by a typed word.
    Yes(Origin),
    /// Joining by the button.
    JoinButton,
    /// The web page that a link opens.
    Page,
    /// A web page under this path with the table's own name.
    PageByName(&'static str),
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AttemptResult {
    /// The answer reveals or changes something of the table.
    Allowed,
    /// The answer is the same as for a table that does not exist, or tells a banned person about the ban.
    Refused,
    /// Discord itself prevents the attempt.
    ByDiscord,
    /// None of these: a person must read the answer.
    Unclear(String),
}

use Entrance::{
    Button, Command, Completed, Edited, JoinButton, Listed, Menu, Move, Page, PageByName, Reply, Typed, Word,
    Yes,
};
use Origin::{Dm, Elsewhere, Lobby, Own};

pub(super) const ENTRANCES: [Entrance; 76] = [
    Command("board", Own),
    Command("board", Lobby),
    Command("board", Elsewhere),
    Command("board", Dm),
    Command("clock", Lobby),
    Command("clock", Dm),
    Command("export", Lobby),
    Command("export", Elsewhere),
    Command("export", Dm),
    Command("paper", Lobby),
    Command("paper", Elsewhere),
    Command("paper", Dm),
    Command("replay", Lobby),
    Command("replay", Elsewhere),
    Command("replay", Dm),
    Command("verify", Lobby),
    Command("verify", Elsewhere),
    Command("verify", Dm),
    Command("analyse", Lobby),
    Command("analyse", Elsewhere),
    Command("analyse", Dm),
    Command("watch", Lobby),
    Command("watch", Elsewhere),
    Command("watch", Dm),
    Command("unwatch", Elsewhere),
    Command("if", Elsewhere),
    Command("if", Dm),
    Command("resign", Lobby),
    Command("resign", Elsewhere),
    Command("hint", Elsewhere),
    Command("hint", Dm),
    Command("undo", Elsewhere),
    Command("draw", Dm),
    Command("count", Lobby),
    Command("pause", Elsewhere),
    Command("resume", Dm),
    Command("abort", Elsewhere),
    Command("leave", Lobby),
    Command("back", Dm),
    Command("share", Elsewhere),
    Command("report", Dm),
    Word("board", Own),
    Word("board", Lobby),
    Word("board", Elsewhere),
    Word("text", Dm),
    Word("clock", Dm),
    Word("moves", Elsewhere),
    Word("resign", Dm),
    Word("hint", Dm),
    Word("analyse", Elsewhere),
    Word("replay", Dm),
    Word("if a1-a2/a1 then b1-b2/b1", Dm),
    Button("As text"),
    Button("Move"),
    Button("More"),
    Menu("Replay from here"),
    Reply,
    Completed(Lobby),
    Completed(Dm),
    Listed(Lobby),
    Move(Lobby),
    Move(Dm),
    Move(Elsewhere),
    Typed(Dm),
    Typed(Lobby),
    Edited(Dm),
    Edited(Lobby),
    Edited(Elsewhere),
    Yes(Dm),
    Yes(Lobby),
    JoinButton,
    Page,
    PageByName("g"),
    PageByName("t"),
    PageByName("g/step"),
    PageByName("n"),
];

impl Entrance {
    pub(super) fn kind(self) -> Kind {
        match self {
            Move(_) | Typed(_) | Edited(_) => Kind::Act,
            Yes(_) | JoinButton => Kind::Join,
            Page => Kind::Link,
            PageByName(_) => Kind::Never,
            _ => Kind::See,
        }
    }

    pub(super) fn from(self) -> Origin {
        match self {
            Command(_, from) | Word(_, from) | Completed(from) | Listed(from) => from,
            Move(from) | Typed(from) | Edited(from) | Yes(from) => from,
            Button(_) | Menu(_) | Reply | JoinButton | Page | PageByName(_) => Own,
        }
    }

    /// The slash command of this entrance.
    pub(super) fn command(self) -> Option<&'static str> {
        match self {
            Command(name, _) => Some(name),
            Move(_) => Some("move"),
            _ => None,
        }
    }

    pub(super) fn is_on_the_web(self) -> bool {
        matches!(self, Page | PageByName(_))
    }

    /// Whether this entrance is a message that a person writes.
    pub(super) fn is_written(self) -> bool {
        matches!(self, Word(..) | Reply | Typed(_) | Edited(_) | Yes(_)) && self.from() == Lobby
    }

    /// Whether this entrance exists for such a table.
    pub(super) fn leads_to(self, who: PersonKind, place: TableKind) -> bool {
        let waits = matches!(place, TableKind::Open | TableKind::Closed);
        let posted = waits || place == TableKind::Linked;
        let plays = matches!(who, PersonKind::Player | PersonKind::FormerPlayer);
        match self {
            // These would end the game or stop it.
            Command("abort" | "pause", _) => !plays,
            Page => place == TableKind::Linked,
            // Seated players have no seat to take; a former player's waiting table is Ben's.
            Yes(_) | JoinButton => waits && who != PersonKind::Player,
            Move(_) | Typed(_) | Edited(_) => place != TableKind::Study,
            Button(_) | Menu(_) | Reply => place != TableKind::Study,
            Command(_, Own) | Word(_, Own) => place != TableKind::Study,
            // These list what everybody in the channel can read, and each person's own games: see
            // conversations/game_lists.rs.
            Completed(_) => who != PersonKind::Member || !posted,
            // A server's list of finished games has no studies.
            Listed(_) => (who != PersonKind::Member || !posted) && place != TableKind::Study,
            _ => true,
        }
    }

    pub(super) async fn attempt(
        self,
        stage: &AccessSetup,
        who: PersonKind,
        place: TableKind,
    ) -> AttemptResult {
        stage.bot.wait_until_idle().await;
        if let Some(path) = self.page(stage, who, place) {
            return match stage.page(&path).await {
                200 => AttemptResult::Allowed,
                404 => AttemptResult::Refused,
                other => AttemptResult::Unclear(format!("{other} for {path}")),
            };
        }
        if who == PersonKind::AnotherBot {
            return self.by_bot(stage, place).await;
        }
        let (person, (table, channel)) = (stage.person(who), stage.running(who, place));
        let at = Attempt { stage, person, table, channel: self.channel(stage, person, *channel) };
        match self {
            Command("watch", _) => {
                let tried = at.command("watch").await;
                let id = table.parse().unwrap();
                let person = rookery_table::UserId(person.id.0);
                stage.bot.registry.journal().follows().unfollow(person, id).await.unwrap();
                tried
            }
            Command(name, _) => at.command(name).await,
            Word(word, _) => at.word(word).await,
            Button(label) => at.button(label).await,
            Menu(name) => at.menu(name).await,
            Reply => at.reply().await,
            Completed(_) => at.completed().await,
            Listed(_) => at.listed().await,
            Move(_) => at.moved(Way::Command).await,
            Typed(_) => at.moved(Way::Written).await,
            Edited(_) => at.moved(Way::Corrected).await,
            Yes(_) | JoinButton => self.joined(stage, who, place).await,
            Page | PageByName(_) => unreachable!("asked for above"),
        }
    }

    /// Returns the path of a web entrance.
    fn page(self, stage: &AccessSetup, who: PersonKind, place: TableKind) -> Option<String> {
        match self {
            Page => Some(stage.link(who).to_owned()),
            PageByName(path) => Some(format!("/{path}/{}", stage.running(who, place).0)),
            _ => None,
        }
    }

    fn channel(self, stage: &AccessSetup, person: &Person, own: Id) -> Id {
        let playground = &stage.bot.playground;
        match self.from() {
            Own => own,
            Lobby => playground.channel("lobby"),
            Elsewhere => playground.channel("table"),
            Dm => person.dm(),
        }
    }

    /// Tries to join Ben's table with free seats.
    async fn joined(self, stage: &AccessSetup, who: PersonKind, place: TableKind) -> AttemptResult {
        let (table, own) = stage.waiting(place).unwrap();
        let person = stage.person(who);
        let at = Attempt { stage, person, table, channel: self.channel(stage, person, *own) };
        let is_answered = match self {
            JoinButton => at.button("Join").await != AttemptResult::ByDiscord,
            _ => at.said(table, "yes").await.is_some(),
        };
        let (id, person) = (table.parse().unwrap(), rookery_table::UserId(person.id.0));
        if stage.bot.table(table).await.seat_of(person).is_some() {
            stage.bot.registry.order(id, Actor::Person(person), Order::Leave, None).await.unwrap();
            return AttemptResult::Allowed;
        }
        if is_answered { AttemptResult::Refused } else { AttemptResult::ByDiscord }
    }

    /// Another bot gets no answer to anything that it writes; a person who writes after it does.
    async fn by_bot(self, stage: &AccessSetup, place: TableKind) -> AttemptResult {
        let bot = stage.person(PersonKind::AnotherBot);
        let (table, _) = match self.kind() {
            Kind::Join => stage.waiting(place).unwrap(),
            _ => stage.running(PersonKind::AnotherBot, place),
        };
        if !self.is_written() {
            let from = self.channel(stage, bot, stage.bot.games());
            let refused = bot.slash(from, "board", &json!({"table": table})).is_err();
            return if refused { AttemptResult::ByDiscord } else { AttemptResult::Allowed };
        }
        let before = stage.bot.table(table).await.sequence();
        let lobby = self.channel(stage, bot, stage.bot.games());
        let said = bot.say(lobby, &format!("<@{BOT_ID}> {table} {}", self.text(stage, table).await)).unwrap();
        let member = stage.person(PersonKind::Member);
        let asked = member.say(lobby, &format!("<@{BOT_ID}> help")).unwrap();
        stage.bot.answer_to(member, &asked).await;
        let id = said.id.to_string();
        let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
        let silent = !member.messages(lobby).iter().any(answers);
        let unmoved = stage.bot.table(table).await.sequence() == before;
        if silent && unmoved { AttemptResult::Refused } else { AttemptResult::Allowed }
    }

    async fn text(self, stage: &AccessSetup, table: &str) -> String {
        match self {
            Word(word, _) => word.to_owned(),
            Typed(_) | Edited(_) => a_move(stage, table).await.unwrap_or_default(),
            _ => "yes".to_owned(),
        }
    }
}

/// Returns some legal move of a table.
pub(super) async fn a_move(stage: &AccessSetup, table: &str) -> Option<String> {
    stage.bot.table(table).await.play()?.moves().into_iter().next()
}
