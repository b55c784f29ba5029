//! Numbers, or sets of cells, of many positions side by side: one in each lane of a vector. The CPU computes all lanes
//! of a vector at once.
//!
//! A [`SimdUnit`] stands for an instruction set. Holding one proves that the CPU supports it, so code built on it needs
//! no `unsafe`.

#[cfg(target_arch = "x86_64")]
pub mod x86;

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// An instruction set that computes with numbers of type `N`.
pub trait SimdUnit<N>: Copy {
    /// A vector of this unit.
    type Lanes: Lanes<N>;
    /// The number of lanes of a vector.
    const WIDTH: usize;

    /// Zero in every lane.
    fn zero(self) -> Self::Lanes;
    /// The same number in every lane.
    fn splat(self, number: N) -> Self::Lanes;
    /// Loads [`SimdUnit::WIDTH`] numbers from `at` on.
    fn load(self, row: &[N], at: usize) -> Self::Lanes;
}

/// Numbers of type `N` side by side, with wrapping arithmetic.
pub trait Lanes<N>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// Shifts all bits up. Bits shifted out of a 64-bit lane are lost, even all of them; bits shifted out of a smaller
    /// lane may end up in other lanes: the caller must prevent or mask that.
    fn shift_up(self, by: u32) -> Self;
    /// Shifts all bits down. Bits shifted out of a 64-bit lane are lost, even all of them; bits shifted out of a
    /// smaller lane may end up in the highest bits of others.
    fn shift_down(self, by: u32) -> Self;
    /// The number of set bits in each lane.
    fn count(self) -> Self;
    /// The bits of `self` that are not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Whether no bit is set in any lane.
    fn is_empty(self) -> bool;
    /// Stores the lanes from `at` on.
    fn store(self, row: &mut [N], at: usize);
}

/// Plain 64-bit numbers, one at a time: for CPUs without a supported instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

/// A 64-bit number as a vector of one lane.
#[derive(Clone, Copy, Debug)]
pub struct ScalarLane(pub u64);

impl SimdUnit<u64> for Scalar {
    type Lanes = ScalarLane;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn zero(self) -> ScalarLane {
        ScalarLane(0)
    }
    #[inline(always)]
    fn splat(self, number: u64) -> ScalarLane {
        ScalarLane(number)
    }
    #[inline(always)]
    fn load(self, row: &[u64], at: usize) -> ScalarLane {
        ScalarLane(row[at])
    }
}

impl Lanes<u64> for ScalarLane {
    #[inline(always)]
    fn shift_up(self, by: u32) -> ScalarLane {
        ScalarLane(self.0.checked_shl(by).unwrap_or(0))
    }
    #[inline(always)]
    fn shift_down(self, by: u32) -> ScalarLane {
        ScalarLane(self.0.checked_shr(by).unwrap_or(0))
    }
    #[inline(always)]
    fn count(self) -> ScalarLane {
        ScalarLane(self.0.count_ones().into())
    }
    #[inline(always)]
    fn and_not(self, other: ScalarLane) -> ScalarLane {
        ScalarLane(self.0 & !other.0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }
    #[inline(always)]
    fn store(self, row: &mut [u64], at: usize) {
        row[at] = self.0;
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident, |$one:ident, $other:ident| $does:expr) => {
        impl $trait for ScalarLane {
            type Output = ScalarLane;
            #[inline(always)]
            fn $name(self, other: ScalarLane) -> ScalarLane {
                let ($one, $other) = (self.0, other.0);
                ScalarLane($does)
            }
        }
    };
}

operator!(BitAnd, bitand, |one, other| one & other);
operator!(BitOr, bitor, |one, other| one | other);
operator!(BitXor, bitxor, |one, other| one ^ other);
operator!(Add, add, |one, other| one.wrapping_add(other));
operator!(Sub, sub, |one, other| one.wrapping_sub(other));

/// Tests that every instruction set and lane width must pass, for use by dependent modules.
#[cfg(any(test, feature = "testing"))]
pub mod tests {
    use std::fmt::Debug;

    use super::*;
    use rookery_core::seed::SeededRng;

    /// A number as wide as a lane.
    pub trait Wide: Copy + Eq + Debug {
        /// The number with these lowest bits.
        fn of(bits: u64) -> Self;
        /// The number widened to 64 bits.
        fn wide(self) -> u64;
    }

    impl Wide for u16 {
        fn of(bits: u64) -> u16 {
            bits as u16
        }
        fn wide(self) -> u64 {
            self.into()
        }
    }

    impl Wide for u64 {
        fn of(bits: u64) -> u64 {
            bits
        }
        fn wide(self) -> u64 {
            self
        }
    }

    const LANES: usize = 32;

    /// In each lane every operation does the same as on plain numbers.
    pub fn computes_lane_by_lane<N: Wide, U: SimdUnit<N>>(unit: U) {
        let mut rng = SeededRng::new(1);
        for _ in 0..100 {
            let mut row = || -> [N; LANES] { std::array::from_fn(|_| N::of(rng.bits())) };
            let (a, b) = (row(), row());
            for at in (0..LANES).step_by(U::WIDTH) {
                let (x, y) = (unit.load(&a, at), unit.load(&b, at));
                let check = |lanes: U::Lanes, plain: fn(u64, u64) -> u64| {
                    let mut out = [N::of(0); LANES];
                    lanes.store(&mut out, at);
                    for i in at..at + U::WIDTH {
                        assert_eq!(out[i], N::of(plain(a[i].wide(), b[i].wide())));
                    }
                };
                check(x & y, |a, b| a & b);
                check(x | y, |a, b| a | b);
                check(x ^ y, |a, b| a ^ b);
                check(x.and_not(y), |a, b| a & !b);
                check(x + y, u64::wrapping_add);
                check(x - y, u64::wrapping_sub);
                check(x.count(), |a, _| a.count_ones().into());
                assert!(x.is_empty() == a[at..at + U::WIDTH].iter().all(|n| n.wide() == 0));
                assert!(unit.splat(a[at]).and_not(unit.splat(a[at])).is_empty() && unit.zero().is_empty());
            }
        }
    }

    /// Bits that leave a lane may go anywhere, so rows are shifted whose four highest bits are free.
    pub fn shifts_rows<N: Wide, U: SimdUnit<N>>(unit: U) {
        let cells = N::of(N::of(u64::MAX).wide() >> 4);
        let row: [N; LANES] = std::array::from_fn(|i| N::of((i as u64 * 0x679 + 0x8a1) & cells.wide()));
        let check = |lanes: U::Lanes, plain: fn(u64) -> u64| {
            let mut out = [N::of(0); LANES];
            (lanes & unit.splat(cells)).store(&mut out, 0);
            for i in 0..U::WIDTH {
                assert_eq!(out[i], N::of(plain(row[i].wide()) & cells.wide()));
            }
        };
        let lanes = unit.load(&row, 0);
        check(lanes.shift_up(1), |row| row << 1);
        check(lanes.shift_up(3), |row| row << 3);
        check(lanes.shift_down(1), |row| row >> 1);
        check(lanes.shift_down(4), |row| row >> 4);
    }

    /// 64 bits shifted out leave zero.
    pub fn shifts_all_away(unit: impl SimdUnit<u64>) {
        let all = unit.splat(u64::MAX);
        assert!(
            [64, 72, 200].iter().all(|by| all.shift_up(*by).is_empty() && all.shift_down(*by).is_empty())
        );
        assert!(!all.shift_up(63).is_empty() && !all.shift_down(63).is_empty());
    }

    #[test]
    fn plain_numbers_compute_like_numbers() {
        computes_lane_by_lane(Scalar);
        shifts_rows(Scalar);
        shifts_all_away(Scalar);
    }
}
