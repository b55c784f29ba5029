//! Fourier transforms of planes, and the shrinking of pictures.
//!
//! Both come from libraries whose generic code is compiled in the crate that calls it, for each width of the processor's
//! registers: two thirds of the code that the reader of pictures would generate. In a crate of its own it is compiled once, and not
//! again for the reader's tests or after each change of the reader. So nothing public here is generic.

mod fourier;
mod shrink;

pub use fourier::Fourier;
pub use rustfft::num_complex::Complex32;
pub use shrink::shrunk_rgb;
