//! Packing without drawing, for the benchmark against the libraries.

use super::lzw::Packer;

/// Packs the pixels of GIF frames.
pub struct GifPacker(Packer);

impl Default for GifPacker {
    fn default() -> GifPacker {
        GifPacker(Packer::new())
    }
}

impl GifPacker {
    /// The image data of a frame, from its palette indices.
    pub fn pack(&mut self, pixels: &[u8]) -> Vec<u8> {
        self.0.pack([pixels])
    }
}
