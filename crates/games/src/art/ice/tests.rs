use super::{IcePicture, THEMES};
use crate::floe::{Floe, Move, Phase, layout};
use rookery_core::board::Shape as BoardShape;
use rookery_core::conformance::check_inks;
use rookery_core::scene::{DrawOptions, Item, Mark, MarkKind, Outline, Point, Scene, Shape, Style, pt};
use rookery_core::{Board, Cell, Seat};

/// A board in the middle of a game: pieces, holes, and a last move with a spear.
fn floe(board: &'static Board, seats: usize) -> Floe {
    let mut floe = Floe::bare(board, seats, 1, false);
    layout::random(board, 5).into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
    Seat::all(seats).for_each(|seat| floe.put(seat, Cell(seat.index() as u8 * 3)));
    floe.remove_tile(Cell(20));
    floe.remove_tile(Cell(21));
    floe.begin(Phase::Move, Seat::SECOND);
    floe
}

fn show(floe: &Floe) -> IcePicture<'_> {
    let scores = Seat::all(floe.seats()).map(|seat| floe.with_standing(seat)).collect();
    let last = Move { from: Some(Cell(20)), to: Cell(0), spear: Some(Cell(21)) };
    IcePicture { floe, scores, turn: Some(floe.turn()), last: Some(last), earlier: Vec::new() }
}

/// All options at once: marks of all kinds on all kinds of cells, owners.
fn look(theme: &str, style: Style, side: Seat) -> DrawOptions {
    let kinds = [MarkKind::Chosen, MarkKind::Goal, MarkKind::Label("17".into())];
    let marks = (0..24u8).map(|n| Mark { cell: Cell(n), kind: kinds[usize::from(n % 3)].clone() }).collect();
    let owners = (20..30).map(|n| (Cell(n), Seat::SECOND, f32::from(n - 20) / 9.0)).collect();
    DrawOptions {
        theme: theme.to_owned(),
        style,
        patterns: true,
        marks,
        owners,
        ..DrawOptions::from_seat(side)
    }
}

#[test]
fn every_look_has_known_inks_and_stays_on_the_canvas() {
    for (shape, seats) in [(BoardShape::Island, 4), (BoardShape::Square { w: 12, h: 7 }, 2)] {
        let floe = floe(Board::of(shape), seats);
        for theme in THEMES {
            for style in [Style::Full, Style::Plain, Style::Large] {
                for side in [Seat::FIRST, Seat::SECOND] {
                    let scene = show(&floe).scene(&look(theme.name, style, side));
                    check_inks(&scene);
                    assert_eq!(scene.theme.name, theme.name);
                    cells_lie_inside(&floe, &look(theme.name, style, side));
                }
            }
        }
    }
}

fn cells_lie_inside(floe: &Floe, look: &DrawOptions) {
    let plan = super::Plan::new(floe.board(), look);
    let height = if plan.is_island() { 69.28 * plan.unit } else { plan.cell() / 2.0 };
    for cell in floe.board().cells() {
        let at = plan.centre(cell);
        let half = plan.cell() / 2.0;
        assert!(at.x - half >= 0.0 && at.x + half <= 1050.0, "{at:?}");
        assert!(at.y - height >= 0.0 && at.y + height + 6.0 <= plan.height, "{at:?}");
    }
}

/// Neighbours are one cell apart in every orientation of the board.
#[test]
fn neighbours_lie_side_by_side() {
    for shape in [BoardShape::Island, BoardShape::Square { w: 5, h: 8 }] {
        let board = Board::of(shape);
        for side in [Seat::FIRST, Seat::SECOND] {
            let plan = super::Plan::new(board, &look("ice", Style::Full, side));
            for cell in board.cells() {
                for near in board.lines().neighbours(cell) {
                    let (a, b) = (plan.centre(cell), plan.centre(near));
                    let far = (a.x - b.x).hypot(a.y - b.y) / plan.cell();
                    assert!((0.99..1.42).contains(&far), "{far} cells from {cell:?} to {near:?}");
                }
            }
        }
    }
}

#[test]
fn an_unknown_theme_is_the_default() {
    let floe = floe(Board::of(BoardShape::Island), 2);
    assert_eq!(show(&floe).scene(&look("walnut", Style::Full, Seat::FIRST)).theme.name, "ice");
}

#[test]
fn without_a_move_before_there_is_less_to_draw() {
    let floe = floe(Board::of(BoardShape::Island), 2);
    let items =
        |last| IcePicture { last, ..show(&floe) }.scene(&DrawOptions::from_seat(Seat::FIRST)).items.len();
    // At least start, goal, speared cell and the two lines of the path.
    assert!(items(show(&floe).last) >= items(None) + 5);
}

fn segments(scene: &Scene) -> Vec<[Point; 2]> {
    let line = |item: &Item| match item {
        Item::Shape(Shape { outline: Outline::Lines { points, .. }, .. }) => Some([points[0], points[1]]),
        _ => None,
    };
    scene.items.iter().filter_map(line).collect()
}

fn dots(scene: &Scene) -> Vec<Point> {
    let dot = |item: &Item| match item {
        Item::Shape(Shape { outline: Outline::Circle { centre, .. }, .. }) => Some(*centre),
        _ => None,
    };
    scene.items.iter().filter_map(dot).collect()
}

/// The distance of a point from a line segment.
fn off(point: Point, [a, b]: [Point; 2]) -> f32 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy);
    let at = pt(a.x + dx * along.clamp(0.0, 1.0), a.y + dy * along.clamp(0.0, 1.0));
    (point.x - at.x).hypot(point.y - at.y)
}

/// A spear that flies back over the penguin's own path is drawn beside it, not on it.
#[test]
fn a_spear_back_over_the_way_lies_beside_it() {
    let floe = floe(Board::of(BoardShape::Square { w: 8, h: 8 }), 2);
    let last = Move { from: Some(Cell(24)), to: Cell(29), spear: Some(Cell(25)) };
    let scene = IcePicture { last: Some(last), ..show(&floe) }.scene(&DrawOptions::from_seat(Seat::FIRST));
    let (ways, dots) = (segments(&scene), dots(&scene));
    assert!(!ways.is_empty() && dots.len() > 10);
    // Half the width of the path, and the radius of a dot with its edge.
    let near = dots.iter().flat_map(|dot| ways.iter().map(|way| off(*dot, *way))).fold(f32::MAX, f32::min);
    assert!(near >= 6.5 + 7.0, "{near}");
}

/// With numerals, no path crosses a numeral.
#[test]
fn ways_keep_clear_of_numerals() {
    for shape in [BoardShape::Island, BoardShape::Square { w: 8, h: 8 }] {
        let floe = floe(Board::of(shape), 2);
        let last = Move { from: Some(Cell(24)), to: Cell(28), spear: Some(Cell(25)) };
        let look = DrawOptions { theme: "contrast".into(), ..DrawOptions::from_seat(Seat::FIRST) };
        let scene = IcePicture { last: Some(last), ..show(&floe) }.scene(&look);
        let plan = super::Plan::new(floe.board(), &look);
        for cell in [26, 27].map(Cell) {
            let middle = plan.centre(cell);
            let way = segments(&scene).iter().map(|way| off(middle, *way)).fold(f32::MAX, f32::min);
            let dot = dots(&scene).iter().map(|dot| off(middle, [*dot, *dot])).fold(f32::MAX, f32::min);
            assert!(way > 40.0 * plan.unit && dot > 40.0 * plan.unit, "{way} {dot}");
        }
    }
}

/// A strength of zero draws no mark.
#[test]
fn unowned_cells_have_no_mark() {
    let floe = floe(Board::of(BoardShape::Island), 2);
    let items = |strength| {
        let owners = floe.tiles().iter().map(|cell| (cell, Seat::FIRST, strength)).collect();
        show(&floe).scene(&DrawOptions { owners, ..DrawOptions::from_seat(Seat::FIRST) }).items.len()
    };
    let none = show(&floe).scene(&DrawOptions::from_seat(Seat::FIRST)).items.len();
    assert!(items(0.1) == none && items(0.2) > none);
}
