//! Whether colours can be told apart: contrast, difference, and colour-vision deficiency.
//!
//! For the tests that hold every theme to its numbers.

use rookery_core::scene::Rgb;

/// A way of seeing fewer colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deficiency {
    /// No long-wave (red) cones.
    Protan,
    /// No middle-wave (green) cones.
    Deutan,
    /// No short-wave (blue) cones.
    Tritan,
    /// No colours at all: what is left is luminance.
    Grey,
}

impl Deficiency {
    /// All deficiencies that themes are checked for.
    pub const ALL: [Deficiency; 4] =
        [Deficiency::Protan, Deficiency::Deutan, Deficiency::Tritan, Deficiency::Grey];

    /// From linear RGB to the linear RGB seen: Machado, Oliveira and Fernandes, "A Physiologically-based
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

/// The share of each linear primary in luminance (ITU-R BT.709, as WCAG uses it).
const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// The contrast ratio of two colours, 1 (none) to 21 (black on white): WCAG 2.2.
#[must_use]
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let [a, b] = [a, b].map(|rgb| dot(LUMINANCE, linear(rgb)) + 0.05);
    a.max(b) / a.min(b)
}

/// How different two colours look: the distance in CIE L*a*b* (CIE76) under D65. About 2 is just
/// noticed; 100 lies between black and white.
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

/// From sRGB to linear light, 0 to 1 (IEC 61966-2-1).
fn linear(Rgb(r, g, b): Rgb) -> [f64; 3] {
    [r, g, b].map(|v| {
        let v = f64::from(v) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
}

/// Back from linear light.
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

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgb = Rgb::hex(0);
    const WHITE: Rgb = Rgb::hex(0xFF_FF_FF);

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast(BLACK, WHITE) - 21.0).abs() < 1e-9);
        assert!((contrast(WHITE, WHITE) - 1.0).abs() < 1e-9);
        // The grey that is known as the lightest to pass 4.5:1 on white.
        assert!((contrast(Rgb::hex(0x76_76_76), WHITE) - 4.54).abs() < 0.01);
        // Measured when the looks were chosen: white on the four players' colours.
        for (rgb, expected) in [(0xD5_5E_00, 3.9), (0x00_72_B2, 5.2), (0x8B_1E_3F, 8.9)] {
            assert!((contrast(Rgb::hex(rgb), WHITE) - expected).abs() < 0.06, "{rgb:06x}");
        }
    }

    #[test]
    fn difference_is_the_distance_in_lab() {
        assert!((difference(BLACK, WHITE) - 100.0).abs() < 0.01);
        // Red's coordinates in L*a*b* under D65 are 53.24, 80.09, 67.20.
        let red = (53.24_f64.powi(2) + 80.09_f64.powi(2) + 67.20_f64.powi(2)).sqrt();
        assert!((difference(Rgb(255, 0, 0), BLACK) - red).abs() < 0.05);
    }

    #[test]
    fn simulations_agree_with_those_the_looks_were_chosen_by() {
        // Amoeba's two players in petri: 97 normal, 83 protan, 94 deutan, 80 tritan, 30 grey.
        let (a, b) = (Rgb::hex(0x0B_6E_8A), Rgb::hex(0xF2_A0_3D));
        assert!((difference(a, b) - 97.0).abs() < 1.0);
        for (deficiency, expected) in Deficiency::ALL.into_iter().zip([83.0, 94.0, 80.0, 30.0]) {
            let seen = difference(simulate(a, deficiency), simulate(b, deficiency));
            assert!((seen - expected).abs() < 1.0, "{deficiency:?}: {seen}");
        }
    }

    #[test]
    fn white_stays_white_and_grey_stays_grey() {
        for deficiency in Deficiency::ALL {
            assert_eq!(simulate(WHITE, deficiency), WHITE);
            assert_eq!(simulate(Rgb(90, 90, 90), deficiency), Rgb(90, 90, 90));
        }
    }
}
