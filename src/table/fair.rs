//! Fair play: nobody is helped in a rated game that goes on by a table that stands beside it. The
//! [hall](super::hall::Hall::helps_rated) looks for such games.

use crate::kit::Play;

use super::{Offer, Order, Table, hints};

/// The first turns are everybody's: many games share them.
const COMMON_PLIES: usize = 2;
/// Turns that somebody may have taken back before asking.
const BACK_PLIES: usize = 2;
/// Lines of a board in plain characters that one turn changes at most.
const ONE_TURN_LINES: usize = 5;

/// How the program would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// It says what it makes of a position. In a game of one's own that is refused from the first turn on.
    Tells,
    /// It plays on from one: the first turns are everybody's.
    Plays,
}

/// How the program would help by carrying out an order at a table; `None` where it would not, and where
/// the table is rated itself: what may be ordered there its rules say.
pub fn help_of(table: &Table, order: &Order) -> Option<Help> {
    // Where points are compared as they stand, everybody sees them.
    let proves = || table.game().is_some_and(|game| !game.about().stops_by_points);
    let help = match order {
        Order::Hint => Help::Tells,
        Order::Offer(Offer::Count) if proves() => Help::Tells,
        Order::StandIn { .. } | Order::SeatProgram { .. } => Help::Plays,
        _ => return None,
    };
    Some(help).filter(|_| hints::may_help(table).is_ok())
}

/// Whether such help with a game would be help with this table's, which counts and goes on. `plays` tells
/// that whoever would have the help plays there.
pub(super) fn is_withheld(table: &Table, play: &dyn Play, plays: bool, help: Help) -> bool {
    let Some(rated) = table.play() else { return false };
    let own = || plays && help == Help::Tells && stands(play) == stands(rated);
    hints::may_help(table).is_err() && (own() || resembles(play, rated))
}

/// Whether a game has come by where another one stands, is a few turns behind it, or one ahead.
fn resembles(play: &dyn Play, rated: &dyn Play) -> bool {
    if rated.ply() <= COMMON_PLIES || play.board().len() != rated.board().len() {
        return false;
    }
    let (now, last) = (stands(rated), stands(play));
    let came_by = (0..=play.ply()).any(|ply| stands(play.at_ply(ply).as_ref()) == now);
    let first = rated.ply().saturating_sub(BACK_PLIES).max(COMMON_PLIES + 1);
    let behind = (first..rated.ply()).any(|ply| stands(rated.at_ply(ply).as_ref()) == last);
    came_by || behind || (is_near(&now.1, &last.1) && is_one_turn_on(rated, &last.1))
}

/// Where a game stands: whose turn it is, and the board.
fn stands(play: &dyn Play) -> (usize, String) {
    (play.turn().index(), play.text_board())
}

fn is_near(a: &str, b: &str) -> bool {
    a.lines().filter(|line| !b.lines().any(|other| other == *line)).count() <= ONE_TURN_LINES
}

fn is_one_turn_on(rated: &dyn Play, board: &str) -> bool {
    rated.moves().iter().any(|text| {
        let mut next = rated.clone_play();
        next.play(text).is_ok() && next.text_board() == board
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;
    use crate::kit::seed::Chance;

    fn played(plies: usize, seed: u64) -> Box<dyn Play> {
        let game = games::named("amazons").unwrap();
        let mut play = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        let mut chance = Chance::new(seed);
        for _ in 0..plies {
            let text = chance.pick(&play.moves()).unwrap().clone();
            play.play(&text).unwrap();
        }
        play
    }

    fn alone(play: &dyn Play) -> Box<dyn Play> {
        games::named("amazons").unwrap().resume(&play.line()).unwrap()
    }

    #[test]
    fn a_rated_game_is_known_again_by_its_board_and_by_a_turn_more_or_less() {
        let rated = played(8, 1);
        assert!(resembles(alone(rated.as_ref()).as_ref(), rated.as_ref()), "its position");
        assert!(resembles(played(10, 1).as_ref(), rated.as_ref()), "a record that goes on from there");
        assert!(
            resembles(alone(played(9, 1).as_ref()).as_ref(), rated.as_ref()),
            "the position a turn later"
        );
        assert!(resembles(alone(played(7, 1).as_ref()).as_ref(), rated.as_ref()), "the one before");
        assert!(!resembles(played(8, 2).as_ref(), rated.as_ref()), "another game");
        assert!(!resembles(alone(played(3, 1).as_ref()).as_ref(), rated.as_ref()), "long past");
    }

    #[test]
    fn the_first_turns_are_everybodys() {
        assert!(!resembles(played(2, 1).as_ref(), played(2, 1).as_ref()));
        assert!(!resembles(played(0, 1).as_ref(), played(0, 1).as_ref()));
        assert!(resembles(played(3, 1).as_ref(), played(3, 1).as_ref()));
    }
}
