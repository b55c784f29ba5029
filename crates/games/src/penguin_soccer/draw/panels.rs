//! The free corners: penguins off the ice, and the family to move.

use crate::art::penguin::{standing, swatch};
use crate::art::plan;
use rookery_core::scene::{OffBoardPiece, Scene, Shape, Stamp, Weight, ink, pt};
use rookery_core::{Position, Seat};

use super::super::field::Size;
use super::super::rules::SoccerPosition;
use super::pieces::{waiting, waiting_radius};
use super::plan::Plan;

/// The x positions of a corner's penguins.
const PLACES: [f32; 3] = [44.0, 92.0, 152.0];
/// The x positions between which a penguin can be touched. Each has room for a finger on a narrow phone, 24 px of 335, so
/// they reach beyond the plate, and the middle one over the edge of Mama.
const TOUCHED: [(f32, f32); 3] = [(-18.0, 58.0), (58.0, 134.0), (134.0, 210.0)];
/// The height of the area in which a penguin can be touched: a finger is taller than a row.
const TOUCHED_HEIGHT: f32 = 76.0;
/// How far outside a penguin the ring around it is.
const RING: f32 = 3.0;
const ROW: f32 = 64.0;
const HEAD: f32 = 48.0;
const CORNER: f32 = 20.0;

/// Everything in the corners except the compass.
pub(super) fn draw(scene: &mut Scene, plan: Plan, position: &SoccerPosition, to_move: Option<Seat>) {
    draw_off_ice(scene, position);
    if let Some(seat) = to_move {
        turn(scene, plan, seat);
    }
}

/// Draws a row for each family with penguins off the ice, with the digits that name them.
fn draw_off_ice(scene: &mut Scene, position: &SoccerPosition) {
    let rows = rows_off_ice(position);
    if rows.is_empty() {
        return;
    }
    let count = rows.len();
    let plate = Stamp::new(format!("soccer/stash-{count}"), (220.0, 330.0), move || plate(count));
    scene.stamp(plate, pt(CORNER, CORNER));
    for (row, (seat, off)) in rows.into_iter().enumerate() {
        let y = middle_of(row);
        for (place, size) in PLACES.into_iter().zip(Size::ALL) {
            if off[size as usize] {
                scene.stamp(waiting(seat, size), pt(CORNER + place, y));
            }
        }
    }
}

/// The families with penguins off the ice, and which of them are.
fn rows_off_ice(position: &SoccerPosition) -> Vec<(Seat, [bool; 3])> {
    let off = |seat: Seat| Size::ALL.map(|size| position.field().penguin((seat, size)).is_none());
    let playing = position.field().active();
    playing.map(|seat| (seat, off(seat))).filter(|(_, off)| off.contains(&true)).collect()
}

fn middle_of(row: usize) -> f32 {
    CORNER + HEAD + ROW * (row as f32 + 0.5)
}

/// Where a penguin off the ice of the family to move is; `None` if it is on the ice.
pub(in super::super) fn off_ice(position: &SoccerPosition, size: Size) -> Option<OffBoardPiece> {
    let rows = rows_off_ice(position);
    let is_there = |(seat, off): &(Seat, [bool; 3])| *seat == position.turn() && off[size as usize];
    let y = middle_of(rows.iter().position(is_there)?);
    let (left, right) = TOUCHED[size as usize];
    let corner = |x: f32, side: f32| pt(CORNER + x, y + side * TOUCHED_HEIGHT / 2.0);
    Some(OffBoardPiece {
        at: pt(CORNER + PLACES[size as usize], y),
        radius: waiting_radius(size) + RING,
        area: [corner(left, -1.0), corner(right, 1.0)],
    })
}

fn plate(rows: usize) -> Vec<Shape> {
    let height = HEAD + ROW * rows as f32 + 6.0;
    let plate = Shape::rect(pt(0.0, 0.0), 196.0, height, 22.0).fill(ink("panel"));
    let digit = |(at, size): (f32, Size)| {
        Shape::text(size.number().to_string(), pt(at, 28.0), 26.0, Weight::SemiBold).fill(ink("dim"))
    };
    std::iter::once(plate).chain(PLACES.into_iter().zip(Size::ALL).map(digit)).collect()
}

/// Draws whose turn it is.
fn turn(scene: &mut Scene, plan: Plan, seat: Seat) {
    let stamp = Stamp::new("soccer/turn", (130.0, 46.0), || {
        let plate = Shape::rect(pt(-125.0, -42.0), 166.0, 84.0, 22.0).fill(ink("panel"));
        vec![plate, plan::turn(pt(-4.0, 0.0))]
    });
    let figure = if plan.patterns {
        Stamp::new(format!("soccer/turn-swatch-{seat}"), (40.0, 40.0), move || swatch(seat, 34.0))
    } else {
        Stamp::new(format!("soccer/turn-figure-{seat}"), (40.0, 40.0), move || standing(seat, 0.76))
    };
    scene.stamp(stamp, pt(CORNER + 125.0, 980.0));
    scene.stamp(figure, pt(CORNER + 52.0, 980.0));
}
