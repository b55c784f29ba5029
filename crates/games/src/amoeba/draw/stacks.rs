//! Stacks of discs in perspective: every level shows its colour at the side, the top disc its Kernel or the height of
//! the stack.

use rookery_core::scene::{Outline, Point, Shape, Stamp, Weight, ink, pt};

use super::super::rules::{Piece, Side, Stack};
use super::patterns;
use super::plan::Plan;

/// Radius of a disc.
pub(super) const DISC: f32 = 44.0;
/// The height of a level in stacks of up to four; taller stacks are compressed.
const LEVEL: f32 = 13.0;
/// The maximum distance from the top to the bottom disc.
const TALLEST: f32 = 62.0;

/// A stack around its point.
pub(super) fn stamp(plan: Plan, stack: Stack) -> Stamp {
    let letters: String = stack.pieces().map(Piece::letter).collect();
    let name = format!("amoeba/stack-{letters}-{}{}", plan.suffix(), plan.patterned());
    Stamp::new(name, (DISC + 4.0, DISC + TALLEST + 16.0), move || art(plan, stack))
}

/// The vertical distance between levels.
fn level(stack: Stack) -> f32 {
    LEVEL.min(TALLEST / (stack.height() as f32 - 1.0).max(1.0))
}

/// The centre of the top disc: stacks are centred on their points.
pub(super) fn top(stack: Stack) -> Point {
    pt(0.0, -level(stack) * stack.height().saturating_sub(1) as f32 / 2.0)
}

fn art(plan: Plan, stack: Stack) -> Vec<Shape> {
    let step = level(stack);
    let bottom = -top(stack).y;
    let mut art = Vec::new();
    let last = stack.height().saturating_sub(1);
    for (n, piece) in stack.pieces().enumerate() {
        let at = pt(0.0, bottom - step * n as f32);
        // A rim of the face below remains visible above each side, so that levels of one colour can be counted.
        let thick = if n == 0 { 10.0 } else { step * 0.5 };
        // Patterns replace the ring.
        art.extend(disc(at, piece.side, thick, (step * 0.28).min(3.5), n == last && !plan.patterns));
        art.extend(patterns::belt(at, piece.side, thick).filter(|_| plan.patterns));
        if piece.kernel && n != last {
            art.push(kernel_level(at, piece.side, thick));
        }
    }
    if let Some(piece) = stack.pieces().next_back() {
        let marks = plan.patterns.then(|| patterns::face(top(stack), piece.side, stack));
        art.extend(marks.into_iter().flatten().chain(face(plan, stack, piece)));
    }
    art
}

/// One disc with its side below it and edges of this width.
fn disc(at: Point, side: Side, thick: f32, width: f32, ring: bool) -> Vec<Shape> {
    let tokens = tokens(side);
    let edge = ink(tokens.edge);
    let body = |y: f32, token| Shape::circle(pt(at.x, at.y + y), DISC).fill(ink(token)).stroke(edge, width);
    let belt = Shape::rect(pt(at.x - DISC, at.y), 2.0 * DISC, thick, 0.0).fill(ink(tokens.side));
    let mut art = vec![body(thick, tokens.side), belt, body(0.0, tokens.face)];
    if ring {
        art.push(Shape::circle(at, DISC - 9.0).stroke(ink(tokens.ring), 3.0));
    }
    art
}

/// A mark on the front of a disc's side: this one in the stack is the Kernel.
fn kernel_level(at: Point, side: Side, thick: f32) -> Shape {
    let (width, height) = (36.0, thick.min(7.0));
    let corner = pt(at.x - width / 2.0, at.y + DISC + (thick - height) / 2.0);
    Shape::rect(corner, width, height, height / 2.0).fill(ink(tokens(side).kernel))
}

/// Draws the symbol on the top disc: a Kernel, the height, or both.
fn face(plan: Plan, stack: Stack, piece: Piece) -> Vec<Shape> {
    let at = top(stack);
    let tokens = tokens(piece.side);
    let size = if plan.large { 54.0 } else { 44.0 };
    let height = stack.height().to_string();
    if !piece.kernel {
        let numeral = Shape::text(height, at, size, Weight::Bold).fill(ink(tokens.ink));
        return if stack.height() > 1 { vec![numeral] } else { Vec::new() };
    }
    let mut art = kernel(at, 1.0, tokens.ink, tokens.face);
    if stack.height() > 1 {
        // Two digits need room that the tips of the arms would take.
        let two = stack.height() >= 10;
        let (hole, size) = match (plan.large, two) {
            (true, false) => (18.0, 34.0),
            (false, false) => (16.5, 30.0),
            (true, true) => (25.0, 34.0),
            (false, true) => (22.0, 30.0),
        };
        art.push(Shape::circle(at, hole).fill(ink(tokens.face)));
        art.push(Shape::text(height, at, size, Weight::Bold).fill(ink(tokens.ink)));
    }
    art
}

/// A Kernel: a nucleus with four arms and a hole.
pub(super) fn kernel(at: Point, scale: f32, token: &'static str, hole: &'static str) -> Vec<Shape> {
    let arm = [(-3.4, -26.8), (3.4, -26.8), (11.9, -15.4), (15.4, -11.9), (26.8, -3.4)];
    let quarter = |turn: usize| {
        arm.into_iter().map(move |(x, y)| match turn {
            0 => (x, y),
            1 => (-y, x),
            2 => (-x, -y),
            _ => (y, -x),
        })
    };
    let points: Vec<Point> =
        (0..4).flat_map(quarter).map(|(x, y)| pt(at.x + scale * x, at.y + scale * y)).collect();
    let body = Shape::new(Outline::Lines { points, closed: true });
    vec![
        body.fill(ink(token)).stroke(ink(token), 3.0 * scale),
        Shape::circle(at, 9.5 * scale).fill(ink(hole)),
    ]
}

/// The colours of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens {
    pub(super) face: &'static str,
    pub(super) ink: &'static str,
    pub(super) side: &'static str,
    pub(super) edge: &'static str,
    pub(super) ring: &'static str,
    pub(super) kernel: &'static str,
}

/// The colours of this side.
pub(super) fn tokens(side: Side) -> Tokens {
    match side {
        Side::Bottom => Tokens {
            face: "a-face",
            ink: "a-ink",
            side: "a-side",
            edge: "a-edge",
            ring: "a-ring",
            kernel: "a-kernel",
        },
        Side::Top => Tokens {
            face: "b-face",
            ink: "b-ink",
            side: "b-side",
            edge: "b-edge",
            ring: "b-ring",
            kernel: "b-kernel",
        },
    }
}

/// A small Kernel beside a stack in which one is buried.
pub(super) fn buried(side: Side) -> Stamp {
    Stamp::new(format!("amoeba/buried-{}", side.index()), (24.0, 24.0), move || {
        let tokens = tokens(side);
        let middle = pt(0.0, 0.0);
        let disc = |radius, token| Shape::circle(middle, radius).fill(ink(token));
        // The face is visible around a small nucleus, and both tones of the side contrast with anything below.
        let mut art = vec![disc(22.0, tokens.edge), disc(19.5, tokens.ink), disc(16.5, tokens.face)];
        art.extend(kernel(middle, 0.4, tokens.ink, tokens.face));
        art
    })
}
