//! Sets of cells as machine words that can be shifted, for the fast board.
//!
//! `rookery_core::CellSet` has rows without gaps, so a shift would move cells over an edge to the opposite edge. Here
//! every row is followed by one unused cell. Boards up to 10x10 then fit into a `u128`, larger ones into a [`Wide`].

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of cells. The highest bit is never a cell.
pub(super) trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of bits.
    const BITS: u32;
    const NONE: Self;

    fn of(cell: u8) -> Self;
    fn count(self) -> i32;
    /// The lowest cell. The set must not be empty.
    fn lowest(self) -> u8;
    /// The highest cell. The set must not be empty.
    fn highest(self) -> u8;
    /// The sixteen bits from `at` on; zeros beyond the last.
    fn word(self, at: u32) -> u16;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }
    #[inline(always)]
    fn cells(self) -> impl Iterator<Item = u8> {
        let mut left = self;
        std::iter::from_fn(move || {
            let cell = (!left.is_empty()).then(|| left.lowest())?;
            left = left ^ Self::of(cell);
            Some(cell)
        })
    }
}

impl Bits for u128 {
    const BITS: u32 = 128;
    const NONE: u128 = 0;

    #[inline(always)]
    fn of(cell: u8) -> u128 {
        1 << cell
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.count_ones() as i32
    }
    #[inline(always)]
    fn lowest(self) -> u8 {
        self.trailing_zeros() as u8
    }
    #[inline(always)]
    fn highest(self) -> u8 {
        127 - self.leading_zeros() as u8
    }
    #[inline(always)]
    fn word(self, at: u32) -> u16 {
        self.checked_shr(at).unwrap_or(0) as u16
    }
}

/// 256 bits: low half, high half. Shifts must be by 1 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wide(u128, u128);

impl Bits for Wide {
    const BITS: u32 = 256;
    const NONE: Wide = Wide(0, 0);

    #[inline(always)]
    fn of(cell: u8) -> Wide {
        if cell < 128 { Wide(1 << cell, 0) } else { Wide(0, 1 << (cell - 128)) }
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.0.count() + self.1.count()
    }
    #[inline(always)]
    fn lowest(self) -> u8 {
        if self.0 == 0 { 128 + self.1.lowest() } else { self.0.lowest() }
    }
    #[inline(always)]
    fn highest(self) -> u8 {
        if self.1 == 0 { self.0.highest() } else { 128 + self.1.highest() }
    }
    #[inline(always)]
    fn word(self, at: u32) -> u16 {
        if at >= 128 {
            self.1.word(at - 128)
        } else {
            (self.0 >> at) as u16 | (self.1 << 1 << (127 - at)) as u16
        }
    }
}

impl BitAnd for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitand(self, other: Wide) -> Wide {
        Wide(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitor(self, other: Wide) -> Wide {
        Wide(self.0 | other.0, self.1 | other.1)
    }
}

impl BitXor for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitxor(self, other: Wide) -> Wide {
        Wide(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline(always)]
    fn not(self) -> Wide {
        Wide(!self.0, !self.1)
    }
}

impl Shl<u32> for Wide {
    type Output = Wide;
    #[inline(always)]
    fn shl(self, by: u32) -> Wide {
        Wide(self.0 << by, self.1 << by | self.0 >> (128 - by))
    }
}

impl Shr<u32> for Wide {
    type Output = Wide;
    #[inline(always)]
    fn shr(self, by: u32) -> Wide {
        Wide(self.0 >> by | self.1 << (128 - by), self.1 >> by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set<B: Bits>(cells: &[u8]) -> B {
        cells.iter().fold(B::NONE, |set, cell| set | B::of(*cell))
    }

    proptest! {
        /// Shifts across the middle of a `Wide` agree with shifts of a list of cells.
        #[test]
        fn wide_sets_shift_like_lists(cells: std::collections::BTreeSet<u8>, by in 1u32..104) {
            let list: Vec<u8> = cells.into_iter().collect();
            let up: Vec<u8> = list.iter().filter_map(|c| u8::try_from(u32::from(*c) + by).ok()).collect();
            let down: Vec<u8> = list.iter().filter_map(|c| c.checked_sub(by as u8)).collect();
            let wide: Wide = set(&list);
            prop_assert_eq!((wide << by).cells().collect::<Vec<_>>(), up);
            prop_assert_eq!((wide >> by).cells().collect::<Vec<_>>(), down);
            prop_assert_eq!(wide.count() as usize, list.len());
            if let (Some(low), Some(high)) = (list.first(), list.last()) {
                prop_assert_eq!((wide.lowest(), wide.highest()), (*low, *high));
            }
        }
    }
}
