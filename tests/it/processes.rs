//! Several real processes on one PostgreSQL database and a playground with several shards: they share the work, and
//! whatever of them is killed, every move is kept once and every board is posted once.

mod clocks;
mod fleet;
mod games;
mod hints;
mod limits;
mod proxy;
mod rest_proxy;
mod web_role;

use fleet::{Fleet, Part};
use games::Games;
use rookery_core::seed::SeededRng;
use std::time::{Duration, Instant};

use crate::eventually::{before_kill, eventually};

/// What happens in a test, and how often.
#[derive(Clone, Copy, Debug)]
struct Storm {
    /// SIGKILL for a process.
    kills: usize,
    /// The database stops and starts.
    restarts: usize,
    /// All connections of a process to the database end in the middle of what they carry.
    cuts: usize,
    /// A process and the database hear nothing of each other for a while.
    stalls: usize,
}

/// The longest time without a connection for a shard whose process has ended.
const MAX_TAKEOVER: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn processes_share_the_shards_and_the_games() {
    let Some(fleet) = Fleet::begin(4, &[Part::Whole, Part::Whole, Part::Worker]).await else { return };
    fleet.until_connected().await;
    let games = Games::open(&fleet).await;
    games.play_until(6).await;
    // The first one ends as it should, the second takes everything over.
    let since = Instant::now();
    fleet.stop(0).await;
    fleet.until_connected().await;
    assert!(since.elapsed() < MAX_TAKEOVER, "{:?}", since.elapsed());
    games.play_until(10).await;
    // The first one comes back and gets two shards; then the second one is killed.
    let before = fleet.playground.gateway_connections();
    fleet.start_all();
    let is_shared = || fleet.playground.gateway_connections() >= before + 2;
    eventually("the first one has two shards", async || is_shared()).await;
    fleet.until_connected().await;
    fleet.kill(1);
    let since = Instant::now();
    eventually("the loss shows", async || !fleet.missing_shards().is_empty()).await;
    fleet.until_connected().await;
    eprintln!("the shards of a killed process are connected again after {:?}", since.elapsed());
    assert!(since.elapsed() < MAX_TAKEOVER, "{:?}", since.elapsed());
    games.play_until(14).await;
    games.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_are_killed_lose_nothing() {
    storm(7, Storm { kills: 5, restarts: 1, cuts: 2, stalls: 1 }).await;
}

/// The same for a long time; the numbers are printed.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long"]
async fn processes_that_are_killed_200_times_lose_nothing() {
    storm(11, Storm { kills: 200, restarts: 20, cuts: 20, stalls: 10 }).await;
}

/// How long a rolling restart under load makes people wait; the numbers are printed.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn rolling_restart_loses_nothing_and_delays_nobody_for_long() {
    let parts = [Part::Whole, Part::Whole, Part::Whole];
    let Some(fleet) = Fleet::begin(4, &parts).await else { return };
    fleet.until_connected().await;
    let mut games = Games::open(&fleet).await;
    // Later than what is allowed, so that a move that is typed again was lost.
    games.set_retype_after(MAX_TAKEOVER + Duration::from_secs(5));
    games.play_until(4).await;
    for at in 0..parts.len() {
        tokio::join!(fleet.stop(at), games.play_for(Duration::from_secs(5)));
        games.replace_ended().await;
        fleet.start_all();
        // Until the new one has taken over its part.
        games.play_for(Duration::from_secs(15)).await;
    }
    fleet.until_connected().await;
    games.play_until(games.highest_ply().await + 2).await;
    games.until_everything_is_posted().await;
    games.check().await;
    let (retyped, delays) = games.delays();
    let at = |part: usize| delays[(delays.len() * part / 100).min(delays.len() - 1)];
    eprintln!(
        "{} moves: half within {:?}, 99 % within {:?}, all within {:?}",
        delays.len(),
        at(50),
        at(99),
        at(100)
    );
    eprintln!("{}", fleet.gaps());
    assert_eq!(retyped, 0, "moves were lost");
    assert!(at(100) <= MAX_TAKEOVER, "{:?}", at(100));
}

async fn storm(seed: u64, storm: Storm) {
    let parts = [Part::Whole, Part::Gateway, Part::Whole, Part::Worker, Part::Worker];
    let Some(fleet) = Fleet::begin(4, &parts).await else { return };
    fleet.until_connected().await;
    let mut games = Games::open(&fleet).await;
    let mut rng = SeededRng::new(seed);
    let mut left = storm;
    loop {
        let choices = [left.kills, left.restarts, left.cuts, left.stalls];
        let total: usize = choices.iter().sum();
        if total == 0 {
            break;
        }
        games.replace_ended().await;
        games.play_for(Duration::from_millis(500 + rng.below(2_500))).await;
        if total.is_multiple_of(20) {
            eprintln!("left: {left:?}; {}", fleet.gaps());
        }
        before_kill(rng.below(80)).await;
        let at = usize::try_from(rng.below(parts.len() as u64)).unwrap();
        let mut choice = usize::try_from(rng.below(total as u64)).unwrap();
        if choice < left.kills {
            left.kills -= 1;
            fleet.kill(at);
            if rng.below(2) == 0 || fleet.is_headless() {
                fleet.start_all();
            }
            continue;
        }
        choice -= left.kills;
        if choice < left.restarts {
            left.restarts -= 1;
            fleet.restart_database();
        } else if choice < left.restarts + left.cuts {
            left.cuts -= 1;
            fleet.cut_connections(at);
        } else {
            left.stalls -= 1;
            fleet.stall_connections(at);
            // Sometimes longer than it takes until the others remove the process, sometimes not.
            games.play_for(Duration::from_secs(4 + rng.below(12))).await;
            fleet.resume_connections(at);
        }
    }
    fleet.start_all();
    let since = Instant::now();
    fleet.until_connected().await;
    eprintln!("all shards are connected {:?} after the last event", since.elapsed());
    games.play_until(games.highest_ply().await + 4).await;
    games.until_everything_is_posted().await;
    games.check().await;
    eprintln!("{storm:?}: {}", fleet.gaps());
}
