use fast_image_resize::images::{Image, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

/// A picture of three bytes a pixel (red, green, blue) in a smaller size: each new pixel is the mean of those around it, the
/// nearer the heavier. Sizes are widths and heights in pixels.
///
/// Returns `None` if `pixels` hasn't three bytes for each pixel of `from`.
pub fn shrunk_rgb(pixels: &[u8], from: [u32; 2], to: [u32; 2]) -> Option<Vec<u8>> {
    let from = TypedImageRef::<U8x3>::from_buffer(from[0], from[1], pixels).ok()?;
    let mut shrunk = Image::new(to[0], to[1], PixelType::U8x3);
    let how = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
    // `resize` would be compiled for each kind of pixel.
    Resizer::new().resize_typed(&from, &mut shrunk.typed_image_mut::<U8x3>()?, &how).ok()?;
    Some(shrunk.into_vec())
}
