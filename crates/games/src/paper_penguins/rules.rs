//! The rules of Paper Pen-guins (`locales/en/rules/paper_penguins.md`).

use crate::floe::claim::Terms;
use crate::floe::harvest::Way;
use crate::floe::state::{self, Kind};

/// Paper Pen-guins among the penguin games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl Kind for Rules {
    const TERMS: Terms = Terms { way: Way::Walk, standing_counts: false, tiles_decide: false };
}

/// A position of Paper Pen-guins.
pub type State = state::State<Rules>;
