//! The remaining gains of each side once no region is shared: exact, or bounds.

use super::{CellSet, Outcome, Seat};

/// A part of the board that only one seat can still use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedRegion {
    /// The region's cells: free ones and those under the owner's pieces.
    pub cells: CellSet,
    /// The only seat that can still use the region.
    pub owner: Seat,
    /// Lower bound of the owner's gain: moves left (Amazons) or points to take (penguin games).
    pub least: u32,
    /// Upper bound of the owner's gain. Equal to `least` when the search finished.
    pub most: u32,
}

/// The remaining gains of each seat, if they can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndgameCount {
    /// This game has nothing to count, or has not begun.
    None,
    /// A region is still shared, so nothing can be counted.
    Shared {
        /// Cells of the regions that pieces of at least two seats touch.
        cells: CellSet,
    },
    /// No region is shared any more.
    Separated {
        /// Every region in which something is left.
        domains: Vec<OwnedRegion>,
        /// The result with best play; `None` while the bounds leave it open.
        outcome: Option<Outcome>,
        /// The winner's lead in half points: odd in Amazons; in penguin games twice the difference to the second seat.
        /// `None` if `outcome` is `None` or the lead has no meaning.
        margin_halves: Option<u32>,
    },
}

impl EndgameCount {
    /// The bounds of one seat's remaining gains; `None` unless separated.
    pub fn left(&self, seat: Seat) -> Option<(u32, u32)> {
        let EndgameCount::Separated { domains, .. } = self else { return None };
        let own = domains.iter().filter(|d| d.owner == seat);
        Some(own.fold((0, 0), |(least, most), d| (least + d.least, most + d.most)))
    }
}
