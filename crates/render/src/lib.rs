//! From a scene to a picture: themes, letters, tiles, palette PNG, replays and cards. Knows no game.
//!
//! The main path: [`Painter::picture`] turns each stamp of a scene into a `Tile` (runs of colour,
//! rasterised once per theme and size and then kept), lays the tiles on a `Canvas` of palette
//! indices, and [`png()`] packs the result. A board that was seen before is copied, not drawn.
//!
//! A picture is a pure function of its scene and width: the caches change its price, never a pixel.

mod background;
mod canvas;
mod card;
mod deflate;
mod encode;
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
mod picture;
mod replay;
mod sheet;
pub mod theme;
mod tile;

pub use card::{CARD_HEIGHT_PX, CARD_WIDTH_PX, Card, CardPlayer};
pub use encode::png;
pub use fingerprint::{Fingerprint, Parts};
pub use lettering::text_width;
pub use names::Names;
pub use painter::Painter;
pub use picture::Picture;
pub use replay::Pace;
pub use sheet::Grid;

use rookery_core::scene::Scene;

/// Draws a scene as a picture `width_px` pixels wide, without keeping anything for the next one.
///
/// For tests and one-off pictures; to draw often, keep a [`Painter`].
#[must_use]
pub fn render(scene: &Scene, width_px: u32) -> Picture {
    Painter::new().picture(scene, width_px)
}
