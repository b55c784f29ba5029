//! What the numbers of `kit::floe::outlook` are worth in Paper Pen-guins.

use crate::kit::floe::outlook::Weights;

/// In hundredths of a fish. They come from two rounds of fitting, each from the weights before it; the first began
/// with weights set by hand, the last had 10,000 games, 2,500 positions looked at a move, seed 406 (469,951
/// positions). `rookery fit --game paper_penguins --games 10000 --nodes 2500 --seed 406` plays another round from
/// the weights as they are now: it goes on from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [1, 0, 1, 0, -5, -6, 12, -65, -30, 104],
    [2, 1, 0, 0, 0, 5, 8, -113, -30, 75],
    [24, -1, 27, 4, -15, -27, -16, 9, -3, -8],
    [22, 2, 52, 1, 35, 4, -10, 17, 34, 36],
    [39, 0, 10, -1, 3, -29, -1, 350, -213, 115],
    [-14, 1, -9, 1, -11, 25, 19, 103, -40, 95],
];
