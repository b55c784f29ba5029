//! A printable sheet to play on: the current board, room for the points, the rules in brief.

use super::super::rules::State;
use super::{Page, marks};
use crate::art::plan::{Plan, WIDTH};
use crate::floe::MAX_PIECES;
use rookery_core::Seat;
use rookery_core::scene::{
    Anchor, DrawOptions, Outline, Point, Rgb, Scene, Shape, Style, Theme, Weight, ink, pt,
};

/// Height of a page of A4 that is 1,050 units wide.
const HEIGHT: f32 = 1485.0;
/// The scale of the board: printers leave a margin of some millimetres, and the row numbers are outside the board.
const BOARD: f32 = 0.93;
/// The top of the board.
const TOP: f32 = 150.0;
/// The top of the texts below the board.
const BELOW: f32 = TOP + 1060.0;

/// The side of the square in each corner, and its distance from the edges: 5 and 7 mm on A4.
const CORNER: f32 = 25.0;
const INSET: f32 = 35.0;

/// Black on white, light where it will be drawn over with a pencil.
static PRINT: Theme = Theme {
    name: "print",
    family: "paper",
    sides: &[],
    colours: &[
        ("sheet", Rgb::hex(0xFFFFFF)),
        ("strip", Rgb::hex(0xFFFFFF)),
        ("grid", Rgb::hex(0x555555)),
        ("coordinates", Rgb::hex(0x333333)),
        ("cell-1", Rgb::hex(0xFFFFFF)),
        ("cell-2", Rgb::hex(0xFFFFFF)),
        ("cell-3", Rgb::hex(0xFFFFFF)),
        ("number", Rgb::hex(0x222222)),
        ("gone", Rgb::hex(0xFFFFFF)),
        ("cross", Rgb::hex(0x222222)),
        ("square-line", Rgb::hex(0x000000)),
        ("square-fill", Rgb::hex(0xFFFFFF)),
        ("square-number", Rgb::hex(0x222222)),
        ("circle-line", Rgb::hex(0x000000)),
        ("circle-fill", Rgb::hex(0xFFFFFF)),
        ("circle-number", Rgb::hex(0x222222)),
    ],
};

/// The printable sheet of a new or running game, 1,050 by 1,485 units (A4).
pub fn sheet(state: &State) -> Scene {
    let look = DrawOptions { style: Style::Plain, ..DrawOptions::from_seat(Seat::FIRST) };
    let plan = Plan::new(state.floe().board(), &look).scaled(BOARD).lowered(TOP);
    let mut page = Page { scene: Scene::new(WIDTH, HEIGHT, &PRINT, "sheet"), plan };
    page.corners();
    page.write("Paper Pen-guins", pt(80.0, 78.0), 56.0, Weight::Bold);
    page.ground();
    page.cells(state);
    page.numbers(state, &look);
    for seat in Seat::all(2) {
        page.tally(state, seat);
    }
    for (line, text) in in_brief(state.floe().each()).iter().enumerate() {
        page.write(text, pt(80.0, BELOW + 116.0 + 33.0 * line as f32), 24.0, Weight::SemiBold);
    }
    page.scene
}

/// The rules for a number of shapes, short enough for the foot of a page.
fn in_brief(each: usize) -> [String; 4] {
    let shapes = match each {
        1 => "one shape".to_owned(),
        more => format!("{} shapes", NUMBERS[more - 1]),
    };
    [
        format!("Place: in turn, {shapes} each, on any free number. Score it at once."),
        "Move: one of your shapes like a chess queen, over free numbers only.".to_owned(),
        "Cross out the cell you left, score the one you reached. Stuck? You are skipped.".to_owned(),
        "Nobody can move: most points win.".to_owned(),
    ]
}

const NUMBERS: [&str; MAX_PIECES] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

impl Page {
    /// Squares in the corners, by which a photograph of the sheet is straightened.
    fn corners(&mut self) {
        let (right, bottom) = (WIDTH - INSET - CORNER, HEIGHT - INSET - CORNER);
        for (x, y) in [(INSET, INSET), (right, INSET), (INSET, bottom), (right, bottom)] {
            self.scene.shape(Shape::rect(pt(x, y), CORNER, CORNER, 0.0).fill(ink("square-line")));
        }
    }

    fn write(&mut self, text: &str, at: Point, size: f32, weight: Weight) {
        let outline = Outline::Text { text: text.to_owned(), at, size, weight, anchor: Anchor::Left };
        self.scene.shape(Shape::new(outline).fill(ink("number")));
    }

    /// A side's shape, the points so far, and a line to write on.
    fn tally(&mut self, state: &State, seat: Seat) {
        let left = 80.0 + 470.0 * seat.index() as f32;
        let y = BELOW + 48.0;
        self.scene.items.extend(marks::sign(seat, pt(left + 24.0, y)).map(rookery_core::scene::Item::Shape));
        let points = state.floe().taken(seat).points;
        if points > 0 {
            self.write(&points.to_string(), pt(left + 70.0, y), 44.0, Weight::Bold);
        }
        let line = Shape::line(pt(left + 60.0, y + 30.0), pt(left + 460.0, y + 30.0));
        self.scene.shape(line.stroke(ink("grid"), 3.0));
    }
}
