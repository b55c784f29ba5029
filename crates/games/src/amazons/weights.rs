//! The weights of the evaluation.
//!
//! The baseline's come from one round of fitting (450 games from the usual start, 4,000 positions per move, seed 101;
//! 27,234 positions, log loss 0.613 before and 0.474 after) that started from hand-set weights; the last three rows,
//! which quick games rarely reach, and the terms that are 0 were edited by hand. The player's come from a round that
//! started from those (2,000 games, 2,500 positions, seed 301; 114,385 positions, log loss 0.463 before and 0.444
//! after) and one that started from the result (12,000 games, 4,000 positions, seed 401; 645,995 positions; on every
//! tenth game, which was held out, 0.4520 before and 0.4478 after). `rookery fit --games 12000 --nodes 4000 --seed 401`
//! fits another round starting from the current weights, and prints rows like these; it does not repeat that round.

/// The number of features of the evaluation.
pub(super) const FEATURES: usize = 13;

/// For 0, 12, 24 … free cells: the weight of one unit of each feature, in 1/256 of a hundredth of a move.
pub(super) type Weights = [[i32; FEATURES]; ROWS];

/// Free cells between rows of weights.
pub(super) const STEP: i32 = 12;

/// The number of rows: the last is for 96 free cells and more.
pub(super) const ROWS: usize = 9;

/// The weights of the current player.
pub(super) const WEIGHTS: Weights = [
    [-142, 3132, 2252, 47, 764, -2, 3914, 715, -125258, -3567, 2076, 544, 1826],
    [-219, 19377, 14096, 146, 3602, 13, 24379, 733, 150284, -27847, 2518, 88, 7932],
    [-181, 22860, 15028, 169, 2794, 115, 25371, -615, 89031, -37225, 3640, -5425, 7905],
    [-64, 46057, 16828, 131, 1, 1585, -1909, -234, 2292, -1816, -3798, 270, 8566],
    [53, 20190, 9597, -33, -31, 2127, -2628, 132, -2481, -5564, -1103, 872, 6291],
    [76, 9926, 4211, -87, 770, 110, -2838, 672, 31269, -70, 2483, 836, 4103],
    [38, 8901, 109, -105, 1553, 85, -6453, 960, 37700, -35381, 364, 531, 2815],
    [106, 3624, -399, -19, 401, -234, -5597, 468, -40573, -39220, 882, 2310, 40],
    [17, 890, -1095, -10, 75, -91, -45, 106, -22780, 3663, -1099, 158, -647],
];

/// The fixed weights of the baseline.
pub(super) const BASELINE: Weights = [
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

/// For 0, 12, 24 … free cells: by how many hundredths of a move a side leads in the end, on average, for a hundred
/// hundredths of evaluation. Fitted by least squares to 430,000 positions of 7,200 self-play games (4,000 positions per
/// move, seed 402): the static evaluation, and the difference of the sides' own cells at the end. The last row, which
/// no game on 10x10 starts with, repeats the one before. `rookery fit amazons` prints such a row from its own games,
/// for the current weights.
pub(super) const LEADS: [i32; ROWS] = [24, 23, 26, 36, 62, 125, 171, 206, 206];
