//! The two strokes through the middle of a cell that cross it out.

use super::patch::{Patch, Print};

/// The angles of a stroke against a diagonal, in degrees, and how far from the middle of the cell it may pass, as a share of
/// its side; with the steps in which strokes are tried, in degrees and pixels.
const MOST_TURNED: i32 = 26;
const TURN: usize = 4;
const ASIDE: f32 = 0.17;
const STEP: f32 = 1.5;
/// How far from its middle a stroke goes at least, as a share of the cell's side; the print of a digit hides the middle.
const LENGTH: f32 = 0.36;
/// A bent stroke is found this far from a straight one, as a share of the cell's side.
const BENT: f32 = 0.02;

/// A stroke through a cell, and the shares of its two halves that are drawn.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    /// The unit vector along the stroke, and the point at its middle, in pixels from the middle of the cell.
    along: (f32, f32),
    middle: (f32, f32),
    drawn: f32,
}

/// The likeliest strokes along the two diagonals of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    strokes: [Stroke; 2],
}

impl Cross {
    pub(super) fn on(patch: &Patch) -> Cross {
        Cross { strokes: [45.0, -45.0].map(|diagonal| stroke(patch, diagonal)) }
    }

    /// The share of the weaker stroke that is drawn, 0 to 1.
    pub(super) fn drawn(&self) -> f32 {
        self.strokes[0].drawn.min(self.strokes[1].drawn)
    }

    /// The share of the stronger stroke that is drawn, 0 to 1.
    pub(super) fn strongest(&self) -> f32 {
        self.strokes[0].drawn.max(self.strokes[1].drawn)
    }
}

/// The stroke near a diagonal, in degrees from a row, that is drawn most.
fn stroke(patch: &Patch, diagonal: f32) -> Stroke {
    let most = (ASIDE * patch.cell / STEP) as i32;
    let mut best = Stroke { along: (1.0, 0.0), middle: (0.0, 0.0), drawn: 0.0 };
    for turn in (-MOST_TURNED..=MOST_TURNED).step_by(TURN) {
        let (sin, cos) = (diagonal + turn as f32).to_radians().sin_cos();
        for aside in -most..=most {
            let aside = aside as f32 * STEP;
            let middle = (-sin * aside, cos * aside);
            let drawn = drawn(patch, (cos, sin), middle);
            if drawn > best.drawn {
                best = Stroke { along: (cos, sin), middle, drawn };
            }
        }
    }
    best
}

/// The share of the less drawn half of a stroke that is drawn.
fn drawn(patch: &Patch, along: (f32, f32), middle: (f32, f32)) -> f32 {
    let count = (LENGTH * patch.cell) as usize;
    let bent = BENT * patch.cell;
    let half = |sign: f32| {
        let (mut sum, mut free) = (0.0, 0.0);
        for n in 1..=count {
            let far = n as f32 * sign;
            let at = |aside: f32| {
                (middle.0 + along.0 * far - along.1 * aside, middle.1 + along.1 * far + along.0 * aside)
            };
            if patch.print(at(0.0)) != Print::Nothing {
                continue;
            }
            sum += [0.0, -bent, bent].map(|aside| patch.stroke(at(aside))).into_iter().fold(0.0, f32::max);
            free += 1.0;
        }
        // A half that print hides says nothing.
        if free < count as f32 * 0.3 { 0.0 } else { sum / free }
    };
    half(1.0).min(half(-1.0))
}
