//! Drawing: the board as a sheet of paper with numbers, squares, circles, and crossed-out cells.

mod marks;
mod sheet;
mod themes;

pub use sheet::sheet;
pub(super) use themes::THEMES;

use super::rules::State;
use crate::art::plan::{Plan, STRIP, WIDTH};
use crate::floe::{Move, Phase};
use rookery_core::position::LastMove;
use rookery_core::scene::{DrawOptions, Item, MarkKind, Scene, Shape, Stamp, Style, Theme, Weight, ink, pt};
use rookery_core::{Cell, Position, Seat};

pub(super) fn scene(state: &State, look: &DrawOptions, last: Option<LastMove<'_, State>>) -> Scene {
    let theme = Theme::named(THEMES, &look.theme);
    let plan = Plan::new(state.floe().board(), look);
    let mut page = Page { scene: Scene::new(WIDTH, plan.height, theme, "sheet"), plan };
    page.ground();
    page.cells(state);
    page.owners(state, look);
    if let Some(last) = last.map(|last| last.played).filter(|_| look.style != Style::Plain) {
        page.trace(last);
    }
    page.numbers(state, look);
    page.choices(state, look);
    if plan.strip {
        page.chips(state, look.to_move(state));
    }
    page.scene
}

/// A side's shape.
pub(super) fn emblem(seat: Seat) -> Stamp {
    Stamp::new(format!("paper/emblem-{seat}"), (26.0, 26.0), move || marks::sign(seat, pt(0.0, 0.0)).to_vec())
}

/// A sheet under construction.
struct Page {
    scene: Scene,
    plan: Plan,
}

impl Page {
    /// Puts a stamp no larger than a cell on a cell.
    fn put(&mut self, name: &str, cell: Cell, art: impl Fn(Plan) -> Vec<Shape> + Send + Sync + 'static) {
        let plan = self.plan;
        let half = plan.cell() / 2.0 + 2.0;
        let stamp = Stamp::new(format!("paper/{}/{name}", plan.suffix()), (half, half), move || art(plan));
        self.scene.stamp(stamp, plan.centre(cell));
    }

    fn ground(&mut self) {
        let plan = self.plan;
        let turned = if plan.flipped { "-flipped" } else { "" };
        let strip = if plan.strip { "-strip" } else { "" };
        let name =
            format!("paper/{}/ground-{}x{}{turned}{strip}", plan.suffix(), plan.board.len(), plan.height);
        let stamp = Stamp::new(name, (WIDTH, plan.height), move || ground(plan));
        self.scene.stamp(stamp, pt(0.0, 0.0));
    }

    /// The ground of every cell: darker for more points, a cross if it is crossed out.
    fn cells(&mut self, state: &State) {
        for cell in state.floe().board().cells() {
            let points = state.floe().fish(cell);
            match points {
                0 if state.floe().phase() != Phase::Lay => self.put("crossed", cell, marks::crossed),
                0 => {}
                _ => self.put(&format!("cell-{points}"), cell, move |plan| marks::shade(plan, points)),
            }
        }
    }

    /// Draws the owners of cells, under the marks of the last move.
    fn owners(&mut self, state: &State, look: &DrawOptions) {
        for cell in look.shared() {
            self.put("shared", cell, marks::shared);
        }
        for (cell, seat, quarters) in look.owned() {
            let is_free = state.floe().owner(cell).is_none();
            let name = format!("owner-{seat}-{quarters}-{is_free}{}", self.plan.patterned());
            self.put(&name, cell, move |plan| marks::owner(plan, seat, quarters, is_free));
        }
    }

    /// The numbers; those under pieces are drawn inside the pieces' shapes.
    fn numbers(&mut self, state: &State, look: &DrawOptions) {
        for cell in state.floe().tiles() {
            let points = state.floe().fish(cell);
            if let Some(seat) = state.floe().owner(cell) {
                let name = format!("piece-{seat}-{points}{}", self.plan.patterned());
                self.put(&name, cell, move |plan| marks::piece(plan, seat, points));
            } else if !is_labelled(look, cell) {
                self.put(&format!("number-{points}"), cell, move |plan| marks::number(plan, points));
            }
        }
    }

    /// The last move, under the numbers: from the crossed-out cell to the piece.
    fn trace(&mut self, last: Move) {
        self.put("lit", last.to, marks::lit);
        let Some(from) = last.from else { return };
        self.put("left", from, marks::left);
        self.scene.items.extend(marks::way(self.plan, from, last.to).into_iter().map(Item::Shape));
    }

    fn choices(&mut self, state: &State, look: &DrawOptions) {
        for mark in &look.marks {
            match &mark.kind {
                MarkKind::Chosen => self.put("chosen", mark.cell, marks::chosen),
                MarkKind::Goal => self.put("goal", mark.cell, marks::goal),
                MarkKind::Direction { label, heading } | MarkKind::Facing { label, heading } => {
                    let (label, heading, points) = (label.clone(), *heading, state.floe().fish(mark.cell));
                    let name = format!("direction-{label}-{heading}-{points}");
                    self.put(&name, mark.cell, move |plan| marks::direction(plan, &label, heading, points));
                }
                MarkKind::Label(label) if state.floe().owner(mark.cell).is_some() => {
                    let label = label.clone();
                    self.put(&format!("badge-{label}"), mark.cell, move |plan| marks::badge(plan, &label));
                }
                MarkKind::Label(label) => {
                    let (label, points) = (label.clone(), state.floe().fish(mark.cell));
                    let name = format!("label-{label}-{points}");
                    self.put(&name, mark.cell, move |plan| marks::label(plan, &label, points));
                }
            }
        }
    }

    /// Squares and circles with their points, above the board.
    fn chips(&mut self, state: &State, turn: Option<Seat>) {
        for seat in Seat::all(state.seats()) {
            let to_move = turn == Some(seat);
            let at = pt(275.0 + 500.0 * seat.index() as f32, STRIP / 2.0);
            let name = format!("paper/chip-{seat}-{to_move}");
            let back = Stamp::new(name, (236.0, 34.0), move || marks::chip(seat, to_move));
            self.scene.stamp(back, at);
            let points = state.floe().taken(seat).points;
            let text = move || vec![marks::score(points)];
            self.scene.stamp(
                Stamp::new(format!("paper/score-{points}"), (90.0, 26.0), text),
                pt(at.x - 136.0, at.y),
            );
        }
    }
}

fn is_labelled(look: &DrawOptions, cell: Cell) -> bool {
    look.marks.iter().any(|mark| mark.cell == cell && mark.kind.label().is_some())
}

/// The sheet with the grid and its letters and numbers.
fn ground(plan: Plan) -> Vec<Shape> {
    let mut art = Vec::new();
    if plan.strip {
        art.push(Shape::rect(pt(0.0, 0.0), WIDTH, STRIP, 0.0).fill(ink("strip")));
    }
    art.extend(
        plan.board.cells().map(|cell| marks::square(plan, plan.centre(cell)).stroke(ink("grid"), 4.0)),
    );
    let coordinates = plan.coordinates().into_iter();
    art.extend(
        coordinates
            .map(|(text, at, size)| Shape::text(text, at, size, Weight::SemiBold).fill(ink("coordinates"))),
    );
    art
}
