//! Games played at random but always alike, to have boards to draw.

use rookery::kit::rules::Setup;
use rookery::kit::scene::{Look, Scene};
use rookery::kit::seed::Chance;
use rookery::kit::{Game, Play, Seat};

/// A game after so many random plies, or at its end if that comes first.
pub(crate) fn game(kind: &dyn Game, seats: usize, plies: usize) -> Box<dyn Play> {
    let mut play = kind.start(&Setup::new(seats).seeded(7)).expect("the usual setup starts");
    let mut chance = Chance::new(11);
    while play.outcome().is_none() && play.ply() < plies {
        let moves = play.moves();
        let text = chance.pick(&moves).expect("a game that is not over has moves");
        play.play(text).expect("a listed move is legal");
    }
    play
}

/// The board at every ply from the start to now, seen from the first seat.
pub(crate) fn scenes(play: &dyn Play) -> Vec<Scene> {
    let look = Look::from_seat(Seat::all(play.seats()).next().expect("somebody plays"));
    (0..=play.ply()).map(|ply| play.at_ply(ply).scene(&look)).collect()
}
