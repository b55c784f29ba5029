//! What people drew in a cell: nothing, a circle or a square around its number, or a cross over it.

use super::cross::Cross;
use super::patch::Patch;
use super::ring::Ring;

/// A line around the number, or the strokes of a cross, are there if this share of them is drawn, and clearly not there if
/// less than the second share is.
const RING: (f32, f32) = (0.7, 0.42);
const CROSS: (f32, f32) = (0.72, 0.6);
/// One stroke alone that is drawn this much may be half a cross.
const ONE_STROKE: f32 = 0.85;
/// The least preference for a square over a circle or for a circle over a square.
const PREFERRED: f32 = 0.22;
/// The part of a cell in which unexplained ink is looked for, as a share of its side from the middle, and the most of that
/// part that may have some: a dot, or the ends of a neighbour's strokes.
const WITHIN: f32 = 0.4;
const STRAY: f32 = 0.05;
/// How far from a line its own ink reaches, as a share of the cell's side.
const OWN: f32 = 0.08;

/// A mark on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Square,
    Circle,
    Cross,
}

/// The likeliest mark on a cell, and whether it is sure.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkReading {
    pub(super) mark: Mark,
    pub(super) is_clear: bool,
}

/// Reads the mark on a cell.
pub(super) fn read(patch: &Patch) -> MarkReading {
    let cross = Cross::on(patch);
    if cross.drawn() >= CROSS.0 {
        return MarkReading { mark: Mark::Cross, is_clear: true };
    }
    let ring = Ring::around(patch);
    let is_crossed_once = cross.drawn() > CROSS.1 || cross.strongest() > ONE_STROKE;
    if ring.drawn >= RING.1 {
        let squareness = ring.squareness();
        let mark = if squareness > 0.0 { Mark::Square } else { Mark::Circle };
        let is_like = squareness.abs() >= PREFERRED && stray(patch, Some(&ring)) < STRAY;
        return MarkReading { mark, is_clear: ring.drawn >= RING.0 && is_like && !is_crossed_once };
    }
    if is_crossed_once {
        return MarkReading { mark: Mark::Cross, is_clear: false };
    }
    MarkReading { mark: Mark::Nothing, is_clear: stray(patch, None) < STRAY }
}

/// The share of a cell with ink that neither print nor a line around the number explains.
fn stray(patch: &Patch, ring: Option<&Ring>) -> f32 {
    let far = OWN * patch.cell;
    let (mut ink, mut all) = (0.0, 0.0);
    for at in patch.free_points(WITHIN) {
        all += 1.0;
        if !ring.is_some_and(|ring| ring.is_near(at, far)) {
            ink += patch.stroke(at);
        }
    }
    ink / f32::max(all, 1.0)
}
