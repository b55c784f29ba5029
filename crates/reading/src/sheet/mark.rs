//! What people drew in a cell: nothing, a circle or a square around its number, or a cross over it.

use super::cross::Lines;
use super::patch::Patch;
use super::ring::{Rays, Ring};

/// The part of a cell in which ink is looked for, as a share of its side from the middle, and the share of that part that may
/// have some if nothing is drawn there.
const PART: f32 = 0.44;
const CLEAN: f32 = 0.004;
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

impl Mark {
    pub(super) const ALL: [Mark; 4] = [Mark::Nothing, Mark::Square, Mark::Circle, Mark::Cross];
}

/// Where strokes are looked for in all cells of one size.
pub(super) struct Template {
    lines: Lines,
    rays: Rays,
}

impl Template {
    pub(super) fn new(patch: &Patch) -> Template {
        Template { lines: Lines::new(patch), rays: Rays::new(patch) }
    }
}

/// How unlikely each mark is on a cell, in the order of [`Mark::ALL`]: the negative logarithm of its probability against that of
/// the likeliest mark, at most `MAX_COST`.
pub(super) type Costs = [f32; 4];

/// How unlikely a mark can be: one in 20,000 is what could be learned from some thousands of cells.
pub(super) const MAX_COST: f32 = 10.0;

/// What is seen on a cell.
#[derive(Clone, Copy, Debug)]
struct Traces {
    /// The share of the paper that has ink.
    ink: f32,
    /// How much of a closed line is drawn, and how much more it is like a square than like a circle.
    ring: f32,
    squareness: f32,
    /// How much of the weaker and of the stronger stroke of a cross is drawn within and beyond the closed line.
    cross: [f32; 2],
    /// The share of the paper within the closed line, and beyond it, that has ink.
    within: f32,
    beyond: f32,
}

/// Reads the mark on a cell.
pub(super) fn costs(patch: &Patch, template: &Template) -> Costs {
    Traces::on(patch, template).map_or([0.0, MAX_COST, MAX_COST, MAX_COST], |traces| traces.costs())
}

impl Traces {
    /// What is seen on a cell; `None` if it is clean.
    fn on(patch: &Patch, template: &Template) -> Option<Traces> {
        let ink = share_of_ink(patch, |_| true);
        if ink < CLEAN {
            return None;
        }
        let ring = Ring::around(patch);
        let [own, far] = OWN.map(|share| share * patch.cell + ring.width / 2.0);
        let beyond = ring.beyond(&template.rays);
        Some(Traces {
            ink,
            ring: ring.drawn,
            squareness: ring.squareness(),
            cross: template.lines.drawn(patch, &beyond, far),
            within: share_of_ink(patch, |pixel| beyond[pixel] < -own),
            beyond: share_of_ink(patch, |pixel| beyond[pixel] > own),
        })
    }

    /// How unlikely each mark is: whether something is drawn, whether that is a cross, and which closed line it is otherwise, each
    /// by a logistic regression. The weights were fitted to the 10,200 cells of 150 simulated photographs, seeds 1,000 to 1,149 in
    /// the usual manner.
    fn costs(&self) -> Costs {
        let [weaker, stronger] = self.cross;
        let ink = (self.ink + 0.01).ln();
        let drawn = 2.7 * ink + 7.9 * self.ring + 5.2 * weaker + 4.3;
        let crossed = 6.8 * weaker
            + 12.7 * stronger
            + 1.8 * (self.within + 0.01).ln()
            + 1.7 * (self.beyond + 0.02).ln()
            - 5.0 * self.ring.min(0.8)
            - 1.8 * ink
            + 3.2;
        let square = 11.0 * (self.squareness - 0.16);
        let ring = unlikely(drawn) + unlikely(-crossed);
        let all = [
            unlikely(-drawn),
            ring + unlikely(square),
            ring + unlikely(-square),
            unlikely(drawn) + unlikely(crossed),
        ];
        let least = all.into_iter().fold(f32::MAX, f32::min);
        all.map(|cost| (cost - least).min(MAX_COST))
    }
}

/// The negative logarithm of a probability with these log odds.
fn unlikely(odds: f32) -> f32 {
    (-odds.abs()).exp().ln_1p() + (-odds).max(0.0)
}

/// The share of some of a cell's pixels that have ink, of those where nothing is printed.
fn share_of_ink(patch: &Patch, is_counted: impl Fn(usize) -> bool) -> f32 {
    let (mut ink, mut all) = (0.0, 0.0);
    for at in patch.free_points(PART).filter(|at| is_counted(patch.index(*at))) {
        ink += patch.stroke(at);
        all += 1.0;
    }
    ink / f32::max(all, 1.0)
}
