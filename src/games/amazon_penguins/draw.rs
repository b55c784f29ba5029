//! How the board is drawn: as ice.

use super::rules::State;
use crate::kit::art::ice::{self, Show};
use crate::kit::rules::Last;
use crate::kit::scene::{Look, Scene, Theme};
use crate::kit::{Position, Seat};

/// The themes, the default first.
pub(super) static THEMES: &[&Theme] = ice::THEMES;

/// The board as a drawing.
pub(super) fn scene(state: &State, look: &Look, last: Option<Last<'_, State>>) -> Scene {
    let scores = Seat::all(state.seats()).map(|seat| state.score(seat)).collect();
    let turn = look.to_move(state);
    let earlier = last.iter().flat_map(|last| last.earlier).map(|(_, played)| *played).collect();
    Show { floe: state.floe(), scores, turn, last: last.map(|last| last.played), earlier }.scene(look)
}
