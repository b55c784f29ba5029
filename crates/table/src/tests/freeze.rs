//! Games whose server the bot was removed from.

use super::*;
use jiff::SignedDuration;

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[test]
fn a_frozen_game_waits_and_goes_on_with_its_board() {
    let bot = Occupant::Ai { level: Level::Easy };
    let story = Story::open(vec![human(ADA), bot]).in_thread().plays(ADA, "a2-a3/a2");
    let story = story.ordered(Actor::System, Order::Freeze);
    assert!(story.table.job().is_none() && story.table.card().frozen_since.is_some());
    assert_eq!(story.ask(ADA, Order::Offer(Offer::Undo)), Err(OrderError::Frozen));
    assert_eq!(story.ask(ADA, Order::Thaw), Err(OrderError::NotSeated));
    assert_eq!(story.would_say(Actor::System, Order::Thaw), ["board-1"]);
    let story = story.ordered(Actor::System, Order::Thaw);
    assert!(story.table.job().is_some() && story.table.card().frozen_since.is_none());
}

#[test]
fn an_offer_that_stood_is_made_again_when_we_are_back() {
    let story = Story::two().in_thread().plays(ADA, "a2-a3/a2").does(ADA, Order::Offer(Offer::Undo));
    let story = story.ordered(Actor::System, Order::Freeze);
    assert_eq!(story.would_say(Actor::System, Order::Thaw), ["board-1", "offered-1"]);
}

#[test]
fn a_game_that_lost_its_thread_meanwhile_gets_another() {
    let story = Story::two().in_thread().ordered(Actor::System, Order::Freeze).loses_thread();
    assert_eq!(story.would_say(Actor::System, Order::Thaw), ["thread"]);
}

#[test]
fn after_thirty_days_a_frozen_game_is_over_without_a_result() {
    let story = Story::two().ordered(Actor::System, Order::Freeze);
    let since = story.table.frozen_since().unwrap();
    let end_frozen_games =
        |at| decide(&story.table, Actor::System, &Order::EndFrozen, None, at).unwrap().events;
    assert_eq!(end_frozen_games(since + 30 * DAY - SignedDuration::from_millis(1)), []);
    let ending = Ending { winners: vec![], cause: EndCause::Abandoned };
    assert_eq!(end_frozen_games(since + 30 * DAY), [Event::Ended { ending }]);
    let going = decide(&Story::two().table, Actor::System, &Order::EndFrozen, None, since + 60 * DAY);
    assert_eq!(going.unwrap().events, [], "one that goes on is not let go");
}

#[test]
fn a_game_that_stood_still_by_agreement_does_so_still_when_we_are_back() {
    let story = Story::two().in_thread().does(ADA, Order::Offer(Offer::Pause));
    let story = story.does(BEN, Order::Answer { yes: true, to: None });
    let story = story.ordered(Actor::System, Order::Freeze);
    assert_eq!(story.would_say(Actor::System, Order::Thaw), ["board-0", "paused"]);
    let story = story.ordered(Actor::System, Order::Thaw);
    assert!(story.table.is_paused() && story.table.is_suspended());
    let card = story.table.card();
    assert!(card.is_suspended() && card.waits_on(ADA) && !card.waits_now_on(ADA));
    let story = story.does(BEN, Order::Resume);
    assert!(!story.table.is_suspended());
    let card = story.table.card();
    assert!(!card.is_suspended() && card.waits_now_on(ADA));
}
