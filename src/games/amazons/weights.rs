//! The weights of the evaluation.
//!
//! The yardstick's come from one round of fitting (450 games of the usual start, 4,000 positions looked at
//! a move, seed 101; 27,234 positions, log loss 0.613 before and 0.474 after) that began with weights set
//! by hand; the last three rows, which quick games hardly meet, and the terms that are 0 were edited by
//! hand. The player's come from a round that began with those (2,000 games, 2,500 positions a move, seed
//! 301; 114,385 positions, log loss 0.463 before and 0.444 after).
//! `rookery fit --games 2000 --nodes 2500 --seed 301` plays another round from the weights as they are
//! now, and prints rows like these: it goes on from here and does not repeat that round.

use super::style::Weights;

/// Free cells from one row of weights to the next.
pub(super) const STEP: i32 = 12;

/// How many rows there are: the last is for 96 free cells and more.
pub(super) const ROWS: usize = 9;

/// What the player uses.
pub(super) const WEIGHTS: Weights = [
    [-105, 2086, 1520, 32, 504, -2, 2504, 563, -143490, -871, 1158, 167, 401],
    [-185, 15878, 11637, 124, 3012, 12, 19437, 730, 69826, -22843, 1535, 320, 3131],
    [-150, 19279, 12773, 160, 2574, 78, 20483, -488, 39303, -20222, 1224, -777, 2807],
    [-73, 38209, 12502, 154, 764, 792, 159, -141, 7582, 7142, -3539, 2754, -652],
    [23, 25913, 9057, -22, 59, 1743, -3115, 129, 13093, -14195, -2190, 319, 3000],
    [69, 11879, 4935, -41, 764, 493, -2099, 780, 14694, 2933, -161, 749, 1778],
    [41, 8115, 1079, -66, 1457, 257, -4168, 1128, 41485, -31877, -1595, 36, 2007],
    [81, 4067, -814, -14, 465, -205, -3218, 336, -52784, -41800, -316, 1744, -1492],
    [20, 939, -1482, -10, 416, 63, -44, 262, -27700, -11553, -1032, -123, -907],
];

/// What the yardstick uses for ever.
pub(super) const YARDSTICK: Weights = [
    [-71, 1151, 860, 16, 293, -2, 1565, 291, -111191, 2285, 0, 0, 0],
    [-133, 10906, 8012, 90, 2184, 11, 13977, 558, 7851, -20663, 0, 0, 0],
    [-128, 15410, 10630, 145, 2308, 36, 17093, -89, 8435, -27208, 0, 0, 0],
    [-61, 30841, 10947, 161, 1234, 508, 4102, -513, -61361, -6758, 0, 0, 0],
    [29, 24554, 6528, -11, 424, 977, -2696, 28, -8515, -19317, 0, 0, 0],
    [40, 8814, 1720, 0, 323, 503, 1364, 587, -23175, -22387, 0, 0, 0],
    [-10, 2702, 0, 0, 1212, 355, 0, 666, -20000, -20000, 0, 0, 0],
    [14, 1623, 0, 0, 1000, 115, 0, 600, -20000, -15000, 0, 0, 0],
    [14, 1623, 0, 0, 1000, 115, 0, 600, -20000, -15000, 0, 0, 0],
];

/// For 0, 12, 24 … free cells: how many hundredths of a move a side leads by in the end, on average, for a
/// hundred hundredths of opinion. Fitted by least squares to 40,583 positions of 724 games of the player against
/// itself (1,500 positions a move): what the search said, and how many cells more a side had alone at the end. The
/// last row, which no game on 10x10 begins with, is that before it. `rookery fit amazons` prints such a row of its
/// own games, for the weights as they are.
pub(super) const LEADS: [i32; ROWS] = [23, 28, 31, 39, 59, 99, 136, 185, 185];
