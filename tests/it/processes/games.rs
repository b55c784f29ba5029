//! Games that scripted people play on several servers, against the bot and each other.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rookery_core::seed::SeededRng;
use rookery_playground::testing::person::Person;
use rookery_playground::{BOT_ID, id::Id};
use rookery_table::registry::shard_of;
use rookery_table::{GuildId, MessageId, Status, Table, TableId, hash_chain};
use serde_json::json;

use super::clocks;
use super::fleet::Fleet;
use crate::command_line::PATIENCE;
use crate::duel::slash_play;
use crate::eventually::{poll_interval, retry_interval};

/// After this time without an answer a person types the move again.
const RETYPE_AFTER: Duration = Duration::from_secs(12);

/// The games that are played.
const KINDS: [&str; 6] =
    ["amazons", "penguins", "amazon_penguins", "paper_penguins", "penguin_soccer", "amoeba"];
/// After this many plies another game is opened.
const LONG_GAME: usize = 120;

/// The clock of every second game: each player has so long for all their moves.
const CLOCK: &str = "1h";

/// A move that was typed.
#[derive(Clone, Copy)]
struct Typed {
    ply: usize,
    first: Instant,
    last: Instant,
}

/// A game in a thread.
struct Game {
    table: TableId,
    /// The index of its kind in [`KINDS`].
    kind: usize,
    thread: Id,
    /// What was typed last.
    typed: Mutex<Option<Typed>>,
}

/// The games of a fleet.
pub(super) struct Games<'a> {
    fleet: &'a Fleet,
    ada: Person,
    channels: Vec<Id>,
    games: Vec<Game>,
    /// Those that are not played on.
    ended: Vec<Game>,
    /// Those in which she asked for a hint. Its move is kept, so that another in the same position asks no worker.
    hinted: Vec<TableId>,
    rng: Mutex<SeededRng>,
    retyped: Mutex<usize>,
    /// The time from a typed move to the moment at which the journal has it.
    delays: Mutex<Vec<Duration>>,
    retype_after: Duration,
}

impl<'a> Games<'a> {
    /// Opens a game of each kind, on servers of all shards.
    pub(super) async fn open(fleet: &'a Fleet) -> Games<'a> {
        let ada = fleet.playground.user("Ada");
        let mut channels: Vec<Option<Id>> = vec![None; 4];
        while channels.iter().any(Option::is_none) {
            let number = channels.iter().flatten().count();
            let name = format!("home {number}");
            let (guild, channel) = fleet.playground.new_guild(&name, "games", &[&ada]);
            channels[shard_of(Some(GuildId(guild.0)), 4) as usize].get_or_insert(channel);
        }
        let channels = channels.into_iter().flatten().collect();
        let rng = Mutex::new(SeededRng::new(3));
        let mut games = Games {
            fleet,
            ada,
            channels,
            games: Vec::new(),
            ended: Vec::new(),
            hinted: Vec::new(),
            rng,
            retyped: Mutex::default(),
            delays: Mutex::default(),
            retype_after: RETYPE_AFTER,
        };
        for number in 0..KINDS.len() {
            let game = games.open_one(number).await;
            games.games.push(game);
        }
        games
    }

    /// Opens the game number `number`.
    async fn open_one(&self, number: usize) -> Game {
        let kind = number % KINDS.len();
        let channel = self.channels[number % self.channels.len()];
        let mut terms = json!({"game": KINDS[kind], "ai": "random", "first": "me"});
        if number % 2 == 1 {
            terms["clock"] = CLOCK.into();
        }
        let since = Instant::now();
        // A press just before a process ends may be lost.
        let told = loop {
            if let Ok(told) = slash_play(&self.ada, channel, &terms).unwrap().message().await {
                break told;
            }
            assert!(since.elapsed() < 3 * PATIENCE, "no game opens\n{}", self.fleet.said());
        };
        let name = told.content().split("**").nth(1).unwrap_or_default().to_owned();
        let table = name.parse().unwrap_or_else(|_| panic!("{}", told.content()));
        let thread = loop {
            match self.ada.wait_for_thread(channel, &name).await {
                Ok(thread) => break thread,
                Err(_) => {
                    assert!(since.elapsed() < 3 * PATIENCE, "no thread for {name}\n{}", self.fleet.said())
                }
            }
        };
        Game { table, kind, thread, typed: Mutex::default() }
    }

    /// Opens another game of its kind for each that is over or long.
    pub(super) async fn replace_ended(&mut self) {
        for at in 0..self.games.len() {
            let Some(table) = self.table(&self.games[at]).await else { continue };
            if matches!(table.status(), Status::Over(_)) || table.ply() >= LONG_GAME {
                let game = self.open_one(self.games[at].kind + KINDS.len() * self.ended.len()).await;
                self.ended.push(std::mem::replace(&mut self.games[at], game));
            }
        }
    }

    /// Reads a table; `None` while the database cannot be reached.
    async fn table(&self, game: &Game) -> Option<Table> {
        let entries = self.fleet.journal().load(game.table).await.ok()?;
        Table::replay(game.table, &entries).unwrap()
    }

    /// Types a move in each game in which Ada is to move.
    async fn play_once(&self) {
        for game in &self.games {
            let Some(table) = self.table(game).await else { continue };
            self.note_delay(game, &table);
            let is_hers = table.to_move().is_some_and(|seat| seat.index() == 0);
            let (Some(play), true) = (table.play(), is_hers) else { continue };
            let typed = *game.typed.lock().unwrap();
            let mut first = Instant::now();
            if let Some(typed) = typed.filter(|typed| typed.ply == table.ply()) {
                if typed.last.elapsed() < self.retype_after {
                    continue;
                }
                *self.retyped.lock().unwrap() += 1;
                first = typed.first;
            }
            let text = self.rng.lock().unwrap().pick(&play.moves()).unwrap().clone();
            *game.typed.lock().unwrap() = Some(Typed { ply: table.ply(), first, last: Instant::now() });
            self.ada.say(game.thread, &format!("<@{BOT_ID}> {text}")).unwrap();
        }
    }

    /// Notes how long a typed move took to the journal, once.
    fn note_delay(&self, game: &Game, table: &Table) {
        let arrived = game.typed.lock().unwrap().take_if(|typed| table.ply() > typed.ply);
        self.delays.lock().unwrap().extend(arrived.map(|typed| typed.first.elapsed()));
    }

    /// Sets after which time without an answer a person types the move again.
    pub(super) fn set_retype_after(&mut self, time: Duration) {
        self.retype_after = time;
    }

    /// Returns how often a move was typed again, and how long each took to the journal, in ascending order.
    pub(super) fn delays(&self) -> (usize, Vec<Duration>) {
        let mut delays = self.delays.lock().unwrap().clone();
        delays.sort();
        (*self.retyped.lock().unwrap(), delays)
    }

    /// Plays for some time.
    pub(super) async fn play_for(&self, time: Duration) {
        let since = Instant::now();
        while since.elapsed() < time {
            self.play_once().await;
            poll_interval().await;
        }
    }

    /// Plays until every game has this many plies or is over.
    pub(super) async fn play_until(&self, ply: usize) {
        let since = Instant::now();
        loop {
            self.play_once().await;
            let mut behind = Vec::new();
            for game in &self.games {
                let table = self.table(game).await;
                let is_done = |table: &Table| table.ply() >= ply || matches!(table.status(), Status::Over(_));
                if !table.as_ref().is_some_and(is_done) {
                    behind.push((game.table, table.map(|table| table.ply())));
                }
            }
            if behind.is_empty() {
                return;
            }
            assert!(
                since.elapsed() < 3 * PATIENCE,
                "these don't go on: {behind:?}\n{}\n{}",
                self.answers_in(&behind),
                self.fleet.said()
            );
            retry_interval().await;
        }
    }

    /// Returns the last messages in the threads of some games.
    fn answers_in(&self, tables: &[(TableId, Option<usize>)]) -> String {
        let games = self.games.iter().filter(|game| tables.iter().any(|(table, _)| *table == game.table));
        let last = games.flat_map(|game| {
            let messages = self.ada.messages(game.thread);
            let last = messages.iter().rev().take(4).rev();
            last.map(|message| format!("{}: {}", game.table, message.content())).collect::<Vec<_>>()
        });
        last.collect::<Vec<_>>().join("\n")
    }

    /// Asks for a hint in a game in which Ada is to move and has asked for none, and returns it.
    pub(super) async fn hint(&mut self) -> String {
        let since = Instant::now();
        loop {
            for game in self.games.iter().filter(|game| !self.hinted.contains(&game.table)) {
                let table = self.table(game).await;
                if table.and_then(|table| table.to_move()).is_some_and(|seat| seat.index() == 0) {
                    let asked = self.ada.slash(game.thread, "hint", &json!({})).unwrap();
                    let answer = asked.message().await.unwrap().content().to_owned();
                    // A move that she has typed may have been played meanwhile.
                    if !answer.contains("'s turn") {
                        self.hinted.push(game.table);
                        return answer;
                    }
                }
            }
            assert!(since.elapsed() < PATIENCE, "Ada is nowhere to move\n{}", self.fleet.said());
            poll_interval().await;
        }
    }

    /// Returns the most plies of a game.
    pub(super) async fn highest_ply(&self) -> usize {
        let mut highest = 0;
        for game in &self.games {
            highest = highest.max(self.table(game).await.map_or(0, |table| table.ply()));
        }
        highest
    }

    /// Waits until no message is due. With few requests a second and other tests beside this one, that takes a while.
    pub(super) async fn until_everything_is_posted(&self) {
        let since = Instant::now();
        while !self.fleet.journal().due(0, 1).await.is_ok_and(|due| due.is_empty()) {
            let due = self.fleet.journal().due(0, 3).await;
            assert!(since.elapsed() < 3 * PATIENCE, "still due: {due:?}\n{}", self.fleet.said());
            retry_interval().await;
        }
    }

    /// Checks that every record is sound, and that every message with a picture was posted for a row of its own.
    pub(super) async fn check(&self) {
        for game in self.games.iter().chain(&self.ended) {
            let chain = self.fleet.journal().chain(game.table).await.unwrap();
            hash_chain::verify(game.table, &chain).unwrap();
            clocks::check(self.fleet.journal(), game.table).await;
            let since = Instant::now();
            loop {
                // A message is in the journal a moment after it was posted.
                let faults = self.misposted(game).await;
                if faults.is_empty() {
                    break;
                }
                assert!(since.elapsed() < PATIENCE, "{}\n{}", faults.join("\n"), self.fleet.said());
                retry_interval().await;
            }
        }
        eprintln!(
            "{} games, moves typed again: {}",
            self.games.len() + self.ended.len(),
            self.retyped.lock().unwrap()
        );
    }

    /// Returns the messages with a picture that were posted for no row, or again for the row of another one.
    async fn misposted(&self, game: &Game) -> Vec<String> {
        let (mut rows, mut faults) = (HashSet::new(), Vec::new());
        for message in self.ada.messages(game.thread) {
            if message.files().is_empty() {
                continue;
            }
            let item = self.fleet.journal().posted_item(MessageId(message.id.0)).await.unwrap();
            let is_sound = item.as_ref().is_some_and(|(table, item)| {
                *table == game.table && rows.insert(item.as_ref().map(|item| item.key()))
            });
            if !is_sound {
                faults.push(format!("{} for {item:?}: {}", message.id, message.content()));
            }
        }
        if rows.len() < 2 {
            faults.push(format!("{} has no boards", game.table));
        }
        faults
    }
}
