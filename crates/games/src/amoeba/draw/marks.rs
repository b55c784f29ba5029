//! Marks for the player who selects a move, and the owners of points.

use rookery_core::scene::{MarkKind, Shape, Stamp, Weight, ink, pt, tint};

use super::super::rules::Side;
use super::patterns;
use super::plan::Plan;
use super::stacks::{DISC, tokens};
use crate::art::pointer::{degrees, pointer};

/// A point tinted by its owner: a disc of the side's colour, striped for the side at the top; strength in quarters.
pub(super) fn owner(plan: Plan, side: Side, quarters: u8) -> Stamp {
    let name = format!("amoeba/owner-{}-{quarters}{}", side.index(), plan.patterned());
    Stamp::new(name, (62.0, 62.0), move || {
        let token = tokens(side).face;
        // A fainter tint lets the marks stand out.
        let share = if plan.patterns { 0.1 } else { 0.17 };
        let disc = Shape::circle(pt(0.0, 0.0), 50.0).fill(tint(token, share * f32::from(quarters)));
        let disc = if side == Side::Top {
            disc.dashed(ink(token), 5.0, 10.0, 12.0)
        } else {
            disc.stroke(ink(token), 5.0)
        };
        let marks = (plan.patterns && quarters > 0).then(|| patterns::wash(side));
        std::iter::once(disc).chain(marks.into_iter().flatten()).collect()
    })
}

/// Draws the layer under the stacks: dots on free points.
pub(super) fn under(kind: &MarkKind, taken: bool) -> Option<Stamp> {
    (*kind == MarkKind::Goal && !taken).then(|| {
        Stamp::new("amoeba/goal-dot", (22.0, 22.0), || {
            vec![Shape::circle(pt(0.0, 0.0), 17.0).fill(ink("mark"))]
        })
    })
}

/// Draws the layer over the top disc of a stack: rings and labels.
pub(super) fn over(kind: &MarkKind, taken: bool) -> Option<Stamp> {
    match kind {
        MarkKind::Chosen => Some(ring("amoeba/chosen", 11.0)),
        MarkKind::Goal if taken => Some(ring("amoeba/goal-ring", 7.0)),
        MarkKind::Goal => None,
        MarkKind::Label(_) | MarkKind::Direction { .. } | MarkKind::Facing { .. } => {
            kind.label().map(|label| badge(label, kind.heading(), taken))
        }
    }
}

fn ring(name: &'static str, width: f32) -> Stamp {
    Stamp::new(name, (60.0, 60.0), move || {
        let ring = |token, width| Shape::circle(pt(0.0, 0.0), DISC + 4.0).stroke(ink(token), width);
        vec![ring("sign", width + 5.0), ring("mark", width)]
    })
}

fn badge(label: &str, heading: Option<u8>, taken: bool) -> Stamp {
    let name = format!("amoeba/label-{label}-{heading:?}-{taken}");
    let label = label.to_owned();
    let (at, radius, size) = if taken { (pt(40.0, -40.0), 21.0, 32.0) } else { (pt(0.0, 0.0), 33.0, 44.0) };
    let size = if label.len() > 1 { size * 0.78 } else { size };
    Stamp::new(name, (66.0, 66.0), move || {
        let points = |heading| pointer(at, (radius, radius + 16.0), degrees(heading, true), ink("mark"));
        let disc = Shape::circle(at, radius).fill(ink("mark")).stroke(ink("sign"), 3.0);
        let text = Shape::text(&*label, at, size, Weight::Bold).fill(ink("sign"));
        heading.map(points).into_iter().chain([disc, text]).collect()
    })
}
