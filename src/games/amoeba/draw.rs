//! Drawing.
use crate::kit::art::square;
use crate::kit::rules::Last;
use crate::kit::scene::{Look, Scene, Theme};

use super::rules::Amoeba;

pub(super) static THEMES: &[&Theme] = square::THEMES;

pub(super) fn scene(_: &Amoeba, _: &Look, _: Option<Last<'_, Amoeba>>) -> Scene {
    Scene::new(1050.0, 905.0, THEMES[0], "frame")
}
