//! The vectors of x86-64.
//!
//! The compiler may not assume that a CPU supports them, so each is reached through a unit that only its own `find`
//! creates, after a check. Code that holds a unit must be called from a function that enables the same target features,
//! otherwise its operations are not compiled to single instructions.
#![allow(unsafe_code)]

use std::arch::is_x86_feature_detected as has;
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::{Lanes, SimdUnit};

macro_rules! operator {
    ($vector:ident, $trait:ident, $name:ident, $does:ident) => {
        impl $trait for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $name(self, other: $vector) -> $vector {
                // SAFETY: a vector exists only if its unit was found.
                $vector(unsafe { $does(self.0, other.0) })
            }
        }
    };
}

macro_rules! unit {
    ($(#[$doc:meta])* $unit:ident is $vector:ident of $raw:ident, $width:literal times $number:ident, if $found:expr;
     $zero:ident $same:ident as $signed:ident $load:ident $store:ident $and:ident $or:ident $xor:ident $less:ident
     $add:ident $sub:ident $up:ident $down:ident $count:ident $is_zero:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $unit(());

        /// A vector of this unit.
        #[derive(Clone, Copy, Debug)]
        pub struct $vector($raw);

        impl $unit {
            /// The unit, if the CPU supports it.
            pub fn find() -> Option<$unit> {
                ($found).then_some($unit(()))
            }
        }

        impl SimdUnit<$number> for $unit {
            type Lanes = $vector;
            const WIDTH: usize = $width;
            #[inline(always)]
            fn zero(self) -> $vector {
                // SAFETY: the unit was found.
                $vector(unsafe { $zero() })
            }
            #[inline(always)]
            fn splat(self, number: $number) -> $vector {
                // SAFETY: the unit was found.
                $vector(unsafe { $same(number as $signed) })
            }
            #[inline(always)]
            fn load(self, row: &[$number], at: usize) -> $vector {
                let lanes = &row[at..at + $width];
                // SAFETY: the unit was found; the slice is as long as the vector, and need not be aligned.
                $vector(unsafe { $load(lanes.as_ptr().cast()) })
            }
        }

        operator!($vector, BitAnd, bitand, $and);
        operator!($vector, BitOr, bitor, $or);
        operator!($vector, BitXor, bitxor, $xor);
        operator!($vector, Add, add, $add);
        operator!($vector, Sub, sub, $sub);

        impl Lanes<$number> for $vector {
            #[inline(always)]
            fn shift_up(self, by: u32) -> $vector {
                // SAFETY: a vector exists only if its unit was found.
                $vector(unsafe { $up(self.0, _mm_cvtsi32_si128(by as i32)) })
            }
            #[inline(always)]
            fn shift_down(self, by: u32) -> $vector {
                // SAFETY: the same.
                $vector(unsafe { $down(self.0, _mm_cvtsi32_si128(by as i32)) })
            }
            #[inline(always)]
            fn count(self) -> $vector {
                // SAFETY: the same.
                $vector(unsafe { $count(self.0) })
            }
            #[inline(always)]
            fn and_not(self, other: $vector) -> $vector {
                // SAFETY: the same. The instruction complements its first operand.
                $vector(unsafe { $less(other.0, self.0) })
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                // SAFETY: the same.
                unsafe { $is_zero(self.0) }
            }
            #[inline(always)]
            fn store(self, row: &mut [$number], at: usize) {
                let lanes = &mut row[at..at + $width];
                // SAFETY: the same; the slice is as long as the vector, and need not be aligned.
                unsafe { $store(lanes.as_mut_ptr().cast(), self.0) }
            }
        }
    };
}

unit! {
    /// 32 numbers of 16 bits.
    Avx512x32 is Zmm16 of __m512i, 32 times u16, if has!("avx512f") && has!("avx512bw") && has!("avx512bitalg");
    _mm512_setzero_si512 _mm512_set1_epi16 as i16 _mm512_loadu_si512 _mm512_storeu_si512
    _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_andnot_si512
    _mm512_add_epi16 _mm512_sub_epi16 _mm512_sll_epi16 _mm512_srl_epi16 _mm512_popcnt_epi16 none_of_512
}

unit! {
    /// 16 numbers of 16 bits.
    Avx2x16 is Ymm16 of __m256i, 16 times u16, if has!("avx2");
    _mm256_setzero_si256 _mm256_set1_epi16 as i16 _mm256_loadu_si256 _mm256_storeu_si256
    _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256
    _mm256_add_epi16 _mm256_sub_epi16 _mm256_sll_epi16 _mm256_srl_epi16 count_16_of_256 none_of_256
}

unit! {
    /// Eight numbers of 64 bits.
    Avx512x8 is Zmm64 of __m512i, 8 times u64, if has!("avx512f") && has!("avx512vpopcntdq");
    _mm512_setzero_si512 _mm512_set1_epi64 as i64 _mm512_loadu_si512 _mm512_storeu_si512
    _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_andnot_si512
    _mm512_add_epi64 _mm512_sub_epi64 _mm512_sll_epi64 _mm512_srl_epi64 _mm512_popcnt_epi64 none_of_512
}

unit! {
    /// Four numbers of 64 bits.
    Avx2x4 is Ymm64 of __m256i, 4 times u64, if has!("avx2");
    _mm256_setzero_si256 _mm256_set1_epi64x as i64 _mm256_loadu_si256 _mm256_storeu_si256
    _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256
    _mm256_add_epi64 _mm256_sub_epi64 _mm256_sll_epi64 _mm256_srl_epi64 count_64_of_256 none_of_256
}

#[inline]
#[target_feature(enable = "avx512f")]
fn none_of_512(lanes: __m512i) -> bool {
    _mm512_test_epi32_mask(lanes, lanes) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn none_of_256(lanes: __m256i) -> bool {
    _mm256_testz_si256(lanes, lanes) == 1
}

/// The number of set bits of each byte. AVX2 has no instruction for it: each nibble is looked up (W. Muła, N. Kurz, D.
/// Lemire, "Faster population counts using AVX2 instructions", 2018).
#[inline]
#[target_feature(enable = "avx2")]
fn count_bytes_of_256(lanes: __m256i) -> __m256i {
    let counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    let counts = _mm256_broadcastsi128_si256(counts);
    let four = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(lanes, four));
    let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), four));
    _mm256_add_epi8(low, high)
}

/// Adds pairs of bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn count_16_of_256(lanes: __m256i) -> __m256i {
    _mm256_maddubs_epi16(count_bytes_of_256(lanes), _mm256_set1_epi8(1))
}

/// Adds eight bytes at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn count_64_of_256(lanes: __m256i) -> __m256i {
    _mm256_sad_epu8(count_bytes_of_256(lanes), _mm256_setzero_si256())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Wide, computes_lane_by_lane, shifts_all_away, shifts_rows};
    use super::*;

    fn computes<N: Wide>(unit: Option<impl SimdUnit<N>>) {
        if let Some(unit) = unit {
            computes_lane_by_lane(unit);
            shifts_rows(unit);
        }
    }

    #[test]
    fn nothing_is_left_of_64_bits_that_is_shifted_out() {
        if let Some(unit) = Avx512x8::find() {
            shifts_all_away(unit);
        }
        if let Some(unit) = Avx2x4::find() {
            shifts_all_away(unit);
        }
    }

    #[test]
    fn vectors_compute_like_numbers_where_the_machine_has_them() {
        computes(Avx512x32::find());
        computes(Avx2x16::find());
        computes(Avx512x8::find());
        computes(Avx2x4::find());
    }
}
