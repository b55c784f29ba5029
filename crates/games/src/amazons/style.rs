//! Search parameters of the Amazons player: the current ones, and those of the baseline.

use super::weights::{self, Weights};
use rookery_search::{FutilityBasis, FutilityMargin};

/// Pruning and evaluation of an Amazons search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchParams {
    /// The weights of the features.
    pub(super) weights: &'static Weights,
    /// How many moves are searched at the root, one ply below, and deeper.
    pub(super) widths: [usize; 3],
    /// Whether the children of a position are evaluated in batches, with the fastest supported unit.
    pub(super) batches: bool,
    /// Whether single moves are evaluated, and lists of moves only as far as needed.
    pub(super) lazy_listing: bool,
    /// Futility pruning, if any.
    pub(super) futility_margins: Option<FutilityMargins>,
}

/// Futility margins: how far a search changes the static evaluation. Measured in self-play games, where about 98 in 100
/// differences on either side were smaller; 60 % of those values plays better still. The scale grew by a sixth with the
/// current weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct FutilityMargins {
    /// For 0, 12, 24 … free cells, in hundredths. The other fields are percentages of this value.
    pub(super) scale: [i32; weights::ROWS],
    /// Down and up from the evaluation of the position, for searches of 1 ply, 2 plies and so on.
    pub(super) itself: [(i32, i32); 3],
    /// Down and up from the best evaluation of its moves, for searches of 2 plies, 3 plies and so on.
    pub(super) moves: [(i32, i32); 2],
}

impl FutilityMargins {
    /// The margin for this many free cells; `None` if the search is too deep to be skipped.
    pub(super) fn at(&self, free: i32, seen: FutilityBasis, depth: u32) -> Option<FutilityMargin> {
        let scale = self.scale[((free / weights::STEP) as usize).min(weights::ROWS - 1)];
        let (down, up) = match seen {
            FutilityBasis::Position => *self.itself.get(depth as usize - 1)?,
            FutilityBasis::Moves => *self.moves.get(depth as usize - 2)?,
        };
        Some(FutilityMargin { down: scale * down / 100, up: scale * up / 100 })
    }
}

/// The current player.
pub(super) const USUAL: SearchParams = SearchParams {
    weights: &weights::WEIGHTS,
    widths: [50, 25, 12],
    batches: true,
    lazy_listing: true,
    futility_margins: Some(FUTILITY_MARGINS),
};

pub(super) const FUTILITY_MARGINS: FutilityMargins = FutilityMargins {
    scale: [180, 180, 140, 280, 240, 140, 70, 170, 170],
    itself: [(60, 140), (120, 120), (100, 160)],
    moves: [(180, 30), (120, 100)],
};

/// The baseline: principal-variation alpha-beta that evaluates all moves of a node in one batch, keeps the
/// best 100, 60 and 30, reduces late moves, has transposition and history tables, with ten features and
/// weights fitted in November 2026. It does not change.
pub(super) const BASELINE: SearchParams = SearchParams {
    weights: &weights::BASELINE,
    widths: [100, 60, 30],
    batches: false,
    lazy_listing: false,
    futility_margins: None,
};
