//! Plays many real conversations with real processes of the bot, through the playground:
//!
//! ```text
//! cargo bench --profile dist --bench load -- --tables 10000 --moves 200 --minutes 10 --store postgres --processes 3
//! ```
//!
//! People on many servers open games against each other with `/play`, join by pressing the button, and type moves at a
//! fixed rate, whether or not the bot keeps up. Measured are the time from a typed move to the message with its board,
//! the time from a pressed button to its acknowledgement, and memory and processor time of the bot's processes.
//! Everything runs on this machine: the playground and the people need a share of it, too.
//!
//! The PostgreSQL server is that of the tests, which doesn't wait for the disk (`fsync=off`), and `--url` names another.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

#[path = "load/conversation.rs"]
mod conversation;
#[path = "load/fleet.rs"]
mod fleet;
#[path = "load/people.rs"]
mod people;
#[path = "load/report.rs"]
mod report;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use rookery_playground::limits::RateLimits;
use rookery_playground::{Options, Playground};

use fleet::Fleet;
use people::People;
use report::Report;

/// Measures the bot under load.
#[derive(Clone, Debug, Parser)]
struct Load {
    /// Games that are played at the same time.
    #[arg(long, default_value_t = 200)]
    tables: usize,
    /// Moves a second of all games together.
    #[arg(long, default_value_t = 20.0)]
    moves: f64,
    /// How long moves are typed once all games are open.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Games on one server.
    #[arg(long, default_value_t = 50)]
    tables_per_server: usize,
    /// Where the journal is.
    #[arg(long, value_enum, default_value_t = Store::Sqlite)]
    store: Store,
    /// The address of an empty PostgreSQL database, instead of the tests' server.
    #[arg(long)]
    url: Option<String>,
    /// Processes of the bot; more than one needs PostgreSQL.
    #[arg(long, default_value_t = 1)]
    processes: u32,
    /// Milliseconds by which the playground delays every answer.
    #[arg(long, default_value_t = 0)]
    latency: u64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Where the journal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Store {
    Sqlite,
    Postgres,
}

fn main() -> Result<()> {
    let load = Load::parse();
    anyhow::ensure!(
        load.processes == 1 || load.store == Store::Postgres,
        "several processes need PostgreSQL"
    );
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run(load))
}

async fn run(load: Load) -> Result<()> {
    let options = Options {
        allow_message_content: true,
        rate_limits: RateLimits::none(),
        shards: load.processes,
        ..Options::default()
    };
    let playground = Arc::new(Playground::start(options).await?);
    let fleet = Fleet::start(&load, &playground).await?;
    if load.latency > 0 {
        playground.faults().delay_requests(Some(Duration::from_millis(load.latency)));
    }
    let report = Arc::new(Report::default());
    let people = People::open(&load, &playground, &report).await?;
    println!("{} games are open on {} servers", load.tables, people.servers());
    let sampling = report.sample(fleet.process_ids());
    people.play(Duration::from_secs_f64(load.minutes * 60.0), load.moves).await;
    sampling.abort();
    report.print(&load);
    fleet.print_transactions(report.boards()).await?;
    fleet.stop().await
}
