//! Boards as machine words that can be shifted: one operation steps many pieces.
//!
//! On square boards and on the island, the index difference to the neighbour in one direction is the same for all
//! cells, so a step of a whole set is one shift and a mask at the edges.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

use super::{Board, Cell, CellSet};

/// A set of cells in one word: `u64` for up to 64 cells, `u128` for up to 128, [`CellSet`] for all boards.
pub trait Bitboard:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// Packs a set. All indices must be below the bits of the word.
    fn pack(set: CellSet) -> Self;
    /// Unpacks the word into a set.
    fn unpack(self) -> CellSet;
    /// The number of cells.
    fn count(self) -> u32;
    /// Adds `by` to every index. `by` must be less than the bits of the word.
    fn shift_up(self, by: u32) -> Self;
    /// Subtracts `by` from every index. `by` must be less than the bits of the word.
    fn shift_down(self, by: u32) -> Self;

    /// Only the cell with the lowest index; empty for an empty set.
    fn lowest_bit(self) -> Self;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl Bitboard for u64 {
    #[inline(always)]
    fn pack(set: CellSet) -> u64 {
        set.words()[0]
    }
    fn unpack(self) -> CellSet {
        CellSet::from_words([self, 0, 0])
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn shift_up(self, by: u32) -> u64 {
        self << by
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> u64 {
        self >> by
    }
    #[inline(always)]
    fn lowest_bit(self) -> u64 {
        self & self.wrapping_neg()
    }
}

impl Bitboard for u128 {
    #[inline(always)]
    fn pack(set: CellSet) -> u128 {
        let [low, high, _] = set.words();
        u128::from(high) << 64 | u128::from(low)
    }
    fn unpack(self) -> CellSet {
        CellSet::from_words([self as u64, (self >> 64) as u64, 0])
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn shift_up(self, by: u32) -> u128 {
        self << by
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> u128 {
        self >> by
    }
    #[inline(always)]
    fn lowest_bit(self) -> u128 {
        self & self.wrapping_neg()
    }
}

impl Bitboard for CellSet {
    fn pack(set: CellSet) -> CellSet {
        set
    }
    fn unpack(self) -> CellSet {
        self
    }
    fn count(self) -> u32 {
        self.len() as u32
    }
    fn shift_up(self, by: u32) -> CellSet {
        let (words, (far, bits)) = (self.words(), (by as usize / 64, by % 64));
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        CellSet::from_words(std::array::from_fn(|i| {
            let low = |i: usize| i.checked_sub(far).map_or(0, word);
            let carry = if bits == 0 || i == 0 { 0 } else { low(i - 1) >> (64 - bits) };
            low(i) << bits | carry
        }))
    }
    fn shift_down(self, by: u32) -> CellSet {
        let (words, (far, bits)) = (self.words(), (by as usize / 64, by % 64));
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        CellSet::from_words(std::array::from_fn(|i| {
            let carry = if bits == 0 { 0 } else { word(i + far + 1) << (64 - bits) };
            word(i + far) >> bits | carry
        }))
    }
    fn lowest_bit(self) -> CellSet {
        self.lowest().map_or(CellSet::EMPTY, CellSet::of)
    }
}

/// A direction in which indices rise, and its opposite.
#[derive(Clone, Copy, Debug, Default)]
pub struct Axis<W> {
    /// The index difference to the neighbour.
    pub by: u32,
    /// The cells on which an upward step can end.
    pub up: W,
    /// The cells on which a downward step can end.
    pub down: W,
}

/// The most axes of any board.
pub const MAX_AXES: usize = 4;

/// The shifts and edge masks of a board, for sets in words.
#[derive(Clone, Debug)]
pub struct ShiftMasks<W> {
    axes: [Axis<W>; MAX_AXES],
    count: usize,
    longest: usize,
}

impl<W: Bitboard> ShiftMasks<W> {
    /// The masks of a square board or the island.
    ///
    /// # Panics
    /// If the neighbours in one direction do not all have the same index difference.
    pub fn of(board: &Board) -> ShiftMasks<W> {
        let lines = board.lines();
        let mut plane = ShiftMasks { axes: [Axis::default(); MAX_AXES], count: lines.dirs() / 2, longest: 0 };
        // Half of the directions; the others are their opposites.
        for (dir, axis) in plane.axes[..plane.count].iter_mut().enumerate() {
            let steps = || board.cells().filter_map(move |from| Some((from, lines.step(from, dir)?)));
            let far = |(from, to): (Cell, Cell)| i32::from(to.0) - i32::from(from.0);
            let delta = steps().next().map_or(1, far);
            assert!(steps().all(|step| far(step) == delta), "the board has no axes");
            let (from, to) = (steps().map(|(from, _)| from).collect(), steps().map(|(_, to)| to).collect());
            let (up, down) = if delta > 0 { (to, from) } else { (from, to) };
            *axis = Axis { by: delta.unsigned_abs(), up: W::pack(up), down: W::pack(down) };
        }
        let rays =
            board.cells().flat_map(|cell| (0..lines.dirs()).map(move |dir| lines.ray(cell, dir).len()));
        plane.longest = rays.max().unwrap_or(0);
        plane
    }

    /// The axes: three on the island, four on a square board.
    pub fn axes(&self) -> &[Axis<W>] {
        &self.axes[..self.count]
    }

    /// The number of steps along the longest straight line.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The neighbours of all cells of a set, including cells of the set that are adjacent to each other.
    #[inline]
    pub fn neighbours(&self, set: W) -> W {
        let near = |axis: &Axis<W>| set.shift_up(axis.by) & axis.up | set.shift_down(axis.by) & axis.down;
        self.axes().iter().fold(W::default(), |all, axis| all | near(axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::seed::SeededRng;

    fn agrees<W: Bitboard>(board: &'static Board) {
        let (lines, plane) = (board.lines(), ShiftMasks::<W>::of(board));
        assert_eq!(plane.axes().len() * 2, lines.dirs());
        for seed in 0..60 {
            let mut rng = SeededRng::new(seed);
            let from: CellSet = board.cells().filter(|_| rng.below(9) == 0).collect();
            let set = W::pack(from);
            assert_eq!(plane.neighbours(set).unpack(), lines.neighbours_of_all(from));
            assert_eq!((set.count() as usize, set.unpack()), (from.len(), from));
            assert_eq!(set.lowest_bit().unpack().iter().next(), from.iter().next());
            assert_eq!(set.lowest_bit().is_empty(), from.is_empty());
        }
    }

    #[test]
    fn steps_are_what_the_lines_say() {
        agrees::<u64>(Board::of(Shape::Island));
        agrees::<u64>(Board::square(8, 8));
        agrees::<u64>(Board::square(3, 11));
        agrees::<u128>(Board::square(10, 10));
        agrees::<u128>(Board::of(Shape::Island));
        agrees::<CellSet>(Board::square(12, 12));
        agrees::<CellSet>(Board::square(9, 12));
    }
}
