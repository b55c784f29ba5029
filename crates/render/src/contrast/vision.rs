//! Colour differences, also for colour-vision deficiencies. For tests of themes.

use super::{LUMINANCE, dot, linear};
use rookery_core::scene::Rgb;

/// A colour-vision deficiency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deficiency {
    /// No long-wavelength (red) cones.
    Protan,
    /// No medium-wavelength (green) cones.
    Deutan,
    /// No short-wavelength (blue) cones.
    Tritan,
    /// No colour vision: only luminance.
    Grey,
}

impl Deficiency {
    /// All deficiencies that themes are checked for.
    pub const ALL: [Deficiency; 4] =
        [Deficiency::Protan, Deficiency::Deutan, Deficiency::Tritan, Deficiency::Grey];

    /// The matrix from linear RGB to perceived linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based
    /// Model for Simulation of Color Vision Deficiency" (2009), severity 1.0; grey is luminance.
    const fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Deficiency::Protan => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Deficiency::Deutan => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            Deficiency::Tritan => [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
            Deficiency::Grey => [LUMINANCE; 3],
        }
    }
}

/// The difference of two colours: the distance in CIE L*a*b* (CIE76) under D65. About 2 is just noticeable; black and
/// white differ by 100.
#[must_use]
pub fn difference(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (lab(a), lab(b));
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// A colour as seen with a deficiency at full severity.
#[must_use]
pub fn simulate(rgb: Rgb, deficiency: Deficiency) -> Rgb {
    let linear = linear(rgb);
    let [r, g, b] = deficiency.matrix().map(|row| encoded(dot(row, linear)));
    Rgb(r, g, b)
}

/// From linear light to sRGB.
fn encoded(v: f64) -> u8 {
    let v = v.clamp(0.0, 1.0);
    let v = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
    (v * 255.0).round() as u8
}

/// CIE L*, a*, b* under D65.
fn lab(rgb: Rgb) -> [f64; 3] {
    const TO_XYZ: [[f64; 3]; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175],
        [0.019_333_9, 0.119_192, 0.950_304_1],
    ];
    const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];
    let linear = linear(rgb);
    let squeeze = |v: f64| if v > 216.0 / 24389.0 { v.cbrt() } else { (24389.0 / 27.0 * v + 16.0) / 116.0 };
    let [x, y, z] = [0, 1, 2].map(|n| squeeze(dot(TO_XYZ[n], linear) / WHITE[n]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}
