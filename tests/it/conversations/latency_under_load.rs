//! Measures how long others wait while one person sends as many requests as possible. Run it by hand:
//!
//! `cargo test --test it conversations::latency_under_load -- --ignored --nocapture --test-threads 1`
//!
//! With `--release` the times are realistic. Without it only the last three columns are meaningful: the times divided
//! by those of the row `nothing`, in which nobody is greedy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rookery_playground::Options;
use rookery_playground::clock::Clock;
use rookery_playground::id::Id;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::quota::Quotas;
use rookery_table::thinkers::ThinkerPool;
use rookery_table::thinking_limits::ThinkingLimits;
use rookery_table::{Actor, Order};
use serde_json::{Value, json};

use crate::duel::open;
use crate::test_bot::{TestBot, TestSetup, boards};

/// The number of concurrent commands of the greedy person.
const AT_ONCE: usize = 8;
/// The number of measured commands of the other person, and the number of commands between two of their moves.
const SAMPLES: usize = 60;
const COMMANDS_A_MOVE: usize = 5;
/// The number of plies of the games that are drawn, analysed and imported.
const TURNS: usize = 40;

/// The times, in milliseconds, while one person is greedy.
#[derive(Clone, Debug)]
struct Measured {
    /// The number of the greedy person's commands that were carried out, and that were refused.
    counts: [usize; 2],
    p50: f64,
    p99: f64,
    board_p50: f64,
    board_max: f64,
}

impl Measured {
    /// Formats the times, and their ratios to the times without a greedy person.
    fn line(&self, alone: &Measured) -> String {
        let Measured { counts: [done, refused], p50, p99, board_p50, board_max } = self;
        let (p50_x, p99_x, board_x) = (p50 / alone.p50, p99 / alone.p99, board_p50 / alone.board_p50);
        format!(
            "{done:>8} {refused:>8} | {p50:>9.1} {p99:>9.1} | {board_p50:>9.1} {board_max:>9.1} | \
             {p50_x:>6.2} {p99_x:>6.2} {board_x:>6.2}"
        )
    }
}

/// The command that the greedy person repeats.
#[derive(Clone, Debug)]
struct Greed {
    command: &'static str,
    /// The option sets, used in turn.
    options: Vec<Value>,
}

#[ignore = "measures for minutes"]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn latency_of_others_while_one_person_asks_for_as_much_as_they_can() {
    eprintln!(
        "{:<10} {:<10} {:>8} {:>8} | {:>9} {:>9} | {:>9} {:>9} | {:>6} {:>6} {:>6}",
        "limits",
        "greed",
        "done",
        "refused",
        "p50 ms",
        "p99 ms",
        "board p50",
        "board max",
        "p50 x",
        "p99 x",
        "board x"
    );
    for (limits, quotas) in [("none", Quotas::NONE), ("default", Quotas::default())] {
        let mut alone = None;
        for name in ["nothing", "tables", "bot", "gifs", "analyses", "exports", "imports", "challenges"] {
            let bot = start_bot(quotas).await;
            let greed = greed(&bot, name).await;
            let measured = measure(&bot, greed).await;
            let alone = alone.get_or_insert_with(|| measured.clone());
            eprintln!("{limits:<10} {name:<10} {}", measured.line(alone));
        }
    }
}

/// Starts a bot with a running clock and real players.
async fn start_bot(quotas: Quotas) -> TestBot {
    let mut plan = TestSetup {
        options: Options { clock: Clock::wall(), rate_limits: RateLimits::none(), ..Options::default() },
        thinker: Arc::new(ThinkerPool::new(2, Duration::from_secs(2), ThinkingLimits::NONE).unwrap()),
        ..TestSetup::default()
    };
    plan.settings.quotas = quotas;
    plan.settings.width_px = 1_050;
    TestBot::of(plan).await
}

async fn greed(bot: &TestBot, name: &str) -> Option<Greed> {
    let (ada, ben) = (bot.ada(), bot.ben());
    let one = |command, options| Some(Greed { command, options: vec![options] });
    match name {
        "tables" => one("play", json!({"game": "amazons", "opponent": ada.id})),
        "bot" => one("play", json!({"game": "amazons", "ai": "easy"})),
        "gifs" => one("replay", json!({"as": "gif", "table": running_game(bot).await})),
        "exports" => one("export", json!({ "table": finished_game(bot).await })),
        "imports" => one("import", json!({"text": record(bot).await})),
        "challenges" => one("play", json!({"game": "amazons", "opponent": ben.id})),
        "analyses" => {
            let mut options = Vec::new();
            for _ in 0..10 {
                options.push(json!({ "table": finished_game(bot).await }));
            }
            Some(Greed { command: "analyse", options })
        }
        _ => None,
    }
}

/// Plays a game of Ada's with many turns; returns its table.
async fn running_game(bot: &TestBot) -> String {
    let ada = bot.ada();
    let table = open(&ada, bot.games(), &json!({"game": "amazons", "opponent": ada.id})).await;
    for _ in 0..TURNS {
        order(bot, &ada, &table, None).await;
    }
    bot.wait_until_idle().await;
    table
}

/// Plays a game of Ada's and ends it; returns its table.
async fn finished_game(bot: &TestBot) -> String {
    let table = running_game(bot).await;
    order(bot, &bot.ada(), &table, Some(Order::Resign)).await;
    table
}

async fn record(bot: &TestBot) -> String {
    let table = running_game(bot).await;
    let moves = bot.table(&table).await.play().unwrap().record().join("\n");
    format!("game: amazons\n\n{moves}")
}

/// Sends an order, or plays some legal move; returns the move's text.
async fn order(bot: &TestBot, who: &Person, table: &str, order: Option<Order>) -> String {
    let seen = bot.table(table).await;
    let moves = seen.play().unwrap().moves();
    let text = moves[moves.len() / 2].clone();
    let order = order.unwrap_or(Order::Move { text: text.clone(), ply: None });
    bot.registry.order(seen.id(), Actor::Person(rookery_table::UserId(who.id.0)), order, None).await.unwrap();
    text
}

/// Measures how long the other person waits for answers and boards.
async fn measure(bot: &TestBot, greed: Option<Greed>) -> Measured {
    let (cleo, channel) = (bot.cleo(), bot.playground.channel("table"));
    let table = open(&cleo, channel, &json!({"game": "amazons", "opponent": cleo.id})).await;
    let thread = cleo.wait_for_thread(channel, &table).await.unwrap();
    bot.wait_until_idle().await;
    let stop = Arc::new(AtomicBool::new(false));
    let counts: Arc<[AtomicUsize; 2]> = Arc::default();
    let busy: Vec<_> = greed
        .iter()
        .flat_map(|greed| std::iter::repeat_n(greed, AT_ONCE))
        .map(|greed| {
            let (ada, games) = (bot.ada(), bot.games());
            tokio::spawn(ask_again_and_again(ada, games, greed.clone(), stop.clone(), counts.clone()))
        })
        .collect();
    let (mut commands, mut shown) = (Vec::new(), Vec::new());
    for sample in 0..SAMPLES {
        let began = Instant::now();
        cleo.slash(channel, "games", &json!({})).unwrap().message().await.unwrap();
        commands.push(began.elapsed());
        if sample % COMMANDS_A_MOVE == 0 {
            shown.push(board(bot, &cleo, &table, thread).await);
        }
    }
    stop.store(true, Ordering::Relaxed);
    for task in busy {
        task.await.unwrap();
    }
    let count = |at: usize| counts[at].load(Ordering::Relaxed);
    Measured {
        counts: [count(0), count(1)],
        p50: at(&mut commands, 50),
        p99: at(&mut commands, 99),
        board_p50: at(&mut shown, 50),
        board_max: at(&mut shown, 100),
    }
}

async fn ask_again_and_again(
    ada: Person,
    games: Id,
    greed: Greed,
    stop: Arc<AtomicBool>,
    counts: Arc<[AtomicUsize; 2]>,
) {
    let mut options = greed.options.iter().cycle();
    while !stop.load(Ordering::Relaxed) {
        let Some(Ok(asked)) = options.next().map(|options| ada.slash(games, greed.command, options)) else {
            return;
        };
        // Answers that take too long are skipped.
        let Ok(told) = asked.message().await else { continue };
        let refused = ["<t:", "unfinished games"].iter().any(|part| told.content().contains(part));
        counts[usize::from(refused)].fetch_add(1, Ordering::Relaxed);
    }
}

/// Measures the time from a move to its board.
async fn board(bot: &TestBot, who: &Person, table: &str, thread: Id) -> Duration {
    let before = boards(who, thread).len();
    let began = Instant::now();
    let text = order(bot, who, table, None).await;
    let shows = |it: &VisibleMessage| !it.files().is_empty() && it.content().contains(&text);
    who.wait_for(thread, "the board", shows).await.unwrap();
    assert!(boards(who, thread).len() > before);
    began.elapsed()
}

/// Returns a percentile of the times, in milliseconds.
fn at(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    let last = times.len() - 1;
    times[(times.len() * percent / 100).min(last)].as_secs_f64() * 1_000.0
}
