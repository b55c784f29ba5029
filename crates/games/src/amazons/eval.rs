//! The evaluation of the Amazons: which side reaches which cell first.
//!
//! The features are those of J. Lieberum ("An evaluation function for the game of Amazons", Theoretical Computer
//! Science 349, 2005), computed for all cells at once: a set grows by one move of every queen (or king) of a side,
//! level by level, and the levels of the two sides are compared. Their weights depend on the number of free cells. All
//! arithmetic is in integers, so that every machine plays alike.

use super::bits::Bits;
use super::fast::FastPosition;
use super::weights::{FEATURES, LEADS, ROWS, STEP, Weights};

/// The features, each for the side to move minus the other side:
///
/// 0. the turn: always 256;
/// 1. cells reached in fewer queen moves (t1);
/// 2. cells reached in fewer king moves (t2);
/// 3. `256 / 2^d` summed over cells reached in d queen moves (c1);
/// 4. cells within d king moves, summed over d up to 8 (c2 except for its rounding);
/// 5. cells that both reach in equally many queen moves: not a difference, good for the side to move;
/// 6. cells that only one side reaches at all;
/// 7. freedom of the single amazons in their surroundings, with diminishing returns (m);
/// 8. amazons with no adjacent free cell;
/// 9. amazons with at most three free cells within two steps;
/// 10. cells that can be reached in one move;
/// 11. cells reached in exactly two queen moves;
/// 12. cells reached at least two queen moves before the other side.
pub(super) type Features = [i32; FEATURES];

/// King moves looked ahead in features 2 and 4.
pub(super) const KING_LEVELS: u32 = 8;

/// The evaluation for the side to move: log odds of winning; 300 win 3 games in 4 ([`super::search_game::LARGE`]).
/// [`to_display_units`] converts it to moves.
#[inline]
pub(super) fn evaluate<B: Bits>(stride: u32, at: &FastPosition<B>, weights: &Weights) -> i32 {
    mix(weights, at.free.count()).sum(&features(stride, at))
}

/// The average final lead, in hundredths of a move, of a position with `free` free cells and this evaluation: early on a
/// small lead already decides, later even a strong evaluation may mean a narrow win.
pub(super) fn to_display_units(free: i32, evaluation: i32) -> i32 {
    let (low, part) = ((free / STEP) as usize, i64::from(free % STEP));
    let (low, high) = (low.min(ROWS - 1), (low + 1).min(ROWS - 1));
    let [low, high] = [low, high].map(|row| i64::from(LEADS[row]));
    let step = i64::from(STEP);
    (i64::from(evaluation) * (low * (step - part) + high * part) / (100 * step)) as i32
}

/// The weights for one number of free cells, times [`STEP`].
#[derive(Clone, Copy, Debug)]
pub(super) struct InterpolatedWeights([i64; FEATURES]);

/// Weights are 1/256 of a hundredth, given for every twelfth free cell and interpolated linearly.
#[inline]
pub(super) fn mix(weights: &Weights, free: i32) -> InterpolatedWeights {
    let (low, part) = ((free / STEP) as usize, i64::from(free % STEP));
    let (low, high) = (low.min(ROWS - 1), (low + 1).min(ROWS - 1));
    let step = i64::from(STEP);
    InterpolatedWeights(std::array::from_fn(|i| {
        i64::from(weights[low][i]) * (step - part) + i64::from(weights[high][i]) * part
    }))
}

impl InterpolatedWeights {
    /// The weighted sum of features, on the scale of [`evaluate`].
    #[inline]
    pub(super) fn sum(&self, features: &Features) -> i32 {
        let sum: i64 =
            features.iter().zip(&self.0).map(|(feature, weight)| i64::from(*feature) * weight).sum();
        (sum / (256 * i64::from(STEP))) as i32
    }
}

/// The features of a position.
#[inline]
pub(super) fn features<B: Bits>(stride: u32, at: &FastPosition<B>) -> Features {
    // The usual board's shifts are known at compile time, which makes them fast.
    if stride == 11 { features_at(11, at) } else { features_at(stride, at) }
}

#[inline(always)]
fn features_at<B: Bits>(stride: u32, at: &FastPosition<B>) -> Features {
    let sides = [at.amazons[at.mover], at.amazons[1 - at.mover]];
    let mut found = [0; FEATURES];
    found[0] = 256;
    by_queens(stride, sides, at.free, &mut found);
    by_kings(stride, sides, at.free, &mut found);
    let singles = sides.map(|side| freedom(stride, side, at.free));
    for i in 0..3 {
        found[7 + i] = singles[0][i] - singles[1][i];
    }
    found
}

#[inline(always)]
fn by_queens<B: Bits>(stride: u32, sides: [B; 2], free: B, found: &mut Features) {
    let paths = Paths::new(stride, free);
    let mut front = sides;
    let (mut reached, mut firm) = ([B::NONE; 2], [B::NONE; 2]);
    for level in 1.. {
        let next = [0, 1].map(|side| paths.one_queen_move(stride, front[side]) & free & !reached[side]);
        let before = reached;
        reached = [reached[0] | next[0], reached[1] | next[1]];
        firm = [firm[0] | (before[0] & !reached[1]), firm[1] | (before[1] & !reached[0])];
        if next[0].is_empty() && next[1].is_empty() {
            break;
        }
        let tie = next[0] & next[1];
        found[1] += (next[0] & !reached[1]).count() - (next[1] & !reached[0]).count();
        found[3] += (256 >> level.min(9)) * (next[0].count() - next[1].count());
        found[5] += tie.count();
        if level <= 2 {
            found[9 + level as usize] = next[0].count() - next[1].count();
        }
        front = next;
    }
    found[12] = firm[0].count() - firm[1].count();
    found[6] = (reached[0] & !reached[1]).count() - (reached[1] & !reached[0]).count();
}

#[inline(always)]
fn by_kings<B: Bits>(stride: u32, sides: [B; 2], free: B, found: &mut Features) {
    let mut reached = [grow(stride, sides[0]) & free, grow(stride, sides[1]) & free];
    let mut closer = [reached[0] & !reached[1], reached[1] & !reached[0]];
    found[4] = reached[0].count() - reached[1].count();
    for _ in 1..KING_LEVELS {
        reached =
            [reached[0] | (grow(stride, reached[0]) & free), reached[1] | (grow(stride, reached[1]) & free)];
        // Reached by one side and not yet by the other: the cell stays with the nearer side.
        closer = [closer[0] | (reached[0] & !reached[1]), closer[1] | (reached[1] & !reached[0])];
        found[4] += reached[0].count() - reached[1].count();
    }
    found[2] = closer[0].count() - closer[1].count();
}

/// Features 7 to 9 of one side.
#[inline(always)]
fn freedom<B: Bits>(stride: u32, amazons: B, free: B) -> [i32; 3] {
    let mut sums = [0; 3];
    for amazon in amazons.cells() {
        let beside = grow(stride, B::of(amazon)) & free;
        let near = beside | (grow(stride, beside) & free);
        let (first, second) = (beside.count(), near.count());
        sums[0] += DIMINISHING_RETURNS[(first + second).min(31) as usize];
        sums[1] += i32::from(first == 0);
        sums[2] += i32::from(second <= 3);
    }
    sums
}

/// `256 n / (n + 8)`: an additional cell matters much for an amazon with few, little for one with many.
pub(super) const DIMINISHING_RETURNS: [i32; 32] = {
    let mut table = [0; 32];
    let mut n = 0;
    while n < 32 {
        table[n as usize] = 256 * n / (n + 8);
        n += 1;
    }
    table
};

/// The cells of a set and their neighbours (and unused cells, which the caller masks).
#[inline(always)]
fn grow<B: Bits>(stride: u32, set: B) -> B {
    let wide = set | set << 1 | set >> 1;
    wide | wide << stride | wide >> stride
}

/// For each of the four lines, up and down: cells from which 1, 2, 4, 8 steps back are free. Sets grow along them by
/// doubling (the occluded fill of chess programs).
struct Paths<B> {
    up: [[B; 4]; 4],
    down: [[B; 4]; 4],
}

impl<B: Bits> Paths<B> {
    #[inline(always)]
    fn new(stride: u32, free: B) -> Paths<B> {
        let (mut up, mut down) = ([[free; 4]; 4], [[free; 4]; 4]);
        for (line, shift) in shifts(stride).into_iter().enumerate() {
            for i in 1..4 {
                let by = shift << (i - 1);
                up[line][i] = up[line][i - 1] & up[line][i - 1] << by;
                down[line][i] = down[line][i - 1] & down[line][i - 1] >> by;
            }
        }
        Paths { up, down }
    }

    /// The cells that queens on these cells reach in one move, and the cells themselves.
    #[inline(always)]
    fn one_queen_move(&self, stride: u32, from: B) -> B {
        let mut all = from;
        for (line, shift) in shifts(stride).into_iter().enumerate() {
            let (mut up, mut down) = (from, from);
            for i in 0..4 {
                let by = shift << i;
                up = up | (self.up[line][i] & up << by);
                down = down | (self.down[line][i] & down >> by);
            }
            all = all | up | down;
        }
        all
    }
}

#[inline(always)]
fn shifts(stride: u32) -> [u32; 4] {
    [1, stride - 1, stride, stride + 1]
}

/// The cells of the regions with a free cell in which amazons of both sides stand: the contested part of the board.
/// Amazons do not separate regions, since they can move away.
pub(super) fn shared<B: Bits>(stride: u32, at: &FastPosition<B>) -> B {
    let passable = at.free | at.amazons[0] | at.amazons[1];
    let [white, black] = at.amazons.map(|side| flood(stride, side, passable));
    let both = white & black;
    // Regions without a free cell do not matter.
    flood(stride, both & at.free, both)
}

/// All cells connected with a set.
fn flood<B: Bits>(stride: u32, from: B, passable: B) -> B {
    let mut found = from;
    loop {
        let next = grow(stride, found) & passable;
        if next == found {
            return found;
        }
        found = next;
    }
}

/// Whether the side to move has a move: a free cell adjacent to one of its amazons is enough, since the shot back is
/// then possible.
#[inline]
pub(super) fn can_move<B: Bits>(stride: u32, at: &FastPosition<B>) -> bool {
    !(grow(stride, at.amazons[at.mover]) & at.free).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::bits::Wide;
    use crate::amazons::fast::Grid;
    use crate::amazons::rules::{AmazonsPosition, Move, Side};
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;
    use rookery_core::{Cell, CellSet, GameRules, Position};

    /// Distances from a side's amazons over free cells by breadth-first search; `u32::MAX` for unreachable cells. A
    /// plain implementation of the fills.
    fn distances(position: &AmazonsPosition, side: Side, queens: bool) -> Vec<u32> {
        let (lines, free) = (position.board().lines(), position.free());
        let mut found = vec![u32::MAX; position.board().len()];
        let mut edge: Vec<Cell> = position.amazons(side).iter().collect();
        for level in 1.. {
            let near = |c: &Cell| if queens { lines.reach(*c, !free) } else { lines.neighbours(*c) & free };
            let next: CellSet = edge.iter().map(near).fold(CellSet::EMPTY, |all, set| all | set);
            edge = next.iter().filter(|cell| found[cell.index()] == u32::MAX).collect();
            edge.iter().for_each(|cell| found[cell.index()] = level);
            if edge.is_empty() {
                break;
            }
        }
        found
    }

    fn plain(position: &AmazonsPosition) -> Features {
        let [own, other] = [position.to_move(), position.to_move().other()];
        let pairs = |queens| {
            let (a, b) = (distances(position, own, queens), distances(position, other, queens));
            let free = position.free();
            free.iter().map(|c| (a[c.index()], b[c.index()])).collect::<Vec<_>>()
        };
        let (queens, kings) = (pairs(true), pairs(false));
        let sign = |(a, b): &(u32, u32)| i32::from(a < b) - i32::from(b < a);
        let within = |d: u32| if d > KING_LEVELS { u32::MAX } else { d };
        let worth = |d: u32| if d == u32::MAX { 0 } else { 256 >> d.min(9) };
        let levels = |d: u32| (KING_LEVELS + 1).saturating_sub(d) as i32;
        let mut found = [0; FEATURES];
        found[0] = 256;
        found[1] = queens.iter().map(sign).sum();
        found[2] = kings.iter().map(|(a, b)| sign(&(within(*a), within(*b)))).sum();
        found[3] = queens.iter().map(|(a, b)| worth(*a) - worth(*b)).sum();
        found[4] = kings.iter().map(|(a, b)| levels(*a) - levels(*b)).sum();
        found[5] = queens.iter().filter(|(a, b)| a == b && *a < u32::MAX).count() as i32;
        let alone = |(a, b): &(u32, u32)| i32::from(*b == u32::MAX) - i32::from(*a == u32::MAX);
        found[6] = queens.iter().filter(|(a, b)| a != b).map(alone).sum();
        for level in [1, 2] {
            let just = |d: u32| i32::from(d == level);
            found[9 + level as usize] = queens.iter().map(|(a, b)| just(*a) - just(*b)).sum();
        }
        let sooner = |a: u32, b: u32| i32::from(a.saturating_add(2) <= b && a < u32::MAX);
        found[12] = queens.iter().map(|(a, b)| sooner(*a, *b) - sooner(*b, *a)).sum();
        for (sign, side) in [(1, own), (-1, other)] {
            for amazon in position.amazons(side) {
                let lines = position.board().lines();
                let beside = lines.neighbours(amazon) & position.free();
                let near = beside | (lines.neighbours_of_all(beside) & position.free());
                let sum = (beside.len() + near.len()).min(31) as i32;
                found[7] += sign * (256 * sum / (sum + 8));
                found[8] += sign * i32::from(beside.is_empty());
                found[9] += sign * i32::from(near.len() <= 3);
            }
        }
        found
    }

    fn check_over_games<B: Bits>(size: &str) {
        for game in 0..3 {
            let mut position = super::super::Amazons::start(&Setup::new(2).with("size", size)).unwrap();
            let grid = Grid::<B>::new(position.board());
            let mut rng = SeededRng::new(game);
            loop {
                assert_eq!(features(grid.stride, &grid.position(&position)), plain(&position));
                let mut moves: Vec<Move> = Vec::new();
                position.moves(&mut moves);
                let Some(m) = rng.pick(&moves) else { break };
                position.play_unchecked(*m);
            }
        }
    }

    #[test]
    fn features_mean_what_they_say() {
        for size in ["10x10", "7x5", "12x9"] {
            check_over_games::<u128>(size);
        }
        for size in ["12x12", "8x8"] {
            check_over_games::<Wide>(size);
        }
    }
}
