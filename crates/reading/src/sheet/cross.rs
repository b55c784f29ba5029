//! The two strokes through the middle of a cell that cross it out.

use super::patch::{Patch, Print};
use super::ring::{Ring, Side};

/// The angles of a stroke against a diagonal, in degrees, and how far from the middle of the cell it may pass and how far its
/// middle may be from the line between its ends, as shares of the cell's side; with the steps in which strokes are tried.
const MOST_TURNED: i32 = 28;
const TURN: usize = 4;
const ASIDE: f32 = 0.175;
const STEP: f32 = 0.025;
const BOWS: [f32; 5] = [-0.07, -0.035, 0.0, 0.035, 0.07];
/// How far a stroke goes to both sides at least, as a share of the cell's side, and how far it is followed beyond a closed
/// line.
const LENGTH: f32 = 0.36;
const LENGTH_BEYOND: f32 = 0.44;
/// The parts of each side that have to be drawn, each by itself, so that a line that is met once is not taken for a stroke.
const PARTS: usize = 3;
/// A part is visible if print hides less than this share of it, or if the cell's side is at most this many times as long as
/// what is visible within or beyond a closed line.
const HIDDEN: f32 = 0.6;
const TIMES: f32 = 28.0;

/// How much of the likeliest stroke along each diagonal of a cell is drawn, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    strokes: [f32; 2],
}

impl Cross {
    /// The strokes of a cell without a closed line.
    pub(super) fn on(patch: &Patch) -> Cross {
        Cross { strokes: [45.0, -45.0].map(|diagonal| likeliest(diagonal, |line| drawn(patch, line))) }
    }

    /// The strokes of a cell with a closed line, whose own stroke reaches `far` pixels to both sides and hides others.
    pub(super) fn over(patch: &Patch, ring: &Ring, far: f32) -> Cross {
        let sides = patch.map(|at| ring.side(at, far));
        let side = |at: (f32, f32)| sides[patch.index(at)];
        Cross {
            strokes: [45.0, -45.0].map(|diagonal| likeliest(diagonal, |line| drawn_over(patch, line, side))),
        }
    }

    /// The share of the weaker stroke that is drawn.
    pub(super) fn drawn(&self) -> f32 {
        self.strokes[0].min(self.strokes[1])
    }

    /// The share of the stronger stroke that is drawn.
    pub(super) fn strongest(&self) -> f32 {
        self.strokes[0].max(self.strokes[1])
    }
}

/// Where a stroke may be.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The sine and cosine of its angle.
    along: (f32, f32),
    /// How far it passes from the middle of the cell, and how far its own middle is from the line between its ends, as shares
    /// of the cell's side.
    aside: f32,
    bow: f32,
}

impl Line {
    /// The point that is `far` along the line, as a share of the cell's side; in pixels.
    fn at(&self, patch: &Patch, far: f32) -> (f32, f32) {
        let (sin, cos) = self.along;
        let off = self.aside + self.bow * (1.0 - (far / LENGTH).powi(2));
        ((far * cos - off * sin) * patch.cell, (far * sin + off * cos) * patch.cell)
    }
}

/// How much of the stroke near a diagonal, in degrees from a row, is drawn, for the line that is drawn most.
fn likeliest(diagonal: f32, drawn: impl Fn(Line) -> f32) -> f32 {
    let most = (ASIDE / STEP) as i32;
    let mut best = 0.0_f32;
    for turn in (-MOST_TURNED..=MOST_TURNED).step_by(TURN) {
        let along = (diagonal + turn as f32).to_radians().sin_cos();
        for aside in -most..=most {
            for bow in BOWS {
                best = best.max(drawn(Line { along, aside: aside as f32 * STEP, bow }));
            }
        }
    }
    best
}

/// How much of a stroke is drawn: the mean of its parts and its weakest part, in equal shares. A side that print hides says
/// nothing.
fn drawn(patch: &Patch, line: Line) -> f32 {
    let steps = ((LENGTH * patch.cell / PARTS as f32) as usize).max(4);
    let (mut weakest, mut sum, mut visible) = (1.0_f32, 0.0, 0);
    for side in [-1.0, 1.0] {
        let mut seen = 0;
        for part in 0..PARTS {
            let (mut stroke, mut free) = (0.0, 0.0);
            for n in 0..steps {
                let share = (part as f32 + (n as f32 + 0.5) / steps as f32) / PARTS as f32;
                let at = line.at(patch, side * share * LENGTH);
                if patch.print(at) == Print::Nothing {
                    stroke += patch.stroke_near(at);
                    free += 1.0;
                }
            }
            if free > steps as f32 * (1.0 - HIDDEN) {
                weakest = weakest.min(stroke / free);
                sum += stroke / free;
                seen += 1;
            }
        }
        if seen == 0 {
            return 0.0;
        }
        visible += seen;
    }
    (sum / visible as f32 + weakest) / 2.0
}

/// How much of the weaker side of a stroke is drawn, within or beyond a closed line. A side that print and the line hide is left
/// out.
fn drawn_over(patch: &Patch, line: Line, side: impl Fn((f32, f32)) -> Side) -> f32 {
    let steps = (LENGTH_BEYOND * patch.cell) as usize;
    let half = |sign: f32| {
        let (mut within, mut beyond) = ((0.0, 0.0), (0.0, 0.0));
        for n in 0..steps {
            let at = line.at(patch, sign * (n as f32 + 0.5) / patch.cell);
            if patch.print(at) != Print::Nothing {
                continue;
            }
            let sums = match side(at) {
                Side::Within => &mut within,
                Side::Beyond => &mut beyond,
                Side::On => continue,
            };
            sums.0 += patch.stroke_near(at);
            sums.1 += 1.0;
        }
        let share = |(stroke, free): (f32, f32)| (free * TIMES >= patch.cell).then(|| stroke / free);
        [share(within), share(beyond)].into_iter().flatten().reduce(f32::max)
    };
    [half(-1.0), half(1.0)].into_iter().flatten().reduce(f32::min).unwrap_or_default()
}
