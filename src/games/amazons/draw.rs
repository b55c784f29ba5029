//! The board as a drawing.

use crate::kit::art::square::THEMES;
use crate::kit::rules::Last;
use crate::kit::scene::{Look, Scene};

use super::rules::Amazons;

pub(super) fn scene(_position: &Amazons, _look: &Look, _last: Option<Last<'_, Amazons>>) -> Scene {
    Scene::new(1050.0, 1050.0, THEMES[0], "frame")
}
