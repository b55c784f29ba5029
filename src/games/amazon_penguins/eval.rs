//! What the numbers of `kit::floe::outlook` are worth in Amazon Penguins.

use crate::kit::floe::outlook::Weights;

/// In hundredths of a fish. They come from three rounds of fitting, each from the weights before it; the first began
/// with weights set by hand, the last had 10,000 games, 4,000 positions looked at a move, seed 407 (496,475
/// positions). `rookery fit --game amazon_penguins --games 10000 --nodes 4000 --seed 407` plays another round from
/// the weights as they are now: it goes on from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [0, 0, 0, 0, 0, 5, -13, 22, -43, 154],
    [-2, 1, -1, 0, -7, 3, 6, 48, -70, 89],
    [25, 17, 38, 11, -1, 1, -2, 4, -1, -34],
    [33, 8, 60, -1, 25, -5, -26, 11, 33, 27],
    [62, -1, 11, -2, 6, -60, 8, 434, -159, 178],
    [-17, 1, -14, 1, -10, 22, 13, 162, -47, 75],
];
