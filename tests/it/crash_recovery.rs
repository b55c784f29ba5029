//! `kill -9` at any moment of a game against the bot: after a restart the position is the same, every
//! accepted move is stored once, every board was posted once, and the game continues.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rookery_core::seed::SeededRng;
use rookery_playground::testing::person::Person;
use rookery_playground::{Options, Playground, id::Id, limits::RateLimits};
use rookery_store::Sqlite;
use rookery_table::ports::{Filter, Journal, PageRequest};
use rookery_table::{Status, Table};
use serde_json::{Value, json};

use crate::command_line::{PATIENCE, Program};
use crate::duel::{slash_play, tells_move};
use crate::eventually::{before_kill, poll_interval, retry_interval};

/// Starts the real program on a playground.
fn start(playground: &Playground, folder: &Path) -> Program {
    let base = playground.api_base();
    Program::start(folder, &[], &[("DISCORD_TOKEN", playground.token()), ("DISCORD_API_BASE", &base)])
}

/// Reads the table from the journal while the program runs.
async fn journal_table(journal: &Path) -> Option<Table> {
    let journal = Sqlite::open_read_only(journal).await.ok()?;
    let card = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.pop()?;
    let entries = journal.load(card.id).await.unwrap();
    journal.close().await;
    Table::replay(card.id, &entries).unwrap()
}

struct Story {
    playground: Playground,
    ada: Person,
    journal: PathBuf,
    bot: Program,
    rng: SeededRng,
    kills: usize,
}

impl Story {
    async fn begin(seed: u64, folder: &Path) -> (Story, Id) {
        Story::begin_with(seed, folder, &json!({})).await
    }

    /// Begins a story with additional terms.
    async fn begin_with(seed: u64, folder: &Path, more: &Value) -> (Story, Id) {
        let options = Options { rate_limits: RateLimits::none(), ..Options::default() };
        let playground = Playground::start(options).await.unwrap();
        let journal = folder.join("rookery.sqlite");
        let bot = start(&playground, folder);
        playground.wait_for_bot().await.unwrap();
        let (ada, games) = (playground.user("Ada"), playground.channel("games"));
        let mut terms = json!({"game": "amazons", "ai": "beginner", "size": "6x6", "first": "me"});
        terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
        let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
        (Story { playground, ada, journal, bot, rng: SeededRng::new(seed), kills: 0 }, thread)
    }

    /// With probability one half, kills the program after some milliseconds and starts it again.
    async fn maybe_kill(&mut self) {
        if self.rng.below(2) > 0 {
            return;
        }
        before_kill(self.rng.below(80)).await;
        let before = journal_table(&self.journal).await.unwrap().play().unwrap().record();
        self.bot.kill();
        self.kills += 1;
        let after = journal_table(&self.journal).await.unwrap().play().unwrap().record();
        assert_eq!(after[..before.len()], before, "a move that was there is gone");
        self.bot = start(&self.playground, self.journal.parent().unwrap());
    }

    /// Waits until it is Ada's turn or the game is over, at this ply or later.
    async fn settled(&self, ply: usize) -> Table {
        let since = Instant::now();
        loop {
            let table = journal_table(&self.journal).await.unwrap();
            let hers = table.to_move().is_some_and(|seat| seat.index() == 0) && table.ply() >= ply;
            if hers || matches!(table.status(), Status::Over(_)) {
                return table;
            }
            assert!(since.elapsed() < PATIENCE, "nothing moves at ply {}", table.ply());
            poll_interval().await;
        }
    }

    /// Types a move until the journal has it: messages to a dead program are lost.
    async fn play(&mut self, thread: Id, table: &Table) {
        let text = self.rng.pick(&table.play().unwrap().moves()).unwrap().clone();
        let since = Instant::now();
        while journal_table(&self.journal).await.unwrap().ply() == table.ply() {
            assert!(since.elapsed() < PATIENCE, "{text} is not heard");
            self.ada.say(thread, &format!("<@{}> {text}", rookery_playground::BOT_ID)).unwrap();
            self.maybe_kill().await;
            retry_interval().await;
        }
        let now = journal_table(&self.journal).await.unwrap().play().unwrap().record();
        assert_eq!(now[table.ply()], text);
    }
}

/// Checks that every turn's board is posted once, and no other board.
async fn every_board_is_posted_once(story: &Story, thread: Id, table: &Table) {
    let last = format!("{} is over", table.id());
    story.ada.wait_for(thread, "the result", |seen| seen.content().contains(&last)).await.unwrap();
    let messages = story.ada.messages(thread);
    let boards: Vec<_> = messages.iter().filter(|seen| !seen.files().is_empty()).collect();
    for text in table.play().unwrap().record() {
        // The square of an arrow stays blocked, so no move occurs twice in a game.
        let count = boards.iter().filter(|seen| tells_move(seen, &text)).count();
        assert_eq!(count, 1, "the board after {text} was posted {count} times");
    }
}

async fn a_game_with_kills(seed: u64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (mut story, thread) = Story::begin(seed, folder.path()).await;
    let mut ply = 0;
    loop {
        let table = story.settled(ply).await;
        if matches!(table.status(), Status::Over(_)) {
            every_board_is_posted_once(&story, thread, &table).await;
            return story.kills;
        }
        ply = table.ply() + 1;
        story.play(thread, &table).await;
        story.maybe_kill().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn crash_of_the_program_loses_nothing() {
    let mut kills = 0;
    for seed in 1..=4 {
        kills += a_game_with_kills(seed).await;
    }
    assert!(kills >= 10, "killed only {kills} times: the seeds are too kind");
}

/// Two people decide a vote; the program is killed between their votes.
#[tokio::test(flavor = "multi_thread")]
async fn crash_during_a_vote_lets_it_continue() {
    let folder = tempfile::tempdir().unwrap();
    let (mut story, thread) = Story::begin_with(1, folder.path(), &json!({"team": "everyone vote 2"})).await;
    let table = story.settled(0).await;
    let text = table.play().unwrap().moves()[0].clone();
    story.ada.say(thread, &format!("<@{}> {text}", rookery_playground::BOT_ID)).unwrap();
    let label = format!("1 · {text} (1)");
    let tally = story.ada.wait_for(thread, "the tally", |it| it.button(&label).is_some()).await.unwrap();
    story.bot.kill();
    story.bot = start(&story.playground, folder.path());
    let (ben, since) = (story.playground.user("Ben"), Instant::now());
    while journal_table(&story.journal).await.unwrap().ply() == 0 {
        assert!(since.elapsed() < PATIENCE, "the vote is not counted");
        // A press while the program is dead is lost.
        drop(ben.click(&tally, tally.button(&label).unwrap()));
        retry_interval().await;
    }
    let after = story.settled(2).await;
    assert_eq!(after.play().unwrap().record()[0], text);
    assert_eq!(after.vote_result(1).map(|vote_result| (vote_result.votes, vote_result.of)), Some((2, 2)));
}

/// Resigns the first game of a set, and kills the program after this many milliseconds: before, while or
/// after the second game opens.
async fn between_two_games(delay: u64) {
    let folder = tempfile::tempdir().unwrap();
    let terms = json!({"set": "two", "ai": "random", "first": "them"});
    let (mut story, thread) = Story::begin_with(delay, folder.path(), &terms).await;
    let board = story.ada.wait_for(thread, "a board", |it| it.button("Resign").is_some()).await.unwrap();
    let sure = story.ada.click(&board, board.button("Resign").unwrap()).unwrap().message().await.unwrap();
    story.ada.click(&sure, sure.button("Yes, resign").unwrap()).unwrap();
    before_kill(delay).await;
    story.bot.kill();
    story.bot = start(&story.playground, folder.path());
    // A press just before the kill may be lost.
    let since = Instant::now();
    let cards = loop {
        let journal = Sqlite::open_read_only(&story.journal).await.unwrap();
        let cards = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows;
        journal.close().await;
        if cards.len() > 1 {
            break cards;
        }
        assert!(since.elapsed() < PATIENCE, "the second game does not open");
        drop(story.ada.click(&sure, sure.button("Yes, resign").unwrap()));
        retry_interval().await;
    };
    let second = cards.iter().find(|card| card.set.is_some_and(|set| set.number() == 2)).unwrap().id;
    let games = story.playground.channel("games");
    let told = |it: &rookery_playground::testing::visible_message::VisibleMessage| {
        it.content().contains(&second.to_string())
    };
    let threads = story.ada.wait_for_thread(games, second.as_str()).await.unwrap();
    story.ada.wait_for(threads, "its first board", |it| it.button("Move").is_some()).await.unwrap();
    story.ada.wait_for(thread, "the result that names it", told).await.unwrap();
    let journal = Sqlite::open_read_only(&story.journal).await.unwrap();
    let all = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows;
    let first = all.iter().find(|card| card.id != second).unwrap().id;
    let first = Table::replay(first, &journal.load(first).await.unwrap()).unwrap().unwrap();
    journal.close().await;
    assert_eq!((all.len(), first.rematch()), (2, Some(second)), "killed after {delay} ms");
    assert_eq!(story.ada.messages(games).iter().filter(|it| told(it)).count(), 1, "announced once");
}

#[tokio::test(flavor = "multi_thread")]
async fn crash_opens_the_second_game_of_a_set_once() {
    for delay in [0, 4, 8, 12, 20, 35, 60, 120] {
        between_two_games(delay).await;
    }
}
