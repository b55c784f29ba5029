//! `/metrics`: the durations of a move, and the page that explains the metrics.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Router;
use rookery::http_server::{Limits, Server};
use rookery::observability::metrics::Metrics;
use tokio::net::TcpListener;

use crate::duel::{Duel, Way};
use crate::test_bot::TestBot;

const PAGE: &str = include_str!("../../docs/metrics.md");

fn text(bot: &TestBot) -> String {
    Metrics::default().text(bot.registry.tasks(), &[])
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
