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

use super::fleet::Fleet;
use crate::command_line::PATIENCE;
use crate::duel::slash_play;
use crate::eventually::{poll_interval, retry_interval};

/// After this time without an answer a person types the move again.
const RETYPE_AFTER: Duration = Duration::from_secs(12);

/// A game in a thread.
struct Game {
    table: TableId,
    thread: Id,
    /// What was typed last: the ply and when.
    typed: Mutex<Option<(usize, Instant)>>,
}

/// The games of a fleet.
pub(super) struct Games<'a> {
    fleet: &'a Fleet,
    ada: Person,
    games: Vec<Game>,
    rng: Mutex<SeededRng>,
    retyped: Mutex<usize>,
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
        let kinds = ["amazons", "penguins", "amazon_penguins", "paper_penguins", "penguin_soccer", "amoeba"];
        let mut games = Vec::new();
        for (at, kind) in kinds.into_iter().enumerate() {
            let channel = channels[at % 4].unwrap();
            let terms = json!({"game": kind, "ai": "random", "first": "me"});
            let since = Instant::now();
            // A press just before a process ends may be lost.
            let told = loop {
                if let Ok(told) = slash_play(&ada, channel, &terms).unwrap().message().await {
                    break told;
                }
                assert!(since.elapsed() < PATIENCE, "no game opens\n{}", fleet.said());
            };
            let name = told.content().split("**").nth(1).unwrap_or_default().to_owned();
            let thread = ada.wait_for_thread(channel, &name).await.unwrap();
            let table = name.parse().unwrap_or_else(|_| panic!("{}", told.content()));
            games.push(Game { table, thread, typed: Mutex::default() });
        }
        Games { fleet, ada, games, rng: Mutex::new(SeededRng::new(3)), retyped: Mutex::default() }
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
            let is_hers = table.to_move().is_some_and(|seat| seat.index() == 0);
            let (Some(play), true) = (table.play(), is_hers) else { continue };
            let typed = *game.typed.lock().unwrap();
            if let Some((ply, at)) = typed.filter(|(ply, _)| *ply == table.ply()) {
                if at.elapsed() < RETYPE_AFTER {
                    continue;
                }
                eprintln!("{} {ply} is typed again", game.table);
                *self.retyped.lock().unwrap() += 1;
            }
            let text = self.rng.lock().unwrap().pick(&play.moves()).unwrap().clone();
            *game.typed.lock().unwrap() = Some((table.ply(), Instant::now()));
            self.ada.say(game.thread, &format!("<@{BOT_ID}> {text}")).unwrap();
        }
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
            assert!(since.elapsed() < 3 * PATIENCE, "these don't go on: {behind:?}\n{}", self.fleet.said());
            retry_interval().await;
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

    /// Whether the outbox is empty.
    pub(super) async fn is_everything_posted(&self) -> bool {
        self.fleet.journal().due(0, 1).await.is_ok_and(|due| due.is_empty())
    }

    /// Checks that every record is sound, and that every message with a picture was posted for a row of its own.
    pub(super) async fn check(&self) {
        for game in &self.games {
            let journal = self.fleet.journal();
            hash_chain::verify(game.table, &journal.chain(game.table).await.unwrap()).unwrap();
            let mut posted = HashSet::new();
            for message in self.ada.messages(game.thread) {
                if message.files().is_empty() {
                    continue;
                }
                let item = journal.posted_item(MessageId(message.id.0)).await.unwrap();
                let (table, item) = item.unwrap_or_else(|| panic!("{} was posted twice", message.content()));
                assert_eq!(table, game.table);
                assert!(posted.insert(item.map(|item| item.key())), "{} twice", message.content());
            }
            assert!(posted.len() > 1, "{} has no boards", game.table);
        }
        eprintln!("moves typed again: {}", self.retyped.lock().unwrap());
    }
}
