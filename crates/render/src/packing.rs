//! Packing without drawing, for the benchmark against the libraries.

use super::lzw::LzwEncoder;

/// Packs the pixels of GIF frames.
pub struct GifEncoder(LzwEncoder);

impl Default for GifEncoder {
    fn default() -> GifEncoder {
        GifEncoder(LzwEncoder::new())
    }
}

impl GifEncoder {
    /// The image data of a frame, from its palette indices.
    pub fn pack(&mut self, pixels: &[u8]) -> Vec<u8> {
        self.0.pack([pixels])
    }
}
