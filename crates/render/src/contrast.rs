//! Contrast of colours and, for tests of themes, colour differences and colour-vision deficiencies.

use rookery_core::scene::Rgb;

#[cfg(any(test, feature = "testing"))]
mod vision;
#[cfg(any(test, feature = "testing"))]
pub use vision::{Deficiency, difference, simulate};

/// The weight of each linear primary in luminance (ITU-R BT.709, as used by WCAG).
const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// The contrast ratio of two colours, 1 (none) to 21 (black on white): WCAG 2.2.
#[must_use]
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let [a, b] = [a, b].map(|rgb| dot(LUMINANCE, linear(rgb)) + 0.05);
    a.max(b) / a.min(b)
}

/// From sRGB to linear light, 0 to 1 (IEC 61966-2-1).
fn linear(Rgb(r, g, b): Rgb) -> [f64; 3] {
    [r, g, b].map(|v| {
        let v = f64::from(v) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
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
        // The grey known as the lightest that passes 4.5:1 on white.
        assert!((contrast(Rgb::hex(0x76_76_76), WHITE) - 4.54).abs() < 0.01);
        // Measured when the themes were designed: white on the four players' colours.
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
