//! Hints: for the player to move, shown to everybody, never in a rated game.

use super::*;
use crate::hints::{is_available, may_help, territory};
use rookery_core::Seat;

#[test]
fn a_hint_is_had_once_a_turn_and_told_to_all() {
    let story = Story::two().in_thread();
    assert_eq!(story.would_say(Actor::Person(ADA), Order::Hint), ["note"]);
    let story = story.does(ADA, Order::Hint);
    assert!(story.table.is_hinted());
    assert_eq!(story.ask(ADA, Order::Hint), Ok(Vec::new()), "the same hint again is no news");
    let story = story.plays(ADA, "a2-a3/a2");
    assert!(!story.table.is_hinted());
    assert_eq!(story.ask(BEN, Order::Hint), Ok(vec![Event::Hinted { seat: Seat::SECOND }]));
}

#[test]
fn after_a_turn_was_taken_back_a_hint_is_told_of_again() {
    let story = Story::two().in_thread().does(ADA, Order::Hint).plays(ADA, "a2-a3/a2");
    let story = story.does(ADA, Order::Offer(Offer::Undo)).does(BEN, Order::Answer { yes: true, to: None });
    assert_eq!(story.ask(ADA, Order::Hint), Ok(vec![Event::Hinted { seat: Seat::FIRST }]));
}

#[test]
fn who_is_not_to_move_has_no_hint() {
    let story = Story::two();
    assert_eq!(story.ask(BEN, Order::Hint), Err(OrderError::NotYourTurn { whose: Seat::FIRST }));
    assert_eq!(story.ask(EVE, Order::Hint), Err(OrderError::NotSeated));
    let over = story.does(ADA, Order::Resign);
    assert_eq!(over.ask(BEN, Order::Hint), Err(OrderError::Over));
}

#[test]
fn a_game_that_counts_has_no_help_for_anybody_until_it_is_over() {
    let story = Story::of(Terms { rated: true, ..terms() }, vec![human(ADA), human(BEN)]);
    for who in [ADA, BEN, EVE] {
        assert_eq!(story.ask(who, Order::Hint), Err(OrderError::NoHelp));
    }
    assert_eq!(may_help(&story.table), Err(OrderError::NoHelp));
    assert!(!is_available(&story.table, ADA));
    assert_eq!(may_help(&story.does(ADA, Order::Resign).table), Ok(()));
}

/// A row of arrows walls off three free squares above for Black and seven below for White.
#[test]
fn whose_the_squares_are_is_told_in_casual_games_and_once_a_rated_one_is_over() {
    let walled = rookery_games::named("amazons").unwrap().resume("q3/pppp/4/Q3 w - - 0 1").unwrap();
    let casual = Story::two().table;
    let reach = territory(&casual, walled.as_ref()).unwrap().unwrap();
    assert_eq!((reach.alone[0].len(), reach.alone[1].len(), reach.shared.len()), (7, 3, 0));
    let start = territory(&casual, casual.play().unwrap()).unwrap().unwrap();
    assert!(start.alone.iter().all(|own| own.is_empty()) && !start.shared.is_empty(), "all is shared");

    let rated = Story::of(Terms { rated: true, ..terms() }, vec![human(ADA), human(BEN)]);
    assert_eq!(territory(&rated.table, walled.as_ref()), Err(OrderError::NoHelp));
    let over = rated.does(BEN, Order::Resign);
    assert!(territory(&over.table, walled.as_ref()).unwrap().is_some());
}
