//! The empty field: board, Homes, the circle in the middle, coordinates, the compass.

use crate::art::penguin::{colour, emblem};
use rookery_core::scene::{Point, Shape, Weight, ink, pt, tint};
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Seat};

use super::super::field::{board, centre, home};
use super::plan::{HALF, MIDDLE, Plan, diamond};

/// The families with a Home, and whether it is still defended.
pub(super) type Homes = Vec<(Seat, bool)>;

/// Draws the empty field; its origin is the upper left corner of the picture.
pub(super) fn art(plan: Plan, homes: &Homes) -> Vec<Shape> {
    let shadow = pt(MIDDLE.x, MIDDLE.y + 12.0);
    let out = HALF * 8.0 + 10.0;
    let mut art = vec![
        diamond(shadow, out + 2.0).fill(ink("shade")).stroke(ink("shade"), 10.0),
        diamond(MIDDLE, out).fill(ink("edge")).stroke(ink("edge"), 10.0),
    ];
    for cell in board().cells() {
        art.push(square(plan, cell));
    }
    for cell in centre() {
        art.push(diamond(plan.centre(cell), HALF + 0.35).fill(tint("centre", 0.8)));
    }
    for (seat, held) in homes {
        art.extend(home_art(plan.centre(home(homes.len(), *seat)), *seat, *held));
    }
    art.push(Shape::circle(MIDDLE, 1.62 * HALF).stroke(ink("circle"), 4.0));
    art.push(Shape::circle(MIDDLE, 7.0).fill(ink("circle")));
    art.extend(plan.labels().into_iter().map(|(text, at, near)| label(plan, text, at, near)));
    if !plan.plain {
        art.extend(compass(plan, pt(932.0, 112.0)));
    }
    art
}

fn square(plan: Plan, cell: Cell) -> Shape {
    let (col, row) = board().place(cell);
    let shade = if (col + row).is_multiple_of(2) { "square-dark" } else { "square-light" };
    // Slightly enlarged, so that no gap shows between two squares.
    diamond(plan.centre(cell), HALF + 0.35).fill(ink(shade))
}

fn home_art(at: Point, seat: Seat, held: bool) -> Vec<Shape> {
    let sign = if seat.number() == 3 { "dark" } else { "belly" };
    let share = if held { 1.0 } else { 0.3 };
    let mut art = vec![diamond(at, HALF + 0.35).fill(tint(colour(seat), share))];
    art.push(emblem(seat, at, 17.0, tint(sign, if held { 1.0 } else { 0.7 })));
    art
}

fn label(plan: Plan, text: String, at: Point, near: bool) -> Shape {
    let size = match (plan.large, near) {
        (true, true) => 46.0,
        (true, false) => 40.0,
        (false, true) => 30.0,
        (false, false) => 26.0,
    };
    let token = if near || plan.large { "label" } else { "far" };
    Shape::text(text, at, size, Weight::SemiBold).fill(ink(token))
}

/// The directions on the rotated board.
fn compass(plan: Plan, at: Point) -> Vec<Shape> {
    let mut art = vec![Shape::circle(at, 82.0).fill(ink("panel"))];
    for (dir, (name, ..)) in COMPASS.iter().enumerate() {
        let main = name.len() == 1;
        let (token, size, width) = if main { ("label", 27.0, 6.0) } else { ("dim", 22.0, 4.0) };
        let far = if main { 60.0 } else { 58.0 };
        art.push(Shape::text(*name, plan.off(at, dir, far), size, Weight::SemiBold).fill(ink(token)));
        let [from, to] = [12.0, if main { 36.0 } else { 31.0 }].map(|far| plan.off(at, dir, far));
        art.push(Shape::line(from, to).stroke(ink(token), width));
    }
    art
}
