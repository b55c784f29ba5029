//! The positions played by a decision are handed to the table, and not played again.

use super::plans::before_a_forced_move;
use super::*;
use crate::decide::Decision;
use crate::next_table::NextTable;

fn line_of(table: &Table) -> String {
    table.play().unwrap().line()
}

#[test]
fn decision_has_the_position_after_each_move_and_the_journal_gives_the_same_table() {
    let (story, text) = before_a_forced_move();
    let order = r#move(&text, None);
    let decision = decide(&story.table, Actor::Person(BEN), &order, None, NOW).unwrap();
    let lines: Vec<String> = decision.positions.iter().map(|position| position.line()).collect();
    assert_eq!(lines.len(), 2, "the move and the forced one after it");
    let mut next = NextTable::after_outages(&story.table, &[], NOW).unwrap();
    next.apply_decision(decision, None).unwrap();
    let (after, batch) = next.into_batch(&order);
    assert_eq!(line_of(&after), lines[1]);
    assert_eq!(story.table.ply(), 0, "the table before is as it was");

    let entries = [story.entries, batch.entries].concat();
    let again = Table::replay(after.id(), &entries).unwrap().unwrap();
    assert_eq!(line_of(&again), lines[1]);
    assert_eq!(again.play().unwrap().record(), after.play().unwrap().record());
    assert_eq!((again.card(), again.turn_since()), (after.card(), after.turn_since()));
    assert_eq!(again.auto_move_reason(2), after.auto_move_reason(2));
}

/// The position of another move shows which one the table took.
#[test]
fn decision_is_not_played_again() {
    let story = Story::two();
    let [one, other] = [0, 1].map(|at| story.table.play().unwrap().moves().swap_remove(at));
    let decided =
        |text: &str| decide(&story.table, Actor::Person(ADA), &r#move(text, None), None, NOW).unwrap();
    let (events, positions) = (decided(&one).events, decided(&other).positions);
    let line = positions[0].line();
    let mut next = NextTable::after_outages(&story.table, &[], NOW).unwrap();
    next.apply_decision(Decision { events, positions }, None).unwrap();
    assert_eq!(line_of(&next.after), line);
}

#[test]
fn decision_with_the_position_of_another_turn_is_a_fault() {
    let story = Story::two();
    let text = story.table.play().unwrap().moves().remove(0);
    let events = story.ask(ADA, r#move(&text, None)).unwrap();
    let positions = vec![story.table.play().unwrap().clone_play()];
    let mut next = NextTable::after_outages(&story.table, &[], NOW).unwrap();
    let taken = next.apply_decision(Decision { events, positions }, None);
    assert!(matches!(taken, Err(TableError::Internal)), "{taken:?}");
}
