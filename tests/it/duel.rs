//! A game of the Amazons between two people on six by six squares, with every way of entering moves, and with checks of
//! its messages.
use rookery_core::Play;
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_playground::BOT_ID;
use rookery_playground::api_error::ApiError;
use rookery_playground::id::Id;
use rookery_playground::testing::person::{PendingInteraction, Person};
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{Actor, Order};
use serde_json::{Map, Value, json};

use crate::test_bot::{TestBot, boards};

/// The way in which a move is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// As a reply to the board, in capitals without separators.
    Reply,
    /// With a mention of the bot in the thread.
    Mention,
    /// In a direct message that names the table.
    Direct,
    /// With `/move`, completed step by step.
    Command,
    /// With the panel under the board.
    Panel,
}

/// The expected game, tracked beside the bot's own.
pub(crate) struct Duel {
    pub(crate) ada: Person,
    pub(crate) ben: Person,
    /// The table's name, such as `K7Q2`.
    pub(crate) table: String,
    pub(crate) thread: Id,
    pub(crate) play: Box<dyn Play>,
    /// The message with the latest board.
    pub(crate) board: VisibleMessage,
    rng: SeededRng,
    /// The number of forced turns, which the table plays by itself without a board of their own.
    forced: usize,
}

impl Duel {
    /// Ada opens a game in `#games`, Ben joins, and the first board appears.
    pub(crate) async fn begin(bot: &TestBot) -> Duel {
        Duel::settled(bot, "off").await
    }

    /// Begins a game with this policy for proven endings.
    pub(crate) async fn settled(bot: &TestBot, settle: &str) -> Duel {
        Duel::begin_with(bot, &json!({"game": "amazons", "size": "6x6", "settle": settle})).await
    }

    /// Begins a game with these terms, which must be for the Amazons on six by six squares.
    pub(crate) async fn begin_with(bot: &TestBot, terms: &Value) -> Duel {
        let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
        let table = open(&ada, games, terms).await;
        let challenge = challenge(&ben, games, &table).await;
        let joined = bot.press(&ben, &challenge, "Join").await;
        assert!(joined.is_ephemeral() && joined.content().contains("You've joined"), "{}", joined.content());
        let thread = ben.wait_for_thread(games, &table).await.unwrap();
        let board = ada.wait_for(thread, "the first board", |it| !it.files().is_empty()).await.unwrap();
        assert_eq!(board.pinged(), ["Ada"]);
        let play =
            rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap();
        Duel { ada, ben, table, thread, play, board, rng: SeededRng::new(6), forced: 0 }
    }

    pub(crate) fn mover(&self) -> Person {
        if self.play.turn().index() == 0 { self.ada.clone() } else { self.ben.clone() }
    }

    pub(crate) fn other(&self) -> Person {
        if self.play.turn().index() == 0 { self.ben.clone() } else { self.ada.clone() }
    }

    /// Returns a random legal move.
    pub(crate) fn any_move(&mut self) -> String {
        self.rng.pick(&self.play.moves()).unwrap().clone()
    }

    /// Plays a random move and waits for its board.
    pub(crate) async fn turn(&mut self, bot: &TestBot, way: Way) {
        let (mover, text) = (self.mover(), self.any_move());
        let text = match way {
            Way::Reply => {
                mover.reply(&self.board, &text.to_uppercase().replace(['-', '/'], "")).unwrap();
                text
            }
            Way::Mention => {
                mover.say(self.thread, &format!("<@{BOT_ID}> {}", text.replace('/', "x"))).unwrap();
                text
            }
            Way::Direct => {
                let said = mover.say(mover.dm(), &format!("{} {text}", self.table)).unwrap();
                // The board appears elsewhere; the mover gets an answer here.
                let told = bot.answer_to(&mover, &said).await;
                assert!(told.content().contains(&text), "{}", told.content());
                text
            }
            Way::Command => self.by_command(&mover).await,
            Way::Panel => self.by_panel(bot, &mover).await,
        };
        self.see(&text).await;
    }

    /// Completes `/move` step by step until it is a whole move.
    async fn by_command(&mut self, mover: &Person) -> String {
        let mut typed = String::new();
        while !self.play.moves().contains(&typed) {
            let choices = mover.complete(self.thread, "move", &json!({"move": typed}), "move").await.unwrap();
            let chosen = self.rng.pick(&choices).unwrap()["value"].as_str().unwrap().to_owned();
            assert_ne!(chosen, typed, "completion stands still");
            typed = chosen;
        }
        let told =
            mover.slash(self.thread, "move", &json!({"move": typed})).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.content().contains(&typed), "{}", told.content());
        typed
    }

    /// Enters a move with random choices in the panel.
    pub(crate) async fn by_panel(&mut self, bot: &TestBot, mover: &Person) -> String {
        let panel = bot.press(mover, &self.board, "Move").await;
        let told = tap_through(bot, mover, panel, &mut self.rng).await;
        told.content().split('`').nth(1).unwrap().to_owned()
    }

    /// Waits for the board after this move, which pings only the next player.
    pub(crate) async fn see(&mut self, text: &str) {
        self.play.play(text).unwrap();
        self.follow();
        let shows = |it: &VisibleMessage| !it.files().is_empty() && tells_move(it, text);
        self.board = self.ada.wait_for(self.thread, &format!("the board after {text}"), shows).await.unwrap();
        let next = self.play.outcome().is_none().then(|| self.mover().name);
        let pinged = self.board.pinged();
        assert!(pinged.iter().all(|name| Some(*name) == next.as_deref()), "{}", self.board.content());
        let alt = self.board.files()[0]["description"].as_str().unwrap();
        let last = self.play.record().pop().unwrap();
        assert!(alt.contains(&last), "{alt} for {last}");
    }

    /// Plays the forced turns in the tracked game.
    fn follow(&mut self) {
        while let [only] = &self.play.moves()[..] {
            self.play.play(only).unwrap();
            self.forced += 1;
        }
    }

    /// Plays moves directly in the registry, and waits for the last one's board.
    pub(crate) async fn fast_forward(&mut self, bot: &TestBot, moves: &[String]) {
        let before = self.play.ply();
        for (turn, text) in moves.iter().enumerate() {
            if self.play.ply() > before + turn {
                continue;
            }
            let who = rookery_table::UserId(self.mover().id.0);
            let order = Order::Move { text: text.clone(), ply: None };
            bot.registry.order(self.table.parse().unwrap(), Actor::Person(who), order, None).await.unwrap();
            self.play.play(text).unwrap();
            self.follow();
        }
        self.board = self.board_now().await;
    }

    /// Waits for the board of the present position, with its buttons.
    pub(crate) async fn board_now(&self) -> VisibleMessage {
        let text = self.play.record().pop().unwrap_or_default();
        let shows = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&text);
        self.ada.wait_for(self.thread, "the board as it is", shows).await.unwrap()
    }

    /// Every move is in the journal once, and its board is in the thread once.
    pub(crate) async fn check_every_board_posted_once(&self, bot: &TestBot) {
        bot.wait_until_idle().await;
        let record = self.play.record();
        assert_eq!(bot.table(&self.table).await.play().unwrap().record(), record);
        let boards = boards(&self.ada, self.thread);
        assert_eq!(boards.len(), record.len() - self.forced + 1, "a board a turn, and the first");
        for text in record {
            // The square of an arrow stays blocked, so no move occurs twice in a game.
            let count = boards.iter().filter(|it| tells_move(it, &text)).count();
            assert_eq!(count, 1, "the board after {text}");
        }
    }
}

/// Whether a board tells of this move: as "White played …", or with its number once a newer board is posted.
pub(crate) fn tells_move(board: &VisibleMessage, text: &str) -> bool {
    let content = board.content();
    content.contains(&format!(" played {text}")) || content.contains(&format!(". {text}"))
}

/// Whether this is the board after `ply` turns with a button to move.
pub(crate) fn has_move_at(board: &VisibleMessage, ply: usize) -> bool {
    board.button("Move").is_some_and(|id| id.split(':').nth(2) == Some(&ply.to_string()))
}

/// Returns a predicate for the board of a turn, with its buttons.
pub(crate) fn shows_turn(table: &str, ply: usize) -> impl Fn(&VisibleMessage) -> bool {
    let turn = format!("{table}:{ply}:");
    move |it| it.button("Move").is_some_and(|id| id.contains(&turn))
}

/// The options of `/play` that only earlier versions registered. Messages and panels still take them.
const FORMER_OPTIONS: [&str; 13] = [
    "ai_seats",
    "team",
    "set",
    "seed",
    "settle",
    "start",
    "amazons",
    "white",
    "black",
    "layout",
    "pieces",
    "placement",
    "repetition",
];
/// The options of `/play` that say who plays.
const OPPONENTS: [&str; 5] = ["opponent", "ai", "ai_seats", "team", "open"];

/// Uses `/play` with these options: those that are not registered any more as a client with an earlier definition
/// sends them. Without an opponent anyone can join.
pub(crate) fn slash_play(who: &Person, channel: Id, terms: &Value) -> Result<PendingInteraction, ApiError> {
    let (mut options, mut former) = (terms.as_object().unwrap().clone(), Map::new());
    for key in FORMER_OPTIONS {
        former.extend(options.remove(key).map(|value| (key.to_owned(), value)));
    }
    let names_opponent = OPPONENTS.iter().any(|key| options.contains_key(*key) || former.contains_key(*key));
    if !names_opponent {
        options.insert("open".to_owned(), json!(true));
    }
    who.slash_of_earlier_version(channel, "play", &options.into(), &former.into())
}

/// Uses a command; `/play` as [`slash_play`] does.
pub(crate) fn slash(
    who: &Person,
    channel: Id,
    command: &str,
    options: &Value,
) -> Result<PendingInteraction, ApiError> {
    if command == "play" { slash_play(who, channel, options) } else { who.slash(channel, command, options) }
}

/// Opens a table and returns its name.
pub(crate) async fn open(host: &Person, channel: Id, terms: &Value) -> String {
    let told = slash_play(host, channel, terms).unwrap().message().await.unwrap();
    let name = told.content().split("**").nth(1);
    assert!(told.is_ephemeral() && name.is_some(), "{}", told.content());
    name.unwrap().to_owned()
}

/// Waits for a table's message in the channel.
pub(crate) async fn challenge(who: &Person, channel: Id, table: &str) -> VisibleMessage {
    let fits = |it: &VisibleMessage| it.content().contains(table) && !it.is_ephemeral();
    who.wait_for(channel, &format!("{table} in the channel"), fits).await.unwrap()
}

/// Starts a game of Penguins between Ada, Ben and Cleo; returns its table, its thread and the first board.
pub(crate) async fn three(bot: &TestBot) -> (String, Id, VisibleMessage) {
    three_with(bot, &json!({"game": "penguins", "players": 3})).await
}

/// Starts the game of three with these options of `/play`.
pub(crate) async fn three_with(bot: &TestBot, terms: &Value) -> (String, Id, VisibleMessage) {
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, terms).await;
    for who in [bot.ben(), bot.cleo()] {
        let challenge = challenge(&who, games, &table).await;
        bot.press(&who, &challenge, "Join").await;
    }
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the first board", |it| it.button("More").is_some()).await.unwrap();
    (table, thread, board)
}

/// Waits for the message with the state of a vote, once it contains these words.
pub(crate) async fn tally(bot: &TestBot, thread: Id, words: &str) -> VisibleMessage {
    let reads = |it: &VisibleMessage| it.content().contains("· Move ") && it.content().contains(words);
    bot.ada().wait_for(thread, &format!("a tally with {words:?}"), reads).await.unwrap()
}

/// Presses through a panel with random choices until the move is played; returns the answer.
pub(crate) async fn tap_through(
    bot: &TestBot,
    who: &Person,
    mut panel: VisibleMessage,
    rng: &mut SeededRng,
) -> VisibleMessage {
    while !panel.content().contains("You played") {
        assert!(panel.is_ephemeral() && !panel.files().is_empty(), "{}", panel.content());
        panel = if panel.button("Play move").is_some() {
            bot.press_private(who, &panel, "Play move").await
        } else {
            let (id, value) = rng.pick(&offered(&panel)).unwrap().clone();
            let values: Vec<&str> = value.iter().map(String::as_str).collect();
            bot.changed(who, &panel, &who.choose(&panel, &id, &values).unwrap()).await
        };
    }
    panel
}

/// Returns all choices of a panel: its buttons, and the options of its selects.
pub(crate) fn offered(panel: &VisibleMessage) -> Vec<(String, Option<String>)> {
    let own = |label: &&str| !["Back", "As text"].contains(label);
    let labels = panel.buttons().into_iter().filter(own);
    let buttons = labels.map(|label| (panel.button(label).unwrap().to_owned(), None));
    let selects = panel.selects().into_iter().flat_map(|select| {
        let id = select["custom_id"].as_str().unwrap().to_owned();
        let values = select["options"].as_array().unwrap().iter();
        values.map(move |one| (id.clone(), Some(one["value"].as_str().unwrap().to_owned())))
    });
    buttons.chain(selects).collect()
}
