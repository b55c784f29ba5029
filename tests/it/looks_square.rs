//! The themes of boards of squares, measured from their own numbers.

use rookery::kit::art::square::THEMES;
use rookery::kit::scene::{Ink, Rgb, Theme};
use rookery::render::theme::{Deficiency, contrast, difference, simulate};

fn colour(theme: &Theme, token: &'static str) -> Rgb {
    theme.colour(Ink(token)).unwrap_or_else(|| panic!("{} has no {token}", theme.name))
}

#[test]
fn what_must_be_told_apart_can_be() {
    let pairs = [
        // Text.
        ("coordinates", "frame", 4.3),
        ("sign", "line", 4.3),
        ("sign", "block-face", 4.3),
        // Pieces: White's by their outline, Black's by their body, each against both squares.
        ("white-line", "light", 4.5),
        ("white-line", "dark", 4.5),
        ("black-fill", "light", 4.5),
        ("black-fill", "dark", 4.5),
        ("white-line", "white-fill", 4.5),
        ("black-line", "black-fill", 4.5),
        // Graphics that are no text: 3 is enough (WCAG 1.4.11), and shape tells them apart as well.
        ("block-face", "light", 3.0),
        ("block-face", "dark", 3.0),
        ("shot", "light", 3.0),
        ("shot", "dark", 3.0),
        ("line", "light-lit", 3.0),
        ("line", "dark-lit", 3.0),
        ("line", "dark", 3.0),
        ("white-line", "light-lit", 3.0),
        ("black-fill", "dark-lit", 3.0),
    ];
    for theme in THEMES {
        for (a, b, least) in pairs {
            let found = contrast(colour(theme, a), colour(theme, b));
            assert!(found >= least, "{}: {a} on {b} is {found:.2}, wanted {least}", theme.name);
        }
    }
}

/// Pieces are told apart by body and outline whatever cones an eye lacks: a difference of 40 in L*a*b*
/// is that between black and a middle grey.
#[test]
fn sides_differ_for_every_eye() {
    for theme in THEMES {
        let [white, black] = ["white-fill", "black-fill"].map(|token| colour(theme, token));
        for deficiency in Deficiency::ALL {
            let seen = difference(simulate(white, deficiency), simulate(black, deficiency));
            assert!(seen >= 40.0, "{}, {deficiency:?}: {seen:.0}", theme.name);
        }
    }
}
