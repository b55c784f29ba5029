//! Random numbers by a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of random numbers.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 to `most` - 1.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0.next_u32() as usize % most
    }

    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.0.next_u32() as f32 / u32::MAX as f32)
    }

    /// A number between `-most` and `most`, more often a small one.
    pub(super) fn about(&mut self, most: f32) -> f32 {
        (self.between(-most, most) + self.between(-most, most)) / 2.0
    }

    /// Whether something happens that does so in `percent` of all cases.
    pub(super) fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Noise with a standard deviation of about 1, the same for the same pixel.
pub(super) fn noise(x: u32, y: u32, channel: u32) -> f32 {
    let mut sum = 0.0;
    let mut state = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77))
        .wrapping_add(channel.wrapping_mul(0x27D4_EB2F));
    for _ in 0..3 {
        // The finishing steps of MurmurHash3 by Austin Appleby, which is in the public domain.
        state = (state ^ (state >> 16)).wrapping_mul(0x85EB_CA6B);
        state = (state ^ (state >> 13)).wrapping_mul(0xC2B2_AE35);
        state ^= state >> 16;
        sum += state as f32 / u32::MAX as f32 - 0.5;
    }
    // Three uniform values have a variance of a quarter.
    sum * 2.0
}
