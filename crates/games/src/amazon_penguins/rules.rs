//! The rules of Amazon Penguins (`locales/en/rules/amazon_penguins.md`).

use crate::floe::endgame_count::Terms;
use crate::floe::reachable_tiles::TakeRule;
use crate::floe::state::{self, FloeTerms};

/// The terms of Amazon Penguins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl FloeTerms for Rules {
    const TERMS: Terms = Terms { way: TakeRule::Spear, standing_counts: true, tiles_decide: false };
}

/// A position of Amazon Penguins.
pub type State = state::State<Rules>;
