//! What people drew in a cell: nothing, a circle or a square around its number, or a cross over it.

use super::cross::Cross;
use super::patch::Patch;
use super::ring::Ring;

/// A closed line is there if this share of it is drawn, and is not there if less than the second share is.
const RING: (f32, f32) = (0.7, 0.5);
/// A cross on a cell without a closed line is there if this share of its weaker stroke is drawn, and may be there if the second
/// share is.
const CROSS: (f32, f32) = (0.72, 0.6);
/// A single stroke that is drawn this much may be half a cross.
const ONE_STROKE: f32 = 0.85;
/// What tells a cross over a closed line from the line alone: the least share of the weaker stroke that is drawn, and the
/// least share of the ink that is not the line's own.
const SURELY_OVER: [(f32, f32); 3] = [(0.9, 0.02), (0.65, 0.035), (0.5, 0.09)];
const MAYBE_OVER: [(f32, f32); 4] = [(0.9, 0.008), (0.65, 0.02), (0.5, 0.03), (0.3, 0.05)];
/// The least share of the ink that is not the line's own if there is something else as well, such as a second line.
const SOMETHING: f32 = 0.09;
/// The squareness between a circle's and a square's, and how far from it either is.
const SQUARENESS: f32 = 0.2;
const PREFERRED: f32 = 0.12;
/// The part of a cell in which unexplained ink is looked for, as a share of its side from the middle, and the most of that
/// part that may have some: a dot, or the ends of a neighbour's strokes.
const WITHIN: f32 = 0.44;
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
    if std::env::var("DBG").is_ok() { let cross = Cross::on(patch); let over = Cross::over(patch, &ring, far); eprint!("{:.2} {:.2} {:.2} {:.2} {:.3} {:.3} {:.2} {:.2} ", cross.drawn(), cross.strongest(), ring.drawn, ring.squareness(), stray(patch, Some((&ring, own))), stray(patch, None), over.drawn(), over.strongest()); }
    if ring.drawn < RING.1 {
        return open(patch);
    }
    let cross = Cross::over(patch, &ring, far).drawn();
    let rest = stray(patch, Some((&ring, own))) / stray(patch, None).max(f32::MIN_POSITIVE);
    let is_over = |least: &[(f32, f32)]| least.iter().any(|least| cross >= least.0 && rest >= least.1);
    if is_over(&SURELY_OVER) {
        return MarkReading { mark: Mark::Cross, is_clear: true };
    }
    let squareness = ring.squareness() - SQUARENESS;
    let mark = match squareness {
        _ if is_over(&MAYBE_OVER) => Mark::Cross,
        0.0.. => Mark::Square,
        _ => Mark::Circle,
    };
    let is_alone = mark != Mark::Cross && rest < SOMETHING;
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
    MarkReading { mark: Mark::Nothing, is_clear: stray(patch, None) < STRAY }
}

/// The share of a cell with ink that neither print nor a closed line explains, whose own stroke reaches some pixels to both
/// sides.
fn stray(patch: &Patch, ring: Option<(&Ring, f32)>) -> f32 {
    let (mut ink, mut all) = (0.0, 0.0);
    for at in patch.free_points(WITHIN) {
        all += 1.0;
        if !ring.is_some_and(|(ring, own)| ring.is_near(at, own)) {
            ink += patch.stroke(at);
        }
    }
    ink / f32::max(all, 1.0)
}
