//! The free corners: penguins off the ice, and the family to move.

use crate::art::penguin::{standing, swatch};
use crate::art::plan;
use rookery_core::Seat;
use rookery_core::scene::{Scene, Shape, Stamp, Weight, ink, pt};

use super::super::field::Size;
use super::super::rules::SoccerPosition;
use super::pieces::waiting;
use super::plan::Plan;

/// The x positions of a corner's penguins.
const PLACES: [f32; 3] = [44.0, 92.0, 152.0];
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
    let off = |seat: Seat| Size::ALL.map(|size| position.field().penguin((seat, size)).is_none());
    let playing = position.field().active();
    let rows: Vec<(Seat, [bool; 3])> =
        playing.map(|seat| (seat, off(seat))).filter(|(_, off)| off.contains(&true)).collect();
    if rows.is_empty() {
        return;
    }
    let count = rows.len();
    let plate = Stamp::new(format!("soccer/stash-{count}"), (220.0, 330.0), move || plate(count));
    scene.stamp(plate, pt(CORNER, CORNER));
    for (row, (seat, off)) in rows.into_iter().enumerate() {
        let y = CORNER + HEAD + ROW * (row as f32 + 0.5);
        for (place, size) in PLACES.into_iter().zip(Size::ALL) {
            if off[size as usize] {
                scene.stamp(waiting(seat, size), pt(CORNER + place, y));
            }
        }
    }
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
