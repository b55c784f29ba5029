//! A seeded random number generator: the same seed gives the same result on every machine and version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of numbers from a 64-bit seed (ChaCha with 8 rounds, a published cipher, so the stream does not change with
/// a library version).
#[derive(Clone, Debug)]
pub struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// The stream of this seed.
    pub fn new(seed: u64) -> SeededRng {
        SeededRng(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, uniformly distributed. A `bound` of 0 counts as 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        let bound = bound.max(1);
        // Numbers beyond the last whole multiple of the bound would favour small results.
        let end = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < end {
                return bits % bound;
            }
        }
    }

    /// A number in `0.0..1.0` with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A random item; `None` for an empty slice.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    /// Shuffles in place (Durstenfeld's form of the Fisher-Yates shuffle).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// A pseudo-random number for each (piece, cell) pair and the like, for position hashes: the 64-bit finaliser of
/// MurmurHash3 as tuned by D. Stafford (variant 13), also used by SplitMix64.
pub const fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_about_equally_likely() {
        let mut rng = SeededRng::new(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // Six standard deviations of a binomial count (6000, 1/6) are 173.
        assert!(seen.values().all(|n| (827..=1173).contains(n)), "{seen:?}");
    }

    /// The first output of SplitMix64 from state 0, as published with its reference code.
    #[test]
    fn mix_is_the_published_function() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }
}
