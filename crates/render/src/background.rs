//! Empty boards that were drawn before: a picture of one begins as a copy.
//!
//! Most scenes begin with a stamp that covers them: the board without pieces. What it leaves on the canvas
//! and in the palette is the same each time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::canvas::Canvas;
use super::painter::Size;
use rookery_core::scene::{Ink, Item, Scene};

/// Most bytes of empty boards that are kept; one of 1,050 pixels takes about a million. Beyond this all are
/// dropped, and what is still wanted is drawn again.
const MAX_BYTES: usize = 12 << 20;

/// All empty boards there are.
#[derive(Debug, Default)]
pub(super) struct Backgrounds {
    known: Mutex<HashMap<Key, Arc<Canvas>>>,
}

/// A theme (family and name), the colour under everything, the first stamp and its place, the size in pixels
/// and the width in units; floats by their bits.
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
    /// A canvas with the first thing of a scene on it, copied if it was drawn before, else by `draw`.
    pub(super) fn get(&self, scene: &Scene, size: Size, draw: impl FnOnce() -> Canvas) -> Canvas {
        let Some(key) = key(scene, size) else { return draw() };
        let found = self.known().get(&key).map(Arc::clone);
        if let Some(ground) = found {
            return (*ground).clone();
        }
        let ground = Arc::new(draw());
        let copy = (*ground).clone();
        let mut known = self.known();
        if known.values().map(|ground| ground.bytes()).sum::<usize>() > MAX_BYTES {
            known.clear();
        }
        known.insert(key, ground);
        copy
    }

    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.known().values().map(|ground| ground.bytes()).sum()
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Key, Arc<Canvas>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a scene's first element, if it is a stamp that may cover half of it or more.
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
