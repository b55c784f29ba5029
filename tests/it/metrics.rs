//! `/metrics`: the durations of a move, and the page that explains the metrics.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use rookery::http_server::{Limits, Server};
use rookery::observability::metrics::Metrics;
use rookery_playground::Options;
use rookery_playground::clock::Clock;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::{Batch, Journal, StoreError};
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_table::{Actor, BoardChannel, ChannelId, Order, UserId};
use serde_json::json;
use tokio::net::TcpListener;

use crate::duel::{Duel, Way, open};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

const PAGE: &str = include_str!("../../docs/metrics.md");

fn text(bot: &TestBot) -> String {
    Metrics::default().text(bot.registry.tasks(), &[])
}

/// Returns the current value of a metric of a bot, or 0 if there is none yet.
pub(crate) fn metric(bot: &TestBot, name: &str) -> u64 {
    sample(&text(bot), name)
}

const ORDER_TO_POST: &str = "rookery_order_to_post_seconds_count";
const DELIVER: &str = "rookery_order_part_seconds_count{part=\"deliver\"}";
const QUEUE: &str = "rookery_order_part_seconds_count{part=\"queue\"}";
const DECIDE: &str = "rookery_order_part_seconds_count{part=\"decide\"}";
const JOURNAL: &str = "rookery_order_part_seconds_count{part=\"journal\"}";
const OUTBOX_AGE: &str = "rookery_queue_age_seconds_count{queue=\"outbox\"}";

/// Hooks that fail appends and marks on request, and count the marks that succeed.
#[derive(Default)]
struct FailingWrites {
    fails_appends: AtomicBool,
    /// Whether only every third mark of a posted item succeeds.
    fails_marks: AtomicBool,
    marks: AtomicU64,
    marked: AtomicU64,
}

#[async_trait]
impl JournalHooks for FailingWrites {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        match self.fails_appends.load(Ordering::Relaxed) {
            true => Err(StoreError::Backend("no space left".into())),
            false => journal.append(batch).await,
        }
    }

    fn mark_posted(&self) -> Result<(), StoreError> {
        let fails = self.marks.fetch_add(1, Ordering::Relaxed) % 3 < 2;
        if fails && self.fails_marks.load(Ordering::Relaxed) {
            return Err(StoreError::Backend("no space left".into()));
        }
        self.marked.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

type HookedMemory = Arc<HookedJournal<MemoryJournal, FailingWrites>>;

async fn with_failing_writes(rate_limits: RateLimits) -> (TestBot, HookedMemory) {
    let journal = HookedMemory::default();
    let options = Options { clock: Clock::manual(), rate_limits, ..Options::default() };
    let plan = TestSetup { journal: journal.clone(), options, ..TestSetup::default() };
    (TestBot::of(plan).await, journal)
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_a_board_once_though_storing_that_fails() {
    let (bot, journal) = with_failing_writes(RateLimits::none()).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let names = [ORDER_TO_POST, QUEUE, DELIVER];
    let before = names.map(|name| metric(&bot, name));
    journal.hooks.marks.store(0, Ordering::Relaxed);
    journal.hooks.fails_marks.store(true, Ordering::Relaxed);
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    assert!(journal.hooks.marks.load(Ordering::Relaxed) >= 3, "each is tried three times");
    assert_eq!(names.map(|name| metric(&bot, name)), before.map(|count| count + 1));
    bot.stop().await;
}

/// The buttons of the older board are removed after the post: that the edit fails doesn't delay the sample.
#[tokio::test(flavor = "multi_thread")]
async fn metrics_end_with_the_post_of_the_board() {
    let bot = TestBot::start().await;
    let (ada, games, general) = (bot.ada(), bot.games(), bot.playground.channel("general"));
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    let board = |it: &VisibleMessage| it.button("Move").is_some();
    ada.wait_for(games, "the first board", board).await.unwrap();
    bot.wait_until_idle().await;
    let before = metric(&bot, ORDER_TO_POST);
    bot.playground.faults().fail_edits(Some(503));
    let home = BoardChannel { channel: ChannelId(general.0), thread: false };
    let order = Order::SetBoardChannel(home);
    bot.registry.order(table.parse().unwrap(), Actor::System, order, None).await.ok().unwrap();
    ada.wait_for(general, "the board in another channel", board).await.unwrap();
    eventually("the sample", async || metric(&bot, ORDER_TO_POST) == before + 1).await;
    assert!(ada.messages(games).iter().any(board), "the older one still has its buttons");
    bot.playground.faults().fail_edits(None);
    bot.wait_until_idle().await;
    assert_eq!(metric(&bot, ORDER_TO_POST), before + 1);
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_a_wait_in_the_outbox_once_though_a_rate_limit_delays_the_post() {
    let window = Duration::from_millis(2_500);
    let (bot, journal) =
        with_failing_writes(RateLimits { per_bucket: 2, window, global_per_second: 1_000 }).await;
    let mut duel = Duel::begin(&bot).await;
    for _ in 0..4 {
        duel.turn(&bot, Way::Reply).await;
    }
    bot.wait_until_idle().await;
    assert_eq!(metric(&bot, OUTBOX_AGE), journal.hooks.marked.load(Ordering::Relaxed));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_failed_writes_and_new_tables() {
    let (bot, journal) = with_failing_writes(RateLimits::none()).await;
    let before = [DECIDE, JOURNAL].map(|name| metric(&bot, name));
    let mut duel = Duel::begin(&bot).await;
    let opened = [DECIDE, JOURNAL].map(|name| metric(&bot, name));
    // The opening of the table, the acceptance of the challenge, the thread.
    assert!((0..2).all(|part| opened[part] >= before[part] + 3), "{before:?} {opened:?}");
    bot.wait_until_idle().await;
    let before = metric(&bot, JOURNAL);
    journal.hooks.fails_appends.store(true, Ordering::Relaxed);
    let order = Order::Move { text: duel.any_move(), ply: None };
    let who = Actor::Person(UserId(duel.ada.id.0));
    let told = bot.registry.order(duel.table.parse().unwrap(), who, order, None).await;
    assert!(told.is_err(), "nothing can be written");
    assert_eq!(metric(&bot, JOURNAL), before + 1);
    bot.stop_early().await;
}

/// Returns the value of a sample, or 0 if there is none yet.
fn sample(text: &str, name: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.map_or(0, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_time_a_move_from_the_order_to_the_post() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let before = text(&bot);
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    let after = text(&bot);
    let more = |name: &str| sample(&after, name) - sample(&before, name);
    assert_eq!(more("rookery_order_to_post_seconds_count"), 1, "{after}");
    for part in ["queue", "deliver"] {
        assert_eq!(more(&format!("rookery_order_part_seconds_count{{part=\"{part}\"}}")), 1, "{part}");
    }
    for sample in [
        "rookery_order_part_seconds_count{part=\"decide\"}",
        "rookery_order_part_seconds_count{part=\"journal\"}",
        "rookery_queue_age_seconds_count{queue=\"outbox\"}",
        "rookery_drawing_seconds_count{kind=\"still\"}",
        "rookery_discord_request_seconds_count{route=\"POST channels/{id}/messages\",status=\"200\"}",
    ] {
        assert!(more(sample) >= 1, "{sample}: {after}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_page_explains_every_metric() {
    let bot = TestBot::start().await;
    drop(Duel::begin(&bot).await);
    bot.wait_until_idle().await;
    // The player and the server of the pages do not run in this test.
    let tasks = bot.registry.tasks().clone();
    tasks.timings().thinking("amazons", "easy", Duration::from_millis(3));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::new("web server", listener, Router::new(), Limits::default(), tasks.clone());
    let text = Metrics::default().text(&tasks, &[server]);
    bot.stop().await;
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).map(|rest| {
        let (name, kind) = rest.split_once(' ').unwrap();
        if kind == "counter" { format!("{name}_total") } else { name.to_owned() }
    });
    let rows = PAGE.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()));
    assert_eq!(rows.collect::<BTreeSet<_>>(), types.collect::<BTreeSet<_>>());
}
