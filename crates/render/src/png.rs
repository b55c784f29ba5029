//! Palette PNG, compressed by this crate's [`deflate`].
//!
//! Boards consist of rows that repeat the row above and tiles that repeat a tile to the left. A packer that only looks
//! there is about twice as fast as general ones, and its files are half as large.

use super::deflate;
use super::picture::Picture;
use rookery_core::scene::Rgb;

/// The signature of PNG files (PNG 3rd edition, 5.2).
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Bit depth, colour type "palette", then the only compression and filter methods, and no interlacing.
const IHDR_FORMAT: [u8; 5] = [8, 3, 0, 0, 0];

/// Packs a picture as an 8-bit palette PNG.
#[must_use]
pub fn png(picture: &Picture) -> Vec<u8> {
    let header = [&picture.width.to_be_bytes()[..], &picture.height.to_be_bytes(), &IHDR_FORMAT].concat();
    let palette: Vec<u8> = picture.palette.iter().flat_map(|Rgb(r, g, b)| [*r, *g, *b]).collect();
    let data = deflate::zlib(&picture.lines, picture.stride());
    let mut file = Vec::with_capacity(data.len() + palette.len() + 96);
    file.extend(SIGNATURE);
    for (kind, content) in [(b"IHDR", &header[..]), (b"PLTE", &palette), (b"IDAT", &data), (b"IEND", &[])] {
        chunk(&mut file, *kind, content);
    }
    file
}

/// Length, type, data and a checksum of the last two (PNG 3rd edition, 5.3).
fn chunk(file: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(content);
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with runs, repeats and noise.
    fn varied_picture(width: u32, height: u32) -> Picture {
        let palette: Vec<Rgb> = (0..255).map(|n| Rgb(n, 255 - n, n / 2)).collect();
        let mut lines = Vec::new();
        let mut noise = 1_u32;
        for y in 0..height {
            lines.push(0);
            for x in 0..width {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                lines.push(match (x / 9 + y / 7) % 4 {
                    0 => 7,
                    1 => (x % 13) as u8,
                    2 => ((x ^ y) % 200) as u8,
                    _ => ((noise >> 24) % 255) as u8,
                });
            }
        }
        Picture { width, height, palette, lines }
    }

    #[test]
    fn two_decoders_read_back_every_pixel() {
        for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 2), (257, 31), (640, 480), (40_000, 3)] {
            let picture = varied_picture(width, height);
            let file = png(&picture);
            let read = image::load_from_memory_with_format(&file, image::ImageFormat::Png);
            let read = read.unwrap_or_else(|e| panic!("{width}x{height}: {e}"));
            assert_eq!(read.to_rgb8(), picture.to_image(), "{width}x{height}");
            let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
            let mut indices = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut indices).unwrap();
            assert_eq!(indices, picture.rows().collect::<Vec<_>>().concat(), "{width}x{height}");
        }
    }

    #[test]
    fn a_plain_picture_is_next_to_nothing() {
        let plain =
            Picture { width: 1050, height: 1050, palette: vec![Rgb(1, 2, 3)], lines: vec![0; 1051 * 1050] };
        assert!(png(&plain).len() < 2500, "{}", png(&plain).len());
    }
}
