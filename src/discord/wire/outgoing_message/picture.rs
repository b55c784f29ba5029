//! The picture of a message, before it is drawn.

use std::fmt;
use std::sync::Arc;

use rookery_core::scene::Scene;
use rookery_render::Fingerprint;

use crate::drawing;

/// The usual file name, without its ending.
const FILE_STEM: &str = "board";

/// A picture of one or more boards, to be drawn when its message is sent.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The scenes: one, or several in sequence.
    pub scenes: Scenes,
    /// The captions of the scenes, if they are drawn side by side; otherwise empty.
    pub captions: Vec<String>,
    /// The alt text. For an animation it describes the last scene.
    pub alt: String,
    /// How fast an animation runs.
    pub pace: Pace,
    /// The file name without its ending, if it isn't the usual one.
    pub file_stem: Option<String>,
    /// The image file, if it is already drawn.
    pub drawn: Option<drawing::File>,
}

/// How fast an animation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A board for each turn of a game.
    Game,
    /// A few frames of a single move.
    Move,
}

/// The scenes of a picture.
#[derive(Clone, Debug)]
pub enum Scenes {
    /// Scenes that exist already.
    Ready(Vec<Scene>),
    /// Scenes that are created when they are drawn, because those of a whole game take much time and memory.
    Deferred(DeferredScenes),
}

/// Scenes that are created when they are drawn.
#[derive(Clone)]
pub struct DeferredScenes {
    /// The number of scenes.
    pub count: usize,
    /// Identifies the scenes in the cache.
    pub fingerprint: Fingerprint,
    /// Creates the scenes when the picture is drawn.
    pub make: Arc<dyn Fn() -> Vec<Scene> + Send + Sync>,
}

impl fmt::Debug for DeferredScenes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Later({} scenes)", self.count)
    }
}

impl Scenes {
    /// Returns the number of scenes.
    pub fn count(&self) -> usize {
        match self {
            Scenes::Ready(scenes) => scenes.len(),
            Scenes::Deferred(later) => later.count,
        }
    }

    /// Returns the scenes, and creates them first if they are deferred.
    pub fn make(self) -> Vec<Scene> {
        match self {
            Scenes::Ready(scenes) => scenes,
            Scenes::Deferred(later) => (later.make)(),
        }
    }
}

impl Picture {
    /// Creates a still picture of one board.
    pub fn still(scene: Scene, alt: String) -> Picture {
        Picture {
            scenes: Scenes::Ready(vec![scene]),
            captions: Vec::new(),
            alt,
            pace: Pace::Game,
            file_stem: None,
            drawn: None,
        }
    }

    /// Creates an animation of one or more boards.
    pub fn animation(scenes: DeferredScenes, alt: String) -> Picture {
        Picture {
            scenes: Scenes::Deferred(scenes),
            captions: Vec::new(),
            alt,
            pace: Pace::Game,
            file_stem: None,
            drawn: None,
        }
    }

    /// Creates a short animation of a move from its frames.
    pub fn motion(frames: Vec<Scene>, alt: String) -> Picture {
        Picture {
            scenes: Scenes::Ready(frames),
            captions: Vec::new(),
            alt,
            pace: Pace::Move,
            file_stem: None,
            drawn: None,
        }
    }

    /// Creates a picture of boards side by side, each with a caption.
    pub fn sheet(boards: Vec<(Scene, String)>, alt: String) -> Picture {
        let (scenes, captions) = boards.into_iter().unzip();
        Picture {
            scenes: Scenes::Ready(scenes),
            captions,
            alt,
            pace: Pace::Game,
            file_stem: None,
            drawn: None,
        }
    }

    /// Returns whether the picture is an animation.
    pub fn moves(&self) -> bool {
        self.scenes.count() > 1 && self.captions.is_empty()
    }

    /// Returns the picture with another file name, given without its ending.
    #[must_use]
    pub fn named(self, stem: String) -> Picture {
        Picture { file_stem: Some(stem), ..self }
    }

    /// Returns the name of the attached file.
    pub fn file_name(&self) -> String {
        let ending = if self.moves() { "gif" } else { "png" };
        format!("{}.{ending}", self.file_stem.as_deref().unwrap_or(FILE_STEM))
    }
}
