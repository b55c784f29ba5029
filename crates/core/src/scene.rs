//! Drawings in board units, before pixels; `render` turns them into pictures.
//!
//! A picture 1,050 pixels wide has one pixel per unit; x grows to the right, y downwards. A scene is a list of stamps
//! (recurring art: the empty board, a queen, a block, a digit in a ring), each rasterised once per theme and size and
//! then copied, and of loose shapes (the line of the last move), drawn each time. This module knows no pixels, and
//! `render` knows no games.

use std::fmt;
use std::sync::Arc;

use super::{Cell, CellSet, Position, Reach, Seat};

/// A piece that isn't on the board yet, beside the board on a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffBoardPiece {
    /// The middle of the piece.
    pub at: Point,
    /// The radius of a ring around it.
    pub radius: f32,
    /// The upper left and the lower right corner of the area in which it can be touched.
    pub area: [Point; 2],
}

/// A point or vector in board units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Grows to the right.
    pub x: f32,
    /// Grows towards the bottom edge.
    pub y: f32,
}

impl Point {
    /// The point at this distance from here towards another point. Points closer together than one unit count as one
    /// unit apart.
    #[must_use]
    pub fn towards(self, to: Point, distance: f32) -> Point {
        let (dx, dy) = (to.x - self.x, to.y - self.y);
        let part = distance / dx.hypot(dy).max(1.0);
        pt(self.x + dx * part, self.y + dy * part)
    }
}

impl Point {
    /// The direction to another point: the nearest of eight, clockwise from up. `None` if it is the same point.
    pub fn heading(self, to: Point) -> Option<u8> {
        let (dx, dy) = (to.x - self.x, to.y - self.y);
        let eighths = || (dx.atan2(-dy).to_degrees().rem_euclid(360.0) / 45.0).round() as u8 % 8;
        (dx != 0.0 || dy != 0.0).then(eighths)
    }
}

/// A point from its coordinates in board units.
pub const fn pt(x: f32, y: f32) -> Point {
    Point { x, y }
}

/// A colour by its role: the name of one of the theme's tokens, such as `frame`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ink(pub &'static str);

/// An sRGB colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The colour of the number `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Rgb {
        Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }
}

/// A set of colours for one family of boards.
#[derive(Debug)]
pub struct Theme {
    /// Its name, such as `walnut`. The pair (family, name) is unique.
    pub name: &'static str,
    /// The kind of boards it is for: `square`, `ice`, `soccer`, `amoeba`.
    pub family: &'static str,
    /// The sides that have other names in this theme, after the colours in which it paints them: the key of the game's
    /// own name, and of the name here.
    pub sides: &'static [(&'static str, &'static str)],
    /// Tokens and colours, in any order, each token once.
    pub colours: &'static [(&'static str, Rgb)],
}

impl Theme {
    /// The theme with this name, or the first, which is the default.
    ///
    /// # Panics
    /// If there are no themes.
    pub fn named(themes: &[&'static Theme], name: &str) -> &'static Theme {
        themes.iter().find(|theme| theme.name == name).unwrap_or(&themes[0])
    }

    /// The key of a side's name in this theme, by the key of the game's own name for it.
    pub fn side(&self, own: &'static str) -> &'static str {
        self.sides.iter().find(|(known, _)| *known == own).map_or(own, |(_, here)| here)
    }

    /// The colour of a token; `None` if the theme has no such token (a test checks that every token exists).
    pub fn colour(&self, ink: Ink) -> Option<Rgb> {
        self.colours.iter().find(|(token, _)| *token == ink.0).map(|(_, rgb)| *rgb)
    }
}

/// An ink with an opacity of 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// The colour's token in the theme.
    pub ink: Ink,
    /// Opacity, 0 to 1.
    pub share: f32,
}

/// An opaque paint of a theme token.
pub const fn ink(token: &'static str) -> Paint {
    Paint { ink: Ink(token), share: 1.0 }
}

/// A translucent paint.
pub const fn tint(token: &'static str, share: f32) -> Paint {
    Paint { ink: Ink(token), share }
}

/// The style of a line. Ends and corners are round.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The paint of the line.
    pub paint: Paint,
    /// The width in board units.
    pub width: f32,
    /// The lengths of dash and gap in units, if the line is dashed. `(0.0, gap)` with round ends makes dots.
    pub dash: Option<(f32, f32)>,
}

/// How a text is aligned to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The point is the left end of the text.
    Left,
    /// The point is the middle of the text.
    Middle,
    /// The point is the right end of the text.
    Right,
}

/// The weight of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Weight 600: used for all text.
    SemiBold,
    /// Weight 700: used for scores and heights.
    Bold,
}

/// The outline of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle by centre and radius.
    Circle {
        /// The centre in board units.
        centre: Point,
        /// The radius in board units.
        radius: f32,
    },
    /// An upright rectangle with rounded corners (radius 0 for sharp corners).
    Rect {
        /// The upper left corner.
        corner: Point,
        /// Width in board units.
        w: f32,
        /// Height in board units.
        h: f32,
        /// Radius of the corners.
        round: f32,
    },
    /// Straight lines from point to point.
    Lines {
        /// The points, two or more.
        points: Vec<Point>,
        /// Whether the last point is joined to the first.
        closed: bool,
    },
    /// An SVG path (the `d` attribute), scaled, rotated clockwise by degrees about its origin, then moved.
    Path {
        /// The commands of the path.
        d: &'static str,
        /// The position of its origin.
        at: Point,
        /// Units per unit of the path.
        scale: f32,
        /// Rotation in degrees, clockwise.
        turn: f32,
    },
    /// A line of text. Its cap height is centred on the point's y. Digits in `Bold` are tabular.
    Text {
        /// The text, one line.
        text: String,
        /// The point that `anchor` refers to.
        at: Point,
        /// Font size in board units.
        size: f32,
        /// The weight of the font.
        weight: Weight,
        /// Which part of the text is at the point.
        anchor: Anchor,
    },
}

/// An outline with paint: filled first, then stroked.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Where its edge runs.
    pub outline: Outline,
    /// The paint of the inside, if any.
    pub fill: Option<Paint>,
    /// The stroke of the edge, if any.
    pub stroke: Option<Stroke>,
}

impl Shape {
    /// An outline without paint.
    pub fn new(outline: Outline) -> Shape {
        Shape { outline, fill: None, stroke: None }
    }

    /// A circle by centre and radius.
    pub fn circle(centre: Point, radius: f32) -> Shape {
        Shape::new(Outline::Circle { centre, radius })
    }

    /// A rectangle by its upper left corner.
    pub fn rect(corner: Point, w: f32, h: f32, round: f32) -> Shape {
        Shape::new(Outline::Rect { corner, w, h, round })
    }

    /// A straight line between two points.
    pub fn line(from: Point, to: Point) -> Shape {
        Shape::new(Outline::Lines { points: vec![from, to], closed: false })
    }

    /// A closed polygon through the points.
    pub fn polygon(points: Vec<Point>) -> Shape {
        Shape::new(Outline::Lines { points, closed: true })
    }

    /// An SVG path at a place.
    pub fn path(d: &'static str, at: Point, scale: f32, turn: f32) -> Shape {
        Shape::new(Outline::Path { d, at, scale, turn })
    }

    /// Text centred on a point.
    pub fn text(text: impl Into<String>, at: Point, size: f32, weight: Weight) -> Shape {
        Shape::new(Outline::Text { text: text.into(), at, size, weight, anchor: Anchor::Middle })
    }

    /// The same shape with a filled inside.
    #[must_use]
    pub fn fill(mut self, paint: Paint) -> Shape {
        self.fill = Some(paint);
        self
    }

    /// The same shape with an edge.
    #[must_use]
    pub fn stroke(mut self, paint: Paint, width: f32) -> Shape {
        self.stroke = Some(Stroke { paint, width, dash: None });
        self
    }

    /// The same shape with a dashed edge.
    #[must_use]
    pub fn dashed(mut self, paint: Paint, width: f32, on: f32, off: f32) -> Shape {
        self.stroke = Some(Stroke { paint, width, dash: Some((on, off)) });
        self
    }
}

/// Recurring art. Stamps with equal names have the same art.
#[derive(Clone)]
pub struct Stamp {
    /// Its name, unique over all games: `amazons/queen/white`, `board/square/10x10`.
    pub name: String,
    /// Half the width and height of a box around the stamp's origin that contains all its paint.
    pub half: (f32, f32),
    /// Draws it around the origin (0, 0). Called once per theme and size, then kept as tiles.
    pub art: Arc<dyn Fn() -> Vec<Shape> + Send + Sync>,
}

impl Stamp {
    /// A stamp from its name, box and art.
    pub fn new(
        name: impl Into<String>,
        half: (f32, f32),
        art: impl Fn() -> Vec<Shape> + Send + Sync + 'static,
    ) -> Stamp {
        Stamp { name: name.into(), half, art: Arc::new(art) }
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stamp({})", self.name)
    }
}

/// One element of a scene.
#[derive(Clone, Debug)]
pub enum Item {
    /// A stamp and the position of its origin.
    Stamp(Stamp, Point),
    /// A shape that only this scene has.
    Shape(Shape),
}

/// A drawing: elements on a background.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Width in units, 1,050 for a board.
    pub width: f32,
    /// Height in board units.
    pub height: f32,
    /// The theme that resolves its inks.
    pub theme: &'static Theme,
    /// The paint of the background.
    pub ground: Ink,
    /// The elements, painted in order.
    pub items: Vec<Item>,
}

impl Scene {
    /// An empty scene on a background.
    pub fn new(width: f32, height: f32, theme: &'static Theme, ground: &'static str) -> Scene {
        Scene { width, height, theme, ground: Ink(ground), items: Vec::new() }
    }

    /// Adds a stamp.
    pub fn stamp(&mut self, stamp: Stamp, at: Point) {
        self.items.push(Item::Stamp(stamp, at));
    }

    /// Adds a shape.
    pub fn shape(&mut self, shape: Shape) {
        self.items.push(Item::Shape(shape));
    }
}

/// The strength in quarters of the tint of a cell that only one seat can reach.
const ALONE_QUARTERS: u8 = 2;

/// How a board is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawOptions {
    /// The theme's name; an unknown name means the game's default.
    pub theme: String,
    /// The seat at the bottom.
    pub side: Seat,
    /// How much is drawn.
    pub style: Style,
    /// Whether patterns distinguish the sides as well, in every theme.
    pub patterns: bool,
    /// How many turns before the last are shown like it, for viewers who missed several.
    pub earlier: usize,
    /// Cells marked for the player who chooses a move.
    pub marks: Vec<Mark>,
    /// Cells tinted by owner, with a strength of 0 to 1.
    pub owners: Vec<(Cell, Seat, f32)>,
    /// The territory to show: cells of one seat alone are tinted like owned ones, and shared cells are hatched.
    pub territory: Option<Reach>,
    /// Whether the game was over at this position although its rules allow it to continue: resigned, out of time,
    /// agreed, called off.
    pub over: bool,
    /// Whether boards with a score strip show it; a card shows the scores beside the board.
    pub strip: bool,
}

impl DrawOptions {
    /// Cells tinted by owner, with a strength in quarters, 1 to 4: more levels cannot be distinguished and would use up
    /// the palette. Weaker ones are dropped.
    pub fn owned(&self) -> impl Iterator<Item = (Cell, Seat, u8)> + '_ {
        let quarters = |strength: f32| (strength.clamp(0.0, 1.0) * 4.0).round() as u8;
        let owned = self.owners.iter().map(move |(cell, seat, strength)| (*cell, *seat, quarters(*strength)));
        let alone = self.territory.iter().flat_map(|reach| Seat::all(reach.alone.len()).zip(&reach.alone));
        let alone =
            alone.flat_map(|(seat, cells)| cells.iter().map(move |cell| (cell, seat, ALONE_QUARTERS)));
        owned.filter(|(_, _, quarters)| *quarters > 0).chain(alone)
    }

    /// Cells that are hatched because several seats can still reach them.
    pub fn shared(&self) -> CellSet {
        self.territory.as_ref().map_or(CellSet::EMPTY, |reach| reach.shared)
    }

    /// The default options for the view from a seat.
    pub fn from_seat(side: Seat) -> DrawOptions {
        DrawOptions {
            theme: String::new(),
            side,
            style: Style::Full,
            patterns: false,
            earlier: 0,
            marks: Vec::new(),
            owners: Vec::new(),
            territory: None,
            over: false,
            strip: true,
        }
    }

    /// The seat shown as being to move; `None` once the game is over.
    pub fn to_move(&self, position: &impl Position) -> Option<Seat> {
        (!self.over && position.outcome().is_none()).then(|| position.turn())
    }
}

/// How much is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Board, pieces, last move and scores.
    Full,
    /// No last move and no chips: board, coordinates and pieces.
    Plain,
    /// Coordinates and pieces as large as possible, strong edges.
    Large,
}

/// A cell marked for the player who chooses a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The cell that is marked.
    pub cell: Cell,
    /// How the cell is marked.
    pub kind: MarkKind,
}

/// The meaning of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Chosen by an earlier step.
    Chosen,
    /// Can be chosen next.
    Goal,
    /// Can be chosen by this short label ("1" to "35").
    Label(String),
    /// The first cell in a direction that can be chosen by this short label.
    Direction {
        /// The label, such as "1".
        label: String,
        /// The direction on the drawing, in eighths clockwise from up.
        heading: u8,
    },
    /// A direction that the piece on the cell can be turned to face, chosen by this short label.
    Facing {
        /// The label, such as "1".
        label: String,
        /// The direction on the drawing, in eighths clockwise from up.
        heading: u8,
    },
}

impl MarkKind {
    /// The label by which a cell or direction can be chosen.
    pub fn label(&self) -> Option<&str> {
        match self {
            MarkKind::Label(label) | MarkKind::Direction { label, .. } | MarkKind::Facing { label, .. } => {
                Some(label)
            }
            MarkKind::Chosen | MarkKind::Goal => None,
        }
    }

    /// The direction to which the label points, in eighths clockwise from up.
    pub fn heading(&self) -> Option<u8> {
        match self {
            MarkKind::Direction { heading, .. } | MarkKind::Facing { heading, .. } => Some(*heading),
            _ => None,
        }
    }
}
