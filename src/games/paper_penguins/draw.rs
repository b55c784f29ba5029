//! How the board is drawn.
use super::rules::State;
use crate::kit::rules::Last;
use crate::kit::scene::{Look, Rgb, Scene, Theme};

/// The themes, the default first.
pub(super) static THEMES: &[&Theme] = &[&ICE];
static ICE: Theme = Theme { name: "ice", family: "ice", colours: &[("sea", Rgb::hex(0x0E3350))] };

/// The board as a drawing.
pub(super) fn scene(_state: &State, _look: &Look, _last: Option<Last<'_, State>>) -> Scene {
    Scene::new(1050.0, 1050.0, &ICE, "sea")
}
