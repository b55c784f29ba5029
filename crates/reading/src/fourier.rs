//! Correlations of planes by Fourier transforms.

use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use crate::plane::Plane;

/// Transforms of square planes of one size.
pub(crate) struct Fourier {
    /// The width and height of a plane.
    pub(crate) side: usize,
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
}

impl Fourier {
    pub(crate) fn new(side: usize) -> Fourier {
        let mut planner = FftPlanner::new();
        Fourier { side, forward: planner.plan_fft_forward(side), inverse: planner.plan_fft_inverse(side) }
    }

    /// The transform of two planes at once, as the real and the imaginary part. They are put at the upper left, and the
    /// rest is zero.
    pub(crate) fn of(&self, real: &Plane, imaginary: Option<&Plane>) -> Vec<Complex32> {
        let mut all = vec![Complex32::default(); self.side * self.side];
        for y in 0..real.height.min(self.side) {
            for x in 0..real.width.min(self.side) {
                let im = imaginary.map_or(0.0, |plane| plane.at(x, y));
                all[y * self.side + x] = Complex32::new(real.at(x, y), im);
            }
        }
        self.both_ways(all, &self.forward)
    }

    pub(crate) fn back(&self, all: Vec<Complex32>) -> Vec<Complex32> {
        let mut all = self.both_ways(all, &self.inverse);
        let scale = 1.0 / (self.side * self.side) as f32;
        all.iter_mut().for_each(|value| *value *= scale);
        all
    }

    /// Splits the transform of two real planes into those of each.
    pub(crate) fn split(&self, both: &[Complex32]) -> (Vec<Complex32>, Vec<Complex32>) {
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
