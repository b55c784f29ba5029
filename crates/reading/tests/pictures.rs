//! Pictures of boards are read, and others are refused.

#![allow(clippy::unwrap_used)]

mod spoil;

use image::{Rgb, RgbImage, imageops};
use rookery_core::Seat;
use rookery_core::rules::Setup;
use rookery_core::scene::DrawOptions;
use rookery_reading::{ReadError, Reader, Reading, unpack};

/// Pictures of each game. The example `read_spoiled` tries any number.
const PICTURES: u64 = 4;

fn reader() -> Reader {
    static READER: std::sync::LazyLock<Reader> = std::sync::LazyLock::new(Reader::new);
    READER.clone()
}

/// Of pictures in all sizes, qualities and surroundings, most are read, and none is read wrongly without a question about a
/// cell.
fn read_pictures(game: &str, least: usize) {
    // Its own, since it keeps the drawings of one game at a time.
    let reader = Reader::new();
    let mut read = 0;
    for seed in 0..PICTURES {
        let spoil::Spoiled { image, play, how } = spoil::spoiled(game, seed);
        let Ok(reading) = reader.read(&image) else { continue };
        let is_right = reading.play.text_board() == play.text_board();
        assert!(
            is_right || !reading.unclear.is_empty(),
            "{game} {seed}, {how}:\n{}",
            reading.play.text_board()
        );
        read += usize::from(is_right && reading.unclear.is_empty());
    }
    assert!(read >= least, "{read} of {PICTURES} pictures of {game} are read without a question");
}

#[test]
fn pictures_of_amazons_are_read() {
    read_pictures("amazons", 2);
}

#[test]
fn pictures_of_penguins_are_read() {
    read_pictures("penguins", 2);
}

#[test]
fn pictures_of_amazon_penguins_are_read() {
    read_pictures("amazon_penguins", 1);
}

#[test]
fn pictures_of_paper_penguins_are_read() {
    read_pictures("paper_penguins", 2);
}

fn amazons() -> RgbImage {
    let game = rookery_games::named("amazons").unwrap();
    let play = game.resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 600).to_image()
}

fn line(reading: Result<Reading, ReadError>) -> String {
    reading.map(|reading| reading.play.line()).unwrap()
}

#[test]
fn a_drawing_is_read_as_it_is() {
    assert!(line(reader().read(&amazons())).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

#[test]
fn a_very_large_picture_is_read() {
    let large = imageops::resize(&amazons(), 4_000, 4_000, imageops::FilterType::Triangle);
    assert!(line(reader().read(&large)).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

/// A queen that is painted over with the colours of nothing is asked about.
#[test]
fn what_was_painted_over_is_unclear() {
    let mut image = amazons();
    let stripes =
        RgbImage::from_fn(
            70,
            70,
            |x, _| if x / 7 % 2 == 0 { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) },
        );
    // On d2 of a board with margins of 26 pixels and cells of 91.
    imageops::overlay(&mut image, &stripes, 26 + 3 * 91 + 10, 26 + 4 * 91 + 10);
    let reading = reader().read(&image).unwrap();
    let unclear: Vec<&str> = reading.unclear.iter().map(|cell| reading.play.board().name(*cell)).collect();
    assert_eq!(unclear, ["d2"]);
}

#[test]
fn other_pictures_are_refused() {
    let noise = RgbImage::from_fn(500, 400, |x, y| {
        Rgb([(x * 37 % 251) as u8, (y * 91 % 241) as u8, (x * y % 239) as u8])
    });
    for (name, image) in [
        ("small", RgbImage::new(80, 80)),
        ("black", RgbImage::new(600, 600)),
        ("noise", noise),
        (
            "squares",
            RgbImage::from_fn(640, 640, |x, y| {
                if (x / 80 + y / 80) % 2 == 0 { Rgb([240; 3]) } else { Rgb([70, 110, 70]) }
            }),
        ),
        ("half a board", imageops::crop_imm(&amazons(), 0, 0, 300, 600).to_image()),
    ] {
        assert_eq!(reader().read(&image).err(), Some(ReadError::NoBoard), "{name}");
    }
    for key in ["amoeba", "penguin_soccer"] {
        let play = rookery_games::named(key).unwrap().start(&Setup::new(2)).unwrap();
        let image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 700).to_image();
        assert_eq!(reader().read(&image).err(), Some(ReadError::NoBoard), "{key}");
    }
}

#[test]
fn files_that_are_no_pictures_are_refused() {
    for bytes in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n", b"hello", &[0xff, 0xd8, 0xff, 0xe0, 0, 16]] {
        assert_eq!(unpack(bytes).err(), Some(ReadError::NotAPicture), "{bytes:?}");
    }
}
