//! Every long-lived task of the real program is supervised: it has a name, is restarted when it panics, and /health
//! shows its last heartbeat. Supervision itself is tested in `crates/tasks` and in the tests of health.

use std::collections::BTreeSet;
use std::time::Instant;

use rookery_playground::{Options, Playground};

use crate::command_line::{Health, PATIENCE, Program};
use crate::eventually::poll_interval;

/// All tasks that run as long as the program, with every optional feature enabled.
const TASKS: [&str; 15] = [
    "announcements",
    "backups",
    "cleaner",
    "clocks",
    "deferred pings",
    "gauges",
    "health server",
    "late pings",
    "lobbies",
    "outbox",
    "signals",
    "start of jobs",
    "televisions",
    "web",
    "welcome messages",
];

#[tokio::test(flavor = "multi_thread")]
async fn supervision_shows_every_task_of_the_program_in_health() {
    let folder = tempfile::tempdir().unwrap();
    let playground = Playground::start(Options::default()).await.unwrap();
    let (base, health, web) = (playground.api_base(), Health::choose(), Health::choose());
    let environment = [
        ("DISCORD_TOKEN", playground.token()),
        ("DISCORD_API_BASE", base.as_str()),
        ("ROOKERY_HEALTH__LISTEN", health.0.as_str()),
        ("ROOKERY_WEB__LISTEN", web.0.as_str()),
        ("ROOKERY_STORE__BACKUP_FOLDER", "backups"),
    ];
    let _bot = Program::start(folder.path(), &[], &environment);
    playground.wait_for_bot().await.unwrap();
    let shown = async || {
        let text = health.until(200).await;
        let tasks = text.lines().filter_map(|line| line.strip_prefix("ok task ")?.split_once(':'));
        tasks.map(|(name, _)| name.to_owned()).collect::<BTreeSet<_>>()
    };
    let since = Instant::now();
    while shown().await.len() < TASKS.len() && since.elapsed() < PATIENCE {
        poll_interval().await;
    }
    assert_eq!(shown().await, BTreeSet::from(TASKS.map(str::to_owned)));
    playground.stop().await;
}
