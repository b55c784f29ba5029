//! A cache of empty boards: drawing starts with a copy.
//!
//! Most scenes begin with a stamp that covers them: the board without pieces. Its pixels and palette entries are the
//! same each time.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::canvas::Canvas;
use super::painter::Size;
use rookery_core::scene::{Ink, Item, Scene};

/// Maximum size of the cache in bytes.
const MAX_BYTES: u64 = 12 << 20;
/// The approximate size of an empty board, 1,050 pixels wide, to estimate how many the cache holds.
const BOARD_BYTES: u64 = 1 << 20;

/// The cache of empty boards.
#[derive(Debug)]
pub(super) struct Backgrounds {
    known: Cache<Key, Arc<Canvas>, BySize>,
}

/// Weighs an empty board by its size in bytes.
#[derive(Clone)]
struct BySize;

impl Weighter<Key, Arc<Canvas>> for BySize {
    fn weight(&self, _: &Key, ground: &Arc<Canvas>) -> u64 {
        ground.bytes() as u64
    }
}

impl Default for Backgrounds {
    fn default() -> Backgrounds {
        let known = Cache::with_weighter((MAX_BYTES / BOARD_BYTES) as usize, MAX_BYTES, BySize);
        Backgrounds { known }
    }
}

/// A theme (family and name), the background colour, the first stamp and its position, the size in pixels and the width
/// in units; floats by their bits.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    theme: (&'static str, &'static str),
    ground: Ink,
    stamp: String,
    at: (u32, u32),
    size: Size,
    width: u32,
}

impl Backgrounds {
    /// A canvas with the first element of a scene: a copy from the cache, or the result of `draw`.
    pub(super) fn get(&self, scene: &Scene, size: Size, draw: impl FnOnce() -> Canvas) -> Canvas {
        let Some(key) = key(scene, size) else { return draw() };
        if let Some(ground) = self.known.get(&key) {
            return (*ground).clone();
        }
        let ground = Arc::new(draw());
        let copy = (*ground).clone();
        self.known.insert(key, ground);
        copy
    }

    /// Approximate size of the cached boards in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.known.weight() as usize
    }
}

/// The key of a scene's first element, if it is a stamp that may cover at least half of the scene.
fn key(scene: &Scene, size: Size) -> Option<Key> {
    let Item::Stamp(stamp, at) = scene.items.first()? else { return None };
    let covers = 4.0 * stamp.half.0 * stamp.half.1 >= scene.width * scene.height / 2.0;
    covers.then(|| Key {
        theme: (scene.theme.family, scene.theme.name),
        ground: scene.ground,
        stamp: stamp.name.clone(),
        at: (at.x.to_bits(), at.y.to_bits()),
        size,
        width: scene.width.to_bits(),
    })
}
