//! The picture of a message, before it is drawn.

use std::fmt;
use std::sync::Arc;

use rookery_core::scene::Scene;
use rookery_render::Fingerprint;

use crate::drawing;

/// The name that boards in motion have.
const ANIMATION_NAME: &str = "board.gif";
/// The name that a board's file has.
const FILE_NAME: &str = "board.png";

/// A board to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What is drawn: one scene, or several that follow each other.
    pub scenes: Scenes,
    /// What stands under each scene, if they are to stand side by side; else empty.
    pub captions: Vec<String>,
    /// What it shows (in the end), in words.
    pub alt: String,
    /// Its file, once it was drawn.
    pub drawn: Option<drawing::File>,
}

/// What a picture is drawn from.
#[derive(Clone, Debug)]
pub enum Scenes {
    /// Scenes that are there.
    Ready(Vec<Scene>),
    /// Scenes that are made when they are drawn: those of a whole game take long, and much room.
    Deferred(DeferredScenes),
}

/// Scenes that are made when they are drawn.
#[derive(Clone)]
pub struct DeferredScenes {
    /// How many they are.
    pub count: usize,
    /// Tells them apart from all others.
    pub fingerprint: Fingerprint,
    /// Makes them.
    pub make: Arc<dyn Fn() -> Vec<Scene> + Send + Sync>,
}

impl fmt::Debug for DeferredScenes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Later({} scenes)", self.count)
    }
}

impl Scenes {
    /// How many they are.
    pub fn count(&self) -> usize {
        match self {
            Scenes::Ready(scenes) => scenes.len(),
            Scenes::Deferred(later) => later.count,
        }
    }

    /// The scenes.
    pub fn make(self) -> Vec<Scene> {
        match self {
            Scenes::Ready(scenes) => scenes,
            Scenes::Deferred(later) => (later.make)(),
        }
    }
}

impl Picture {
    /// A board that stands.
    pub fn still(scene: Scene, alt: String) -> Picture {
        Picture { scenes: Scenes::Ready(vec![scene]), captions: Vec::new(), alt, drawn: None }
    }

    /// Boards that follow each other, one or more, in one animated picture.
    pub fn animation(scenes: DeferredScenes, alt: String) -> Picture {
        Picture { scenes: Scenes::Deferred(scenes), captions: Vec::new(), alt, drawn: None }
    }

    /// Boards side by side, each over its caption.
    pub fn sheet(boards: Vec<(Scene, String)>, alt: String) -> Picture {
        let (scenes, captions) = boards.into_iter().unzip();
        Picture { scenes: Scenes::Ready(scenes), captions, alt, drawn: None }
    }

    /// Whether it moves.
    pub fn moves(&self) -> bool {
        self.scenes.count() > 1 && self.captions.is_empty()
    }

    /// What its file is called.
    pub fn file_name(&self) -> &'static str {
        if self.moves() { ANIMATION_NAME } else { FILE_NAME }
    }
}
