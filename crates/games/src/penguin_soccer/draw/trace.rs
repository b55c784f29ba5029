//! The last move: a slide with its path, a kick in dashes, pushes, and penguins that stood up.

use rookery_core::scene::{Item, Outline, Point, Scene, Shape, Stamp, ink, pt, tint};
use rookery_core::{Cell, Dir};

use super::super::field::{Size, Stop, board};
use super::super::rules::{Act, Move, SoccerPosition, origin};
use super::pieces::{reach, upright};
use super::plan::{HALF, Plan, diamond};

/// The distance between a square's edge and the outline of the last move.
pub(super) const LIT_OUTLINE: f32 = 7.0;

/// The effects of a move, read from the position before it.
pub(super) fn draw(scene: &mut Scene, plan: Plan, before: &SoccerPosition, m: Move) {
    let from = plan.centre(origin(before, m.size));
    match m.act {
        Act::Stand => scene.stamp(lit(), from),
        Act::Kick { dir } => {
            let Some(cell) = before.holds(m.size) else { return };
            let Some(rest) = before.field().kick(cell, dir, m.size) else { return };
            let to = plan.centre(rest);
            scene.stamp(lit(), from);
            scene.stamp(lit(), to);
            // The line begins at the beak of the kicker, which now faces that way.
            let start = plan.off(from, dir, reach(m.size) + 8.0);
            scene.shape(Shape::line(start, to.towards(from, 34.0)).dashed(ink("line"), 8.0, 12.0, 14.0));
        }
        Act::Slide { dir, .. } => slide(scene, plan, before, m, dir),
    }
}

/// The square outlined for the last move: its goal, or where a penguin kicked or stood up.
pub(super) fn outlined(before: &SoccerPosition, m: Move) -> Option<Cell> {
    match m.act {
        Act::Stand | Act::Kick { .. } => Some(origin(before, m.size)),
        Act::Slide { dir, .. } => before.slide(m.size, dir).ok().map(|slide| slide.end),
    }
}

fn slide(scene: &mut Scene, plan: Plan, before: &SoccerPosition, m: Move, dir: Dir) {
    let Ok(slide) = before.slide(m.size, dir) else { return };
    let from = plan.centre(origin(before, m.size));
    let to = plan.centre(slide.end);
    // The emblem stays visible under a penguin that entered on its Home.
    let (mark, gap) = if before.field().penguin(before.own(m.size)).is_none() {
        (home_frame(), step(dir) / 2.0 + 4.0)
    } else {
        scene.stamp(lit(), from);
        (ring(), 14.0)
    };
    scene.stamp(mark, from);
    scene.stamp(lit(), to);
    if (from.x - to.x).hypot(from.y - to.y) > 62.0 + gap {
        let [start, end] = [from.towards(to, gap), to.towards(from, 52.0)];
        scene.shape(Shape::line(start, end).stroke(ink("line"), 8.0));
    }
    if slide.stop == Stop::Tackle {
        pushes(scene, plan, before, slide.end, dir);
    }
}

/// The layer over the pieces: a ring around a penguin that stood up, which covers most of the square, and the
/// directions in which tackled penguins were pushed.
pub(super) fn over(scene: &mut Scene, plan: Plan, before: &SoccerPosition, m: Move) {
    match m.act {
        Act::Stand => scene.stamp(stood(m.size), plan.centre(origin(before, m.size))),
        Act::Slide { dir, .. } => arrows(scene, plan, before, m, dir),
        Act::Kick { .. } => {}
    }
}

/// Draws a chevron in front of the tackler, and one at an edge over which a penguin was pushed.
fn arrows(scene: &mut Scene, plan: Plan, before: &SoccerPosition, m: Move, dir: Dir) {
    let Ok(slide) = before.slide(m.size, dir) else { return };
    if slide.stop != Stop::Tackle {
        return;
    }
    let last = |cell: &Cell| board().lines().step(*cell, dir).is_none();
    let pushed = before.field().row(slide.end, dir).into_iter().map(|(_, cell)| cell);
    let mut from = vec![slide.end];
    from.extend(pushed.filter(last));
    from.dedup();
    for cell in from {
        let tip = plan.off(plan.centre(cell), dir, step(dir) / 2.0);
        scene.items.extend(chevron(plan, tip, dir).map(Item::Shape));
    }
}

/// The distance between the centres of adjacent squares in a direction.
fn step(dir: Dir) -> f32 {
    if dir.is_multiple_of(2) { 2f32.sqrt() * HALF } else { 2.0 * HALF }
}

/// The squares onto which tackled penguins were pushed.
fn pushes(scene: &mut Scene, plan: Plan, before: &SoccerPosition, end: Cell, dir: Dir) {
    let goals =
        before.field().row(end, dir).into_iter().filter_map(|(_, cell)| board().lines().step(cell, dir));
    goals.for_each(|cell| scene.stamp(pushed(), plan.centre(cell)));
}

/// Two strokes that point in a direction.
fn chevron(plan: Plan, tip: Point, dir: Dir) -> [Shape; 2] {
    let (sin, cos) = plan.angle(dir).to_radians().sin_cos();
    let at =
        |right: f32, ahead: f32| pt(tip.x + cos * right + sin * ahead, tip.y + sin * right - cos * ahead);
    let points = vec![at(-13.0, -6.0), at(0.0, 7.0), at(13.0, -6.0)];
    let line = |token, width| {
        let outline = Outline::Lines { points: points.clone(), closed: false };
        Shape::new(outline).stroke(ink(token), width)
    };
    [line("line", 15.0), line("lit", 8.0)]
}

/// A square that the last move changed: tinted, with an inner outline.
fn lit() -> Stamp {
    Stamp::new("soccer/lit", (HALF, HALF), || {
        let middle = pt(0.0, 0.0);
        let outline = diamond(middle, HALF - 5.0).stroke(ink("lit"), 7.0);
        vec![diamond(middle, HALF).fill(tint("lit", 0.75)), outline]
    })
}

/// Draws a square onto which a penguin was pushed: a fainter tint, no outline.
fn pushed() -> Stamp {
    Stamp::new("soccer/pushed", (HALF, HALF), || vec![diamond(pt(0.0, 0.0), HALF).fill(tint("lit", 0.4))])
}

/// Draws the frame of a Home on which a penguin entered.
fn home_frame() -> Stamp {
    Stamp::new("soccer/door", (HALF, HALF), || {
        let frame = |token, width| diamond(pt(0.0, 0.0), HALF - 9.0).stroke(ink(token), width);
        vec![frame("body", 13.0), frame("lit", 7.0)]
    })
}

fn stood(size: Size) -> Stamp {
    Stamp::new(format!("soccer/stood-{}", size.number()), (HALF, HALF), move || {
        let ring = |token, width| Shape::circle(pt(0.0, 0.0), upright(size) + 1.0).stroke(ink(token), width);
        vec![ring("line", 11.0), ring("lit", 7.0)]
    })
}

fn ring() -> Stamp {
    Stamp::new("soccer/ring", (18.0, 18.0), || {
        vec![Shape::circle(pt(0.0, 0.0), 13.0).stroke(ink("line"), 7.0)]
    })
}
