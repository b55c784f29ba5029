//! Floes as pictures: tiles of ice on a dark sea, hexagons or squares, with fish, penguins, the last move, marks, and a
//! strip of chips with the scores.

mod canvas;
mod chips;
mod patterns;
#[cfg(test)]
mod tests;
mod themes;
mod tiles;
mod trace;

pub use themes::{CONTRAST, DEEP, ICE, LIGHT};
pub use tiles::OWNED;

use canvas::Canvas;

use crate::art::plan::{Plan, WIDTH};
use crate::floe::state::{FloeTerms, State};
use crate::floe::{Floe, Move};
use rookery_core::position::LastMove;
use rookery_core::scene::{DrawOptions, MarkKind, Scene, Shape, Stamp, Style, Theme, pt};
use rookery_core::{Cell, Position, Score, Seat};

/// The themes of the family `ice`, the default first.
pub static THEMES: &[&Theme] = &[&ICE, &DEEP, &LIGHT, &CONTRAST];

/// The content of a picture.
#[derive(Debug)]
pub struct IcePicture<'a> {
    /// The board, its tiles and pieces.
    pub floe: &'a Floe,
    /// The score of every seat.
    pub scores: Vec<Score>,
    /// The seat to move; `None` once the game is over.
    pub turn: Option<Seat>,
    /// The last move, if it is shown.
    pub last: Option<Move>,
    /// Earlier moves that are shown as well, oldest first.
    pub earlier: Vec<Move>,
}

impl IcePicture<'_> {
    /// The picture in one of [`THEMES`] (the default if `look` names another).
    pub fn scene(&self, look: &DrawOptions) -> Scene {
        let theme = Theme::named(THEMES, &look.theme);
        let plan = Plan::new(self.floe.board(), look);
        let mut canvas = Canvas { scene: Scene::new(WIDTH, plan.height, theme, "sea"), plan, look };
        canvas.ground();
        canvas.tiles(self.floe);
        let seen = self.earlier.iter().copied().chain(self.last).filter(|_| look.style != Style::Plain);
        let seen: Vec<Move> = seen.collect();
        canvas.tints(self.floe, &seen);
        seen.iter().for_each(|m| canvas.trace(*m, self.floe));
        canvas.contents(self.floe);
        if plan.strip {
            canvas.chips(&self.scores, self.turn);
        }
        canvas.scene
    }
}

/// The picture of a position of a game on ice.
pub fn position<K: FloeTerms>(
    state: &State<K>,
    look: &DrawOptions,
    last: Option<LastMove<'_, State<K>>>,
) -> Scene {
    let scores = Seat::all(state.seats()).map(|seat| state.score(seat)).collect();
    let turn = look.to_move(state);
    let earlier = last.iter().flat_map(|last| last.earlier).map(|(_, played)| *played).collect();
    IcePicture { floe: state.floe(), scores, turn, last: last.map(|last| last.played), earlier }.scene(look)
}

impl Canvas<'_> {
    /// The sea, the outlines of all tiles, and the coordinates beside the board.
    fn ground(&mut self) {
        let plan = self.plan;
        let (turned, strip) =
            (if plan.flipped { "-flipped" } else { "" }, if plan.strip { "-strip" } else { "" });
        let count = plan.board.len();
        let name = format!("ice/{}/ground-{count}x{}{turned}{strip}", plan.suffix(), plan.height);
        let stamp = Stamp::new(name, (WIDTH, plan.height), move || tiles::ground(plan));
        self.scene.stamp(stamp, pt(0.0, 0.0));
    }

    fn tiles(&mut self, floe: &Floe) {
        for cell in self.plan.painting_order() {
            let fish = floe.fish(cell);
            if fish > 0 {
                self.put(&format!("tile-{fish}"), cell, move |plan| tiles::tile(plan, fish));
            }
        }
    }

    /// Draws cell owners and selectable cells, as tints and outlines under the fish.
    fn tints(&mut self, floe: &Floe, seen: &[Move]) {
        for cell in self.look.shared() & floe.tiles() {
            self.put("shared", cell, patterns::shared);
        }
        for (cell, seat, quarters) in self.look.owned() {
            // The emblem would be drawn on the pattern.
            let bare = !self.plan.patterns && !floe.standing().has(cell);
            // A cell without a tile has nothing to tint.
            let tile = floe.fish(cell) > 0;
            let name = format!("owner-{seat}-{quarters}-{bare}-{tile}");
            self.put(&name, cell, move |plan| tiles::owner(plan, seat, quarters, (tile, bare)));
        }
        if self.plan.patterns {
            self.frames(floe, seen);
        }
        for mark in &self.look.marks {
            let (name, art): (_, fn(Plan) -> Vec<Shape>) = match mark.kind {
                MarkKind::Chosen => ("chosen", tiles::chosen),
                MarkKind::Goal => ("goal", tiles::goal),
                MarkKind::Label(_) | MarkKind::Direction { .. } | MarkKind::Facing { .. } => {
                    ("labelled", tiles::labelled)
                }
            };
            self.put(name, mark.cell, art);
        }
    }

    /// Draws patterns around pieces and owned tiles.
    fn frames(&mut self, floe: &Floe, seen: &[Move]) {
        for (cell, seat, quarters) in self.look.owned() {
            let fish = floe.fish(cell);
            if fish > 0 && !floe.standing().has(cell) {
                let name = format!("owns-{seat}-{quarters}-{fish}");
                self.put(&name, cell, move |plan| patterns::owns(plan, seat, quarters, fish));
            }
        }
        for cell in floe.standing() {
            let (seat, fish) = (floe.owner(cell).unwrap_or(Seat::FIRST), floe.fish(cell));
            let is_goal = seen.iter().any(|m| m.to == cell);
            self.put(&format!("stands-{seat}-{fish}-{is_goal}"), cell, move |plan| {
                patterns::stands(plan, seat, fish, is_goal)
            });
        }
    }

    /// Names, fish, pieces and labels.
    fn contents(&mut self, floe: &Floe) {
        for cell in floe.tiles() {
            let fish = floe.fish(cell);
            if self.plan.is_island() {
                let name = floe.board().name(cell);
                self.put(&format!("name-{name}"), cell, move |plan| tiles::name(plan, name));
            }
            if let Some(seat) = floe.owner(cell) {
                self.put(&format!("piece-{seat}-{fish}"), cell, move |plan| tiles::piece(plan, seat, fish));
            } else if let Some((label, heading)) = self.pointer(cell) {
                let name = format!("label-{label}-{heading}-{fish}");
                self.put(&name, cell, move |plan| tiles::pointer_label(plan, (&label, heading), fish));
            } else {
                self.count(cell, fish);
            }
        }
        self.badges(floe);
    }

    /// The fish of a tile.
    fn count(&mut self, cell: Cell, fish: u8) {
        if self.has_numerals() {
            self.put(&format!("numeral-{fish}"), cell, move |plan| tiles::numeral(plan, fish));
        } else {
            self.put(&format!("fish-{fish}"), cell, move |plan| tiles::fish(plan, fish));
        }
    }

    /// The small labels beside what a cell holds: the fish and the piece stay visible.
    fn badges(&mut self, floe: &Floe) {
        for mark in &self.look.marks {
            let taken = floe.standing().has(mark.cell) || !floe.tiles().has(mark.cell);
            let beside = taken || mark.kind.heading().is_none();
            if let (Some(label), true) = (mark.kind.label(), beside) {
                let label = label.to_owned();
                self.put(&format!("badge-{label}"), mark.cell, move |plan| tiles::badge(plan, &label));
            }
        }
    }

    /// The label of a cell that stands for a direction, and its heading.
    fn pointer(&self, cell: Cell) -> Option<(String, u8)> {
        let mark = self.look.marks.iter().filter(|mark| mark.cell == cell);
        mark.map(|mark| &mark.kind).find_map(|kind| Some((kind.label()?.to_owned(), kind.heading()?)))
    }
}
