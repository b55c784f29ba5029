//! Golden pictures: boards that a person has checked by eye.
//!
//! They are stored under `tests/golden` and written by `ROOKERY_BLESS=1 cargo test --test it pictures`. Look at each
//! changed picture before you commit it.

use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage, imageops};
use imageproc::drawing::draw_hollow_rect_mut;
use imageproc::rect::Rect;
use rookery_render::{Picture, png};

/// The tolerance per channel: processors round the blends along edges differently.
const SLACK: u8 = 16;

/// Compares a picture with the golden one of this name.
///
/// # Panics
/// If they differ, or there is none. The message names a picture that shows the golden one, the new one and
/// their difference side by side.
pub(crate) fn check(name: &str, picture: &Picture) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("ROOKERY_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, png(picture)).unwrap();
        return;
    }
    let golden = image::open(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; ROOKERY_BLESS=1 writes it", path.display()))
        .to_rgb8();
    if let Err(why) = compare(&golden, &picture.to_image()) {
        let shown = save(name, &golden, &picture.to_image());
        panic!("{name} looks different: {why}; see {}", shown.display());
    }
}

/// Compares two pictures pixel by pixel.
fn compare(golden: &RgbImage, now: &RgbImage) -> Result<(), String> {
    if golden.dimensions() != now.dimensions() {
        return Err(format!("it was {:?} pixels and is {:?}", golden.dimensions(), now.dimensions()));
    }
    let off: Vec<(u32, u32)> = differing(golden, now).collect();
    match off.first() {
        None => Ok(()),
        Some((x, y)) => Err(format!("{} pixels are off, the first at {x}, {y}", off.len())),
    }
}

fn differing<'a>(golden: &'a RgbImage, now: &'a RgbImage) -> impl Iterator<Item = (u32, u32)> + 'a {
    let off = |a: &Rgb<u8>, b: &Rgb<u8>| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > SLACK);
    golden
        .enumerate_pixels()
        .filter(move |(x, y, pixel)| now.get_pixel_checked(*x, *y).is_none_or(|other| off(pixel, other)))
        .map(|(x, y, _)| (x, y))
}

/// Saves the golden picture, the new one, and their difference (white, framed in red) side by side.
fn save(name: &str, golden: &RgbImage, now: &RgbImage) -> PathBuf {
    let (w, h) = (golden.width().max(now.width()), golden.height().max(now.height()));
    let mut shown = RgbImage::from_pixel(3 * w + 20, h, Rgb([128, 128, 128]));
    imageops::replace(&mut shown, golden, 0, 0);
    imageops::replace(&mut shown, now, i64::from(w + 10), 0);
    imageops::replace(&mut shown, &difference(golden, now), i64::from(2 * w + 20), 0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.png"));
    shown.save(&path).unwrap();
    path
}

fn difference(golden: &RgbImage, now: &RgbImage) -> RgbImage {
    let mut image = imageops::grayscale(golden);
    image.pixels_mut().for_each(|p| p.0[0] /= 4);
    let mut image = image::DynamicImage::from(image).to_rgb8();
    let off: Vec<(u32, u32)> = differing(golden, now).collect();
    for (x, y) in &off {
        image.put_pixel(*x, *y, Rgb([255, 255, 255]));
    }
    let bounds = |of: fn(&(u32, u32)) -> u32| {
        Some((off.iter().map(of).min()? as i32, off.iter().map(of).max()? as i32))
    };
    if let (Some((left, right)), Some((top, bottom))) = (bounds(|p| p.0), bounds(|p| p.1)) {
        let size = ((right - left + 7) as u32, (bottom - top + 7) as u32);
        draw_hollow_rect_mut(
            &mut image,
            Rect::at(left - 3, top - 3).of_size(size.0, size.1),
            Rgb([255, 0, 0]),
        );
    }
    image
}

#[test]
fn golden_comparison_finds_and_shows_a_changed_pixel() {
    let golden = RgbImage::from_pixel(40, 30, Rgb([200, 100, 50]));
    let mut now = golden.clone();
    assert_eq!(compare(&golden, &now), Ok(()));
    now.put_pixel(5, 6, Rgb([200 - SLACK, 100, 50]));
    assert_eq!(compare(&golden, &now), Ok(()), "rounding is forgiven");
    now.put_pixel(20, 11, Rgb([0, 0, 0]));
    assert_eq!(compare(&golden, &now).unwrap_err(), "1 pixels are off, the first at 20, 11");
    let difference = difference(&golden, &now);
    assert_eq!(difference.get_pixel(20, 11).0, [255, 255, 255]);
    assert_eq!(difference.get_pixel(17, 8).0, [255, 0, 0], "framed");
    assert!(compare(&golden, &RgbImage::new(40, 31)).is_err());
}
