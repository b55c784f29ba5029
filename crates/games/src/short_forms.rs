//! Tests of moves with omitted parts, in games whose moves have several steps.

use super::named;

/// The move that a text means in a position; `None` if it is refused.
fn meant(game: &str, line: &str, text: &str) -> Option<String> {
    let play = named(game).unwrap().resume(line).unwrap();
    play.read(text).ok()
}

/// An amazon with two free squares above it, and no other free squares.
const SHAFT: &str = "pppq/1pp1/1ppp/Qppp w - - 0 1";

#[test]
fn a_goal_alone_is_never_taken_for_the_square_of_an_arrow() {
    assert_eq!(meant("amazons", SHAFT, "a3"), None, "a1-a2/a3 is no move to a3");
    assert_eq!(meant("amazons", SHAFT, "a3 a2").as_deref(), Some("a1-a3/a2"));
    let floe = "1.1/1../1.. a1|c3 1 move 0,0 any:1";
    assert_eq!(meant("amazon_penguins", floe, "a3"), None, "a1-a2/a3 is no move to a3");
    assert_eq!(meant("amazon_penguins", floe, "a3/a2").as_deref(), Some("a1-a3/a2"));
}

/// In a table's own thread a chat message may be a single letter.
#[test]
fn a_text_that_names_no_cell_is_no_move() {
    let lying = "c3NE,-,-|-,-,- - 1";
    for letter in ["u", "n", "r", "l", "."] {
        assert_eq!(meant("penguin_soccer", lying, letter), None, "{letter}");
    }
    assert_eq!(meant("penguin_soccer", lying, "c3u").as_deref(), Some("c3U"));
}

#[test]
fn redundant_parts_of_moves_may_be_omitted() {
    // Only one arrow can be shot from a3 when the amazon came from a2.
    let narrow = "pppq/1pp1/Qppp/pppp w - - 0 1";
    assert_eq!(meant("amazons", narrow, "a2-a3").as_deref(), Some("a2-a3/a2"));
    assert_eq!(meant("amazons", narrow, "a3/a2").as_deref(), Some("a2-a3/a2"));
    assert_eq!(meant("amazons", narrow, "a2").as_deref(), Some("a2-a3/a2"));
    assert_eq!(meant("paper_penguins", "1.1/1../1.. a1|c3 1 move 0,0 any:1", "a3").as_deref(), Some("a1-a3"));
}
