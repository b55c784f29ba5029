//! The evaluation weights of Paper Pen-guins, for the features in [`crate::floe::evaluation`].

use crate::floe::evaluation::Weights;

/// In hundredths of a fish. They come from three rounds of fitting, each starting from the previous weights; the first
/// round started from hand-set weights, the last used 10,000 games, 4,000 positions per move, seed 407 (470,291
/// positions). `rookery fit --game paper_penguins --games 10000 --nodes 4000 --seed 407` fits another round starting
/// from the current weights; it does not repeat that round.
pub static WEIGHTS: Weights = [
    [1, 0, -1, 0, -3, -1, 8, -50, -31, 132],
    [0, 1, 1, 0, -3, 3, 4, -78, -35, 82],
    [41, 6, 25, 7, -19, -31, -28, -1, 7, -23],
    [23, 1, 52, 2, 47, -5, -11, 15, 54, 32],
    [39, 0, 9, -1, 0, -26, -4, 371, -237, 124],
    [-22, 1, -5, 1, -15, 27, 8, 115, -66, 100],
];
