//! The board as a drawing: squares, the last move, pieces, marks for choosing.

use rookery_core::position::LastMove;
use rookery_core::scene::{DrawOptions, Mark, MarkKind, Scene, Shape, Stamp, Style, Weight, ink, pt};
use rookery_core::{Cell, Seat};
use rookery_games::art::square::{self, Grid};

use super::rules::{FOX, FoxPosition, HOUNDS, SIDE, board};

pub(super) fn scene(
    position: &FoxPosition,
    look: &DrawOptions,
    last: Option<LastMove<'_, FoxPosition>>,
) -> Scene {
    let grid = Grid::new(SIDE, SIDE, look.side == HOUNDS, look.style);
    let mut scene = grid.scene(square::theme(&look.theme));
    for (_, m) in last.iter().filter(|_| look.style != Style::Plain).flat_map(LastMove::all) {
        [m.from, m.to].iter().for_each(|cell| put(&mut scene, &grid, *cell, grid.lit(board().place(*cell))));
    }
    for seat in [FOX, HOUNDS] {
        let piece = grid.stamp(&format!("fox_and_hounds/{}", letter(seat)), move |u| piece(seat, u));
        position.pieces(seat).iter().for_each(|cell| put(&mut scene, &grid, cell, piece.clone()));
    }
    look.marks.iter().for_each(|mark| put_mark(&mut scene, &grid, mark, position.is_taken(mark.cell)));
    scene
}

pub(super) fn emblem(seat: Seat) -> Stamp {
    Stamp::new(format!("fox_and_hounds/emblem/{}", letter(seat)), (48.0, 48.0), move || piece(seat, 1.0))
}

fn put(scene: &mut Scene, grid: &Grid, cell: Cell, stamp: Stamp) {
    scene.stamp(stamp, grid.centre(board().place(cell)));
}

fn put_mark(scene: &mut Scene, grid: &Grid, mark: &Mark, taken: bool) {
    let stamp = match &mark.kind {
        MarkKind::Chosen => grid.goal(true),
        MarkKind::Goal => grid.goal(taken),
        MarkKind::Label(label) => grid.label(label, taken),
        MarkKind::Direction { label, heading } | MarkKind::Facing { label, heading } => {
            grid.direction(label, *heading)
        }
    };
    put(scene, grid, mark.cell, stamp);
}

fn letter(seat: Seat) -> &'static str {
    if seat == FOX { "F" } else { "H" }
}

/// A disc with the side's letter: the sides differ without colour too.
fn piece(seat: Seat, u: f32) -> Vec<Shape> {
    let (fill, line) = if seat == FOX { ("white-fill", "white-line") } else { ("black-fill", "black-line") };
    vec![
        Shape::circle(pt(0.0, 0.0), 38.0 * u).fill(ink(fill)).stroke(ink(line), 4.0 * u),
        Shape::text(letter(seat), pt(0.0, 0.0), 44.0 * u, Weight::Bold).fill(ink(line)),
    ]
}
