//! Pictures, compared by their pixels.

mod golden;
mod played;
mod sample;

use rookery::games;
use rookery::kit::Seat;
use rookery::kit::scene::{Look, Scene};
use rookery::render::{Painter, render};

/// As wide as Discord shows a board on a desktop: golden pictures stay small, and show what is seen.
const WIDTH_PX: u32 = 350;

#[test]
fn the_sample_looks_as_it_did() {
    golden::check("sample", &render(&sample::board(36), WIDTH_PX));
}

#[test]
fn every_game_looks_as_it_did() {
    for kind in games::ALL {
        let play = played::game(*kind, 2, 24);
        let scene = play.scene(&Look::from_seat(play.turn()));
        golden::check(kind.about().key, &render(&scene, WIDTH_PX));
    }
}

#[test]
fn a_picture_does_not_depend_on_those_before_it() {
    let painter = Painter::new();
    let busy: Vec<Scene> = [90, 5, 36].map(sample::board).to_vec();
    for width_px in [1050, 600, 350] {
        for scene in &busy {
            assert!(painter.picture(scene, width_px) == render(scene, width_px), "{width_px}");
        }
    }
}

#[test]
fn boards_are_small_files_of_few_colours() {
    // Well under what a channel of a slow phone notices; the fullest board there is.
    let file = rookery::render::png(&render(&sample::board(90), 1050));
    assert!(file.len() < 45_000, "{}", file.len());
    for kind in games::ALL {
        let seats = kind.about().seats.last().copied().unwrap();
        let play = played::game(*kind, seats, 30);
        let picture = render(&play.scene(&Look::from_seat(Seat::all(seats).next().unwrap())), 1050);
        let bytes = rookery::render::png(&picture).len();
        assert!(bytes < 100_000, "{}: {bytes}", kind.about().key);
        assert!(picture.palette().len() <= 255);
    }
}
