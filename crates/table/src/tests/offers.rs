//! Undo, pause and abort: agreed by people, done at once where no other person plays.

use super::*;

fn bot() -> Occupant {
    Occupant::Ai { level: Level::Easy }
}

fn offer(offer: Offer) -> Order {
    Order::Offer(offer)
}

fn answer(yes: bool) -> Order {
    Order::Answer { yes, to: None }
}

fn rated() -> Terms {
    Terms { rated: true, ..terms() }
}

/// The bot's move at Ada's table against it.
fn replies(story: Story) -> Story {
    let text = story.table.play().unwrap().moves().remove(0);
    let ply = story.table.ply();
    story.ordered(Actor::Ai, r#move(&text, Some(ply)))
}

#[test]
fn a_turn_is_taken_back_when_the_other_agrees() {
    let story = Story::two().in_thread().plays(ADA, "a2-a3/a2").plays(BEN, "a5-b5/a5");
    let before = story.table.play().unwrap().at_ply(0).line();
    let story = story.does(ADA, offer(Offer::Undo));
    assert_eq!(story.table.ply(), 2, "asked is not yet done");
    assert_eq!(story.ask(ADA, answer(true)), Err(OrderError::OfferStands));
    assert_eq!(
        story.would_say(Actor::Person(BEN), answer(true)),
        ["note", "board-0", "unoffer-2", "strip-2"]
    );
    let story = story.does(BEN, answer(true));
    assert_eq!((story.table.ply(), story.table.play().unwrap().line()), (0, before));
    assert_eq!(story.table.offer(), None);
    let story = story.plays(ADA, "a2-b2/a2");
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(again.play().unwrap().record(), ["a2-b2/a2"], "the journal keeps what was taken back");
}

#[test]
fn who_is_not_to_move_takes_back_one_turn_and_who_has_not_moved_none() {
    let story = Story::two().plays(ADA, "a2-a3/a2");
    assert_eq!(story.ask(BEN, offer(Offer::Undo)), Err(OrderError::NothingToUndo));
    let story = story.does(ADA, offer(Offer::Undo)).does(BEN, answer(true));
    assert_eq!(story.table.ply(), 0);
}

#[test]
fn an_offer_dies_with_the_next_move_and_its_buttons_go() {
    let story = Story::two().in_thread().plays(ADA, "a2-a3/a2").does(ADA, offer(Offer::Undo));
    let number = story.table.offer().unwrap().number;
    let outbox_items = story.would_say(Actor::Person(BEN), r#move("a5-b5/a5", None));
    assert_eq!(outbox_items, ["board-2", "unoffer-1", "strip-1"]);
    let story = story.plays(BEN, "a5-b5/a5");
    assert_eq!(story.ask(BEN, answer(true)), Err(OrderError::NoOffer));
    let story = story.does(BEN, offer(Offer::Pause));
    let late = Order::Answer { yes: true, to: Some(number) };
    assert_eq!(story.ask(ADA, late), Err(OrderError::NoOffer), "an answer to another offer does not count");
}

#[test]
fn what_waits_for_somebody_is_said_again_where_the_game_goes_on() {
    let moved = |story: &Story| {
        story.would_say(
            Actor::System,
            Order::SetBoardChannel(BoardChannel { channel: ChannelId(2), thread: false }),
        )
    };
    let undo = |story: Story| story.plays(ADA, "a2-a3/a2").does(ADA, offer(Offer::Undo));
    assert_eq!(
        moved(&undo(Story::two())),
        ["board-1"],
        "before the first place the offer is still to be said"
    );
    let story = undo(Story::two().in_thread());
    assert_eq!(moved(&story), ["board-1", "offered-1"]);
    let story = story.does(BEN, answer(false));
    assert_eq!(moved(&story), ["board-1"], "it was answered");
    let paused = story.does(BEN, offer(Offer::Pause)).does(ADA, answer(true));
    assert_eq!(moved(&paused), ["board-1", "paused"]);
    let clock = crate::clock::ClockTerms::read("fast").unwrap();
    let mut story = Story::of(Terms { clock, ..terms() }, vec![human(ADA), human(BEN)]).in_thread();
    let up = actor::number(vec![Event::TimeUp { seat: Seat::FIRST }], story.table.sequence(), NOW, None);
    story.table.apply(&up[0]).unwrap();
    assert_eq!(moved(&story), ["board-0", "up-0"]);
}

#[test]
fn the_program_lets_its_opponent_take_back_at_once() {
    let story = replies(Story::open(vec![human(ADA), bot()]).plays(ADA, "a2-a3/a2"));
    assert_eq!(story.does(ADA, offer(Offer::Undo)).table.ply(), 0);
}

#[test]
fn nothing_is_taken_back_in_a_rated_game() {
    let story = Story::of(rated(), vec![human(ADA), human(BEN)]).plays(ADA, "a2-a3/a2");
    assert_eq!(story.ask(ADA, offer(Offer::Undo)), Err(OrderError::Rated));
    let story = replies(Story::of(rated(), vec![human(ADA), bot()]).plays(ADA, "a2-a3/a2"));
    assert_eq!(story.ask(ADA, offer(Offer::Undo)), Err(OrderError::Rated), "a loss is not dodged by it");
    assert!(!crate::offers::is_available(&story.table, ADA, Offer::Undo), "nor is it offered");
}

#[test]
fn a_rated_game_in_which_something_was_taken_back_when_that_was_allowed_stays_casual() {
    let story = replies(Story::of(rated(), vec![human(ADA), bot()]).plays(ADA, "a2-a3/a2"));
    let mut after = story.table.clone();
    let undone = Event::Undone { seat: Seat::FIRST, from: 2, ply: 0, casual: true };
    after.apply(&actor::number(vec![undone], story.table.sequence(), NOW, None)[0]).unwrap();
    assert!(story.table.is_rated() && !after.is_rated());
}

#[test]
fn whoever_holds_both_seats_takes_back_one_turn_at_a_time() {
    let story = Story::open(vec![human(ADA), human(ADA)]).plays(ADA, "a2-a3/a2").plays(ADA, "a5-b5/a5");
    let story = story.does(ADA, offer(Offer::Undo));
    assert_eq!(story.table.ply(), 1);
    assert_eq!(story.does(ADA, offer(Offer::Undo)).table.ply(), 0);
}

#[test]
fn of_both_seats_the_one_whose_move_was_taken_back_is_named() {
    let story = Story::open(vec![human(ADA), human(ADA)]).in_thread().plays(ADA, "a2-a3/a2");
    let (before, entries) = (story.table.clone(), story.entries.len());
    let after = story.does(ADA, offer(Offer::Undo));
    let events: Vec<_> = after.entries[entries..].iter().map(|entry| entry.event.clone()).collect();
    let outbox_items = outbox::items_after(Some(&before), &after.table, &events);
    let note = OutboxItem::Note { note: Note::Undone, seat: Seat::FIRST };
    assert!(outbox_items.contains(&note), "{outbox_items:?}");
}

#[test]
fn a_paused_game_waits_for_whoever_takes_it_up_again() {
    let story = Story::open(vec![human(ADA), bot()]).plays(ADA, "a2-a3/a2");
    assert!(story.table.job().is_some());
    let story = story.does(ADA, offer(Offer::Pause));
    assert!(story.table.is_paused() && story.table.job().is_none(), "the program owes nothing meanwhile");
    assert_eq!(story.ask(ADA, offer(Offer::Pause)), Err(OrderError::PausedAlready));
    let story = story.does(ADA, Order::Resume);
    assert!(story.table.job().is_some());
    assert_eq!(story.ask(ADA, Order::Resume), Err(OrderError::NotPaused));
}

#[test]
fn a_move_takes_a_paused_game_up_again() {
    let story = Story::two().does(ADA, offer(Offer::Pause)).does(BEN, answer(true));
    let events = story.ask(ADA, r#move("a2-a3/a2", None)).unwrap();
    assert!(matches!(events[..], [Event::Resumed { seat: Seat::FIRST }, Event::Moved { .. }]));
    let outbox_items = story.in_thread().would_say(Actor::Person(ADA), r#move("a2-a3/a2", None));
    assert!(outbox_items.contains(&"unpaused".to_owned()), "its button goes: {outbox_items:?}");
}

#[test]
fn a_game_is_called_off_freely_until_everybody_has_moved_and_by_agreement_after() {
    let off = Status::Over(Ending { winners: vec![], cause: EndCause::Aborted });
    let story = Story::two().plays(ADA, "a2-a3/a2");
    let early = Story { table: story.table.clone(), entries: Vec::new() }.does(BEN, offer(Offer::Abort));
    assert_eq!(early.table.status(), &off);
    let story = story.plays(BEN, "a5-b5/a5").does(BEN, offer(Offer::Abort));
    assert_eq!(story.table.status(), &Status::Running);
    assert_eq!(story.does(ADA, answer(true)).table.status(), &off);
}

#[test]
fn of_three_all_others_must_agree_and_one_who_gave_up_is_not_asked() {
    let penguins = Terms { game: "penguins".into(), options: [].into(), ..terms() };
    let chairs = || vec![human(ADA), human(BEN), human(EVE)];
    let story = Story::of(penguins.clone(), chairs()).does(ADA, offer(Offer::Pause)).does(EVE, answer(true));
    assert!(!story.table.is_paused(), "Ben is still to be heard");
    assert!(story.does(BEN, answer(true)).table.is_paused());
    let story = Story::of(penguins, chairs()).does(EVE, Order::Resign).does(ADA, offer(Offer::Pause));
    assert_eq!(story.ask(EVE, offer(Offer::Pause)), Err(OrderError::ResignedAlready));
    assert!(story.does(BEN, answer(true)).table.is_paused());
}

#[test]
fn whoever_offers_what_they_are_offered_agrees() {
    let two = || penguins(vec![human(ADA), human(BEN)], false);
    let drawn = two().does(ADA, offer(Offer::Draw)).does(BEN, offer(Offer::Draw));
    let shared = Status::Over(Ending { winners: vec![Seat::FIRST, Seat::SECOND], cause: EndCause::Agreed });
    assert_eq!(drawn.table.status(), &shared);
    assert_eq!(
        two().does(ADA, offer(Offer::Draw)).ask(ADA, offer(Offer::Draw)),
        Err(OrderError::OfferStands)
    );

    let three = penguins(vec![human(ADA), human(BEN), human(EVE)], false).does(ADA, offer(Offer::Pause));
    let three = three.does(BEN, offer(Offer::Pause));
    assert!(!three.table.is_paused(), "Eve is still to be heard");
    assert_eq!(three.ask(BEN, offer(Offer::Pause)), Err(OrderError::OfferStands));
    assert!(three.does(EVE, offer(Offer::Pause)).table.is_paused());
}

#[test]
fn whoever_is_asked_answers_before_they_offer_something_else() {
    let story = penguins(vec![human(ADA), human(BEN)], false).does(ADA, offer(Offer::Draw));
    assert_eq!(story.ask(BEN, offer(Offer::Undo)), Err(OrderError::OfferAsks));
    let both = Story::two().plays(ADA, "a2-a3/a2").plays(BEN, "a5-b5/a5").does(ADA, offer(Offer::Undo));
    assert_eq!(both.ask(BEN, offer(Offer::Undo)), Err(OrderError::OfferAsks), "each means another move");
}

#[test]
fn who_gave_up_stays_out_when_turns_before_that_are_taken_back() {
    let penguins = Terms { game: "penguins".into(), options: [].into(), ..terms() };
    let mut story = Story::of(penguins, vec![human(ADA), human(BEN), human(EVE)]);
    for who in [ADA, BEN] {
        let text = story.table.play().unwrap().moves().remove(0);
        story = story.plays(who, &text);
    }
    let story = story.does(EVE, Order::Resign).does(ADA, offer(Offer::Undo)).does(BEN, answer(true));
    assert_eq!(story.table.ply(), 0);
    assert_eq!(story.table.play().unwrap().retired().len(), 1);
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(again.play().unwrap().line(), story.table.play().unwrap().line());
}

fn penguins(chairs: Vec<Occupant>, rated: bool) -> Story {
    Story::of(Terms { game: "penguins".into(), options: [].into(), rated, ..terms() }, chairs)
}

/// Plays the first legal move of the player to move.
fn goes_on(story: Story) -> Story {
    let text = story.table.play().unwrap().moves().remove(0);
    let mover = story.table.occupant(story.table.to_move().unwrap()).and_then(Occupant::person);
    story.ordered(mover.map_or(Actor::Ai, Actor::Person), r#move(&text, None))
}

#[test]
fn who_gave_up_before_their_first_turn_does_not_keep_a_game_hardly_begun() {
    let story = penguins(vec![human(ADA), human(BEN), human(EVE)], true).does(EVE, Order::Resign);
    let story = goes_on(story);
    assert!(
        matches!(story.ask(BEN, offer(Offer::Abort)).unwrap()[..], [Event::Ended { .. }]),
        "Ben has not moved"
    );
    let story = goes_on(story);
    let asked = story.ask(BEN, offer(Offer::Abort)).unwrap();
    assert!(matches!(asked[..], [Event::Offered { seat: Seat::SECOND, .. }]), "{asked:?}");
}

#[test]
fn where_only_the_program_is_left_to_answer_it_answers_and_not_the_maker() {
    let bots = || vec![human(ADA), human(BEN), bot()];
    let story = goes_on(goes_on(goes_on(penguins(bots(), false)))).does(BEN, Order::Resign);
    let made = story.ask(ADA, offer(Offer::Abort)).unwrap();
    assert!(matches!(made[..], [Event::Offered { .. }, Event::Ended { .. }]), "{made:?}");
    // Ada holds two seats, the bot the third.
    let hands = goes_on(goes_on(goes_on(penguins(vec![human(ADA), human(ADA), bot()], false))));
    let made = hands.ask(ADA, offer(Offer::Abort)).unwrap();
    assert!(matches!(made[..], [Event::Offered { .. }, Event::Ended { .. }]), "{made:?}");
}

#[test]
fn nobody_answers_for_whoever_has_left_their_seat_to_the_program_meanwhile() {
    let story = goes_on(goes_on(goes_on(penguins(vec![human(ADA), human(BEN), bot()], false))));
    let story = story.does(ADA, offer(Offer::Abort)).does(BEN, Order::Substitute { level: Level::Easy });
    assert_eq!(story.ask(ADA, answer(true)), Err(OrderError::OfferStands));
}

#[test]
fn whoever_gave_up_takes_no_paused_game_up_again_and_answers_no_offer() {
    let story = penguins(vec![human(ADA), human(BEN), human(EVE)], false).does(EVE, Order::Resign);
    let story = story.does(ADA, offer(Offer::Pause));
    assert_eq!(story.ask(EVE, answer(true)), Err(OrderError::ResignedAlready));
    let story = story.does(BEN, answer(true));
    assert_eq!(story.ask(EVE, Order::Resume), Err(OrderError::ResignedAlready));
}

/// A game of three: Ben has moved and left his seat to the bot for a while; the third seat is the bot's own.
fn while_ben_is_away() -> Story {
    let bots = penguins(vec![human(ADA), human(BEN), bot()], false);
    let story =
        (0..4).fold(bots, |story, _| goes_on(story)).does(BEN, Order::Substitute { level: Level::Easy });
    goes_on(goes_on(story))
}

#[test]
fn nobody_takes_back_calls_off_or_stops_the_game_of_whoever_is_away_for_a_while() {
    let story = while_ben_is_away();
    for what in [Offer::Undo, Offer::Abort, Offer::Pause] {
        let made = story.ask(ADA, offer(what)).unwrap();
        assert!(matches!(made[..], [Event::Offered { .. }]), "{made:?}");
    }
}

#[test]
fn whoever_is_away_is_asked_and_answers_from_there() {
    let asked = || while_ben_is_away().does(ADA, offer(Offer::Undo));
    let by = rookery_core::Seat::FIRST;
    assert_eq!(crate::offers::asked(&asked().table, by), [BEN]);
    assert_eq!(asked().does(BEN, answer(false)).table.offer(), None);
    let back = asked().does(BEN, answer(true)).table;
    assert_eq!(back.to_move(), Some(by), "back to where Ada was to move");
    let alone = asked().does(BEN, Order::ComeBack).does(BEN, answer(true)).table;
    assert_eq!(alone.ply(), back.ply(), "or back at the table");
}

#[test]
fn of_several_who_are_asked_one_who_is_away_counts_as_well() {
    let story = penguins(vec![human(ADA), human(BEN), human(EVE)], false);
    let story =
        (0..3).fold(story, |story, _| goes_on(story)).does(BEN, Order::Substitute { level: Level::Easy });
    let story = story.does(ADA, offer(Offer::Abort)).does(BEN, answer(true));
    assert_eq!(story.table.status(), &Status::Running, "Eve is still to be heard");
    let off = Status::Over(Ending { winners: vec![], cause: EndCause::Aborted });
    assert_eq!(story.does(EVE, answer(true)).table.status(), &off);
}

#[test]
fn what_was_turned_down_is_offered_again_after_the_next_move_only() {
    let story = Story::two().plays(ADA, "a2-a3/a2").plays(BEN, "a5-b5/a5");
    let story = story.does(ADA, offer(Offer::Undo)).does(BEN, answer(false));
    assert_eq!(story.ask(ADA, offer(Offer::Undo)), Err(OrderError::OfferDeclined));
    assert!(!crate::offers::is_available(&story.table, ADA, Offer::Undo), "nor is there a button for it");
    assert!(story.ask(ADA, offer(Offer::Pause)).is_ok() && story.ask(BEN, offer(Offer::Undo)).is_ok());
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert!(again.is_declined(rookery_core::Seat::FIRST, Offer::Undo));
    let story = story.plays(ADA, "a3-b3/a3");
    assert!(story.ask(ADA, offer(Offer::Undo)).is_ok());
}
