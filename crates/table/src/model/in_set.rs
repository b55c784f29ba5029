//! The place of a table in a set of two games.

use serde::{Deserialize, Serialize};

use super::TableId;

/// The place of a table in a set of two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "snake_case")]
pub enum InSet {
    /// The first game of the set.
    First,
    /// The second game, whose seats are swapped.
    Second {
        /// The table of the first game.
        first: TableId,
        /// The score that each seat of the second table carries over from the first, in half points.
        halves: [u8; 2],
    },
}

impl InSet {
    /// Returns the number of the game, 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            InSet::First => 1,
            InSet::Second { .. } => 2,
        }
    }

    /// Returns the score that each seat carries over, in half points.
    pub fn carried_halves(self) -> [u8; 2] {
        match self {
            InSet::First => [0, 0],
            InSet::Second { halves, .. } => halves,
        }
    }
}
