//! Sets of cells of many positions side by side: 16 bits hold one row of one board, and a vector of them
//! the same row of as many boards as the machine takes at once.
//!
//! A [`Unit`] stands for the part of the machine that computes. Holding one is the proof that the machine
//! has it, so that nothing that is built on it needs `unsafe`.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// Positions stored side by side.
pub(super) const LANES: usize = 32;

/// A number, or a row of cells, of each position.
pub(super) type Row = [u16; LANES];

/// What computes.
pub(super) trait Unit: Copy {
    /// A vector of this unit.
    type Lanes: Lanes;
    /// How many positions fit into a vector; divides [`LANES`].
    const WIDTH: usize;

    /// Nothing in any lane.
    fn none(self) -> Self::Lanes;
    /// The lanes from `at` on, [`Unit::WIDTH`] of them.
    fn load(self, row: &Row, at: usize) -> Self::Lanes;
}

/// Numbers of 16 bits side by side. They wrap round.
pub(super) trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// All bits one higher. What leaves bit 15 may turn up anywhere: rows leave the highest bits free.
    fn up(self) -> Self;
    /// All bits `BY` (0 to 15) lower. Bits that leave at the bottom may turn up in the highest bits of
    /// other lanes, which the caller masks.
    fn down<const BY: u32>(self) -> Self;
    /// How many bits are set in each lane.
    fn count(self) -> Self;
    /// These and not those.
    fn less(self, other: Self) -> Self;
    /// Whether no bit is set in any lane.
    fn is_none(self) -> bool;
    /// Writes the lanes from `at` on.
    fn store(self, row: &mut Row, at: usize);
}

/// Four lanes in a plain word: for machines of which nothing is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words;

/// A word of four lanes.
#[derive(Clone, Copy)]
pub(super) struct Word(u64);

/// The lowest bit of every lane.
const ONES: u64 = 0x0001_0001_0001_0001;

impl Unit for Words {
    type Lanes = Word;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn none(self) -> Word {
        Word(0)
    }
    #[inline(always)]
    fn load(self, row: &Row, at: usize) -> Word {
        let lanes = &row[at..at + 4];
        Word((0..4).fold(0, |word, i| word | u64::from(lanes[i]) << (16 * i)))
    }
}

impl Lanes for Word {
    #[inline(always)]
    fn up(self) -> Word {
        Word(self.0 << 1)
    }
    #[inline(always)]
    fn down<const BY: u32>(self) -> Word {
        Word(self.0 >> BY)
    }
    #[inline(always)]
    fn count(self) -> Word {
        let twos = self.0 - (self.0 >> 1 & (0x5555 * ONES));
        let fours = (twos & (0x3333 * ONES)) + (twos >> 2 & (0x3333 * ONES));
        let bytes = (fours + (fours >> 4)) & (0x0f0f * ONES);
        Word((bytes + (bytes >> 8)) & (0xff * ONES))
    }
    #[inline(always)]
    fn less(self, other: Word) -> Word {
        Word(self.0 & !other.0)
    }
    #[inline(always)]
    fn is_none(self) -> bool {
        self.0 == 0
    }
    #[inline(always)]
    fn store(self, row: &mut Row, at: usize) {
        let lanes = &mut row[at..at + 4];
        (0..4).for_each(|i| lanes[i] = (self.0 >> (16 * i)) as u16);
    }
}

/// The highest bit of every lane.
const TOPS: u64 = ONES << 15;

impl Add for Word {
    type Output = Word;
    /// The highest bits are added apart, so that nothing is carried from lane to lane.
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
pub(super) mod tests {
    use super::*;
    use crate::kit::seed::Chance;

    /// Every operation does in each lane what the plain numbers do.
    pub(in super::super) fn computes_lane_by_lane<U: Unit>(unit: U) {
        let mut chance = Chance::new(1);
        for _ in 0..100 {
            let mut row = || -> Row { std::array::from_fn(|_| chance.below(1 << 16) as u16) };
            let (a, b) = (row(), row());
            for at in (0..LANES).step_by(U::WIDTH) {
                let (x, y) = (unit.load(&a, at), unit.load(&b, at));
                let check = |lanes: U::Lanes, plain: fn(u16, u16) -> u16| {
                    let mut out = [0; LANES];
                    lanes.store(&mut out, at);
                    (at..at + U::WIDTH).for_each(|i| assert_eq!(out[i], plain(a[i], b[i])));
                };
                check(x & y, |a, b| a & b);
                check(x | y, |a, b| a | b);
                check(x ^ y, |a, b| a ^ b);
                check(x.less(y), |a, b| a & !b);
                check(x + y, u16::wrapping_add);
                check(x - y, u16::wrapping_sub);
                check(x.count(), |a, _| a.count_ones() as u16);
                assert!(x.is_none() == a[at..at + U::WIDTH].iter().all(|n| *n == 0));
            }
        }
    }

    /// Bits that leave a lane may go anywhere, so that rows of twelve cells are what is shifted.
    pub(in super::super) fn shifts_rows<U: Unit>(unit: U) {
        let row: Row = std::array::from_fn(|i| (i as u16 * 0x679 + 0x8a1) & 0xfff);
        let cells = unit.load(&[0xfff; LANES], 0);
        let check = |lanes: U::Lanes, plain: fn(u16) -> u16| {
            let mut out = [0; LANES];
            (lanes & cells).store(&mut out, 0);
            (0..U::WIDTH).for_each(|i| assert_eq!(out[i], plain(row[i]) & 0xfff));
        };
        let lanes = unit.load(&row, 0);
        assert!(unit.none().is_none());
        check(lanes.up(), |row| row << 1);
        check(lanes.down::<1>(), |row| row >> 1);
    }

    #[test]
    fn plain_words_compute_like_numbers() {
        computes_lane_by_lane(Words);
        shifts_rows(Words);
    }
}
