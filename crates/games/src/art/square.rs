//! Square boards: layout of the cells, ground, coordinates, blocks, marks, and themes.
//!
//! All measures are for a 10x10 board, whose cells are 96 units wide; other boards scale them by [`Grid::unit`]. Every
//! scene is 1,050 units wide, and the cells are as large as possible.

mod themes;

use std::fmt;

use crate::art::pointer::{degrees, pointer};
use rookery_core::scene::{Outline, Paint, Point, Scene, Shape, Stamp, Style, Theme, Weight, ink, pt, tint};

pub use themes::{CONTRAST, PAPER, SLATE, WALNUT};

/// The themes of the family `square`, the default first.
pub static THEMES: &[&Theme] = &[&WALNUT, &SLATE, &PAPER, &CONTRAST];

/// The width and maximum height of every scene.
const CANVAS: f32 = 1050.0;

/// The theme with this name, or the default.
pub fn theme(name: &str) -> &'static Theme {
    Theme::named(THEMES, name)
}

/// The layout of the cells on the scene. Columns and rows count from 0 at the first seat's lower left; a flipped grid
/// is rotated by half a turn for the opposite seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    cols: u8,
    rows: u8,
    cell: f32,
    corner: Point,
    height: f32,
    flipped: bool,
    large: bool,
}

impl Grid {
    /// A board of 1 to 12 columns and rows in a style, seen from below or (flipped) from above.
    pub fn new(cols: u8, rows: u8, flipped: bool, style: Style) -> Grid {
        let large = style == Style::Large;
        let room = CANVAS - 2.0 * if large { 75.0 } else { 45.0 };
        // Whole units, so that the edges of squares are on whole pixels.
        let cell = (room / f32::from(cols.max(rows))).floor();
        let across = cell * f32::from(cols);
        let along = cell * f32::from(rows);
        let margin = ((CANVAS - cell * f32::from(cols.max(rows))) / 2.0).floor();
        let corner = pt(((CANVAS - across) / 2.0).floor(), margin);
        Grid { cols, rows, cell, corner, height: along + 2.0 * margin, flipped, large }
    }

    /// An empty scene of the grid's size with the board on it.
    pub fn scene(&self, theme: &'static Theme) -> Scene {
        let mut scene = Scene::new(CANVAS, self.height, theme, "frame");
        scene.stamp(self.board(), pt(CANVAS / 2.0, self.height / 2.0));
        scene
    }

    /// The side length of a cell.
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// The scale relative to the 10x10 board: 1 there, 1.25 on 8x8.
    pub fn unit(&self) -> f32 {
        self.cell / 96.0
    }

    /// Whether everything is drawn as large and strong as possible.
    pub fn is_large(&self) -> bool {
        self.large
    }

    /// The centre of a cell by column and row.
    pub fn centre(&self, (col, row): (u8, u8)) -> Point {
        let (across, down) =
            if self.flipped { (self.cols - 1 - col, row) } else { (col, self.rows - 1 - row) };
        let at = |n: u8| (f32::from(n) + 0.5) * self.cell;
        pt(self.corner.x + at(across), self.corner.y + at(down))
    }

    /// The suffix of stamps that depend on the size of a cell.
    pub fn suffix(&self) -> impl fmt::Display + use<> {
        format!("{}{}", self.cell, if self.large { "-large" } else { "" })
    }

    /// The empty board with its edge and coordinates, around the middle of the scene.
    fn board(&self) -> Stamp {
        let grid = *self;
        let turn = if self.flipped { "-flipped" } else { "" };
        let name = format!("square/board/{}x{}{turn}/{}", self.cols, self.rows, self.suffix());
        Stamp::new(name, (CANVAS / 2.0, self.height / 2.0), move || grid.board_art())
    }

    fn board_art(&self) -> Vec<Shape> {
        let middle = pt(CANVAS / 2.0, self.height / 2.0);
        let about = |p: Point| pt(p.x - middle.x, p.y - middle.y);
        let (w, h) = (self.cell * f32::from(self.cols), self.cell * f32::from(self.rows));
        let edge = if self.large { 8.0 } else { 5.0 };
        let corner = pt(self.corner.x - edge, self.corner.y - edge);
        let mut art = vec![Shape::rect(about(corner), w + 2.0 * edge, h + 2.0 * edge, 6.0).fill(ink("edge"))];
        // One background for all light squares: between two adjacent shapes the colour below would shine through if
        // their edge is inside a pixel.
        art.push(Shape::rect(about(self.corner), w, h, 0.0).fill(ink("light")));
        for place in self.places().filter(|place| is_dark(*place)) {
            art.push(self.square(about(self.centre(place)), ink("dark")));
        }
        art.extend(self.coordinates().into_iter().map(|(text, at)| self.coordinate(&text, about(at))));
        art
    }

    fn places(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let cols = self.cols;
        (0..self.rows).flat_map(move |row| (0..cols).map(move |col| (col, row)))
    }

    fn square(&self, centre: Point, paint: Paint) -> Shape {
        let half = self.cell / 2.0;
        Shape::rect(pt(centre.x - half, centre.y - half), self.cell, self.cell, 0.0).fill(paint)
    }

    /// Letters above and below, numbers left and right, each centred in the margin.
    fn coordinates(&self) -> Vec<(String, Point)> {
        let out = self.corner.y / 2.0 + 1.0;
        let (left, right) = (self.corner.x - out, self.corner.x + self.cell * f32::from(self.cols) + out);
        let mut all = Vec::new();
        for col in 0..self.cols {
            let letter = char::from(b'a' + col).to_string();
            let x = self.centre((col, 0)).x;
            all.extend([out - 2.0, self.height - out + 1.0].map(|y| (letter.clone(), pt(x, y))));
        }
        for row in 0..self.rows {
            let y = self.centre((0, row)).y;
            all.extend([left, right].map(|x| ((row + 1).to_string(), pt(x, y))));
        }
        all
    }

    fn coordinate(&self, text: &str, at: Point) -> Shape {
        // Two digits must not touch the edge.
        let size = match (self.large, text.len()) {
            (false, 1) => 30.0,
            (false, _) => 27.0,
            (true, 1) => 56.0,
            (true, _) => 45.0,
        };
        Shape::text(text, at, size, Weight::SemiBold).fill(ink("coordinates"))
    }

    /// A stamp around the centre of a cell, no larger than the cell.
    pub fn stamp(&self, name: &str, art: impl Fn(f32) -> Vec<Shape> + Send + Sync + 'static) -> Stamp {
        let (half, unit) = (self.cell / 2.0, self.unit());
        Stamp::new(format!("{name}/{}", self.suffix()), (half, half), move || art(unit))
    }

    /// The whole cell in the highlight of the last move.
    pub fn lit(&self, place: (u8, u8)) -> Stamp {
        let grid = *self;
        let paint = if is_dark(place) { "dark-lit" } else { "light-lit" };
        self.stamp(&format!("square/{paint}"), move |_| vec![grid.square(pt(0.0, 0.0), ink(paint))])
    }

    /// A blocked square: a stone in three tones, crossed in some themes.
    pub fn block(&self, crossed: bool) -> Stamp {
        let name = if crossed { "square/block-crossed" } else { "square/block" };
        self.stamp(name, move |u| block_art(u, crossed))
    }

    /// The mark of a chosen cell, drawn below pieces.
    pub fn chosen(&self, place: (u8, u8)) -> [Stamp; 2] {
        let half = self.cell / 2.0;
        let outline = self.stamp("square/chosen", move |u| {
            let (inset, width) = (4.0 * u, 8.0 * u);
            let corner = pt(inset - half, inset - half);
            let side = 2.0 * (half - inset);
            vec![Shape::rect(corner, side, side, 6.0 * u).stroke(ink("line"), width)]
        });
        [self.lit(place), outline]
    }

    /// The mark of a selectable cell: a dot, or a ring around a piece.
    pub fn goal(&self, occupied: bool) -> Stamp {
        if occupied {
            return self.stamp("square/goal-ring", |u| {
                vec![Shape::circle(pt(0.0, 0.0), 43.0 * u).stroke(ink("line"), 7.0 * u)]
            });
        }
        self.stamp("square/goal-dot", |u| vec![Shape::circle(pt(0.0, 0.0), 14.0 * u).fill(tint("line", 0.7))])
    }

    /// The mark of a cell that can be selected by a label of one or two characters: in its centre, or as a badge in the
    /// corner if it has a piece.
    pub fn label(&self, label: &str, occupied: bool) -> Stamp {
        let kind = if occupied { "badge" } else { "numeral" };
        let label = label.to_owned();
        self.stamp(&format!("square/{kind}/{label}"), move |u| {
            let (at, radius, size) =
                if occupied { (pt(31.0 * u, -31.0 * u), 16.5, 27.0) } else { (pt(0.0, 0.0), 35.0, 46.0) };
            let disc = Shape::circle(at, radius * u).fill(ink("line"));
            let disc = if occupied { disc.stroke(ink("sign"), 3.0 * u) } else { disc };
            vec![disc, Shape::text(&*label, at, size * u, Weight::Bold).fill(ink("sign"))]
        })
    }

    /// The mark of a direction that can be selected by a label, on its first cell: a disc that points there.
    pub fn direction(&self, label: &str, heading: u8) -> Stamp {
        let label = label.to_owned();
        self.stamp(&format!("square/direction/{label}-{heading}"), move |u| {
            let (at, radius) = (pt(0.0, 0.0), 30.0 * u);
            vec![
                pointer(at, (radius, 46.0 * u), degrees(heading, false), ink("line")),
                Shape::circle(at, radius).fill(ink("line")),
                Shape::text(&*label, at, 42.0 * u, Weight::Bold).fill(ink("sign")),
            ]
        })
    }
}

/// Whether a square is dark, as `a1` is.
pub fn is_dark((col, row): (u8, u8)) -> bool {
    (col + row).is_multiple_of(2)
}

fn block_art(u: f32, crossed: bool) -> Vec<Shape> {
    let slab = |top: f32, height: f32, round: f32, paint| {
        Shape::rect(pt(-40.0 * u, top * u), 80.0 * u, height * u, round * u).fill(ink(paint))
    };
    let mut art = vec![
        slab(-37.0, 79.0, 14.0, "block-foot"),
        slab(-40.0, 77.0, 14.0, "block-top"),
        slab(-37.0, 74.0, 13.0, "block-face"),
    ];
    if crossed {
        let arm =
            |x: f32| Shape::line(pt(-x * u, -18.0 * u), pt(x * u, 18.0 * u)).stroke(ink("sign"), 6.0 * u);
        art.extend([arm(18.0), arm(-18.0)]);
    }
    art
}

/// An unfilled outline over a block or a cell: `half` its half side, scaled by `u`.
pub fn outline(centre: Point, half: f32, u: f32, paint: Paint, width: f32) -> Shape {
    let corner = pt(centre.x - half * u, centre.y - half * u);
    let side = 2.0 * half * u;
    Shape::new(Outline::Rect { corner, w: side, h: side, round: 14.0 * u }).stroke(paint, width * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_themes_have_the_same_tokens() {
        let tokens = |theme: &Theme| theme.colours.iter().map(|(token, _)| *token).collect::<Vec<_>>();
        for theme in THEMES {
            assert_eq!(tokens(theme), tokens(&WALNUT), "{}", theme.name);
        }
    }

    #[test]
    fn cells_fill_the_canvas_and_turn_about_its_middle() {
        for (cols, rows) in [(10, 10), (4, 12), (12, 4), (7, 5), (11, 11)] {
            for style in [Style::Full, Style::Large] {
                let [here, there] = [false, true].map(|flipped| Grid::new(cols, rows, flipped, style));
                let last = (cols - 1, rows - 1);
                assert_eq!(here.centre((0, 0)), there.centre(last));
                assert!(here.centre((0, 0)).y > here.centre(last).y);
                let (half, top) = (here.cell() / 2.0, here.centre(last).y);
                assert!(top - half >= 45.0 && here.centre(last).x + half <= CANVAS - 45.0);
                assert!(here.height <= CANVAS);
            }
        }
        let tens = Grid::new(10, 10, false, Style::Full);
        assert_eq!((tens.cell(), tens.centre((0, 0))), (96.0, pt(93.0, 957.0)));
    }
}
