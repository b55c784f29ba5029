//! The field as a picture: a board on its corner, penguins that slide or stand, the ball, the last move, and in the
//! free corners the penguins off the ice, the compass and the family to move.

mod ground;
mod marks;
mod panels;
mod pieces;
mod plan;
#[cfg(test)]
mod tests;
mod themes;
mod trace;

pub(super) use panels::off_ice;
pub(super) use themes::THEMES;

use rookery_core::position::LastMove;
use rookery_core::scene::{DrawOptions, Point, Scene, Stamp, Theme, pt};
use rookery_core::{Cell, Dir, Seat};

use super::rules::SoccerPosition;
use pieces::BallState;
use plan::{HEIGHT, MIDDLE, Plan, WIDTH};

pub(super) fn scene(
    position: &SoccerPosition,
    look: &DrawOptions,
    last: Option<LastMove<'_, SoccerPosition>>,
) -> Scene {
    let theme = Theme::named(THEMES, &look.theme);
    let plan = Plan::new(position.field().seats(), look);
    let mut scene = Scene::new(WIDTH, HEIGHT, theme, "ground");
    scene.stamp(ground(plan, position), pt(0.0, 0.0));
    owners(&mut scene, plan, look);
    let seen: Vec<_> = last.iter().filter(|_| !plan.plain).flat_map(LastMove::all).collect();
    seen.iter().for_each(|(before, m)| trace::draw(&mut scene, plan, before, *m));
    let taken = |cell: Cell| position.field().at(cell).is_some();
    let marks = |wanted: fn(&_, bool) -> Option<Stamp>| -> Vec<(Stamp, Point)> {
        let stamps =
            look.marks.iter().filter_map(|mark| Some((wanted(&mark.kind, taken(mark.cell))?, mark.cell)));
        stamps.map(|(stamp, cell)| (stamp, plan.centre(cell))).collect()
    };
    marks(marks::under).into_iter().for_each(|(stamp, at)| scene.stamp(stamp, at));
    let outlined: Vec<Cell> = seen.iter().filter_map(|(before, m)| trace::outlined(before, *m)).collect();
    draw_pieces(&mut scene, plan, position, &outlined);
    seen.iter().for_each(|(before, m)| trace::over(&mut scene, plan, before, *m));
    marks(marks::over).into_iter().for_each(|(stamp, at)| scene.stamp(stamp, at));
    if !plan.plain {
        panels::draw(&mut scene, plan, position, look.to_move(position));
    }
    scene
}

/// The direction, in eighths clockwise from up, of a direction of the board on the drawing for a seat.
pub(super) fn heading(position: &SoccerPosition, side: Seat, dir: Dir) -> u8 {
    Plan::new(position.field().seats(), &DrawOptions::from_seat(side)).eighths(dir)
}

fn ground(plan: Plan, position: &SoccerPosition) -> Stamp {
    let field = position.field();
    let homes: ground::Homes = Seat::all(field.seats()).map(|seat| (seat, !field.is_retired(seat))).collect();
    let held: String = homes.iter().map(|(_, held)| if *held { 'h' } else { 'o' }).collect();
    let (quarters, plain) = (plan.quarters, if plan.plain { "-plain" } else { "" });
    let name = format!("soccer/ground-{held}-{quarters}-{}{plain}", plan.suffix());
    Stamp::new(name, (WIDTH, HEIGHT), move || ground::art(plan, &homes))
}

fn owners(scene: &mut Scene, plan: Plan, look: &DrawOptions) {
    let owner = if plan.patterns { marks::owner_patterned } else { marks::owner };
    for (cell, seat, quarters) in look.owned() {
        scene.stamp(owner(seat, quarters), plan.centre(cell));
    }
}

/// Penguins from the far edge to the near one, then the ball; `outlined` are the squares outlined by the last moves.
fn draw_pieces(scene: &mut Scene, plan: Plan, position: &SoccerPosition, outlined: &[Cell]) {
    let field = position.field();
    let mut draw_pieces: Vec<_> =
        field.penguins_on_field().map(|(who, p)| (plan.centre(p.cell), who, p)).collect();
    draw_pieces.sort_by(|(a, ..), (b, ..)| a.y.total_cmp(&b.y));
    for (at, (seat, _), penguin) in draw_pieces.iter().filter(|_| plan.patterns) {
        scene.stamp(marks::stands(*seat, outlined.contains(&penguin.cell)), *at);
    }
    for (at, (seat, size), penguin) in draw_pieces {
        scene.stamp(pieces::penguin(plan, seat, size, penguin), at);
    }
    match field.ball() {
        None => scene.stamp(pieces::ball(BallState::Free), MIDDLE),
        Some(cell) if field.holder().is_none() => {
            scene.stamp(pieces::ball(BallState::Free), plan.centre(cell))
        }
        Some(cell) => {
            let at = plan.centre(cell);
            scene.stamp(pieces::ball(BallState::Held), pt(at.x + 25.0, at.y + 24.0));
        }
    }
}
