//! From a scene to a picture: themes, letters, tiles, palette PNG, replays, cards and pages to print. Knows no games.
//!
//! The main path: [`Painter::picture`] turns each stamp of a scene into a `Tile` (runs of colour, rasterised once per
//! theme and size and then cached), lays the tiles on a `Canvas` of palette indices, and [`png()`] packs the result. A
//! board that was drawn before is copied.
//!
//! A picture is a pure function of its scene and width: the caches affect speed, never a pixel.

mod background;
mod canvas;
mod card;
pub mod contrast;
mod deflate;
mod fingerprint;
mod frames;
mod huffman;
mod lettering;
mod lzw;
mod names;
mod outline;
#[cfg(feature = "testing")]
pub mod packing;
mod paint;
mod painter;
mod palette;
mod pdf;
mod picture;
mod png;
mod replay;
mod sheet;
mod tile;

pub use card::{CARD_HEIGHT_PX, CARD_WIDTH_PX, Card, CardPlayer};
pub use fingerprint::{Fingerprint, Parts};
pub(crate) use lettering::text_width;
pub use names::Names;
pub use painter::Painter;
pub use pdf::pdf;
pub use picture::Picture;
pub use png::png;
pub use replay::ReplaySettings;
pub use sheet::Grid;

use rookery_core::scene::Scene;

/// Draws a scene as a picture `width_px` pixels wide, without caching anything.
///
/// For tests and one-off pictures; keep a [`Painter`] to draw often.
#[must_use]
pub fn render(scene: &Scene, width_px: u32) -> Picture {
    Painter::new().picture(scene, width_px)
}
