//! The evaluation weights of Amazon Penguins, for the features in [`crate::floe::evaluation`].

use crate::floe::evaluation::Weights;

/// In hundredths of a fish. They come from two rounds of fitting, each starting from the previous weights; the first
/// round started from hand-set weights, the last used 10,000 games, 2,500 positions per move, seed 406 (505,559
/// positions). `rookery fit --game amazon_penguins --games 10000 --nodes 2500 --seed 406` fits another round starting
/// from the current weights; it does not repeat that round.
pub static WEIGHTS: Weights = [
    [-1, 0, 1, 0, 7, -2, 7, -12, -42, 146],
    [-1, 1, 0, 1, -3, 3, 3, 9, -63, 75],
    [24, 11, 40, 9, -2, -2, -2, -8, -4, -28],
    [29, 7, 61, 0, 23, 0, -22, 19, 24, 32],
    [59, 0, 15, -1, -4, -54, -3, 363, -141, 157],
    [-5, 2, -14, 1, 3, 9, 10, 110, 3, 85],
];
