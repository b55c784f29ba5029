//! A finished picture: palette indices, row by row.

use image::RgbImage;

use crate::kit::scene::Rgb;

/// An opaque picture of at most 255 colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across, at least 1.
    pub width: u32,
    /// Pixels down, at least 1.
    pub height: u32,
    /// The colours, 1 to 255.
    pub palette: Vec<Rgb>,
    /// Indices into the palette, `width * height` of them, row by row from the top left.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// One row of indices. Panics if there is no row `y`.
    pub(super) fn row(&self, y: usize) -> &[u8] {
        let width = self.width as usize;
        &self.pixels[y * width..(y + 1) * width]
    }

    /// The same as red, green and blue, for whatever is composed with the `image` crate.
    #[must_use]
    pub fn to_image(&self) -> RgbImage {
        RgbImage::from_fn(self.width, self.height, |x, y| {
            let Rgb(r, g, b) = self.palette[usize::from(self.pixels[(y * self.width + x) as usize])];
            image::Rgb([r, g, b])
        })
    }
}
