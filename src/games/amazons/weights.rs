//! The weights of the evaluation.
//!
//! They come from one round of fitting (450 games of the usual start, 4,000 positions looked at a move,
//! seed 101; 27,234 positions, log loss 0.613 before and 0.474 after) that began with weights set by
//! hand. Edited by hand since: the last three rows, which quick games hardly meet, and the terms that
//! are 0. `rookery fit --games 450 --nodes 4000 --seed 101` plays another round from the weights as they
//! are now, and prints rows like these: it goes on from here and does not repeat that round.

use super::eval::FEATURES;

/// Free cells from one row of weights to the next.
pub(super) const STEP: i32 = 12;

/// For 0, 12, 24 … free cells: the worth of one unit of each feature in 1/256 of a hundredth of a move.
pub(super) const WEIGHTS: [[i32; FEATURES]; 9] = [
    [-71, 1151, 860, 16, 293, -2, 1565, 291, -111191, 2285],
    [-133, 10906, 8012, 90, 2184, 11, 13977, 558, 7851, -20663],
    [-128, 15410, 10630, 145, 2308, 36, 17093, -89, 8435, -27208],
    [-61, 30841, 10947, 161, 1234, 508, 4102, -513, -61361, -6758],
    [29, 24554, 6528, -11, 424, 977, -2696, 28, -8515, -19317],
    [40, 8814, 1720, 0, 323, 503, 1364, 587, -23175, -22387],
    [-10, 2702, 0, 0, 1212, 355, 0, 666, -20000, -20000],
    [14, 1623, 0, 0, 1000, 115, 0, 600, -20000, -15000],
    [14, 1623, 0, 0, 1000, 115, 0, 600, -20000, -15000],
];
