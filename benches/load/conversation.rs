//! What people do: they open a game, join it, and read the first board.

use std::collections::VecDeque;

use anyhow::{Context, Result, anyhow};
use rookery_core::Play;
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_playground::Playground;
use rookery_playground::id::Id;
use rookery_playground::testing::ObservedEvent;
use rookery_playground::testing::person::Person;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

/// The games that always begin with the same position, which is all that the people here know of it.
pub(crate) const GAMES: [&str; 2] = ["amazons", "amoeba"];

/// A server, with a channel and two people who play there.
pub(crate) struct Server {
    pub(crate) channel: Id,
    pub(crate) people: [Person; 2],
    /// The bot's messages on this server, while a game is being opened.
    pub(crate) news: tokio::sync::Mutex<UnboundedReceiver<ObservedEvent>>,
}

/// The number of turns that people decide on at once. They do so before the measurement begins, because listing all
/// moves takes as long as the playground's part of a turn.
const PLANNED: usize = 24;

/// A game that two people play, and their next turns.
pub(crate) struct Game {
    pub(crate) server: usize,
    pub(crate) thread: Id,
    pub(crate) people: [Person; 2],
    pub(crate) planned: VecDeque<Turn>,
    /// The game after the planned turns.
    play: Box<dyn Play>,
}

/// A move that one of the two people types.
pub(crate) struct Turn {
    pub(crate) mover: usize,
    pub(crate) text: String,
}

impl Game {
    /// Returns the person who moves next, unless the game is over.
    pub(crate) fn mover(&self) -> Option<&Person> {
        self.planned.front().map(|turn| &self.people[turn.mover])
    }

    /// Plans random turns, if none is left. There are none after the end of the game. Forced turns are left out: the bot
    /// plays them without a board.
    pub(crate) fn plan(&mut self, rng: &mut SeededRng) -> Result<()> {
        if !self.planned.is_empty() {
            return Ok(());
        }
        while self.planned.len() < PLANNED && self.play.outcome().is_none() {
            let moves = self.play.moves();
            let text = rng.pick(&moves).context("a game without moves goes on")?.clone();
            self.planned.push_back(Turn { mover: self.play.turn().index(), text: text.clone() });
            self.play.play(&text).map_err(|error| anyhow!("{text} is refused: {error:?}"))?;
            while let Some(only) = self.play.only_move() {
                self.play.play(&only).map_err(|error| anyhow!("{only} is refused: {error:?}"))?;
            }
        }
        Ok(())
    }
}

/// Opens the game number `number` on this server: one person challenges, the other one joins.
pub(crate) async fn open(at: usize, server: &Server, number: usize, bot: Id) -> Result<Game> {
    let mut news = server.news.lock().await;
    while news.try_recv().is_ok() {}
    let kind = GAMES[number % GAMES.len()];
    let [host, guest] = &server.people;
    let terms = json!({"game": kind, "first": "me", "open": true});
    let opening = host.slash(server.channel, "play", &terms).map_err(|error| anyhow!("{error:?}"))?;
    opening.message().await?;
    let challenge = loop {
        let event = news.recv().await.context("the playground has stopped")?;
        if is_by(&event, bot) && channel_of(&event) == Some(server.channel) {
            let id = event.data["id"].as_str().and_then(|id| id.parse().ok()).context("a message id")?;
            let posted = guest.messages(server.channel).into_iter().find(|it: &_| it.id == id);
            if let Some(posted) = posted.filter(|it| it.button("Join").is_some()) {
                break posted;
            }
        }
    };
    let join = challenge.button("Join").context("a button to join")?;
    guest.click(&challenge, join).map_err(|error| anyhow!("{error:?}"))?.answer().await?;
    let thread = loop {
        let event = news.recv().await.context("the playground has stopped")?;
        let channel = channel_of(&event).filter(|channel| *channel != server.channel);
        if let (Some(thread), true) = (channel, is_board(&event, bot)) {
            break thread;
        }
    };
    let rules = rookery_games::named(kind).context("a game of the bot")?;
    let play = rules.start(&Setup::new(2)).map_err(|error| anyhow!("{error:?}"))?;
    let mut game = Game { server: at, thread, people: server.people.clone(), planned: VecDeque::new(), play };
    game.plan(&mut SeededRng::new(number as u64))?;
    Ok(game)
}

/// Adds a server with two people, who have no other one.
pub(crate) fn add_server(playground: &Playground, number: usize) -> (Id, Id, [Person; 2]) {
    let people = ["Ada", "Ben"].map(|name| playground.new_stranger(&format!("{name} {number}")));
    let (guild, channel) =
        playground.new_guild(&format!("server {number}"), "games", &[&people[0], &people[1]]);
    (guild, channel, people)
}

/// Whether an event is a new message of the bot.
fn is_by(event: &ObservedEvent, bot: Id) -> bool {
    event.name == "MESSAGE_CREATE" && event.data["author"]["id"].as_str() == Some(&bot.to_string())
}

/// Whether an event is a new message of the bot with a picture.
pub(crate) fn is_board(event: &ObservedEvent, bot: Id) -> bool {
    is_by(event, bot) && event.data["attachments"].as_array().is_some_and(|files| !files.is_empty())
}

/// Whether a board is the last of its game, which may end before the rules end it: when a part of the board that nobody can
/// contest decides it.
pub(crate) fn is_last_board(event: &ObservedEvent) -> bool {
    has_button(&event.data["components"], "Rematch")
}

/// Whether there is a button with this label among the components of a message, at any depth.
fn has_button(components: &Value, label: &str) -> bool {
    let has = |one: &Value| one["label"] == label || has_button(&one["components"], label);
    components.as_array().is_some_and(|all| all.iter().any(has))
}

/// Returns the channel of a message.
pub(crate) fn channel_of(event: &ObservedEvent) -> Option<Id> {
    event.data["channel_id"].as_str()?.parse().ok()
}
