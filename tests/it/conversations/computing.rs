//! Long computations run off the async threads, however long the game. The task counters prove it, and debug
//! builds panic if such work begins within a poll.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rookery::playground_tasks::PlaygroundTasks;
use rookery_core::player::{Limits, SearchRequest, SearchResult, Value};
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Analysis, Play};
use rookery_playground::Options;
use rookery_playground::clock::Clock;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::{Answer, Job, Thinker, answered};
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{ChannelId, TableId, Terms, UserId};
use rookery_tasks::Tasks;
use serde_json::json;

use crate::test_bot::{TestBot, TestSetup};

/// The number of plies of a long game.
const TURNS: usize = 500;

/// A thinker that answers at once, so that a long game is reviewed quickly.
struct InstantThinker;

impl Thinker for InstantThinker {
    fn think(&self, _: Job, _: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        answered(play.moves().into_iter().next())
    }

    fn analyse(&self, _: BudgetOwner, play: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        let best = play.moves().into_iter().next();
        let (value, others) = (Value::Estimate(10), Vec::new());
        answered(best.map(|best| SearchResult { best, value, depth: 1, nodes: 1, line: Vec::new(), others }))
    }

    fn best_lines(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        answered(play.analyse(&SearchRequest { limits, ..ask }, most))
    }

    fn drop_table(&self, _: TableId) {}
}

async fn start_bot() -> TestBot {
    TestBot::of(TestSetup { thinker: Arc::new(InstantThinker), ..TestSetup::default() }).await
}

/// Counts the work that ran off the async threads so far, by task name.
fn computed(bot: &TestBot) -> BTreeMap<&'static str, u64> {
    bot.registry.tasks().status().into_iter().map(|task| (task.name, task.computed)).collect()
}

/// Counts the work of these names that ran off the async threads since `before`. Other long work did not run: it would
/// have panicked.
fn since(bot: &TestBot, before: &BTreeMap<&'static str, u64>, names: &[&str]) -> Vec<u64> {
    let panicked: Vec<_> = bot.registry.tasks().status().into_iter().filter(|task| task.panics > 0).collect();
    assert!(panicked.is_empty(), "{panicked:?}");
    let (now, of) = (computed(bot), |all: &BTreeMap<_, u64>, name| all.get(name).copied().unwrap_or(0));
    names.iter().map(|name| of(&now, name) - of(before, name)).collect()
}

/// Plays a long game of Penguin Soccer in which nobody tries to win.
fn long_game() -> Box<dyn Play> {
    let game = rookery_games::named("penguin_soccer").unwrap();
    let mut rng = SeededRng::new(1);
    let mut play = game.start(&Setup::new(2)).unwrap();
    while play.ply() < TURNS {
        let moves = play.moves();
        let first = (rng.bits() % moves.len() as u64) as usize;
        let order = (0..moves.len()).map(|n| &moves[(first + n) % moves.len()]);
        let next = order.into_iter().find_map(|text| {
            let mut next = play.clone_play();
            next.play(text).unwrap();
            next.outcome().is_none().then_some(next)
        });
        play = next.expect("some move does not end the game");
    }
    play
}

#[tokio::test(flavor = "multi_thread")]
async fn computing_a_review_and_a_record_of_a_long_game_keeps_off_the_async_threads() {
    let bot = start_bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let before = computed(&bot);
    let terms = Terms { game: "penguin_soccer".into(), channel: ChannelId(games.0), ..Terms::default() };
    let kept = bot.registry.import(terms, UserId(ada.id.0), long_game().as_ref(), Vec::new()).await.unwrap();
    assert_eq!(kept.table.ply(), TURNS);
    assert_eq!(since(&bot, &before, &["import", "table replay"]), [1, 1]);
    let table = json!({"table": kept.table.id().to_string()});
    let before = computed(&bot);
    let review = ada.slash(games, "analyse", &table).unwrap().message().await.unwrap();
    assert_eq!(review.files().len(), 1, "{}", review.content());
    assert_eq!(since(&bot, &before, &["review", "layout"]), [2, 1]);
    let before = computed(&bot);
    for form in ["text", "json"] {
        let options = json!({"table": kept.table.id().to_string(), "as": form});
        let record = ada.slash(games, "export", &options).unwrap().message().await.unwrap();
        assert_eq!(record.files().len(), 1, "{}", record.content());
    }
    assert_eq!(since(&bot, &before, &["export"]), [2]);
    bot.stop().await;
}

/// A board of twelve by twelve squares, divided by a wall of arrows.
const WALLED: &str = "q11/12/12/12/12/pppppppppppp/12/12/12/12/12/Q11 w - - 0 1";

#[tokio::test(flavor = "multi_thread")]
async fn computing_territory_on_a_large_board_keeps_off_the_async_threads() {
    let bot = start_bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let before = computed(&bot);
    let text = json!({"text": WALLED, "game": "amazons"});
    let shown = ada.slash(games, "import", &text).unwrap().message().await.unwrap();
    assert_eq!(since(&bot, &before, &["import", "layout"]), [2, 1], "{}", shown.content());
    let before = computed(&bot);
    let tinted = bot.press_private(&ada, &shown, "Territory").await;
    // Five rows above the wall and six below it, less a queen each.
    let counts = "Cells only White can reach: 71 · only Black: 59 · both: 0 (hatched)";
    assert!(tinted.content().contains(counts), "{}", tinted.content());
    assert_eq!(since(&bot, &before, &["layout"]), [1]);
    let before = computed(&bot);
    let words = bot.press(&ada, &tinted, "As text").await;
    assert!(words.content().contains("```"), "{}", words.content());
    assert_eq!(since(&bot, &before, &["layout"]), [1]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn computing_a_persons_data_keeps_off_the_async_threads() {
    let bot = start_bot().await;
    let ada = bot.ada();
    let panel: VisibleMessage =
        ada.slash(bot.games(), "privacy", &json!({})).unwrap().message().await.unwrap();
    let before = computed(&bot);
    bot.press_private(&ada, &panel, "Send my data").await;
    assert_eq!(since(&bot, &before, &["personal data"]), [1]);
    bot.stop().await;
}

/// All tasks that run as long as the program, except those that only `main` starts.
#[tokio::test(flavor = "multi_thread")]
async fn supervision_sees_every_long_lived_task() {
    let (folder, tasks) = (tempfile::tempdir().unwrap(), Tasks::default());
    let options = Options {
        clock: Clock::manual(),
        rate_limits: RateLimits::none(),
        data: Some(folder.path().join("playground.sqlite")),
        tasks: Arc::new(PlaygroundTasks(tasks.clone())),
        ..Options::default()
    };
    let bot = TestBot::with(options).await;
    let supervised = |tasks: &Tasks| -> BTreeSet<&'static str> {
        let all = tasks.status().into_iter().filter(|task| task.supervised.is_some());
        all.map(|task| task.name).collect()
    };
    let bot_tasks = BTreeSet::from([
        "announcements",
        "deferred pings",
        "late pings",
        "lobbies",
        "outbox",
        "start of jobs",
        "televisions",
        "welcome messages",
    ]);
    bot.wait_until("the jobs to begin", || supervised(bot.registry.tasks()).len() >= bot_tasks.len()).await;
    assert_eq!(supervised(bot.registry.tasks()), bot_tasks);
    assert_eq!(supervised(&tasks), BTreeSet::from(["playground", "playground file"]));
    bot.stop().await;
}
