//! The board as a drawing: squares, blocks, queens, the last move, marks for selection, territories.

use crate::art::square::{self, CONTRAST, Grid};
use rookery_core::position::LastMove;
use rookery_core::scene::{
    DrawOptions, Mark, MarkKind, Outline, Point, Scene, Shape, Stamp, Style, Theme, ink, pt, tint,
};
use rookery_core::{Cell, Seat};

use super::rules::{AmazonsPosition, Move, Side};
use super::{patterns, queen};

/// Draws a position, in painting order.
pub(super) fn scene(
    position: &AmazonsPosition,
    look: &DrawOptions,
    last: Option<LastMove<'_, AmazonsPosition>>,
) -> Scene {
    let theme = square::theme(&look.theme);
    let drawing = Drawing { position, grid: grid(position, look), theme, patterns: look.patterns };
    let last = last.filter(|_| look.style != Style::Plain).and_then(|last| LastMoveArt::of(&drawing, last));
    let mut scene = drawing.grid.scene(theme);
    drawing.lit(&mut scene, last.as_ref());
    drawing.owners(&mut scene, look, last.as_ref().map(|last| last.from));
    drawing.chosen(&mut scene, look);
    last.iter().for_each(|last| last.path(&mut scene));
    drawing.blocks(&mut scene, last.as_ref().map(|last| last.arrow));
    last.iter().for_each(|last| last.shot(&mut scene));
    drawing.queens(&mut scene);
    drawing.marks(&mut scene, look);
    scene
}

/// A side's queen as on the board: outline and halo keep it visible on any ground.
pub(super) fn emblem(side: Side) -> Stamp {
    Stamp::new(format!("amazons/emblem/{side:?}"), (48.0, 48.0), move || queen::queen(side, 0.88, false))
}

/// The direction, in eighths clockwise from up, from one cell to another on the drawing for a seat.
pub(super) fn heading(position: &AmazonsPosition, side: Seat, from: Cell, to: Cell) -> Option<u8> {
    let grid = grid(position, &DrawOptions::from_seat(side));
    let centre = |cell| grid.centre(position.board().place(cell));
    centre(from).heading(centre(to))
}

/// The grid, with the viewer's side at the bottom.
fn grid(position: &AmazonsPosition, look: &DrawOptions) -> Grid {
    let (right, top) = position.board().cells().last().map_or((0, 0), |cell| position.board().place(cell));
    Grid::new(right + 1, top + 1, position.colour(look.side) == Side::Black, look.style)
}

/// A function that draws a side's piece at a scale, large or not.
type Art = fn(Side, f32, bool) -> Vec<Shape>;

struct Drawing<'a> {
    position: &'a AmazonsPosition,
    grid: Grid,
    theme: &'static Theme,
    patterns: bool,
}

impl Drawing<'_> {
    fn place(&self, cell: Cell) -> (u8, u8) {
        self.position.board().place(cell)
    }

    fn centre(&self, cell: Cell) -> Point {
        self.grid.centre(self.place(cell))
    }

    /// Whether pieces are discs and blocks crossed, so that nothing depends on colour.
    fn is_bold(&self) -> bool {
        self.theme.name == CONTRAST.name
    }

    fn lit(&self, scene: &mut Scene, last: Option<&LastMoveArt>) {
        for cell in last.iter().flat_map(|last| [last.from, last.to]) {
            scene.stamp(self.grid.lit(self.place(cell)), self.centre(cell));
        }
    }

    /// Draws the owners of cells, without the symbol on the cell that the last move left, which has a ring.
    fn owners(&self, scene: &mut Scene, look: &DrawOptions, left: Option<Cell>) {
        for cell in look.shared() {
            scene.stamp(self.shared(), self.centre(cell));
        }
        for (cell, seat, quarters) in look.owned() {
            scene.stamp(self.owner(cell, seat, quarters, left == Some(cell)), self.centre(cell));
        }
    }

    /// A tint over the cell and, if it is free, the owner's symbol: a disc for White, a square for Black, larger with
    /// higher confidence.
    fn owner(&self, cell: Cell, seat: Seat, quarters: u8, left: bool) -> Stamp {
        let side = self.position.colour(seat);
        let (free, patterns) = (self.position.free().has(cell), self.patterns);
        let state = match (free, left) {
            (false, _) => "taken",
            (true, false) => "free",
            (true, true) => "left",
        };
        let name = format!("amazons/owner/{side:?}/{quarters}/{state}{}", self.suffix());
        let half = self.grid.cell() / 2.0;
        self.grid.stamp(&name, move |u| {
            let tinted = Shape::rect(pt(-half, -half), 2.0 * half, 2.0 * half, 0.0);
            let sign = owner_sign(side, u * (8.0 + 4.0 * f32::from(quarters)));
            let (fill, line) = inks(side);
            // A fainter tint lets the marks stand out.
            let share = if patterns { 0.06 } else { 0.12 };
            let mut art = vec![tinted.fill(tint(fill, share * f32::from(quarters)))];
            art.extend(patterns.then(|| patterns::wash(side, half, free)).into_iter().flatten());
            art.extend((free && !left).then(|| sign.fill(ink(fill)).stroke(ink(line), 4.0 * u)));
            art
        })
    }

    /// The hatch of a square that both sides reach.
    fn shared(&self) -> Stamp {
        let half = self.grid.cell() / 2.0;
        self.grid.stamp("amazons/shared", move |_| patterns::shared(half))
    }

    fn chosen(&self, scene: &mut Scene, look: &DrawOptions) {
        for mark in look.marks.iter().filter(|mark| mark.kind == MarkKind::Chosen) {
            for stamp in self.grid.chosen(self.place(mark.cell)) {
                scene.stamp(stamp, self.centre(mark.cell));
            }
        }
    }

    fn blocks(&self, scene: &mut Scene, new: Option<Cell>) {
        let block = self.grid.block(self.is_bold());
        for cell in self.position.arrows().iter().filter(|cell| Some(*cell) != new) {
            scene.stamp(block.clone(), self.centre(cell));
        }
        // The newest block has a chevron instead of a cross.
        if let Some(cell) = new {
            scene.stamp(self.grid.block(false), self.centre(cell));
        }
    }

    fn queens(&self, scene: &mut Scene) {
        for side in Side::BOTH {
            let piece = self.piece(side);
            for cell in self.position.amazons(side) {
                scene.stamp(piece.clone(), self.centre(cell));
            }
        }
    }

    fn piece(&self, side: Side) -> Stamp {
        let (large, patterns) = (self.grid.is_large(), self.patterns);
        // With their outlines, crowns of both sides look alike in small pictures; discs do not.
        let (kind, art): (_, Art) = match (self.is_bold(), patterns) {
            (true, _) => ("token", queen::token),
            (false, true) => ("token", queen::token_of_one_colour),
            (false, false) => ("queen", queen::queen),
        };
        self.grid.stamp(&format!("amazons/{kind}/{side:?}{}", self.suffix()), move |u| {
            let marks = patterns.then(|| patterns::token(side, u, large));
            art(side, u, large).into_iter().chain(marks.into_iter().flatten()).collect()
        })
    }

    /// The suffix of stamps that are drawn with patterns.
    fn suffix(&self) -> &'static str {
        if self.patterns { "/patterned" } else { "" }
    }

    fn marks(&self, scene: &mut Scene, look: &DrawOptions) {
        for Mark { cell, kind } in &look.marks {
            let occupied = !self.position.free().has(*cell);
            let stamp = match kind {
                MarkKind::Chosen => continue,
                MarkKind::Goal => self.grid.goal(occupied),
                MarkKind::Label(label) => self.grid.label(label, occupied),
                MarkKind::Direction { label, heading } | MarkKind::Facing { label, heading } => {
                    self.grid.direction(label, *heading)
                }
            };
            scene.stamp(stamp, self.centre(*cell));
        }
    }
}

pub(super) fn inks(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::White => ("white-fill", "white-line"),
        Side::Black => ("black-fill", "black-line"),
    }
}

fn owner_sign(side: Side, half: f32) -> Shape {
    match side {
        Side::White => Shape::circle(pt(0.0, 0.0), half),
        Side::Black => Shape::rect(pt(-half, -half), 2.0 * half, 2.0 * half, half / 3.0),
    }
}

/// The last move on the scene: origin, goal and arrow.
struct LastMoveArt {
    from: Cell,
    to: Cell,
    arrow: Cell,
    /// The centres of the three cells.
    points: [Point; 3],
    /// Whether the arrow flew back along the queen's path, so that the two lines must be drawn apart.
    is_doubled: bool,
    grid: Grid,
}

impl LastMoveArt {
    fn of(drawing: &Drawing<'_>, last: LastMove<'_, AmazonsPosition>) -> Option<LastMoveArt> {
        let Move::Go { from, to, arrow } = last.played else { return None };
        let lines = drawing.position.board().lines();
        Some(LastMoveArt {
            from,
            to,
            arrow,
            points: [from, to, arrow].map(|cell| drawing.centre(cell)),
            is_doubled: lines.direction(to, from) == lines.direction(to, arrow),
            grid: drawing.grid,
        })
    }

    /// The queen's path: a ring on the origin, and a line to just before the queen.
    fn path(&self, scene: &mut Scene) {
        let [from, to, _] = self.points;
        let u = self.grid.unit();
        // Then the new block hides the origin.
        let is_origin_hit = self.arrow == self.from;
        let start = if is_origin_hit { 48.0 } else { 18.0 };
        match self.between(from, to, (start, 52.0), 8.0) {
            Some([start, end]) => scene.shape(Shape::line(start, end).stroke(ink("line"), 8.0 * u)),
            // Without room for a path, the goal needs more than its tint.
            None => scene.stamp(self.goal(), to),
        }
        if !is_origin_hit {
            let ring = |u| vec![Shape::circle(pt(0.0, 0.0), 13.0 * u).stroke(ink("line"), 7.0 * u)];
            scene.stamp(self.grid.stamp("amazons/left", ring), from);
        }
    }

    /// An outline within the square where the queen stands.
    fn goal(&self) -> Stamp {
        let half = self.grid.cell() / 2.0;
        self.grid.stamp("amazons/goal", move |u| {
            let (inset, width) = (3.5 * u, 7.0 * u);
            let (corner, side) = (pt(inset - half, inset - half), 2.0 * (half - inset));
            vec![Shape::rect(corner, side, side, 0.0).stroke(ink("line"), width)]
        })
    }

    /// The arrow's path in dots, and the new block outlined, with a chevron in the arrow's direction.
    fn shot(&self, scene: &mut Scene) {
        let [_, to, arrow] = self.points;
        let u = self.grid.unit();
        let is_slanted = to.x != arrow.x && to.y != arrow.y;
        let (start, end) = if is_slanted { (58.0, 64.0) } else { (50.0, 50.0) };
        // Clear of the ring on the origin.
        if let Some([start, end]) = self.between(to, arrow, (start, end), 24.0) {
            let length = distance(start, end);
            let dots = (length / (21.0 * u)).round().max(1.0);
            // A dash of almost zero length with round ends is a dot.
            let line = Shape::line(start, end);
            scene.shape(line.dashed(ink("shot"), 9.0 * u, 1.0, length / dots - 1.0));
        }
        scene.stamp(self.hit(), arrow);
    }

    /// The mark on the new block. One of eight stamps, since replays show one in every frame.
    fn hit(&self) -> Stamp {
        let [_, to, arrow] = self.points;
        let (x, y) = direction(to, arrow);
        self.grid.stamp(&format!("amazons/hit/{x:.0},{y:.0}"), move |u| {
            vec![square::outline(pt(0.0, 0.0), 40.0, u, ink("shot"), 8.0), chevron((x, y), u)]
        })
    }

    /// The straight line from one point to another, shortened by `start` and `end` units and moved `aside` if the two
    /// lines of this move would cover each other; `None` if too little of it would be visible.
    fn between(&self, from: Point, to: Point, (start, end): (f32, f32), aside: f32) -> Option<[Point; 2]> {
        let (x, y) = direction(from, to);
        let u = self.grid.unit();
        let aside = if self.is_doubled { aside * u } else { 0.0 };
        // To the left of its own direction, so that two opposite lines are moved to opposite sides.
        let shift = pt(y * aside, -x * aside);
        let along = |p: Point, d: f32| pt(p.x + x * d * u + shift.x, p.y + y * d * u + shift.y);
        let is_seen = distance(from, to) > (start + end + 20.0) * u;
        is_seen.then(|| [along(from, start), along(to, -end)])
    }
}

/// A chevron around the origin that points in a direction.
fn chevron((x, y): (f32, f32), u: f32) -> Shape {
    // In the arrow's own frame: `d` forward, `s` to its right.
    let point = |d: f32, s: f32| pt((x * d - y * s) * u, (y * d + x * s) * u);
    let points = vec![point(-14.0, -17.0), point(14.0, 0.0), point(-14.0, 17.0)];
    let line = Shape::new(Outline::Lines { points, closed: false });
    line.stroke(ink("sign"), 9.0 * u)
}

fn distance(a: Point, b: Point) -> f32 {
    (b.x - a.x).hypot(b.y - a.y)
}

/// The direction from one point to another, normalised.
fn direction(a: Point, b: Point) -> (f32, f32) {
    let length = distance(a, b).max(f32::EPSILON);
    ((b.x - a.x) / length, (b.y - a.y) / length)
}
