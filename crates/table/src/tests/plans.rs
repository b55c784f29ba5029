//! Moves that a table plays by itself: planned ones, and those without an alternative.

use super::*;
use crate::plans;

fn branches(story: &Story, who: UserId) -> Vec<Vec<String>> {
    let seat = story.table.seat_of(who).unwrap();
    story.table.plans().of(seat).to_vec()
}

fn planned(text: &str) -> Order {
    Order::Plan(text.into())
}

#[test]
fn a_plan_is_played_as_soon_as_it_comes_true() {
    let story = Story::two().plays(ADA, "a2-a3/a2").does(ADA, planned("if A5 a4 a5 then a3-b3/a3"));
    assert_eq!(branches(&story, ADA), [["a5-a4/a5", "a3-b3/a3"]]);
    let story = story.plays(BEN, "a5-a4/a5");
    let record = story.table.play().unwrap().record();
    assert_eq!(record, ["a2-a3/a2", "a5-a4/a5", "a3-b3/a3"]);
    assert_eq!(
        (story.table.auto_move_reason(2), story.table.auto_move_reason(3)),
        (None, Some(AutoMoveReason::Planned))
    );
    assert_eq!(branches(&story, ADA), Vec::<Vec<String>>::new());
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(again.play().unwrap().record(), record);
}

#[test]
fn a_longer_plan_goes_on_and_another_move_ends_it() {
    let plan = "if a5-a4/a5 then a3-b3/a3 if a4-b4/a4 then b3-c3/b3; if a5-b5/a5 then a3-a4/a3";
    let story = Story::two().plays(ADA, "a2-a3/a2").does(ADA, planned(plan));
    assert_eq!(branches(&story, ADA).len(), 2);
    let story = story.plays(BEN, "a5-a4/a5");
    assert_eq!(branches(&story, ADA), [["a4-b4/a4", "b3-c3/b3"]], "the rest of the branch that came true");
    let seat = story.table.seat_of(ADA).unwrap();
    let written = plans::written(&story.table, seat, &branches(&story, ADA)[0]);
    assert_eq!(written, "if a4-b4/a4 then b3-c3/b3");
    let story = story.plays(BEN, "a4-b5/a4");
    assert_eq!(story.table.ply(), 4, "nothing was planned for that");
    assert!(branches(&story, ADA).is_empty());
}

#[test]
fn a_plan_is_checked_when_it_is_given() {
    let story = Story::two();
    assert_eq!(story.ask(ADA, planned("if a5-a4/a5 then a2-a3/a2")), Err(OrderError::PlanOwnTurn));
    assert_eq!(story.ask(EVE, planned("x")), Err(OrderError::NotSeated));
    let story = story.plays(ADA, "a2-a3/a2");
    assert_eq!(story.ask(ADA, planned("if a5-a4/a5")), Err(OrderError::PlanOpen));
    assert_eq!(story.ask(ADA, planned(" ; ")), Err(OrderError::PlanOpen));
    let wrong = story.ask(ADA, planned("if a5-a4/a5 then a3-a6/a3"));
    assert!(matches!(wrong, Err(OrderError::PlanMove { text, .. }) if text == "a3-a6/a3"));
    let story = story.does(ADA, planned("if a5-a4/a5 then a3-b3/a3"));
    let twice = story.ask(ADA, planned("if a5-a4/a5 then a3-c3/a3"));
    assert_eq!(twice, Err(OrderError::PlanTwice { text: "a3-b3/a3".into() }));
}

#[test]
fn a_plan_can_be_given_up_and_does_not_outlive_a_turn_that_is_taken_back() {
    let plan = "if a5-a4/a5 then a3-b3/a3; if a5-b5/a5 then a3-b3/a3";
    let story = Story::two().plays(ADA, "a2-a3/a2").does(ADA, planned(plan));
    let unplan = |reply: &str| Order::Unplan(Some(vec![reply.to_owned(), "a3-b3/a3".to_owned()]));
    assert_eq!(story.ask(ADA, unplan("a5-c5/a5")), Err(OrderError::NoPlan));
    let story = story.does(ADA, unplan("a5-a4/a5"));
    assert_eq!(story.ask(ADA, unplan("a5-a4/a5")), Err(OrderError::NoPlan), "twice is once");
    assert_eq!(branches(&story, ADA), [["a5-b5/a5", "a3-b3/a3"]]);
    let back = story.does(ADA, Order::Offer(Offer::Undo)).does(BEN, Order::Answer { yes: true, to: None });
    assert_eq!(back.table.ply(), 0);
    assert!(branches(&back, ADA).is_empty());
}

/// The condition assumes moves of another seat, which would be played for the planner.
#[test]
fn a_plan_does_not_outlive_a_seat_that_is_given_up() {
    let terms = Terms { game: "penguins".into(), options: [].into(), ..terms() };
    let story = Story::of(terms, vec![human(ADA), human(BEN), human(EVE)]);
    let mut play = story.table.play().unwrap().clone_play();
    let [x, y, z] = [(); 3].map(|()| {
        let text = play.moves().remove(0);
        play.play(&text).unwrap()
    });
    let story = story.does(EVE, planned(&format!("if {x} and {y} then {z}")));
    assert_eq!(branches(&story, EVE), [[x.clone(), y, z]]);
    let story = story.does(BEN, Order::Resign).plays(ADA, &x);
    assert_eq!(story.table.ply(), 1, "nobody decided more than that");
    assert_eq!(story.table.to_move(), story.table.seat_of(EVE));
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(again.plans(), story.table.plans());
}

/// Four by four squares: White on a1, walled in except for one square, has only one move after this move of Black.
pub(super) fn before_a_forced_move() -> (Story, String) {
    let id = "K7Q2".parse().unwrap();
    let events = vec![
        Event::Opened { terms: terms(), host: ADA, chairs: vec![human(ADA), human(BEN)] },
        Event::Started { line: "q3/4/p1pp/Q1pp b - - 0 1".into() },
    ];
    let entries = actor::number(events, 0, NOW, None);
    let story = Story { table: Table::replay(id, &entries).unwrap().unwrap(), entries };
    let line = story.table.play().unwrap();
    assert!(line.moves().len() > 1, "Black has a choice");
    let (text, _) = line
        .moves()
        .into_iter()
        .map(|text| {
            let mut after = line.clone_play();
            after.play(&text).unwrap();
            (text, after.moves().len())
        })
        .find(|(_, left)| *left == 1)
        .unwrap();
    (story, text)
}

#[test]
fn a_move_without_a_choice_is_played_and_marked() {
    let (story, text) = before_a_forced_move();
    let story = story.plays(BEN, &text);
    assert_eq!(story.table.auto_move_reason(2), Some(AutoMoveReason::Forced), "{text}");
    assert_eq!(story.table.ply(), 2);
}

#[test]
fn several_programs_in_a_row_come_as_one_board() {
    let id = "K7Q2".parse().unwrap();
    let terms = Terms { game: "penguins".into(), options: [].into(), ..terms() };
    let program = Occupant::Ai { level: Level::Easy };
    let events = decide::open(id, terms, ADA, vec![human(ADA), program, program, program]).unwrap();
    let mut entries = actor::number(events, 0, NOW, None);
    let board_channel =
        Event::BoardChannelSet { board_channel: BoardChannel { channel: ChannelId(9), thread: true } };
    entries.push(Entry { sequence: entries.len() as u64 + 1, at: NOW, source: None, event: board_channel });
    let mut table = Table::replay(id, &entries).unwrap().unwrap();
    let mut boards = Vec::new();
    for _ in 0..8 {
        let seat = table.to_move().unwrap();
        let by = if seat.index() == 0 { Actor::Person(ADA) } else { Actor::Ai };
        let text = table.play().unwrap().moves().remove(0);
        let before = table.clone();
        let events = decide(&table, by, &r#move(&text, None), None, NOW).unwrap().events;
        for entry in actor::number(events.clone(), table.sequence(), NOW, None) {
            table.apply(&entry).unwrap();
        }
        boards.extend(outbox::items_after(Some(&before), &table, &events).iter().map(OutboxItem::key));
    }
    assert_eq!(
        boards,
        ["board-1", "strip-0", "board-4", "strip-1", "board-5", "strip-4", "board-8", "strip-5"]
    );
    let told: Vec<usize> =
        posted_boards::turns_on_board(&table, 4).into_iter().map(|(number, ..)| number).collect();
    assert_eq!(told, [2, 3, 4], "the board after the last of them names them all");
}
