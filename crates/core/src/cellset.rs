//! Sets of cells as bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// One cell of a board: its index, counted from the lower left corner, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Cell {
    /// The index, for use in arrays.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

const WORDS: usize = 3;

/// A set of cells with indices `0..192`, enough for every board up to 12x12 (144 cells).
///
/// Three machine words rather than one `u128`, because 12x12 does not fit into 128 bits. Hot loops on boards of at most
/// 128 cells may use a `u128` instead.
///
/// ```
/// use rookery_core::{Cell, CellSet};
/// let set: CellSet = [Cell(3), Cell(140)].into_iter().collect();
/// assert!(set.has(Cell(140)));
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.iter().next(), Some(Cell(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet([u64; WORDS]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; WORDS]);

    /// The set of the cells `0..count`; `count` at most 192.
    pub fn first(count: usize) -> CellSet {
        (0..count).map(|i| Cell(i as u8)).collect()
    }

    /// The set with one cell.
    #[inline]
    pub fn of(cell: Cell) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.insert(cell);
        set
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn has(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.0 % 64) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.0 % 64);
    }

    /// Removes a cell.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.0 % 64));
    }

    /// The set plus this cell.
    #[inline]
    #[must_use]
    pub fn with(mut self, cell: Cell) -> CellSet {
        self.insert(cell);
        self
    }

    /// The set minus this cell.
    #[inline]
    #[must_use]
    pub fn without(mut self, cell: Cell) -> CellSet {
        self.remove(cell);
        self
    }

    /// The number of cells in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Whether the two sets share a cell.
    #[inline]
    pub fn intersects(&self, other: CellSet) -> bool {
        !(*self & other).is_empty()
    }

    /// The cell with the lowest index.
    #[inline]
    pub fn lowest(&self) -> Option<Cell> {
        let (i, word) = self.0.iter().enumerate().find(|(_, w)| **w != 0)?;
        Some(Cell((i * 64) as u8 + word.trailing_zeros() as u8))
    }

    /// The cell with the highest index.
    #[inline]
    pub fn highest(&self) -> Option<Cell> {
        let (i, word) = self.0.iter().enumerate().rev().find(|(_, w)| **w != 0)?;
        Some(Cell((i * 64) as u8 + 63 - word.leading_zeros() as u8))
    }

    /// The bits: cell 0 is the lowest of the first word.
    #[inline]
    pub(super) const fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The set with these bits.
    #[inline]
    pub(super) const fn from_words(words: [u64; WORDS]) -> CellSet {
        CellSet(words)
    }

    /// The cells by ascending index.
    pub fn iter(&self) -> Cells {
        Cells(*self)
    }
}

/// Iterates over the cells of a set by ascending index.
#[derive(Clone, Debug)]
pub struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        for (i, word) in self.0.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Cell((i * 64) as u8 + bit as u8));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Cells {}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;
    fn into_iter(self) -> Cells {
        Cells(self)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        cells.into_iter().fold(CellSet::EMPTY, CellSet::with)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|c| c.0)).finish()
    }
}

macro_rules! by_words {
    ($($op:ident $method:ident $assign:ident $assign_method:ident $sign:tt;)*) => {$(
        impl $op for CellSet {
            type Output = CellSet;
            #[inline]
            fn $method(self, other: CellSet) -> CellSet {
                CellSet(std::array::from_fn(|i| self.0[i] $sign other.0[i]))
            }
        }
        impl $assign for CellSet {
            #[inline]
            fn $assign_method(&mut self, other: CellSet) {
                *self = *self $sign other;
            }
        }
    )*};
}

by_words! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for CellSet {
    type Output = CellSet;
    /// All of the 192 cells that are not in the set: intersect it with the board's own cells.
    #[inline]
    fn not(self) -> CellSet {
        CellSet(self.0.map(|w| !w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_a_set(a: BTreeSet<u8>, b: BTreeSet<u8>) {
            let a: BTreeSet<u8> = a.into_iter().filter(|c| *c < 192).collect();
            let b: BTreeSet<u8> = b.into_iter().filter(|c| *c < 192).collect();
            let set = |s: &BTreeSet<u8>| s.iter().map(|c| Cell(*c)).collect::<CellSet>();
            let list = |s: CellSet| s.iter().map(|c| c.0).collect::<Vec<_>>();
            prop_assert_eq!(list(set(&a)), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) & set(&b)), a.intersection(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) | set(&b)), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) & !set(&b)), a.difference(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(set(&a).len(), a.len());
            prop_assert_eq!(set(&a).lowest().map(|c| c.0), a.first().copied());
            prop_assert_eq!(set(&a).highest().map(|c| c.0), a.last().copied());
            prop_assert_eq!(set(&a).intersects(set(&b)), a.intersection(&b).next().is_some());
        }
    }
}
