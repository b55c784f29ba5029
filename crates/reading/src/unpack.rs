//! From a file to the picture in it.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::metadata::Orientation;
use image::{
    AnimationDecoder, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage,
};

use crate::{MAX_SIDE, ReadError};

/// The most memory for unpacking a picture, in bytes: that of the largest one with transparency, and some more.
const MAX_UNPACKED: u64 = 144 << 20;
/// The most pixels that are unpacked of all frames of an animation: some seconds of a processor.
const MAX_ANIMATED: u64 = 400_000_000;

/// A picture from a file.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The picture; the last frame of an animated GIF, which is the newest position of a replay.
    pub image: RgbImage,
    /// The number of frames of an animated GIF, otherwise 1.
    pub frames: usize,
    /// Whether the file has an end. A JPEG that was cut off is unpacked all the same, grey where something is missing.
    pub is_whole: bool,
}

/// Unpacks a picture, turned as its file says: phones save pictures as the camera was held.
///
/// # Errors
/// [`ReadError::NotAPicture`], [`ReadError::TooLarge`] or [`ReadError::Broken`].
pub fn unpack(bytes: &[u8]) -> Result<Unpacked, ReadError> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| ReadError::NotAPicture)?;
    if reader.format() == Some(ImageFormat::Gif) {
        return last_frame(bytes);
    }
    let is_whole = reader.format() != Some(ImageFormat::Jpeg) || is_whole_jpeg(bytes);
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(|fault| what_is_no_picture(&fault))?;
    // A damaged note about the orientation says nothing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if decoder.total_bytes() > MAX_UNPACKED {
        return Err(ReadError::TooLarge);
    }
    let picture = DynamicImage::from_decoder(decoder).map_err(|fault| what_is_wrong(&fault))?;
    let mut picture = DynamicImage::ImageRgb8(picture.into_rgb8());
    picture.apply_orientation(orientation);
    Ok(Unpacked { image: picture.into_rgb8(), frames: 1, is_whole })
}

fn last_frame(bytes: &[u8]) -> Result<Unpacked, ReadError> {
    let mut decoder = GifDecoder::new(Cursor::new(bytes)).map_err(|_| ReadError::NotAPicture)?;
    decoder.set_limits(limits()).map_err(|fault| what_is_no_picture(&fault))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if decoder.total_bytes() > MAX_UNPACKED {
        return Err(ReadError::TooLarge);
    }
    let mut last = None;
    let mut frames = 0;
    for frame in decoder.into_frames() {
        frames += 1;
        if frames > 1 && frames * pixels > MAX_ANIMATED {
            return Err(ReadError::TooLarge);
        }
        last = Some(frame.map_err(|fault| what_is_wrong(&fault))?);
    }
    let last = last.ok_or(ReadError::Broken)?;
    let image = DynamicImage::ImageRgba8(last.into_buffer()).into_rgb8();
    Ok(Unpacked { image, frames: frames as usize, is_whole: true })
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_UNPACKED);
    limits
}

/// Why a file whose beginning is a picture's wasn't unpacked.
fn what_is_wrong(fault: &ImageError) -> ReadError {
    match fault {
        ImageError::Decoding(_) | ImageError::IoError(_) => ReadError::Broken,
        _ => what_is_no_picture(fault),
    }
}

/// Why the beginning of a file wasn't taken for a picture's.
fn what_is_no_picture(fault: &ImageError) -> ReadError {
    if matches!(fault, ImageError::Limits(_)) { ReadError::TooLarge } else { ReadError::NotAPicture }
}

/// Whether a JPEG has its end marker, and until there only what may be in one.
fn is_whole_jpeg(bytes: &[u8]) -> bool {
    let mut at = 2;
    let mut is_scan = false;
    while let Some([first, kind]) = bytes.get(at..at + 2) {
        match (first, kind) {
            (0xff, 0xd9) => return true,
            // Any number of these may be before a marker.
            (0xff, 0xff) => at += 1,
            // Points from where a scan goes on after an error.
            (0xff, 0xd0..=0xd7) => at += 2,
            // In a scan, this is a byte of it.
            (0xff, 0x00) if is_scan => at += 2,
            (0xff, 0xc0..=0xfe) => {
                let Some([high, low]) = bytes.get(at + 2..at + 4) else { return false };
                is_scan = *kind == 0xda;
                at += 2 + usize::from(u16::from_be_bytes([*high, *low])).max(2);
            }
            (0xff, _) => return false,
            _ if is_scan => at += 1,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use image::codecs::gif::GifEncoder;
    use image::{Frame, Rgb, Rgba, RgbaImage};

    use super::*;

    fn packed(format: ImageFormat) -> Vec<u8> {
        let image = RgbImage::from_fn(80, 60, |x, y| Rgb([(x * 3) as u8, (y * 4) as u8, (x * y) as u8]));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("a picture is packed");
        bytes.into_inner()
    }

    #[test]
    fn a_jpeg_that_was_cut_off_is_not_whole() {
        let jpeg = packed(ImageFormat::Jpeg);
        assert!(is_whole_jpeg(&jpeg));
        assert!(is_whole_jpeg(&[&jpeg[..], b"more"].concat()), "phones append things");
        for length in [4, jpeg.len() / 3, jpeg.len() - 100, jpeg.len() - 2, jpeg.len() - 1] {
            assert!(!is_whole_jpeg(&jpeg[..length]), "{length} of {}", jpeg.len());
        }
        let mut damaged = jpeg.clone();
        let middle = jpeg.len() - 300;
        damaged[middle..middle + 2].copy_from_slice(&[0xff, 0x10]);
        assert!(!is_whole_jpeg(&damaged), "no such marker");
        let Ok(half) = unpack(&jpeg[..jpeg.len() - 100]) else { panic!("what is there is unpacked") };
        assert!(!half.is_whole && unpack(&jpeg).is_ok_and(|whole| whole.is_whole && whole.frames == 1));
    }

    #[test]
    fn a_file_that_was_cut_off_is_broken() {
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
            let whole = packed(format);
            assert!(unpack(&whole).is_ok_and(|whole| whole.is_whole && whole.frames == 1), "{format:?}");
            let half = unpack(&whole[..whole.len() / 2]);
            assert_eq!(half.err(), Some(ReadError::Broken), "{format:?}");
        }
    }

    fn animation(frames: u8, side: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new(&mut bytes);
        for n in 1..=frames {
            let frame = RgbaImage::from_pixel(side, side, Rgba([n, 0, 0, 255]));
            encoder.encode_frame(Frame::new(frame)).expect("a frame is packed");
        }
        drop(encoder);
        bytes
    }

    #[test]
    fn the_last_frame_of_an_animation_is_unpacked() {
        let read = unpack(&animation(3, 20)).expect("an animation");
        assert_eq!((read.frames, read.image.get_pixel(9, 9).0), (3, [3, 0, 0]));
    }

    #[test]
    fn an_animation_with_very_many_pixels_is_refused() {
        assert_eq!(unpack(&animation(20, 5_000)).err(), Some(ReadError::TooLarge));
    }

    #[test]
    fn a_picture_with_too_many_pixels_in_one_direction_is_too_large() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            let mut bytes = Cursor::new(Vec::new());
            RgbImage::new(MAX_SIDE + 1, 2).write_to(&mut bytes, format).expect("a picture is packed");
            assert_eq!(unpack(bytes.get_ref()).err(), Some(ReadError::TooLarge), "{format:?}");
        }
    }
}
