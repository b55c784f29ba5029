//! Seats handed to the bot and taken back, games that it plays alone, and rematches.

use std::time::Duration;

use super::*;

fn bot() -> Occupant {
    Occupant::Ai { level: Level::Easy }
}

fn three() -> Story {
    let penguins = Terms { game: "penguins".into(), options: [].into(), ..terms() };
    Story::of(penguins, vec![human(ADA), human(BEN), human(EVE)])
}

fn leaves() -> Order {
    Order::Substitute { level: Level::Hard }
}

#[test]
fn the_program_plays_on_for_who_leaves_a_game_of_three_until_they_are_back() {
    let story = three().in_thread().does(ADA, leaves());
    assert_eq!(story.table.job().map(|job| job.level), Some(Level::Hard), "it was Ada's turn");
    assert_eq!(story.table.card().people, [Some(ADA), Some(BEN), Some(EVE)], "still found as Ada's game");
    assert_eq!(story.ask(ADA, leaves()), Err(OrderError::NotSeated));
    assert_eq!(story.ask(BEN, Order::ComeBack), Err(OrderError::SeatedAlready));
    let outbox_items = story.would_say(Actor::Person(ADA), Order::ComeBack);
    assert_eq!(outbox_items, ["note", "board-0", "reannounce"]);
    let text = story.table.play().unwrap().moves().remove(0);
    let story = story.ordered(Actor::Ai, r#move(&text, None)).does(ADA, Order::ComeBack);
    assert_eq!(story.table.occupant(rookery_core::Seat::FIRST), Some(human(ADA)));
    assert_eq!(story.ask(ADA, Order::ComeBack), Err(OrderError::SeatedAlready));
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!((again.card(), again.substitutions()), (story.table.card(), &[][..]));
}

#[test]
fn a_seat_of_two_a_rated_one_and_one_that_was_given_up_are_not_handed_over() {
    assert_eq!(Story::two().ask(ADA, leaves()), Err(OrderError::OnlyTwo));
    let rated = Terms { rated: true, ..three().table.terms().clone() };
    assert_eq!(Story::of(rated, vec![human(ADA); 3]).ask(ADA, leaves()), Err(OrderError::Rated));
    assert_eq!(three().does(BEN, Order::Resign).ask(BEN, leaves()), Err(OrderError::ResignedAlready));
}

#[test]
fn of_three_the_others_are_told_who_gave_up_and_that_seat_is_not_taken_back() {
    let story = three().in_thread();
    assert_eq!(story.would_say(Actor::Person(EVE), Order::Resign), ["note", "board-0"]);
    let story = story.does(EVE, Order::Resign);
    assert_eq!(story.ask(EVE, Order::ComeBack), Err(OrderError::ResignedAlready));
    assert_eq!(story.ask(EVE, r#move("d1", None)), Err(OrderError::ResignedAlready), "she waits for no turn");
    let out = Event::TimedOut { seat: Seat::SECOND };
    assert_eq!(story.ask(ADA, Order::ComeBack), Err(OrderError::SeatedAlready));
    let told = outbox::items_after(Some(&three().table), &three().does(BEN, Order::Resign).table, &[out]);
    assert!(told.contains(&OutboxItem::Note { note: Note::OutOfTime, seat: Seat::SECOND }), "{told:?}");
}

#[test]
fn a_game_that_the_program_plays_alone_is_stopped_by_who_opened_it() {
    let story = Story::open(vec![bot(), bot()]);
    assert!(story.table.is_exhibition() && story.table.job().is_some());
    let stop = Order::Offer(Offer::Abort);
    assert_eq!(story.ask(BEN, stop.clone()), Err(OrderError::NotSeated));
    let off = Status::Over(Ending { winners: vec![], cause: EndCause::Aborted });
    assert_eq!(story.does(ADA, stop).table.status(), &off);
}

/// Plays the bot's turns until the game is over; each avoids ending it by the rules.
fn never_ending(mut story: Story) -> (usize, Story) {
    let mut turns = 0;
    while *story.table.status() == Status::Running {
        assert!(turns < 500, "it has no end");
        let play = story.table.play().unwrap();
        let goes_on = |text: &String| {
            let mut next = play.clone_play();
            next.play(text).unwrap();
            next.outcome().is_none()
        };
        let text = play.moves().into_iter().find(goes_on).unwrap();
        story = story.ordered(Actor::Ai, r#move(&text, None));
        turns += 1;
    }
    (turns, story)
}

/// Penguin Soccer with people on the first seats and the bot on all others.
fn soccer(people: &[UserId], seats: usize) -> Story {
    let soccer = Terms { game: "penguin_soccer".into(), options: [].into(), ..terms() };
    let seated = |seat: usize| people.get(seat).map_or(bot(), |person| human(*person));
    Story::of(soccer, (0..seats).map(seated).collect())
}

#[test]
fn a_game_that_the_program_plays_alone_is_called_off_where_it_finds_no_end() {
    let off = Status::Over(Ending { winners: vec![], cause: EndCause::Aborted });
    for story in [soccer(&[], 2), soccer(&[ADA], 4).does(ADA, Order::Resign)] {
        let (turns, story) = never_ending(story);
        assert_eq!((turns, story.table.status()), (400, &off));
    }
}

#[test]
fn once_all_people_have_given_up_the_program_plays_for_show() {
    let story = soccer(&[ADA, BEN], 4).does(ADA, Order::Resign);
    assert!(!story.table.is_exhibition(), "Ben still plays");
    let story = story.does(BEN, Order::Resign);
    assert!(
        story.table.is_exhibition() && !BudgetOwner::of(&story.table).waits,
        "nobody waits for its moves"
    );
    let stop = Order::Offer(Offer::Abort);
    assert_eq!(story.ask(BEN, stop.clone()), Err(OrderError::ResignedAlready), "it is the host's to stop");
    let off = Status::Over(Ending { winners: vec![], cause: EndCause::Aborted });
    assert_eq!(story.does(ADA, stop).table.status(), &off);
    let lost = Story::open(vec![human(ADA), bot()]).does(ADA, Order::Resign);
    assert!(!lost.table.is_exhibition(), "what was given up was somebody's game to the end");
}

#[tokio::test(start_paused = true)]
async fn a_game_that_the_program_plays_alone_goes_at_a_pace_for_watching() {
    let fixture = TestRegistry::build();
    fixture.registry.set_exhibition_pace(Duration::from_secs(7));
    let id = fixture.registry.open(terms(), ADA, vec![bot(), bot()], None).await.unwrap().table.id();
    for ply in 1..4 {
        for _ in 0..100 {
            assert_eq!(fixture.registry.table(id).await.unwrap().ply(), ply - 1, "before its time");
        }
        tokio::time::advance(Duration::from_secs(7)).await;
        fixture.at_ply(id, ply).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_that_all_people_gave_up_goes_at_that_pace_as_well() {
    let fixture = TestRegistry::build();
    fixture.registry.set_exhibition_pace(Duration::from_secs(7));
    let terms = soccer(&[], 4).table.terms().clone();
    let chairs = vec![human(ADA), bot(), bot(), bot()];
    let id = fixture.registry.open(terms, ADA, chairs, None).await.unwrap().table.id();
    fixture.registry.order(id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    for _ in 0..100 {
        assert_eq!(fixture.registry.table(id).await.unwrap().ply(), 0, "before its time");
    }
    tokio::time::advance(Duration::from_secs(7)).await;
    fixture.at_ply(id, 1).await;
}

#[test]
fn a_finished_game_is_played_again_once() {
    let [one, two] = ["AAAA", "BBBB"].map(|id| id.parse::<TableId>().unwrap());
    let again = |table, instead_of| Order::Rematch { table, instead_of };
    let story = Story::two();
    let early = decide(&story.table, Actor::System, &again(one, None), None, NOW).err();
    assert_eq!(early, Some(OrderError::NotOver));
    let story = story.does(ADA, Order::Resign).ordered(Actor::System, again(one, None));
    assert_eq!(story.table.rematch(), Some(one));
    let second = decide(&story.table, Actor::System, &again(two, None), None, NOW).err();
    assert_eq!(second, Some(OrderError::OfferStands), "who pressed at the same moment joins the first");
    assert_eq!(story.ordered(Actor::System, again(two, Some(one))).table.rematch(), Some(two));
}

#[tokio::test]
async fn a_game_is_played_again_at_one_table_though_asked_for_at_once_and_after_a_restart() {
    let fixture = TestRegistry::build();
    let id = fixture.open_against_ai().await;
    fixture.registry.order(id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    let of = fixture.registry.table(id).await.unwrap();
    let again = |fixture: &TestRegistry| {
        let (registry, of) = (fixture.registry.clone(), of.clone());
        async move {
            registry.open_rematch(&of, of.rematch_terms(), ADA, of.chairs().to_vec(), None).await.unwrap()
        }
    };
    let other = TestRegistry::over(fixture.journal.clone());
    let (one, two, three) = tokio::join!(again(&fixture), again(&fixture), again(&other));
    // A copy of the finished game from before the rematch finds that rematch too.
    let late = again(&TestRegistry::over(fixture.journal.clone())).await;
    let all = [&one, &two, &three, &late];
    assert_eq!(all.map(|found| found.table.id()), [one.table.id(); 4]);
    assert_eq!(all.iter().filter(|found| found.is_new).count(), 1);
    assert_eq!(other.registry.table(id).await.unwrap().rematch(), Some(one.table.id()));
    assert_eq!(fixture.registry.list(&Filter::default(), 9).await.unwrap().len(), 2);
}

/// A game of three from a position in which the third has resigned; Ada holds that seat.
fn without_third() -> Story {
    let line = format!("{} out:3", three().table.play().unwrap().line());
    let penguins = Terms { game: "penguins".into(), options: [].into(), from: Some(line), ..terms() };
    Story::of(penguins, vec![human(ADA), human(BEN), human(ADA)])
}

#[test]
fn whoever_had_given_up_before_the_game_began_plays_and_wins_nothing() {
    let third = rookery_core::Seat::new(2).unwrap();
    let mut story = without_third();
    assert_eq!((story.table.resigned(), story.table.resigned_before_start()), (&[third][..], &[third][..]));
    assert_eq!(story.table.card().gone, [third]);
    for _ in 0..6 {
        assert_ne!(story.table.to_move(), Some(third));
        let mover = story.table.alone_to_move().unwrap();
        story = story.plays_any(mover);
    }
    let resigned = story.does(BEN, Order::Resign);
    assert_eq!(
        resigned.table.status(),
        &Status::Over(Ending { winners: vec![Seat::FIRST], cause: EndCause::Resigned })
    );
    assert_eq!(rated::places(&resigned.table), Some(vec![0, 1, 1]));
}

#[test]
fn whoever_has_left_stays_so_in_turns_that_are_taken_back() {
    let story = without_third().plays_any(ADA).plays_any(BEN);
    let story = story.does(ADA, Order::Offer(Offer::Undo)).does(BEN, Order::Answer { yes: true, to: None });
    let third = rookery_core::Seat::new(2).unwrap();
    assert_eq!(story.table.ply(), 0);
    assert!(story.table.play().unwrap().is_retired(third));
    assert_eq!(story.table.play().unwrap().retired(), [], "said by the first position alone");
}

#[test]
fn who_challenges_from_such_a_position_waits_for_those_who_play() {
    let line = without_third().table.terms().from.clone();
    let penguins = Terms { game: "penguins".into(), options: [].into(), from: line, ..terms() };
    let story = Story::of(penguins, vec![human(ADA), Occupant::Open, human(ADA)]);
    assert_eq!(
        (story.table.status(), story.table.card().gone),
        (&Status::Waiting, vec![Seat::new(2).unwrap()])
    );
    let story = story.does(EVE, Order::Join);
    assert_eq!(
        (story.table.status(), story.table.seat_of(EVE)),
        (&Status::Running, Some(rookery_core::Seat::SECOND))
    );
}

#[test]
fn a_game_without_a_place_lives_and_has_its_board_posted_in_the_next() {
    let story = Story::two().in_thread().loses_thread().plays(ADA, "a2-a3/a2");
    assert_eq!((story.table.board_channel(), story.table.ply()), (None, 1));
    let board_channel = BoardChannel { channel: ChannelId(10), thread: false };
    assert_eq!(story.would_say(Actor::System, Order::SetBoardChannel(board_channel)), ["board-1"]);
}

#[test]
fn a_late_failure_of_the_former_channel_leaves_the_next_one_alone() {
    let next = BoardChannel { channel: ChannelId(10), thread: false };
    let story = Story::two().in_thread().ordered(Actor::System, Order::SetBoardChannel(next));
    for elsewhere in [None, Some(BoardChannel { channel: ChannelId(11), thread: false })] {
        let order = Order::LeaveBoardChannel { lost: THREAD, next: elsewhere };
        assert_eq!(story.would_say(Actor::System, order.clone()), [""; 0]);
        let after = Story::two().in_thread().ordered(Actor::System, Order::SetBoardChannel(next));
        assert_eq!(after.ordered(Actor::System, order).table.board_channel(), Some(next));
    }
    let moved = story.ordered(Actor::System, Order::LeaveBoardChannel { lost: next, next: Some(THREAD) });
    assert_eq!(moved.table.board_channel(), Some(THREAD));
}

#[test]
fn a_game_that_ends_without_a_place_still_has_its_result_told() {
    let story = Story::two().in_thread().loses_thread();
    let outbox_items = story.would_say(Actor::Person(BEN), Order::Resign);
    assert!(
        outbox_items.contains(&"result".to_owned()) && !outbox_items.contains(&"strip-0".to_owned()),
        "{outbox_items:?}"
    );
}

#[test]
fn a_rated_game_in_which_the_program_plays_on_counts_no_more() {
    let clock = crate::clock::ClockTerms::read("fast").unwrap();
    let rated = Terms { rated: true, clock, ..terms() };
    let story = Story::of(rated, vec![human(ADA), human(BEN)]).in_thread();
    let seated = Event::Seated { seat: Seat::FIRST, occupant: bot() };
    let mut after = story.table.clone();
    let entries = actor::number(vec![seated], story.table.sequence(), NOW, None);
    after.apply(&entries[0]).unwrap();
    assert!(story.table.is_rated() && !after.is_rated());
    let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
    let note = OutboxItem::Note { note: Note::SubstitutedCasual, seat: Seat::FIRST };
    assert!(
        outbox::items_after(Some(&story.table), &after, &events).contains(&note),
        "and everybody is told so"
    );
    let resigned = decide(&after, Actor::Person(BEN), &Order::Resign, None, NOW).unwrap().events;
    for entry in actor::number(resigned, after.sequence(), NOW, None) {
        after.apply(&entry).unwrap();
    }
    assert!(matches!(after.status(), Status::Over(_)) && !rated::is_due(&after));
}
