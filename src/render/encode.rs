//! Palette PNG.

use super::picture::Picture;

/// Packs a picture as an 8-bit palette PNG.
#[must_use]
pub fn png(picture: &Picture) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(picture.palette.iter().flat_map(|c| [c.0, c.1, c.2]).collect::<Vec<u8>>());
    encoder.set_compression(png::Compression::Fast);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&picture.pixels))
        .expect("writing to memory does not fail");
    out
}
