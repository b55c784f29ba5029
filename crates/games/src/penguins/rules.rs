//! The rules of Penguins (`locales/en/rules/penguins.md`).

use crate::floe::claim::Terms;
use crate::floe::harvest::Way;
use crate::floe::state::{self, Kind};

/// Penguins among the penguin games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl Kind for Rules {
    const TERMS: Terms = Terms { way: Way::Walk, standing_counts: true, tiles_decide: true };
}

/// A position of Penguins.
pub type State = state::State<Rules>;
