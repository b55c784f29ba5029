//! The evaluation weights of Amazon Penguins, for the features in [`crate::floe::evaluation`].

use crate::floe::evaluation::Weights;

/// In hundredths of a fish. They come from two rounds of fitting, each from the weights before it; the first began
/// with weights set by hand, the last had 10,000 games, 2,500 positions looked at a move, seed 406 (505,559
/// positions). `rookery fit --game amazon_penguins --games 10000 --nodes 2500 --seed 406` plays another round from
/// the weights as they are now: it goes on from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [-1, 0, 1, 0, 7, -2, 7, -12, -42, 146],
    [-1, 1, 0, 1, -3, 3, 3, 9, -63, 75],
    [24, 11, 40, 9, -2, -2, -2, -8, -4, -28],
    [29, 7, 61, 0, 23, 0, -22, 19, 24, 32],
    [59, 0, 15, -1, -4, -54, -3, 363, -141, 157],
    [-5, 2, -14, 1, 3, 9, 10, 110, 3, 85],
];
