//! The evaluation weights of Penguins, for the features in [`crate::floe::evaluation`].

use crate::floe::evaluation::Weights;

/// In hundredths of a fish. They come from three rounds of fitting, each starting from the previous weights; the first
/// round started from hand-set weights, the last used 12,000 games, 4,000 positions per move, seed 406 (473,592
/// positions). `rookery fit --game penguins --games 12000 --nodes 4000 --seed 406` fits another round starting from the
/// current weights; it does not repeat that round.
pub static WEIGHTS: Weights = [
    [2, 0, -1, 1, -11, -2, 61, -23, -55, 162],
    [2, 1, 2, 0, -10, 8, 20, 8, -129, 94],
    [38, 6, 17, -3, -38, -42, -40, 58, -18, 10],
    [4, 0, 74, 6, 55, 6, -2, -38, 162, 13],
    [40, 1, 27, -1, 18, -23, -6, 419, -198, 133],
    [-40, 1, -16, 0, -22, 41, 9, 176, -310, 84],
];
