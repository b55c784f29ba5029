//! Penguins upright and sliding, and the ball.

use crate::art::penguin::{sliding, standing};
use rookery_core::Seat;
use rookery_core::scene::{Point, Shape, Stamp, ink, pt};

use super::super::field::{Penguin, Size};
use super::plan::Plan;

/// The size of a penguin off the field, of that on it.
const WAITING: f32 = 0.66;

/// The size of a penguin in units, lying and upright.
fn scale(size: Size) -> (f32, f32) {
    match size {
        Size::Baby => (0.66, 0.60),
        Size::Papa => (0.85, 0.76),
        Size::Mama => (1.06, 0.94),
    }
}

/// The distance of the beak of a lying penguin from its centre.
pub(super) fn reach(size: Size) -> f32 {
    54.0 * scale(size).0
}

/// The radius of the disc under an upright penguin.
pub(super) fn upright(size: Size) -> f32 {
    47.0 * scale(size).1
}

/// A penguin on the field; a lying one is larger in large print, where the square has room for it.
pub(super) fn penguin(plan: Plan, seat: Seat, size: Size, penguin: Penguin) -> Stamp {
    let (lying, upright) = scale(size);
    match penguin.facing {
        None => Stamp::new(format!("soccer/standing-{seat}-{}", size.number()), (50.0, 50.0), move || {
            standing(seat, upright)
        }),
        Some(facing) => {
            let turn = plan.angle(facing).rem_euclid(360.0);
            let lying = lying * if plan.large { 1.12 } else { 1.0 };
            let name = format!("soccer/sliding-{seat}-{}-{turn}-{}", size.number(), plan.suffix());
            Stamp::new(name, (70.0, 70.0), move || sliding(seat, lying, turn))
        }
    }
}

/// The radius of a smaller penguin off the field.
pub(super) fn waiting_radius(size: Size) -> f32 {
    upright(size) * WAITING
}

/// A smaller penguin off the field, in the corner.
pub(super) fn waiting(seat: Seat, size: Size) -> Stamp {
    let scale = scale(size).1 * WAITING;
    let name = format!("soccer/waiting-{seat}-{}", size.number());
    Stamp::new(name, (34.0, 34.0), move || standing(seat, scale))
}

/// How the ball lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BallState {
    /// Alone on a square, or on the crossing.
    Free,
    /// At a penguin's feet.
    Held,
}

/// The ball: white, with a dark pentagon and seams.
pub(super) fn ball(lie: BallState) -> Stamp {
    let (name, radius) = if lie == BallState::Held { ("held", 16.0) } else { ("free", 24.0) };
    Stamp::new(format!("soccer/ball-{name}"), (32.0, 32.0), move || ball_art(radius))
}

fn ball_art(radius: f32) -> Vec<Shape> {
    let middle = pt(0.0, 0.0);
    let corner = |i: u8, far: f32| -> Point {
        let (sin, cos) = (f32::from(i) * 72.0).to_radians().sin_cos();
        pt(sin * far * radius, -cos * far * radius)
    };
    let mut art = vec![
        Shape::circle(middle, radius * 1.2).fill(ink("body")),
        Shape::circle(middle, radius).fill(ink("belly")),
        Shape::polygon((0..5).map(|i| corner(i, 0.42)).collect()).fill(ink("body")),
    ];
    let seam = |i| Shape::line(corner(i, 0.42), corner(i, 0.96)).stroke(ink("body"), radius * 0.16);
    art.extend((0..5).map(seam));
    art
}
