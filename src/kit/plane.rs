//! Boards as machine words that can be shifted: the slides of many pieces at once.
//!
//! On boards of squares and on the island the neighbours in one direction lie equally far apart in
//! the numbering of cells, so that a step of all cells of a set is one shift, if what runs over an
//! edge is masked. A slide of any length is a few doubling steps (parallel prefix fills: S. Pionkowski
//! and G. Isenberg, "Fill algorithms", for chess).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

use super::{Board, Cell, CellSet, Dir};

/// A set of cells in one word: `u64` for up to 64 cells, `u128` for up to 128, [`CellSet`] for all boards.
pub trait Word:
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
    /// Every cell's index raised by so many, less than there are bits.
    fn up(self, by: u32) -> Self;
    /// Every cell's index lowered by so many, less than there are bits.
    fn down(self, by: u32) -> Self;

    /// Whether there is no cell.
    #[inline(always)]
    fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Word for u64 {
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
    fn up(self, by: u32) -> u64 {
        self << by
    }
    #[inline(always)]
    fn down(self, by: u32) -> u64 {
        self >> by
    }
}

impl Word for u128 {
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
    fn up(self, by: u32) -> u128 {
        self << by
    }
    #[inline(always)]
    fn down(self, by: u32) -> u128 {
        self >> by
    }
}

impl Word for CellSet {
    fn pack(set: CellSet) -> CellSet {
        set
    }
    fn unpack(self) -> CellSet {
        self
    }
    fn count(self) -> u32 {
        self.len() as u32
    }
    fn up(self, by: u32) -> CellSet {
        let (words, (far, bits)) = (self.words(), (by as usize / 64, by % 64));
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        CellSet::from_words(std::array::from_fn(|i| {
            let low = |i: usize| i.checked_sub(far).map_or(0, word);
            let carry = if bits == 0 || i == 0 { 0 } else { low(i - 1) >> (64 - bits) };
            low(i) << bits | carry
        }))
    }
    fn down(self, by: u32) -> CellSet {
        let (words, (far, bits)) = (self.words(), (by as usize / 64, by % 64));
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        CellSet::from_words(std::array::from_fn(|i| {
            let carry = if bits == 0 { 0 } else { word(i + far + 1) << (64 - bits) };
            word(i + far) >> bits | carry
        }))
    }
}

/// One direction.
#[derive(Clone, Copy, Debug)]
struct Stride<W> {
    rising: bool,
    by: u32,
    /// The cells that a step in this direction can end on.
    onto: W,
    /// Doublings after which the longest slide in this direction is done.
    doublings: usize,
}

impl<W: Word> Stride<W> {
    #[inline(always)]
    fn shift(&self, set: W, times: u32) -> W {
        if self.rising { set.up(self.by * times) } else { set.down(self.by * times) }
    }
}

/// The directions of a board, for sets in words.
#[derive(Clone, Debug)]
pub struct Plane<W> {
    strides: Vec<Stride<W>>,
}

/// The ways that are open over certain free cells, for slides of one to eight (or sixteen) steps at a time.
#[derive(Clone, Copy, Debug)]
struct Way<W> {
    stride: Stride<W>,
    /// Cells that can be stepped onto after 1, 2, 4 and 8 free ones.
    open: [W; DOUBLINGS],
}

const DOUBLINGS: usize = 4;
const DIRS: usize = 8;

/// A board with certain cells free, ready for many fills.
#[derive(Clone, Debug)]
pub struct Sea<W> {
    ways: [Way<W>; DIRS],
    dirs: usize,
    free: W,
}

impl<W: Word> Plane<W> {
    /// The plane of a board of squares or of the island.
    ///
    /// # Panics
    /// If the neighbours in one direction are not all equally far apart in the numbering.
    pub fn of(board: &Board) -> Plane<W> {
        Plane { strides: (0..board.lines().dirs()).map(|dir| stride(board, dir)).collect() }
    }

    /// The neighbours of all cells of a set; cells of the set itself may be among them.
    #[inline]
    pub fn near(&self, set: W) -> W {
        self.strides.iter().fold(W::default(), |all, stride| all | stride.shift(set, 1) & stride.onto)
    }

    /// The ways over these free cells.
    pub fn sea(&self, free: W) -> Sea<W> {
        let mut ways = [Way { stride: self.strides[0], open: [W::default(); DOUBLINGS] }; DIRS];
        for (way, stride) in ways.iter_mut().zip(&self.strides) {
            let mut open = free & stride.onto;
            way.stride = *stride;
            for (i, slot) in way.open[..stride.doublings].iter_mut().enumerate() {
                *slot = open;
                open = open & stride.shift(open, 1 << i);
            }
        }
        Sea { ways, dirs: self.strides.len(), free }
    }
}

fn stride<W: Word>(board: &Board, dir: Dir) -> Stride<W> {
    let lines = board.lines();
    let steps = || board.cells().filter_map(move |from| Some((from, lines.step(from, dir)?)));
    let far = |(from, to): (Cell, Cell)| i32::from(to.0) - i32::from(from.0);
    let delta = steps().next().map_or(1, far);
    assert!(steps().all(|step| far(step) == delta), "the board has no strides");
    let longest = board.cells().map(|cell| lines.ray(cell, dir).len()).max().unwrap_or(0);
    Stride {
        rising: delta > 0,
        by: delta.unsigned_abs(),
        onto: W::pack(steps().map(|(_, to)| to).collect()),
        doublings: (longest + 1).next_power_of_two().ilog2() as usize,
    }
}

impl<W: Word> Sea<W> {
    /// The free cells.
    pub fn free(&self) -> W {
        self.free
    }

    /// All free cells one slide away from any cell of a set.
    #[inline]
    pub fn slides(&self, from: W) -> W {
        let mut all = W::default();
        for way in &self.ways[..self.dirs] {
            let mut filled = from;
            for (i, open) in way.open[..way.stride.doublings].iter().enumerate() {
                filled = filled | *open & way.stride.shift(filled, 1 << i);
            }
            all = all | filled;
        }
        all & self.free
    }

    /// All free cells one step away from any cell of a set.
    #[inline]
    pub fn steps(&self, from: W) -> W {
        self.ways[..self.dirs]
            .iter()
            .fold(W::default(), |all, way| all | way.stride.shift(from, 1) & way.open[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::board::Shape;
    use crate::kit::seed::Chance;

    fn agrees<W: Word>(board: &'static Board) {
        let (lines, plane) = (board.lines(), Plane::<W>::of(board));
        for seed in 0..60 {
            let mut chance = Chance::new(seed);
            let mut some =
                |one_in: u64| -> CellSet { board.cells().filter(|_| chance.below(one_in) == 0).collect() };
            let (holes, from) = (some(2 + seed % 4), some(9));
            let free = board.all() & !holes & !from;
            let sea = plane.sea(W::pack(free));
            let slides = from.iter().fold(CellSet::EMPTY, |all, cell| all | lines.reach(cell, !free));
            assert_eq!(sea.slides(W::pack(from)).unpack(), slides);
            assert_eq!(sea.steps(W::pack(from)).unpack(), lines.near_all(from) & free);
            assert_eq!(plane.near(W::pack(from)).unpack(), lines.near_all(from));
            assert_eq!(W::pack(from).count() as usize, from.len());
        }
    }

    #[test]
    fn fills_are_what_the_lines_say() {
        agrees::<u64>(Board::of(Shape::Island));
        agrees::<u64>(Board::square(8, 8));
        agrees::<u64>(Board::square(3, 11));
        agrees::<u128>(Board::square(10, 10));
        agrees::<u128>(Board::of(Shape::Island));
        agrees::<CellSet>(Board::square(12, 12));
        agrees::<CellSet>(Board::square(9, 12));
    }
}
