//! The features of `eval` for many positions at once, on rows stored side by side.
//!
//! Only the number of fill levels depends on the positions: the same instructions serve all lanes. Everything is
//! inlined into the functions of `batch_eval` that enable target features. Closures and iterators would be compiled
//! without those features, so the loops are plain ones.
#![expect(clippy::needless_range_loop, reason = "rows of several sets are taken in step")]

use super::eval::KING_LEVELS;
use super::row_lanes::{LANES, Row};
use super::rules::MAX_AMAZONS;
use super::weights::FEATURES;
use rookery_search::simd::{Lanes, SimdUnit};

/// A set of cells of each position, row by row from the lowest: bit `c` is column `c`.
pub(super) type Rows<const R: usize> = [Row; R];

/// Positions stored side by side, on boards of at most `R` rows.
#[derive(Clone, Debug)]
pub(super) struct Boards<const R: usize> {
    pub(super) free: Rows<R>,
    /// Each amazon separately, the side to move first; empty if a side has fewer.
    pub(super) amazons: [[Rows<R>; MAX_AMAZONS]; 2],
}

/// The features of each position.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The features (two's complement), except the turn and those of single amazons.
    pub(super) features: [Row; FEATURES],
    /// For each amazon the number of free cells adjacent to it, and within two steps.
    pub(super) near: [[[Row; 2]; MAX_AMAZONS]; 2],
}

impl<const R: usize> Boards<R> {
    /// Boards without cells.
    pub(super) const EMPTY: Boards<R> =
        Boards { free: [[0; LANES]; R], amazons: [[[[0; LANES]; R]; MAX_AMAZONS]; 2] };
}

impl Found {
    pub(super) const NONE: Found =
        Found { features: [[0; LANES]; FEATURES], near: [[[[0; LANES]; 2]; MAX_AMAZONS]; 2] };
}

/// A set of cells of as many positions as the unit processes at once.
type Set<U, const R: usize> = [<U as SimdUnit<u16>>::Lanes; R];

/// Counts all features of all positions.
#[inline(always)]
pub(super) fn count<U: SimdUnit<u16>, const R: usize>(unit: U, boards: &Boards<R>, found: &mut Found) {
    for at in (0..LANES).step_by(U::WIDTH) {
        let free = load(unit, &boards.free, at);
        let mut sides = [[unit.zero(); R]; 2];
        for side in 0..2 {
            for (amazon, near) in boards.amazons[side].iter().zip(&mut found.near[side]) {
                let amazon = load(unit, amazon, at);
                count_near(unit, &amazon, &free, near, at);
                for r in 0..R {
                    sides[side][r] = sides[side][r] | amazon[r];
                }
            }
        }
        by_queens(unit, &sides, &free, &mut found.features, at);
        by_kings(unit, &sides, &free, &mut found.features, at);
    }
}

#[inline(always)]
fn load<U: SimdUnit<u16>, const R: usize>(unit: U, rows: &Rows<R>, at: usize) -> Set<U, R> {
    let mut set = [unit.zero(); R];
    for r in 0..R {
        set[r] = unit.load(&rows[r], at);
    }
    set
}

#[inline(always)]
fn count_near<U: SimdUnit<u16>, const R: usize>(
    unit: U,
    amazon: &Set<U, R>,
    free: &Set<U, R>,
    near: &mut [Row; 2],
    at: usize,
) {
    let one = king_moves(unit, amazon, free);
    let two = king_moves(unit, &one, free);
    let (mut first, mut second) = (unit.zero(), unit.zero());
    for r in 0..R {
        first = first + one[r].count();
        second = second + (one[r] | two[r]).count();
    }
    first.store(&mut near[0], at);
    second.store(&mut near[1], at);
}

/// The state of both sides' fills.
struct Fills<U: SimdUnit<u16>, const R: usize> {
    front: [Set<U, R>; 2],
    reached: [Set<U, R>; 2],
    /// Cells that currently belong to one side; the criterion differs between queens and kings.
    firm: [Set<U, R>; 2],
}

impl<U: SimdUnit<u16>, const R: usize> Fills<U, R> {
    #[inline(always)]
    fn new(unit: U, sides: &[Set<U, R>; 2]) -> Fills<U, R> {
        let nothing = [[unit.zero(); R]; 2];
        Fills { front: *sides, reached: nothing, firm: nothing }
    }

    /// The difference of both sides' firm cells.
    #[inline(always)]
    fn count_firm(&self, unit: U) -> U::Lanes {
        let mut sum = unit.zero();
        for r in 0..R {
            sum = sum + more(self.firm[0][r], self.firm[1][r]);
        }
        sum
    }
}

/// The difference of the number of cells of two rows.
#[inline(always)]
fn more<L: Lanes<u16>>(row: L, other: L) -> L {
    row.count() - other.count()
}

/// Adds one level of the queens' fill.
struct Level<L> {
    any: L,
    nearer: L,
    both: L,
    reached: L,
}

#[inline(always)]
fn by_queens<U: SimdUnit<u16>, const R: usize>(
    unit: U,
    sides: &[Set<U, R>; 2],
    free: &Set<U, R>,
    found: &mut [Row; FEATURES],
    at: usize,
) {
    let none = unit.zero();
    let mut fills = Fills::new(unit, sides);
    let (mut nearer, mut both, mut worth) = (none, none, none);
    let mut early = [none; 2];
    for level in 1.. {
        let new = queen_level(unit, free, &mut fills);
        if new.any.is_empty() {
            break;
        }
        nearer = nearer + new.nearer;
        both = both + new.both;
        worth = worth + doubled(none, new.reached, 8 - level);
        if level <= 2 {
            early[level as usize - 1] = new.reached;
        }
    }
    let mut alone = none;
    for r in 0..R {
        let [own, other] = [fills.reached[0][r], fills.reached[1][r]];
        alone = alone + more(own.and_not(other), other.and_not(own));
    }
    let firm = fills.count_firm(unit);
    let places = [(1, nearer), (3, worth), (5, both), (6, alone), (10, early[0]), (11, early[1]), (12, firm)];
    for (feature, lanes) in places {
        lanes.store(&mut found[feature], at);
    }
}

#[inline(always)]
fn queen_level<U: SimdUnit<u16>, const R: usize>(
    unit: U,
    free: &Set<U, R>,
    fills: &mut Fills<U, R>,
) -> Level<U::Lanes> {
    let none = unit.zero();
    let got = [queen_moves(unit, &fills.front[0], free), queen_moves(unit, &fills.front[1], free)];
    let mut level = Level { any: none, nearer: none, both: none, reached: none };
    for r in 0..R {
        let before = [fills.reached[0][r], fills.reached[1][r]];
        let next = [got[0][r].and_not(before[0]), got[1][r].and_not(before[1])];
        let now = [before[0] | next[0], before[1] | next[1]];
        level.any = level.any | next[0] | next[1];
        level.nearer = level.nearer + more(next[0].and_not(now[1]), next[1].and_not(now[0]));
        level.both = level.both + (next[0] & next[1]).count();
        level.reached = level.reached + more(next[0], next[1]);
        for side in 0..2 {
            fills.firm[side][r] = fills.firm[side][r] | before[side].and_not(now[1 - side]);
            fills.reached[side][r] = now[side];
            fills.front[side][r] = next[side];
        }
    }
    level
}

/// The count times `2^times`; zero if `times` is negative.
#[inline(always)]
fn doubled<L: Lanes<u16>>(none: L, lanes: L, times: i32) -> L {
    let mut sum = if times < 0 { none } else { lanes };
    for _ in 0..times {
        sum = sum + sum;
    }
    sum
}

#[inline(always)]
fn by_kings<U: SimdUnit<u16>, const R: usize>(
    unit: U,
    sides: &[Set<U, R>; 2],
    free: &Set<U, R>,
    found: &mut [Row; FEATURES],
    at: usize,
) {
    let mut fills = Fills::new(unit, sides);
    let mut within = unit.zero();
    for _ in 0..KING_LEVELS {
        let got = [king_moves(unit, &fills.front[0], free), king_moves(unit, &fills.front[1], free)];
        for r in 0..R {
            for side in 0..2 {
                fills.reached[side][r] = fills.reached[side][r] | got[side][r];
                fills.front[side][r] = fills.reached[side][r];
            }
            let [own, other] = [fills.reached[0][r], fills.reached[1][r]];
            // Reached by one side and not yet by the other: the cell stays with the nearer side.
            fills.firm[0][r] = fills.firm[0][r] | own.and_not(other);
            fills.firm[1][r] = fills.firm[1][r] | other.and_not(own);
            within = within + more(own, other);
        }
    }
    fills.count_firm(unit).store(&mut found[2], at);
    within.store(&mut found[4], at);
}

/// The cells of a set and their free neighbours.
#[inline(always)]
fn king_moves<U: SimdUnit<u16>, const R: usize>(unit: U, from: &Set<U, R>, free: &Set<U, R>) -> Set<U, R> {
    let mut found = *free;
    let (mut below, mut here) = (unit.zero(), wide(from[0]));
    for r in 0..R {
        let above = if r + 1 < R { wide(from[r + 1]) } else { unit.zero() };
        found[r] = found[r] & (below | here | above);
        (below, here) = (here, above);
    }
    found
}

#[inline(always)]
fn wide<L: Lanes<u16>>(row: L) -> L {
    row | row.shift_up(1) | row.shift_down(1)
}

/// The free cells that queens on a set reach in one move.
#[inline(always)]
fn queen_moves<U: SimdUnit<u16>, const R: usize>(unit: U, from: &Set<U, R>, free: &Set<U, R>) -> Set<U, R> {
    let mut found = [unit.zero(); R];
    let mut along = Along::new(unit);
    for r in 0..R {
        found[r] = beside(from[r], free[r]) | along.enter(free[r]);
        along.leave(from[r]);
    }
    let mut along = Along::new(unit);
    for r in (0..R).rev() {
        found[r] = found[r] | along.enter(free[r]);
        along.leave(from[r]);
    }
    found
}

/// The cells that continue into the next row: diagonally to both sides and straight.
struct Along<L> {
    left: L,
    ahead: L,
    right: L,
}

impl<L: Lanes<u16>> Along<L> {
    #[inline(always)]
    fn new<U: SimdUnit<u16, Lanes = L>>(unit: U) -> Along<L> {
        Along { left: unit.zero(), ahead: unit.zero(), right: unit.zero() }
    }

    /// The cells that enter a row with these free cells.
    #[inline(always)]
    fn enter(&mut self, free: L) -> L {
        (self.left, self.ahead, self.right) = (self.left & free, self.ahead & free, self.right & free);
        self.left | self.ahead | self.right
    }

    /// Continues from the row, together with the cells that start there.
    #[inline(always)]
    fn leave(&mut self, from: L) {
        self.left = (self.left | from).shift_down(1);
        self.ahead = self.ahead | from;
        self.right = (self.right | from).shift_up(1);
    }
}

/// The same within a row. Upwards an addition carries through each run of free cells; downwards each step doubles the
/// reach of the set.
#[inline(always)]
fn beside<L: Lanes<u16>>(from: L, free: L) -> L {
    let start = from.shift_up(1) & free;
    let up = ((free + start) ^ free) | start;
    let mut down = from.shift_down(1) & free;
    let mut open = free;
    down = down | (open & down.shift_down(1));
    open = open & open.shift_down(1);
    down = down | (open & down.shift_down(2));
    open = open & open.shift_down(2);
    down = down | (open & down.shift_down(4));
    open = open & open.shift_down(4);
    (up & free) | down | (open & down.shift_down(8))
}
