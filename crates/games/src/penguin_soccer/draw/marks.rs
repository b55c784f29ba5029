//! Marks for the player who selects a move, and the owners of squares.

use crate::art::pattern::{Area, Edge, Pattern};
use crate::art::penguin::{colour, emblem, on_colour};
use crate::art::pointer::{degrees, pointer};
use rookery_core::Seat;
use rookery_core::scene::{MarkKind, Shape, Stamp, Weight, ink, pt, tint};

use super::plan::{HALF, diamond};
use super::trace::LIT_OUTLINE;

/// A square tinted by a family, with its emblem in the lower corner; strength in quarters.
pub(super) fn owner(seat: Seat, quarters: u8) -> Stamp {
    Stamp::new(format!("soccer/owner-{seat}-{quarters}"), (HALF, HALF), move || {
        let strength = f32::from(quarters);
        let (middle, frame, at) = (pt(0.0, 0.0), 3.0 * strength, pt(0.0, 29.0));
        vec![
            diamond(middle, HALF).fill(tint(colour(seat), 0.08 * strength)),
            diamond(middle, HALF - frame * 0.71).stroke(ink(colour(seat)), frame),
            emblem(seat, at, 12.5, on_colour(seat)),
            emblem(seat, at, 9.5, ink(colour(seat))),
        ]
    })
}

/// The same with the family's pattern, which replaces the emblem.
pub(super) fn owner_patterned(seat: Seat, quarters: u8) -> Stamp {
    Stamp::new(format!("soccer/owner-{seat}-{quarters}-patterned"), (HALF, HALF), move || {
        let strength = f32::from(quarters);
        let tinted = diamond(pt(0.0, 0.0), HALF).fill(tint(colour(seat), 0.08 * strength));
        std::iter::once(tinted).chain(frame(seat, 0.0, 9.0 + 2.0 * strength)).collect()
    })
}

/// The frame of the penguin on a square, in its family's pattern; inside the outline of the last move, if that changed
/// the square.
pub(super) fn stands(seat: Seat, is_lit: bool) -> Stamp {
    let lit = if is_lit { "-lit" } else { "" };
    let outer = if is_lit { LIT_OUTLINE } else { 0.0 };
    Stamp::new(format!("soccer/stands-{seat}{lit}"), (HALF, HALF), move || frame(seat, outer, 15.0))
}

/// A frame at this distance from the edge, in a family's colour with its pattern.
fn frame(seat: Seat, outer: f32, width: f32) -> Vec<Shape> {
    // A diamond's corners are farther away than its sides.
    let inset = |by: f32| diamond(pt(0.0, 0.0), HALF - (outer + by) * std::f32::consts::SQRT_2);
    let band = inset(width / 2.0).stroke(ink(colour(seat)), width);
    let area = Edge::of(&inset(0.0)).map(|edge| Area::along(edge, width));
    let marks = area.map(|area| Pattern::of(seat).marks(&area, on_colour(seat)));
    std::iter::once(band).chain(marks.into_iter().flatten()).collect()
}

/// Draws the layer under the pieces: the chosen square, and dots on free squares.
pub(super) fn under(kind: &MarkKind, taken: bool) -> Option<Stamp> {
    let middle = pt(0.0, 0.0);
    match kind {
        MarkKind::Chosen => Some(Stamp::new("soccer/chosen", (HALF, HALF), move || {
            let outline = diamond(middle, HALF - 6.0).stroke(ink("line"), 8.0);
            vec![diamond(middle, HALF).fill(tint("lit", 0.75)), outline]
        })),
        MarkKind::Goal if !taken => Some(Stamp::new("soccer/goal-dot", (18.0, 18.0), move || {
            vec![Shape::circle(middle, 14.0).fill(tint("mark", 0.7))]
        })),
        _ => None,
    }
}

/// Draws the layer over the pieces: rings, and labels as badges on occupied squares.
pub(super) fn over(kind: &MarkKind, taken: bool) -> Option<Stamp> {
    match kind {
        MarkKind::Goal if taken => Some(Stamp::new("soccer/goal-ring", (HALF, HALF), || {
            vec![diamond(pt(0.0, 0.0), HALF - 6.0).stroke(ink("mark"), 7.0)]
        })),
        MarkKind::Facing { label, heading } => Some(facing(label, *heading)),
        _ => kind.label().map(|label| badge(label, kind.heading(), taken)),
    }
}

fn badge(label: &str, heading: Option<u8>, taken: bool) -> Stamp {
    let name = format!("soccer/label-{label}-{heading:?}-{taken}");
    let label = label.to_owned();
    let (at, radius, size) = if taken { (pt(36.0, -20.0), 17.0, 27.0) } else { (pt(0.0, 0.0), 30.0, 42.0) };
    Stamp::new(name, (HALF, HALF + 4.0), move || {
        let points = |heading| pointer(at, (radius, radius + 16.0), degrees(heading, false), ink("mark"));
        let disc = Shape::circle(at, radius).fill(ink("mark")).stroke(ink("sign"), 3.0);
        let text = Shape::text(&*label, at, size, Weight::Bold).fill(ink("sign"));
        heading.map(points).into_iter().chain([disc, text]).collect()
    })
}

/// A badge beside a penguin, in the direction that it would face.
fn facing(label: &str, heading: u8) -> Stamp {
    let label = label.to_owned();
    let (radius, reach) = (19.0, HALF + 8.0);
    let (sin, cos) = (f32::from(heading) * 45.0).to_radians().sin_cos();
    let at = pt(sin * reach, -cos * reach);
    let half = reach + radius + 14.0;
    Stamp::new(format!("soccer/facing-{label}-{heading}"), (half, half), move || {
        let point = pointer(at, (radius, radius + 11.0), degrees(heading, false), ink("mark"));
        let disc = Shape::circle(at, radius).fill(ink("mark")).stroke(ink("sign"), 3.0);
        let text = Shape::text(&*label, at, 28.0, Weight::Bold).fill(ink("sign"));
        vec![point, disc, text]
    })
}
