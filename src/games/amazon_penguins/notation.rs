//! How moves are written: `d4` lays or places, `d4-d7/g7` moves and spears.

use super::rules::{Rules, State};
use crate::kit::floe::state::Kind;
use crate::kit::floe::{Move, notation};
use crate::kit::{Refusal, Step, Unreadable};

pub(super) use notation::Spoken;

/// Reads one to three coordinates.
pub(super) fn read(text: &str) -> Result<Spoken, Unreadable> {
    notation::read(text, 3)
}

/// Finds the legal move that was meant.
pub(super) fn resolve(state: &State, spoken: &Spoken) -> Result<Move, Refusal> {
    notation::resolve(state.floe(), spoken, Rules::SPEARS)
}

/// A move taken apart into steps.
pub(super) fn steps(state: &State, m: Move) -> Vec<Step> {
    notation::steps(state.floe().board(), m)
}
