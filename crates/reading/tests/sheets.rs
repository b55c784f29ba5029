//! Photographs of sheets that were filled in by hand are read.

#![allow(clippy::unwrap_used)]

mod photograph;

use image::{RgbImage, imageops};
use photograph::{Manner, photographed};
use rookery_core::rules::Setup;
use rookery_core::scene::Scene;
use rookery_games::printed::{PageWords, printed_page};
use rookery_reading::{ReadError, Reader, content_of, with_content};

/// How many photographs are read in each manner of drawing. The example `read_sheets` tries any number.
const PHOTOGRAPHS: u64 = 6;
/// The heights of their sheets in pixels.
const HEIGHTS: std::ops::RangeInclusive<f32> = 700.0..=1_500.0;

/// Of photographs in all sizes, qualities and lights, most are read, and none wrongly without a question about a cell.
#[test]
fn photographs_are_read() {
    let reader = Reader::new();
    let mut read = 0;
    for (manner, seed) in
        [Manner::Usual, Manner::Hasty].into_iter().flat_map(|it| (0..PHOTOGRAPHS).map(move |seed| (it, seed)))
    {
        let photograph = photographed(seed, HEIGHTS, manner);
        let Ok(reading) = reader.read(&photograph.image) else { continue };
        let wrong = photograph.wrong_cells(reading.play.as_ref());
        let silent: Vec<_> = wrong.iter().filter(|(cell, _)| !reading.unclear.contains(cell)).collect();
        assert!(silent.is_empty(), "{manner:?} {seed}, {}: {silent:?}", photograph.how);
        read += usize::from(reading.unclear.is_empty());
    }
    let all = 2 * PHOTOGRAPHS as usize;
    assert!(read + 2 >= all, "{read} of {all} are read without a question");
}

fn page(line: &str) -> Scene {
    let play = rookery_games::named("paper_penguins").unwrap().resume(line).unwrap();
    let words = PageWords { title: String::new(), sides: vec![String::new(); 2], notes: String::new() };
    printed_page(play.as_ref(), &words).ground
}

fn printed(line: &str, width: u32) -> RgbImage {
    rookery_render::render(&page(line), width).to_image()
}

/// Squares on a1 and c3, circles on b2 and e4, and two cells that are gone.
const LINE: &str = "12312/2.123/31231/12.12 a1,c3|b2,e4 1 move 0,0 any:2";

#[test]
fn a_printed_sheet_is_read_from_all_sides() {
    let reader = Reader::new();
    let upright = printed(LINE, 900);
    let turned = [
        upright.clone(),
        imageops::rotate90(&upright),
        imageops::rotate180(&upright),
        imageops::rotate270(&upright),
    ];
    for image in turned {
        let reading = reader.read(&image).unwrap();
        assert_eq!(reading.play.line(), LINE);
        assert_eq!((reading.theme, reading.unclear.len()), ("print", 0));
    }
}

#[test]
fn a_sheet_that_is_not_whole_is_refused() {
    let whole = printed(LINE, 700);
    let (width, height) = whole.dimensions();
    let parts = [(0, 0, width, height - 60), (0, 0, width - 60, height), (50, 0, width - 50, height)];
    for (left, top, width, height) in parts {
        let part = imageops::crop_imm(&whole, left, top, width, height).to_image();
        assert_eq!(
            Reader::new().read(&part).err(),
            Some(ReadError::NoBoard),
            "{left} {top} {width} {height}"
        );
    }
}

/// All that may be on a cell of a sheet can be chosen where one is unclear.
#[test]
fn the_contents_of_an_unclear_cell_are_offered() {
    let setup = Setup::new(2).with("size", "5x4").with("pieces", "2");
    let play = rookery_games::named("paper_penguins").unwrap().start(&setup).unwrap();
    let cell = play.board().named("b2").unwrap();
    let contents = Reader::new().choices(play.as_ref(), cell);
    for wanted in [&[][..], &["1"], &["2"], &["3"]] {
        assert!(contents.contains(&wanted.to_vec()), "{wanted:?}");
    }
    for piece in ["P1", "P2"] {
        for points in ["1", "2", "3"] {
            assert!(contents.contains(&vec![points, piece]), "{points} {piece}");
        }
    }
    for content in contents {
        let after = with_content(play.as_ref(), cell, &content).unwrap();
        assert_eq!(content_of(after.as_ref(), cell), content);
    }
}
