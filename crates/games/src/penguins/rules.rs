//! The rules of Penguins (`locales/en/rules/penguins.md`).

use crate::floe::endgame_count::Terms;
use crate::floe::reachable_tiles::TakeRule;
use crate::floe::state::{self, FloeTerms};

/// The terms of Penguins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl FloeTerms for Rules {
    const TERMS: Terms = Terms { way: TakeRule::Walk, standing_counts: true, tiles_decide: true };
}

/// A position of Penguins.
pub type State = state::State<Rules>;
