//! What the numbers of `kit::floe::outlook` are worth in Penguins.

use crate::kit::floe::outlook::Weights;

/// In hundredths of a fish. They come from one round of fitting (1,200 games, 800 positions looked at a
/// move, seed 5; 47,839 positions) that began with weights set by hand. `rookery fit --game penguins
/// --games 1200 --nodes 800 --seed 5` plays another round from the weights as they are now: it goes on
/// from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [-1, 0, -3, 4, -10, 16, 1, -5, -28, 74],
    [0, 1, 5, -1, -18, 6, 17, 3, -25, 60],
    [-15, 0, 1, -2, -6, -5, 0, 28, -19, 19],
    [3, 4, 72, 4, 25, 14, -2, 45, 51, 30],
    [43, 0, 26, -1, -1, -21, 11, 149, -125, 98],
    [-4, 1, -11, 1, -1, -10, 12, 60, -53, 80],
];
