//! Which game of a set of two a table is for.

use serde::{Deserialize, Serialize};

use super::TableId;

/// Which game of a set a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "snake_case")]
pub enum InSet {
    /// The first.
    First,
    /// The second.
    Second {
        /// The table of the first.
        first: TableId,
        /// What each seat of the second table brings along from the first, in half points.
        halves: [u8; 2],
    },
}

impl InSet {
    /// The game's number, 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            InSet::First => 1,
            InSet::Second { .. } => 2,
        }
    }

    /// What each seat brought along, in half points.
    pub fn carried_halves(self) -> [u8; 2] {
        match self {
            InSet::First => [0, 0],
            InSet::Second { halves, .. } => halves,
        }
    }
}
