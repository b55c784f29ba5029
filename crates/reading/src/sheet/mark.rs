//! What people drew in a cell: nothing, a circle or a square around its number, or a cross over it.

use super::cross::Cross;
use super::patch::Patch;
use super::ring::{Ring, Side};

/// A closed line is there if this share of it is drawn, and is not there if less than the second share is.
const RING: (f32, f32) = (0.7, 0.5);
/// A cross on a cell without a closed line is there if this share of its weaker stroke is drawn, and may be there if the second
/// share is.
const CROSS: (f32, f32) = (0.72, 0.6);
/// A single stroke that is drawn this much may be half a cross.
const ONE_STROKE: f32 = 0.85;
/// What tells a cross over a closed line from the line alone: how much of its weaker stroke is drawn, and the share of the
/// paper within the line that has ink, each at least; there surely is one, or there may be one.
const SURELY_OVER: [(f32, f32); 3] = [(0.85, 0.02), (0.7, 0.05), (0.5, 0.09)];
const MAYBE_OVER: [(f32, f32); 3] = [(0.85, 0.008), (0.4, 0.012), (0.2, 0.03)];
/// A cross may also be over a line that leaves little room around the number, if this much of its weaker stroke is drawn, and
/// this share of the paper beyond the line has ink.
const MAYBE_BEYOND: (f32, f32) = (0.7, 0.04);
/// The largest share of the paper within a closed line alone that has ink.
const WITHIN_ALONE: f32 = 0.04;
/// The squareness between a circle's and a square's, and how far from it either is.
const SQUARENESS: f32 = 0.2;
const PREFERRED: f32 = 0.12;
/// The part of a cell in which ink is looked for, as a share of its side from the middle, and the most of that part that may
/// have some if nothing is drawn there: a dot, or the ends of a neighbour's strokes.
const PART: f32 = 0.44;
const STRAY: f32 = 0.045;
/// How far from a line's stroke its own ink may reach, and usually reaches, as shares of the cell's side.
const OWN: [f32; 2] = [0.055, 0.035];

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
    let ring = Ring::around(patch);
    let [own, far] = OWN.map(|share| share * patch.cell + ring.width / 2.0);
    if ring.drawn < RING.1 {
        return open(patch);
    }
    let cross = Cross::over(patch, &ring, far).drawn();
    let ink_on = |side| share_of_ink(patch, |at| ring.side(at, own) == side);
    let ink = ink_on(Side::Within);
    let is_over = |least: &[(f32, f32)]| least.iter().any(|least| cross >= least.0 && ink >= least.1);
    if is_over(&SURELY_OVER) {
        return MarkReading { mark: Mark::Cross, is_clear: true };
    }
    let squareness = ring.squareness() - SQUARENESS;
    let mark = match squareness {
        _ if is_over(&MAYBE_OVER) => Mark::Cross,
        _ if cross >= MAYBE_BEYOND.0 && ink_on(Side::Beyond) >= MAYBE_BEYOND.1 => Mark::Cross,
        0.0.. => Mark::Square,
        _ => Mark::Circle,
    };
    let is_alone = mark != Mark::Cross && ink < WITHIN_ALONE;
    MarkReading { mark, is_clear: is_alone && ring.drawn >= RING.0 && squareness.abs() >= PREFERRED }
}

/// Reads a cell without a closed line.
fn open(patch: &Patch) -> MarkReading {
    let cross = Cross::on(patch);
    if cross.drawn() >= CROSS.0 {
        return MarkReading { mark: Mark::Cross, is_clear: true };
    }
    if cross.drawn() >= CROSS.1 || cross.strongest() >= ONE_STROKE {
        return MarkReading { mark: Mark::Cross, is_clear: false };
    }
    MarkReading { mark: Mark::Nothing, is_clear: share_of_ink(patch, |_| true) < STRAY }
}

/// The share of some of a cell's points that have ink, of those where nothing is printed.
fn share_of_ink(patch: &Patch, is_counted: impl Fn((f32, f32)) -> bool) -> f32 {
    let (mut ink, mut all) = (0.0, 0.0);
    for at in patch.free_points(PART).filter(|at| is_counted(*at)) {
        ink += patch.stroke(at);
        all += 1.0;
    }
    ink / f32::max(all, 1.0)
}
