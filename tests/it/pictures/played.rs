//! Random games with a fixed seed, to have boards to draw.

use rookery_core::rules::Setup;

use rookery_core::seed::SeededRng;
use rookery_core::{Game, Play};

/// Returns a game after this many random plies, or at its end if that comes first.
pub(crate) fn game(kind: &dyn Game, seats: usize, plies: usize) -> Box<dyn Play> {
    let mut play = kind.start(&Setup::new(seats).seeded(7)).expect("the usual setup starts");
    let mut rng = SeededRng::new(11);
    while play.outcome().is_none() && play.ply() < plies {
        let moves = play.moves();
        let text = rng.pick(&moves).expect("a game that is not over has moves");
        play.play(text).expect("a listed move is legal");
    }
    play
}
