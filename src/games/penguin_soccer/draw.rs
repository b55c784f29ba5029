//! Drawing.
use crate::kit::art::square;
use crate::kit::rules::Last;
use crate::kit::scene::{Look, Scene, Theme};

use super::rules::Soccer;

pub(super) static THEMES: &[&Theme] = square::THEMES;

pub(super) fn scene(_: &Soccer, _: &Look, _: Option<Last<'_, Soccer>>) -> Scene {
    Scene::new(1050.0, 1042.0, THEMES[0], "frame")
}
