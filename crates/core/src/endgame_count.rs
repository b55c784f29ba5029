//! The remaining gains of each side once no region is shared: exact, or bounds.

use super::{CellSet, Outcome, Seat};

/// A part of the board that only one seat can still use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedRegion {
    /// Its cells: the free ones and those under the seat's pieces there.
    pub cells: CellSet,
    /// The only seat that can still use the region.
    pub owner: Seat,
    /// Fewest that the owner can be sure of: moves left (Amazons), points still to take (penguins).
    pub least: u32,
    /// The most it can be worth. Equal to `least` when the search finished.
    pub most: u32,
}

/// The remaining gains of each seat, where they can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndgameCount {
    /// This game has nothing to count, or has not begun.
    None,
    /// A region is still shared, so that nothing can be counted.
    Shared {
        /// Cells of the regions that pieces of two seats still touch.
        cells: CellSet,
    },
    /// Nothing is shared any more.
    Separated {
        /// Every region with something left in it.
        domains: Vec<OwnedRegion>,
        /// The result with best play; `None` while the bounds leave it open.
        outcome: Option<Outcome>,
        /// Lead of the winner in half points: in Amazons `2 |S|`, odd; in penguin games twice the
        /// difference to the next. `None` like `outcome`, or where it means nothing.
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
