//! Measures what the whole bot costs: `cargo bench --bench whole_bot`.
//!
//! Three measurements that a stopwatch inside one function cannot give: the time from a typed move to the board's
//! message, over loopback; memory with a thousand tables; start-up with ten thousand unfinished tables in the file.
//! `cargo bench --bench whole_bot -- latency` (or `memory`, `start`) runs one. Two more run only by name: how long
//! people wait while two hundred tables wait for the program (`load`), and how long the program's answers take
//! (`levels`).

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

#[path = "whole_bot/bot.rs"]
mod bot;
#[path = "whole_bot/load.rs"]
mod load;

use jiff::Timestamp;
use rookery_table::millis;
use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use async_trait::async_trait;
use rookery::discord::{self, Settings};
use rookery::drawing::Drawing;
use rookery::{observability::metrics, shutdown};
use rookery_core::Seat;
use rookery_core::scene::DrawOptions;
use rookery_core::seed::SeededRng;
use rookery_i18n::Languages;
use rookery_playground::{Playground, id::Id, limits::RateLimits, testing::person::Person as Human};
use rookery_render::{Painter, png};
use rookery_store::Sqlite;
use rookery_table::ports::*;
use rookery_table::registry::TableRegistry;
use rookery_table::testing::{HookedJournal, JournalHooks};
use rookery_table::thinkers::ThinkerPool;
use rookery_table::thinking_limits::ThinkingLimits;
use rookery_table::{Actor, ChannelId, GuildId, Occupant, Order, Table, TableId, Terms, UserId, decide};
use serde_json::json;

/// The default limit of the time for one move.
const MOVE_TIME_LIMIT: Duration = Duration::from_secs(8);
const MOVES: usize = 1_000;
const LOADED_TABLES: usize = 1_000;
const TABLES_UNFINISHED: usize = 10_000;

fn main() -> Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wants = |name: &str| asked.is_empty() || asked.iter().any(|word| word == name);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if wants("memory") {
        runtime.block_on(memory())?;
    }
    if wants("start") {
        runtime.block_on(start())?;
    }
    if wants("latency") {
        runtime.block_on(latency())?;
    }
    let by_name = |name: &str| asked.iter().any(|word| word == name);
    if by_name("load") {
        runtime.block_on(load::load())?;
    }
    if by_name("levels") {
        runtime.block_on(load::levels())?;
    }
    Ok(())
}

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        millis::timestamp(0)
    }
}

/// Times of one kind, in order of measurement.
#[derive(Clone, Default)]
struct Times(Arc<Mutex<Vec<Duration>>>);

impl Times {
    fn add(&self, time: Duration) {
        self.0.lock().expect("nobody panics with it").push(time);
    }

    /// Prints the median and 99th percentile, and the median as a share of another median. Returns the median.
    fn print_times(&self, name: &str, of: Option<&Times>) -> Duration {
        let mut times = self.0.lock().expect("nobody panics with it").clone();
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let (half, most) = (at(0.5), at(0.99));
        let share = of.map(|of| {
            let mut whole = of.0.lock().expect("nobody panics with it").clone();
            whole.sort();
            format!(
                "  {:>3.0} % of the whole",
                100.0 * half.as_secs_f64() / whole[whole.len() / 2].as_secs_f64()
            )
        });
        println!("  {name:<28} p50 {half:>9.2?}  p99 {most:>9.2?}{}", share.unwrap_or_default());
        half
    }
}

#[async_trait]
impl JournalHooks for Times {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        let since = Instant::now();
        let written = journal.append(batch).await;
        self.add(since.elapsed());
        written
    }
}

fn registry(journal: Arc<dyn Journal>) -> Result<Arc<TableRegistry>> {
    Ok(TableRegistry::new(
        journal,
        Arc::new(FixedClock),
        Arc::new(ThinkerPool::new(1, MOVE_TIME_LIMIT, ThinkingLimits::NONE)?),
        1,
    ))
}

fn terms(number: usize) -> Terms {
    let game = "amazons".to_owned();
    let seed = number as u64;
    Terms {
        game,
        options: Default::default(),
        seed,
        guild: Some(GuildId(1)),
        channel: ChannelId(2),
        thread: true,
        rated: false,
        ..Terms::default()
    }
}

async fn latency() -> Result<()> {
    println!("from a typed move in to the board's message out, {MOVES} moves, 10x10, SQLite, loopback");
    let bot = bot::Bot::start(ThinkerPool::new(1, MOVE_TIME_LIMIT, ThinkingLimits::NONE)?).await?;
    let (playground, registry) = (&bot.playground, &bot.registry);
    let (whole, rules, drawing) = (Times::default(), Times::default(), Times::default());
    let painter = Painter::new();
    let mut rng = SeededRng::new(1);
    let mut moves = 0;
    while moves < MOVES {
        let (table, thread, people) = open(playground, registry).await?;
        while let (Some(seat), true) = (registry.table(table).await?.to_move(), moves < MOVES) {
            let now = registry.table(table).await?;
            let text = rng.pick(&now.play().expect("it runs").moves()).expect("it runs").clone();
            rules.add(decide(now.as_ref(), &people[seat.index()], &text));
            whole.add(type_move(playground, &people[seat.index()], thread, now.ply() + 1, &text).await?);
            let after = registry.table(table).await?;
            drawing.add(draw(&painter, &after));
            moves += 1;
        }
    }
    whole.print_times("whole", None);
    rules.print_times("rules (decide)", Some(&whole));
    bot.appends.print_times("journal (all batches)", Some(&whole));
    drawing.print_times("drawing and encoding", Some(&whole));
    println!("  the rest is HTTP, the gateway, reading the outbox");
    bot.stop().await
}

/// Opens a game between two people; returns its table, thread and players.
async fn open(playground: &Playground, registry: &TableRegistry) -> Result<(TableId, Id, [Human; 2])> {
    let (ada, ben) = (playground.user("Ada"), playground.user("Ben"));
    let games = playground.channel("games");
    let refused = |refusal| anyhow::anyhow!("{refusal:?}");
    let terms = json!({"game": "amazons", "first": "me"});
    ada.slash(games, "play", &terms).map_err(refused)?.message().await?;
    let waiting = Filter { stage: Some(Stage::Waiting), ..Filter::default() };
    let table = registry.list(&waiting, 1).await?.first().expect("it was opened").id;
    registry.order(table, Actor::Person(UserId(ben.id.0)), Order::Join, None).await?;
    let thread = ada.wait_for_thread(games, table.as_str()).await?;
    ada.wait_for(thread, "the first board", |seen| !seen.files().is_empty()).await?;
    Ok((table, thread, [ada, ben]))
}

fn decide(table: &Table, who: &Human, text: &str) -> Duration {
    let order = Order::Move { text: text.to_owned(), ply: None };
    let since = Instant::now();
    black_box(decide::decide(table, Actor::Person(UserId(who.id.0)), &order, None, table.at()))
        .expect("a listed move");
    since.elapsed()
}

async fn type_move(
    playground: &Playground,
    who: &Human,
    thread: Id,
    ply: usize,
    text: &str,
) -> Result<Duration> {
    let line = format!("{ply}. {text}");
    let since = Instant::now();
    who.say(thread, text).map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
    let posted = || who.messages(thread).into_iter().rev().find(|seen| seen.content().contains(&line));
    playground.wait("the board", posted).await?;
    Ok(since.elapsed())
}

fn draw(painter: &Painter, table: &Table) -> Duration {
    let play = table.play().expect("it has begun");
    let since = Instant::now();
    black_box(png(&painter.picture(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 1_050)));
    since.elapsed()
}

fn resident_mib() -> f64 {
    metrics::resident_bytes().unwrap_or_default() as f64 / f64::from(1 << 20)
}

async fn fill(journal: Arc<Sqlite>, tables: usize, plies: usize) -> Result<Arc<TableRegistry>> {
    let registry = registry(journal)?;
    for number in 0..tables {
        let people = [UserId(2 * number as u64 + 10), UserId(2 * number as u64 + 11)];
        let chairs = people.map(|person| Occupant::Human { person }).to_vec();
        let id = registry.open(terms(number), people[0], chairs, None).await?.table.id();
        let mut rng = SeededRng::new(number as u64);
        for ply in 0..plies {
            let table = registry.table(id).await?;
            let text = rng.pick(&table.play().expect("it runs").moves()).expect("it runs").clone();
            let order = Order::Move { text, ply: None };
            registry.order(id, Actor::Person(people[ply % 2]), order, None).await?;
        }
    }
    Ok(registry)
}

async fn memory() -> Result<()> {
    let folder = tempfile::tempdir()?;
    println!("memory (resident), of this process without a face");
    let before = resident_mib();
    let journal = Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await?);
    let registry = fill(journal, LOADED_TABLES, 10).await?;
    println!(
        "  at rest {before:.1} MiB; {} tables awake, 10 plies each: {:.1} MiB",
        registry.loaded_tables(),
        resident_mib()
    );
    Ok(())
}

async fn start() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rookery.sqlite");
    let filled = Arc::new(Sqlite::open(&path).await?);
    drop(fill(filled.clone(), TABLES_UNFINISHED, 2).await?);
    filled.close().await;
    let since = Instant::now();
    let journal = Arc::new(Sqlite::open(&path).await?);
    let owed = registry(journal.clone())?.resume().await?;
    let due = journal.due(0, 100).await?.len();
    println!(
        "start-up with {TABLES_UNFINISHED} unfinished tables: {:.1?} ({owed} turns owed, {due} rows due)",
        since.elapsed()
    );
    Ok(())
}
