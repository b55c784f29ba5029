//! What the numbers of `kit::floe::outlook` are worth in Amazon Penguins.

use crate::kit::floe::outlook::Weights;

/// In hundredths of a fish. They come from one round of fitting (600 games, 3,000 positions looked at a
/// move, seed 5; 31,408 positions) that began with weights set by hand. `rookery fit --game amazon_penguins
/// --games 600 --nodes 3000 --seed 5` plays another round from the weights as they are now: it goes on
/// from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [0, 2, -2, -1, -1, 6, -7, 7, -30, 72],
    [-3, -1, 0, 2, -6, 2, -5, 12, -30, 62],
    [15, 4, 33, 4, -3, 3, -2, 8, -15, 6],
    [20, 5, 63, 0, 18, 4, -14, 26, -7, 44],
    [42, 2, 26, -1, -2, -42, -22, 78, -57, 85],
    [-2, 0, -17, 2, -1, 8, 12, 61, -27, 81],
];
