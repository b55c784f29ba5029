//! What the numbers of `kit::floe::outlook` are worth in Paper Pen-guins.

use crate::kit::floe::outlook::Weights;

/// In hundredths of a fish. They come from one round of fitting (1,200 games, 800 positions looked at a
/// move, seed 5; 55,844 positions) that began with weights set by hand. `rookery fit --game paper_penguins
/// --games 1200 --nodes 800 --seed 5` plays another round from the weights as they are now: it goes on
/// from here and does not repeat that round.
pub static WEIGHTS: Weights = [
    [3, 0, -2, 0, -10, -1, 8, -4, -30, 73],
    [0, 1, 5, 1, -14, 4, 0, -7, -29, 59],
    [-11, -4, 6, -2, -11, -11, -4, 24, -16, 15],
    [25, 1, 53, 1, 27, 2, 4, 50, -15, 55],
    [11, 0, 9, 0, -12, 4, 4, 132, -175, 86],
    [-5, 1, -7, 0, -11, 5, -9, 61, -24, 82],
];
