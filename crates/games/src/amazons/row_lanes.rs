//! Rows of cells of many positions side by side: 16 bits hold one row of one board, and a vector holds the same row of
//! several boards.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use rookery_search::simd::{Lanes, SimdUnit};

/// Positions stored side by side; a multiple of every unit's width.
pub(super) const LANES: usize = 32;

/// A number, or a row of cells, of each position.
pub(super) type Row = [u16; LANES];

/// Four lanes in a plain word: for CPUs without a supported instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words;

/// A word of four lanes.
#[derive(Clone, Copy)]
pub(super) struct Word(u64);

/// The lowest bit of every lane.
const ONES: u64 = 0x0001_0001_0001_0001;

impl SimdUnit<u16> for Words {
    type Lanes = Word;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn zero(self) -> Word {
        Word(0)
    }
    #[inline(always)]
    fn splat(self, number: u16) -> Word {
        Word(u64::from(number) * ONES)
    }
    #[inline(always)]
    fn load(self, row: &[u16], at: usize) -> Word {
        let lanes = &row[at..at + 4];
        Word((0..4).fold(0, |word, i| word | u64::from(lanes[i]) << (16 * i)))
    }
}

impl Lanes<u16> for Word {
    #[inline(always)]
    fn shift_up(self, by: u32) -> Word {
        Word(self.0 << by)
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> Word {
        Word(self.0 >> by)
    }
    #[inline(always)]
    fn count(self) -> Word {
        let twos = self.0 - (self.0 >> 1 & (0x5555 * ONES));
        let fours = (twos & (0x3333 * ONES)) + (twos >> 2 & (0x3333 * ONES));
        let bytes = (fours + (fours >> 4)) & (0x0f0f * ONES);
        Word((bytes + (bytes >> 8)) & (0xff * ONES))
    }
    #[inline(always)]
    fn and_not(self, other: Word) -> Word {
        Word(self.0 & !other.0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }
    #[inline(always)]
    fn store(self, row: &mut [u16], at: usize) {
        let lanes = &mut row[at..at + 4];
        (0..4).for_each(|i| lanes[i] = (self.0 >> (16 * i)) as u16);
    }
}

/// The highest bit of every lane.
const TOPS: u64 = ONES << 15;

impl Add for Word {
    type Output = Word;
    /// The highest bits are added separately, so that nothing is carried between lanes.
    #[inline(always)]
    fn add(self, other: Word) -> Word {
        Word(((self.0 & !TOPS) + (other.0 & !TOPS)) ^ ((self.0 ^ other.0) & TOPS))
    }
}

impl Sub for Word {
    type Output = Word;
    #[inline(always)]
    fn sub(self, other: Word) -> Word {
        Word(((self.0 | TOPS) - (other.0 & !TOPS)) ^ ((self.0 ^ !other.0) & TOPS))
    }
}

impl BitAnd for Word {
    type Output = Word;
    #[inline(always)]
    fn bitand(self, other: Word) -> Word {
        Word(self.0 & other.0)
    }
}

impl BitOr for Word {
    type Output = Word;
    #[inline(always)]
    fn bitor(self, other: Word) -> Word {
        Word(self.0 | other.0)
    }
}

impl BitXor for Word {
    type Output = Word;
    #[inline(always)]
    fn bitxor(self, other: Word) -> Word {
        Word(self.0 ^ other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_search::simd::tests::{computes_lane_by_lane, shifts_rows};

    #[test]
    fn plain_words_compute_like_numbers() {
        computes_lane_by_lane(Words);
        shifts_rows(Words);
    }
}
