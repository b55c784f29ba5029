//! Sets of cells of several boards side by side, in vectors.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

use rookery_core::bitboard::Bitboard;
use rookery_search::simd::{Lanes, ScalarLane, SimdUnit};

/// The number of boards stored side by side; a multiple of every team's width.
pub(in super::super) const LANES: usize = 8;

/// A set of cells, or a number, of each board.
pub(in super::super) type Row<W> = [W; LANES];

/// A set of cells of each of several boards.
pub(super) trait Sets: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// A number for each board.
    type Counts: Lanes<u64>;

    /// Adds `by` to all indices; the caller masks the bits that cross an edge.
    fn shift_up(self, by: u32) -> Self;
    /// Subtracts `by` from all indices.
    fn shift_down(self, by: u32) -> Self;
    /// The cells of `self` that are not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Whether the sets of all boards are empty.
    fn is_empty(self) -> bool;
    /// On every board only the cell with the lowest index.
    fn lowest_bit(self) -> Self;
    /// The number of cells on each board.
    fn count(self) -> Self::Counts;
}

/// An instruction set that computes with sets in words of type `W`.
pub(super) trait SetUnit<W>: Copy {
    /// The sets of as many boards as it processes at once.
    type Sets: Sets;
    /// The number of these boards.
    const WIDTH: usize;

    /// The same cells on every board.
    fn splat(self, word: W) -> Self::Sets;
    /// Loads the sets of the boards from `at` on.
    fn load(self, row: &Row<W>, at: usize) -> Self::Sets;
    /// Stores the sets of the boards from `at` on.
    fn store(self, sets: Self::Sets, row: &mut Row<W>, at: usize);
    /// The same number for every board.
    fn number(self, number: u64) -> <Self::Sets as Sets>::Counts;
}

impl<L: Lanes<u64>> Sets for L {
    type Counts = L;

    #[inline(always)]
    fn shift_up(self, by: u32) -> L {
        Lanes::shift_up(self, by)
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> L {
        Lanes::shift_down(self, by)
    }
    #[inline(always)]
    fn and_not(self, other: L) -> L {
        Lanes::and_not(self, other)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        Lanes::is_empty(self)
    }
    #[inline(always)]
    fn lowest_bit(self) -> L {
        self & (Lanes::and_not(self, self) - self)
    }
    #[inline(always)]
    fn count(self) -> L {
        Lanes::count(self)
    }
}

impl<U: SimdUnit<u64>> SetUnit<u64> for U {
    type Sets = U::Lanes;
    const WIDTH: usize = <U as SimdUnit<u64>>::WIDTH;

    #[inline(always)]
    fn splat(self, word: u64) -> U::Lanes {
        SimdUnit::splat(self, word)
    }
    #[inline(always)]
    fn load(self, row: &Row<u64>, at: usize) -> U::Lanes {
        SimdUnit::load(self, row, at)
    }
    #[inline(always)]
    fn store(self, sets: U::Lanes, row: &mut Row<u64>, at: usize) {
        sets.store(row, at);
    }
    #[inline(always)]
    fn number(self, number: u64) -> U::Lanes {
        SimdUnit::splat(self, number)
    }
}

/// One board at a time, of any size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single;

/// A set of cells of one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Large<W>(W);

impl<W: Bitboard> BitAnd for Large<W> {
    type Output = Large<W>;
    #[inline(always)]
    fn bitand(self, other: Large<W>) -> Large<W> {
        Large(self.0 & other.0)
    }
}

impl<W: Bitboard> BitOr for Large<W> {
    type Output = Large<W>;
    #[inline(always)]
    fn bitor(self, other: Large<W>) -> Large<W> {
        Large(self.0 | other.0)
    }
}

impl<W: Bitboard> Sets for Large<W> {
    type Counts = ScalarLane;

    #[inline(always)]
    fn shift_up(self, by: u32) -> Large<W> {
        Large(self.0.shift_up(by))
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> Large<W> {
        Large(self.0.shift_down(by))
    }
    #[inline(always)]
    fn and_not(self, other: Large<W>) -> Large<W> {
        Large(self.0 & !other.0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.is_empty()
    }
    #[inline(always)]
    fn lowest_bit(self) -> Large<W> {
        Large(self.0.lowest_bit())
    }
    #[inline(always)]
    fn count(self) -> ScalarLane {
        ScalarLane(self.0.count().into())
    }
}

impl<W: Bitboard> SetUnit<W> for Single {
    type Sets = Large<W>;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(self, word: W) -> Large<W> {
        Large(word)
    }
    #[inline(always)]
    fn load(self, row: &Row<W>, at: usize) -> Large<W> {
        Large(row[at])
    }
    #[inline(always)]
    fn store(self, sets: Large<W>, row: &mut Row<W>, at: usize) {
        row[at] = sets.0;
    }
    #[inline(always)]
    fn number(self, number: u64) -> ScalarLane {
        ScalarLane(number)
    }
}
