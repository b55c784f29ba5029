//! What a camera does with the light that it catches.

use std::io::Cursor;

use image::RgbImage;

use super::dice::noise;

/// The colour at a point of a picture, between the centres of its pixels; the nearest one outside it.
pub(super) fn sampled(image: &RgbImage, (x, y): (f32, f32)) -> [f32; 3] {
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, above) = (x.floor(), y.floor());
    let at = |dx: f32, dy: f32, n: usize| {
        let x = (left + dx).clamp(0.0, image.width() as f32 - 1.0) as u32;
        let y = (above + dy).clamp(0.0, image.height() as f32 - 1.0) as u32;
        f32::from(image.get_pixel(x, y).0[n])
    };
    let (a, b) = (x - left, y - above);
    std::array::from_fn(|n| {
        let upper = at(0.0, 0.0, n) * (1.0 - a) + at(1.0, 0.0, n) * a;
        let lower = at(0.0, 1.0, n) * (1.0 - a) + at(1.0, 1.0, n) * a;
        upper * (1.0 - b) + lower * b
    })
}

/// Adds noise that is mostly grey, with about this standard deviation.
pub(super) fn add_noise(image: &mut RgbImage, strength: f32) {
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let grey = noise(x, y, 0) * strength;
        for (n, value) in pixel.0.iter_mut().enumerate() {
            let own = noise(x, y, n as u32 + 1) * strength * 0.5;
            *value = (f32::from(*value) + grey + own).clamp(0.0, 255.0) as u8;
        }
    }
}

/// The picture after it was stored as a JPEG.
pub(super) fn packed(image: &RgbImage, quality: u8) -> RgbImage {
    let mut bytes = Cursor::new(Vec::new());
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, quality)
        .encode_image(image)
        .expect("a JPEG");
    image::load_from_memory(bytes.get_ref()).expect("a JPEG").to_rgb8()
}
