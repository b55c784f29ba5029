//! Files that people send as a picture of a board.

use std::io::Cursor;
use std::sync::LazyLock;

use image::{ImageFormat, Rgb, RgbImage};
use rookery_core::scene::DrawOptions;
use rookery_core::{Play, Seat};
use rookery_reading::{MAX_SIDE, ReadError, Reader, unpack};
use rookery_render::render;

use super::{Target, positions_in_games};

pub(super) const TARGET: Target = Target { name: "pictures", check, seeds, words };

/// A larger picture is only unpacked: reading it takes too long for many inputs.
const MAX_PIXELS: u32 = 40_000;

fn check(bytes: &[u8]) {
    static READER: LazyLock<Reader> = LazyLock::new(Reader::new);
    let image = match unpack(bytes) {
        Ok(file) => file.image,
        Err(why) => return assert!(!matches!(why, ReadError::NoBoard | ReadError::Unclear)),
    };
    assert!(image.width() <= MAX_SIDE && image.height() <= MAX_SIDE, "{:?}", image.dimensions());
    if image.width() * image.height() > MAX_PIXELS {
        return;
    }
    if let Ok(reading) = READER.read(&image) {
        let board = reading.play.board();
        assert!(
            reading.unclear.iter().all(|cell| usize::from(cell.0) < board.len()),
            "{:?}",
            reading.unclear
        );
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let gradient = RgbImage::from_fn(20, 14, |x, y| Rgb([(x * 12) as u8, (y * 18) as u8, 90]));
    let mut pictures = vec![RgbImage::new(1, 1), gradient];
    // Too small to be read, but with the colours and edges of boards.
    let drawn =
        |play: Box<dyn Play>| render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 60).to_image();
    pictures.extend(positions_in_games().into_iter().step_by(9).map(drawn));
    let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];
    let packed = |picture: &RgbImage, format| {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("a picture is packed");
        bytes.into_inner()
    };
    pictures.iter().flat_map(|picture| formats.map(|format| packed(picture, format))).collect()
}

fn words() -> Vec<String> {
    let chunks = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "JFIF", "Exif", "Adobe"];
    let others =
        ["GIF87a", "GIF89a", "NETSCAPE2.0", "RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"];
    chunks.into_iter().chain(others).map(str::to_owned).collect()
}
