//! The rules of Amazon Penguins (`locales/en/rules/amazon_penguins.md`).

use crate::floe::claim::Terms;
use crate::floe::harvest::Way;
use crate::floe::state::{self, Kind};

/// Amazon Penguins among the penguin games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl Kind for Rules {
    const TERMS: Terms = Terms { way: Way::Spear, standing_counts: true, tiles_decide: false };
}

/// A position of Amazon Penguins.
pub type State = state::State<Rules>;
