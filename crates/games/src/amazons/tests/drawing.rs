//! The trace of the last move in the drawing.

use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Item};

use super::play;

/// The names of the stamps on the board after a move in a position.
fn stamps(line: &str, played: &str, look: &DrawOptions) -> Vec<String> {
    let mut game = play(line);
    game.play(played).unwrap();
    let name = |item: Item| match item {
        Item::Stamp(stamp, _) => Some(stamp.name),
        Item::Shape(_) => None,
    };
    game.scene(look).items.into_iter().filter_map(name).collect()
}

const LINE: &str = "q3/4/4/Q3 w - - 0 1";

/// If there is no room for the line of a path, the goal of the queen is outlined.
#[test]
fn a_short_move_has_two_marks_on_its_goal_too() {
    let outlined = |played: &str| {
        let all = stamps(LINE, played, &DrawOptions::from_seat(Seat::FIRST));
        all.iter().any(|name| name.starts_with("amazons/goal/"))
    };
    assert!(outlined("a1-b1/a1"), "shot back to where she came from, beside her");
    assert!(!outlined("a1-b1/c1") && !outlined("a1-d1/a1"), "there is a line");
}

/// The ring of the last move and the owner's symbol do not overlap.
#[test]
fn the_cell_that_was_left_has_no_sign_of_its_owner() {
    let owners = play(LINE).board().cells().map(|cell| (cell, Seat::FIRST, 1.0)).collect();
    let all = stamps(LINE, "a1-d1/d4", &DrawOptions { owners, ..DrawOptions::from_seat(Seat::FIRST) });
    let count = |state: &str| all.iter().filter(|name| name.contains(&format!("/4/{state}/"))).count();
    // Sixteen squares: two queens and an arrow on three of them.
    assert_eq!((count("left"), count("taken"), count("free")), (1, 3, 12), "{all:?}");
}
