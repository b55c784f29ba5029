use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

/// Transforms of square planes of one size, in two dimensions.
pub struct Fourier {
    side: usize,
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
}

impl Fourier {
    /// `side` is the width and height of a plane, in values.
    pub fn new(side: usize) -> Fourier {
        let mut planner = FftPlanner::new();
        Fourier { side, forward: planner.plan_fft_forward(side), inverse: planner.plan_fft_inverse(side) }
    }

    /// The width and height of a plane.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The transform of two planes at once, as the real and the imaginary part. Both are lines of `width` values. They are put at
    /// the upper left, cut off at the right and below if they are larger, and the rest is zero.
    pub fn of(&self, width: usize, real: &[f32], imaginary: Option<&[f32]>) -> Vec<Complex32> {
        let mut all = vec![Complex32::default(); self.side * self.side];
        let lines = all.chunks_exact_mut(self.side);
        match imaginary {
            None => {
                for (line, real) in lines.zip(real.chunks(width)) {
                    line.iter_mut().zip(real).for_each(|(value, &re)| value.re = re);
                }
            }
            Some(imaginary) => {
                for (line, (real, imaginary)) in lines.zip(real.chunks(width).zip(imaginary.chunks(width))) {
                    let values = real.iter().zip(imaginary).map(|(&re, &im)| Complex32::new(re, im));
                    line.iter_mut().zip(values).for_each(|(value, both)| *value = both);
                }
            }
        }
        self.both_ways(all, &self.forward)
    }

    /// The inverse transform: the values of the plane at the upper left.
    pub fn back(&self, all: Vec<Complex32>) -> Vec<Complex32> {
        let mut all = self.both_ways(all, &self.inverse);
        let scale = 1.0 / (self.side * self.side) as f32;
        all.iter_mut().for_each(|value| *value *= scale);
        all
    }

    /// Splits the transform of two real planes into those of each.
    pub fn split(&self, both: &[Complex32]) -> (Vec<Complex32>, Vec<Complex32>) {
        let side = self.side;
        let mut parts = (Vec::with_capacity(both.len()), Vec::with_capacity(both.len()));
        for y in 0..side {
            for x in 0..side {
                let here = both[y * side + x];
                let there = both[(side - y) % side * side + (side - x) % side].conj();
                parts.0.push((here + there) * 0.5);
                let difference = (here - there) * 0.5;
                parts.1.push(Complex32::new(difference.im, -difference.re));
            }
        }
        parts
    }

    fn both_ways(&self, mut all: Vec<Complex32>, fft: &Arc<dyn Fft<f32>>) -> Vec<Complex32> {
        fft.process(&mut all);
        transpose(&mut all, self.side);
        fft.process(&mut all);
        transpose(&mut all, self.side);
        all
    }
}

fn transpose(all: &mut [Complex32], side: usize) {
    const BLOCK: usize = 16;
    for top in (0..side).step_by(BLOCK) {
        for left in (top..side).step_by(BLOCK) {
            for y in top..(top + BLOCK).min(side) {
                for x in left.max(y + 1)..(left + BLOCK).min(side) {
                    all.swap(y * side + x, x * side + y);
                }
            }
        }
    }
}
