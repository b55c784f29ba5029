//! Several real processes on one PostgreSQL database and a playground with several shards: they share the work, and
//! whatever of them is killed, every move is kept once and every board is posted once.

mod fleet;
mod games;

use fleet::{Fleet, Part};
use games::Games;
use rookery_core::seed::SeededRng;
use std::time::{Duration, Instant};

use crate::eventually::{before_kill, eventually};

/// How much happens in a test.
struct Storm {
    kills: usize,
    restarts: usize,
    cuts: usize,
}

/// The longest time without a process that has a shard.
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
    games.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_are_killed_lose_nothing() {
    storm(7, Storm { kills: 5, restarts: 1, cuts: 1 }).await;
}

/// The same for a long time; the numbers are printed.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long"]
async fn processes_that_are_killed_200_times_lose_nothing() {
    storm(11, Storm { kills: 200, restarts: 20, cuts: 20 }).await;
}

async fn storm(seed: u64, storm: Storm) {
    let parts = [Part::Whole, Part::Gateway, Part::Whole, Part::Worker, Part::Worker];
    let Some(fleet) = Fleet::begin(4, &parts).await else { return };
    fleet.until_connected().await;
    let games = Games::open(&fleet).await;
    let mut rng = SeededRng::new(seed);
    let mut left = storm;
    while left.kills + left.restarts + left.cuts > 0 {
        games.play_for(Duration::from_millis(500 + rng.below(2_500))).await;
        before_kill(rng.below(80)).await;
        match rng.below(10) {
            0 if left.restarts > 0 => {
                left.restarts -= 1;
                fleet.restart_database();
            }
            1 if left.cuts > 0 => {
                left.cuts -= 1;
                fleet.cut_connections().await;
            }
            _ if left.kills > 0 => {
                left.kills -= 1;
                let part = usize::try_from(rng.below(parts.len() as u64)).unwrap();
                fleet.kill_and_start(part, rng.below(2) == 0);
            }
            _ => {
                left.restarts = left.restarts.saturating_sub(1);
                fleet.restart_database();
            }
        }
    }
    fleet.start_all();
    let since = Instant::now();
    fleet.until_connected().await;
    eprintln!("all shards are connected {:?} after the last event", since.elapsed());
    games.play_until(games.highest_ply().await + 4).await;
    eventually("every message is posted", async || games.is_everything_posted().await).await;
    games.check().await;
}
