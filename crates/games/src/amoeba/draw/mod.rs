//! The dish as a picture: a net of points, stacks with all their levels, the last move, and in the upper corners the
//! number of stacks that each side controls.

mod ground;
mod marks;
mod patterns;
mod plan;
mod stacks;
#[cfg(test)]
mod tests;
mod themes;
mod trace;

pub(super) use themes::THEMES;

use crate::art::pattern::{Area, Edge};
use rookery_core::position::LastMove;
use rookery_core::scene::{
    Anchor, DrawOptions, MarkKind, Outline, Point, Scene, Shape, Stamp, Theme, Weight, ink, pt,
};
use rookery_core::{Cell, Position, Seat};

use super::rules::{AmoebaPosition, Side, Stack};
use plan::{HEIGHT, MIDDLE, Plan, WIDTH};

/// Offset of the symbol of a buried Kernel, beside and below the middle of a stack.
const BURIED: (f32, f32) = (46.0, 28.0);

/// The position as a drawing.
pub(super) fn scene(
    position: &AmoebaPosition,
    look: &DrawOptions,
    last: Option<LastMove<'_, AmoebaPosition>>,
) -> Scene {
    let theme = Theme::named(THEMES, &look.theme);
    let plan = Plan::new(Side::BOTH[position.side(look.side)], look);
    let last = last.filter(|_| !plan.plain).map(|last| last.played);
    let mut scene = Scene::new(WIDTH, HEIGHT, theme, "ground");
    scene.stamp(ground(plan), pt(0.0, 0.0));
    owners(&mut scene, plan, position, look);
    if let Some(last) = last {
        trace::under(&mut scene, plan, position, last);
    }
    marked(&mut scene, plan, position, look, marks::under);
    draw_pieces(&mut scene, plan, position);
    if let Some(last) = last {
        trace::over(&mut scene, plan, position, last);
    }
    buried(&mut scene, plan, position);
    marked(&mut scene, plan, position, look, marks::over);
    if !plan.plain && look.strip {
        let to_move = look.to_move(position).map(|seat| Side::BOTH[position.side(seat)]);
        chips(&mut scene, position, plan, to_move);
    }
    scene
}

/// The direction, in eighths clockwise from up, from one point to another on the drawing for a seat.
pub(super) fn heading(position: &AmoebaPosition, side: Seat, from: Cell, to: Cell) -> u8 {
    Plan::new(Side::BOTH[position.side(side)], &DrawOptions::from_seat(side)).heading(from, to)
}

/// A side's Kernel on its disc.
pub(super) fn emblem(position: &AmoebaPosition, seat: Seat) -> Stamp {
    let side = Side::BOTH[position.side(seat)];
    let name = format!("amoeba/emblem-{}", side.index());
    Stamp::new(name, (28.0, 28.0), move || sign(side, pt(0.0, 0.0), false))
}

/// A side's Kernel on its disc, or its pattern.
fn sign(side: Side, at: Point, patterns: bool) -> Vec<Shape> {
    let tokens = stacks::tokens(side);
    let disc = Shape::circle(at, 25.0).fill(ink(tokens.face)).stroke(ink(tokens.edge), 3.0);
    let on_it = if patterns {
        patterns::pattern(side).marks(&Area::within(Edge::circle(at, 24.0)), ink(tokens.ink))
    } else {
        stacks::kernel(at, 0.55, tokens.ink, tokens.face)
    };
    std::iter::once(disc).chain(on_it).collect()
}

fn ground(plan: Plan) -> Stamp {
    let turned = if plan.flipped { "-turned" } else { "" };
    let name = format!("amoeba/ground-{}{turned}", plan.suffix());
    Stamp::new(name, (WIDTH, HEIGHT), move || ground::art(plan))
}

fn owners(scene: &mut Scene, plan: Plan, position: &AmoebaPosition, look: &DrawOptions) {
    for (cell, seat, quarters) in look.owned() {
        scene.stamp(marks::owner(plan, Side::BOTH[position.side(seat)], quarters), plan.centre(cell));
    }
}

type Marker = fn(&MarkKind, bool) -> Option<Stamp>;

/// Marks on the top disc of a stack, or on the point.
fn marked(scene: &mut Scene, plan: Plan, position: &AmoebaPosition, look: &DrawOptions, marker: Marker) {
    for mark in &look.marks {
        let stack = position.stack(mark.cell);
        if let Some(stamp) = marker(&mark.kind, !stack.is_empty()) {
            scene.stamp(stamp, on_top(plan, mark.cell, stack));
        }
    }
}

fn on_top(plan: Plan, cell: Cell, stack: Stack) -> Point {
    let (at, top) = (plan.centre(cell), stacks::top(stack));
    pt(at.x + top.x, at.y + top.y)
}

/// Stacks from the far row to the near one.
fn draw_pieces(scene: &mut Scene, plan: Plan, position: &AmoebaPosition) {
    let mut stacks: Vec<_> = position.stacks().map(|(cell, stack)| (plan.centre(cell), stack)).collect();
    stacks.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y));
    for (at, stack) in stacks {
        scene.stamp(stacks::stamp(plan, stack), at);
    }
}

/// A symbol beside each stack that contains a buried Kernel, clear of the ring of the last move, on the side towards
/// the middle of the board: the names at the ends of the rows are on the other side.
fn buried(scene: &mut Scene, plan: Plan, position: &AmoebaPosition) {
    for (cell, stack) in position.stacks() {
        let at = plan.centre(cell);
        let aside = if at.x < MIDDLE.x { BURIED.0 } else { -BURIED.0 };
        let below = stack.pieces().rev().skip(1).filter(|piece| piece.kernel);
        for (n, piece) in below.enumerate() {
            scene.stamp(stacks::buried(piece.side), pt(at.x + aside, at.y + BURIED.1 - 44.0 * n as f32));
        }
    }
}

/// Draws each side's number of stacks, the viewer's on the left; an outline marks the side to move.
fn chips(scene: &mut Scene, position: &AmoebaPosition, plan: Plan, to_move: Option<Side>) {
    let own = if plan.flipped { Side::Top } else { Side::Bottom };
    for (side, left) in [(own, 24.0), (own.other(), 826.0)] {
        let to_move = to_move == Some(side);
        let name = format!("amoeba/chip-{}-{to_move}{}", side.index(), plan.patterned());
        let chip = Stamp::new(name, (104.0, 42.0), move || chip(side, to_move, plan.patterns));
        scene.stamp(chip, pt(left + 100.0, 62.0));
        let count = position.controlled(side).to_string();
        let name = format!("amoeba/chip-count-{count}");
        let numeral = Stamp::new(name, (60.0, 30.0), move || {
            let (at, size, weight, anchor) = (pt(0.0, 0.0), 40.0, Weight::Bold, Anchor::Left);
            let outline = Outline::Text { text: count.clone(), at, size, weight, anchor };
            vec![Shape::new(outline).fill(ink("panel-text"))]
        });
        scene.stamp(numeral, pt(left + 92.0, 62.0));
    }
}

fn chip(side: Side, to_move: bool, patterns: bool) -> Vec<Shape> {
    let plate = Shape::rect(pt(-100.0, -38.0), 200.0, 76.0, 24.0).fill(ink("panel"));
    let plate = if to_move { plate.stroke(ink("turn"), 5.0) } else { plate };
    std::iter::once(plate).chain(sign(side, pt(-56.0, 0.0), patterns)).collect()
}
