//! Tests of pictures by their pixels.

pub(crate) mod golden;
pub(crate) mod played;
mod sample;
use rookery_core::scene::{DrawOptions, Mark, MarkKind, Scene, Style};
use rookery_core::{Menu, Play, Seat};
use rookery_render::{Grid, Painter, render};

/// The width at which Discord shows a board on a desktop, so that golden pictures are small and realistic.
pub(crate) const WIDTH_PX: u32 = 350;

#[test]
fn pictures_sample_matches_its_golden_picture() {
    golden::check("sample", &render(&sample::board(36), WIDTH_PX));
}

#[test]
fn pictures_of_every_game_match_their_golden_pictures() {
    for kind in rookery_games::all() {
        let play = played::game(*kind, 2, 24);
        let scene = play.scene(&DrawOptions::from_seat(play.turn()));
        golden::check(kind.info().key, &render(&scene, WIDTH_PX));
    }
}

/// Boards for four players: four colours with their emblems, four chips or Homes.
#[test]
fn pictures_of_boards_for_four_match_their_golden_pictures() {
    for kind in rookery_games::all().iter().filter(|kind| kind.info().seats.contains(&4)) {
        let play = played::game(*kind, 4, 30);
        let scene = play.scene(&DrawOptions::from_seat(play.turn()));
        golden::check(&format!("{}_four", kind.info().key), &render(&scene, WIDTH_PX));
    }
}

/// Views for special needs: numbered candidates, tinted owners, a plain board, large print from the other
/// side.
#[test]
fn pictures_of_other_looks_match_their_golden_pictures() {
    for kind in rookery_games::all() {
        let play = played::game(*kind, 2, 24);
        let looks = [
            ("numbered", numbered(&*play)),
            ("owned", owned(&*play)),
            ("plain", plain()),
            ("large", large()),
        ];
        let boards: Vec<_> = looks.map(|(name, look)| (play.scene(&look), name.to_owned())).into();
        let sheet = Painter::new().sheet(&boards, Grid { columns: 2, board_px: WIDTH_PX });
        golden::check(&format!("{}_looks", kind.info().key), &sheet.expect("four boards"));
    }
}

/// Patterns on pieces, with the most players, and on owned cells.
#[test]
fn pictures_with_patterns_match_their_golden_pictures() {
    for kind in rookery_games::all() {
        let most = kind.info().seats.last().copied().unwrap();
        let (many, two) = (played::game(*kind, most, 30), played::game(*kind, 2, 24));
        let patterned = |look| DrawOptions { patterns: true, ..look };
        let boards = [
            (many.scene(&patterned(DrawOptions::from_seat(many.turn()))), "pieces".to_owned()),
            (two.scene(&patterned(owned(&*two))), "owned".to_owned()),
        ];
        let sheet = Painter::new().sheet(&boards, Grid { columns: 2, board_px: WIDTH_PX });
        golden::check(&format!("{}_patterns", kind.info().key), &sheet.expect("two boards"));
    }
}

/// Numbers the goals of the last movable piece.
fn numbered(play: &dyn Play) -> DrawOptions {
    let mut look = DrawOptions::from_seat(play.turn());
    let Menu::Choose(choices) = play.menu(&[]) else { return look };
    let piece = &choices.last().expect("a menu has choices").step;
    let mark = |cell, kind| Mark { cell, kind };
    look.marks.extend(piece.cell.map(|cell| mark(cell, MarkKind::Chosen)));
    let Menu::Choose(goals) = play.menu(std::slice::from_ref(&piece.text)) else { return look };
    let cells = goals.iter().filter_map(|goal| goal.step.cell).enumerate();
    look.marks.extend(cells.map(|(n, cell)| mark(cell, MarkKind::Label((n + 1).to_string()))));
    look
}

/// Tints the lower rows for the first seat and the upper ones for the second, stronger further from the
/// middle.
fn owned(play: &dyn Play) -> DrawOptions {
    let board = play.board();
    let top = board.cells().map(|cell| board.place(cell).1).max().unwrap_or(0);
    let owner = |cell| {
        let height = f32::from(board.place(cell).1) / f32::from(top) - 0.5;
        (cell, if height < 0.0 { Seat::FIRST } else { Seat::SECOND }, height.abs() * 2.0)
    };
    DrawOptions { owners: board.cells().map(owner).collect(), ..DrawOptions::from_seat(Seat::FIRST) }
}

fn plain() -> DrawOptions {
    DrawOptions { style: Style::Plain, ..DrawOptions::from_seat(Seat::FIRST) }
}

fn large() -> DrawOptions {
    DrawOptions { style: Style::Large, ..DrawOptions::from_seat(Seat::SECOND) }
}

#[test]
fn pictures_do_not_depend_on_earlier_ones() {
    let painter = Painter::new();
    let busy: Vec<Scene> = [90, 5, 36].map(sample::board).to_vec();
    for width_px in [1050, 600, 350] {
        for scene in &busy {
            assert!(painter.picture(scene, width_px) == render(scene, width_px), "{width_px}");
        }
    }
}

#[test]
fn pictures_of_boards_are_small_files_of_few_colours() {
    // Far below what a slow phone connection notices; this is the fullest board.
    let file = rookery_render::png(&render(&sample::board(90), 1050));
    assert!(file.len() < 45_000, "{}", file.len());
    for kind in rookery_games::all() {
        let seats = kind.info().seats.last().copied().unwrap();
        let play = played::game(*kind, seats, 30);
        for patterns in [false, true] {
            let look = DrawOptions { patterns, ..DrawOptions::from_seat(Seat::all(seats).next().unwrap()) };
            let picture = render(&play.scene(&look), 1050);
            let bytes = rookery_render::png(&picture).len();
            assert!(bytes < 100_000, "{}: {bytes}", kind.info().key);
            assert!(picture.palette().len() <= 255);
        }
    }
}
