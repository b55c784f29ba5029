//! The rules of Paper Pen-guins (`locales/en/rules/paper_penguins.md`).

use crate::floe::endgame_count::Terms;
use crate::floe::reachable_tiles::TakeRule;
use crate::floe::state::{self, FloeTerms};

/// The terms of Paper Pen-guins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl FloeTerms for Rules {
    const TERMS: Terms = Terms { way: TakeRule::Walk, standing_counts: false, tiles_decide: false };
}

/// A position of Paper Pen-guins.
pub type State = state::State<Rules>;
