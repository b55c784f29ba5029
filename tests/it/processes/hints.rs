//! Hints are found by a process that thinks; without one, by the process that was asked.

use super::fleet::{Fleet, Part};
use super::games::Games;
use crate::eventually::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_found_by_a_worker_and_without_one_by_the_process_that_was_asked() {
    let Some(fleet) = Fleet::begin(4, &[Part::Front, Part::Worker]).await else { return };
    fleet.until_connected().await;
    eventually("the worker is known", async || fleet.thinking_processes().await == 1).await;
    let mut games = Games::open(&fleet).await;
    games.play_until(2).await;
    let hint = games.hint().await;
    assert!(hint.contains("I'd play"), "{hint}");
    assert_eq!(fleet.asked_analyses().await, 1, "the worker was asked");
    fleet.kill(1);
    // It may still be asked, until its end is noticed. The first game's move is known.
    let hint = games.hint().await;
    assert!(hint.contains("I'd play"), "{hint}");
    assert_eq!(fleet.thinking_processes().await, 0);
}
