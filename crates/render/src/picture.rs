//! A finished picture: palette indices, row by row.

use image::RgbImage;

use rookery_core::scene::Rgb;

/// An opaque picture of at most 255 colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels, at least 1.
    pub(super) width: u32,
    /// The height in pixels, at least 1.
    pub(super) height: u32,
    /// The colours, 1 to 255.
    pub(super) palette: Vec<Rgb>,
    /// Palette indices, row by row from the top left, with a zero byte before each row: PNG's filter type "none",
    /// stored in place so that packing copies nothing.
    pub(super) lines: Vec<u8>,
}

impl Picture {
    /// The width in pixels, at least 1.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in pixels, at least 1.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The colours, 1 to 255.
    #[must_use]
    pub fn palette(&self) -> &[Rgb] {
        &self.palette
    }

    /// The palette indices of each row, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.chunks_exact(self.stride()).map(|line| &line[1..])
    }

    /// The pixels as red, green and blue, for use with the `image` crate.
    #[must_use]
    pub fn to_image(&self) -> RgbImage {
        RgbImage::from_fn(self.width, self.height, |x, y| {
            let index = self.lines[y as usize * self.stride() + 1 + x as usize];
            let Rgb(r, g, b) = self.palette[usize::from(index)];
            image::Rgb([r, g, b])
        })
    }

    /// Bytes between the starts of rows.
    pub(super) fn stride(&self) -> usize {
        self.width as usize + 1
    }
}
