//! Boards as machine words that can be shifted: steps of many pieces at once.
//!
//! On boards of squares and on the island the neighbours in one direction lie equally far apart in
//! the numbering of cells, so that a step of all cells of a set is one shift, if what runs over an
//! edge is masked.

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
    /// The cells of a set. All must have indices below the bits of the word.
    fn pack(set: CellSet) -> Self;
    /// The same as a set.
    fn unpack(self) -> CellSet;
    /// How many cells.
    fn count(self) -> u32;
    /// Every cell's index plus `by`, less than the bits of the word.
    fn shift_up(self, by: u32) -> Self;
    /// Every cell's index minus `by`, less than the bits of the word.
    fn shift_down(self, by: u32) -> Self;

    /// The cell with the lowest index alone; nothing of nothing.
    fn lowest_bit(self) -> Self;

    /// Whether there is no cell.
    #[inline(always)]
    fn is_none(self) -> bool {
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

/// A direction in which indices rise, and the way back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Axis<W> {
    /// How much higher the index of a neighbour is.
    pub by: u32,
    /// The cells that a step up can end on.
    pub up: W,
    /// The cells that a step back can end on.
    pub down: W,
}

/// No board has more.
pub const MAX_AXES: usize = 4;

/// The directions of a board, for sets in words.
#[derive(Clone, Debug)]
pub struct ShiftMasks<W> {
    axes: [Axis<W>; MAX_AXES],
    count: usize,
    longest: usize,
}

impl<W: Bitboard> ShiftMasks<W> {
    /// The plane of a board of squares or of the island.
    ///
    /// # Panics
    /// If the neighbours in one direction are not all equally far apart in the numbering.
    pub fn of(board: &Board) -> ShiftMasks<W> {
        let lines = board.lines();
        let mut plane = ShiftMasks { axes: [Axis::default(); MAX_AXES], count: lines.dirs() / 2, longest: 0 };
        // Half of all directions, and their opposites.
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

    /// The axes: three of the island, four of a board of squares.
    pub fn axes(&self) -> &[Axis<W>] {
        &self.axes[..self.count]
    }

    /// How many steps the longest straight way has.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The neighbours of all cells of a set; cells of the set itself may be among them.
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
            let mut chance = SeededRng::new(seed);
            let from: CellSet = board.cells().filter(|_| chance.below(9) == 0).collect();
            let set = W::pack(from);
            assert_eq!(plane.neighbours(set).unpack(), lines.neighbours_of_all(from));
            assert_eq!((set.count() as usize, set.unpack()), (from.len(), from));
            assert_eq!(set.lowest_bit().unpack().iter().next(), from.iter().next());
            assert_eq!(set.lowest_bit().is_none(), from.is_empty());
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
