//! The pie rule: after the first move the second seat may take over that side instead of moving, so the best first move
//! is an even one.

use super::Seat;
use super::rules::{AllowedValues, GameInfo, OptionSpec, Setup};

/// The stage of the pie rule in a game for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pie {
    /// Not in play, or declined: the sides cannot be swapped.
    Off,
    /// The first move comes next; after it the second seat may swap.
    Ahead,
    /// The second seat may swap now, instead of moving.
    Open,
    /// The seats have swapped sides.
    Swapped,
}

/// The words for the stages in position lines; `Off` has none.
const WORDS: [(Pie, &str); 3] = [(Pie::Ahead, "ahead"), (Pie::Open, "open"), (Pie::Swapped, "swapped")];

impl Pie {
    /// The spelling of the swap.
    pub const SWAP: &'static str = "swap";

    /// The option of games that can be played with this rule.
    pub const OPTION: OptionSpec =
        OptionSpec { key: "pie", allowed: AllowedValues::OneOf(&["off", "on"]), default: "off" };

    /// The stage at the start of a game.
    pub fn at_start(setup: &Setup, info: &GameInfo) -> Pie {
        if setup.option(info, Pie::OPTION.key) == "on" { Pie::Ahead } else { Pie::Off }
    }

    /// The stage after a move on the board.
    #[must_use]
    pub fn after_move(self) -> Pie {
        match self {
            Pie::Ahead => Pie::Open,
            Pie::Open => Pie::Off,
            settled => settled,
        }
    }

    /// The seat that plays a side: side 0 moves first, side 1 second.
    pub fn seat(self, side: usize) -> Seat {
        if (side == 0) == (self == Pie::Swapped) { Seat::SECOND } else { Seat::FIRST }
    }

    /// The side that a seat plays: side 0 moves first, side 1 second.
    pub fn side(self, seat: Seat) -> usize {
        if self == Pie::Swapped { seat.other().index() } else { seat.index() }
    }

    /// Its word in a position line (after the colon of `pie:ahead`); `None` if it is off.
    pub fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(pie, _)| *pie == self).map(|(_, word)| *word)
    }

    /// The stage of a word in a position's line.
    pub fn named(word: &str) -> Option<Pie> {
        WORDS.iter().find(|(_, known)| *known == word).map(|(pie, _)| *pie)
    }

    /// Whether this stage is possible while a side (0 for the one that moves first) is to move.
    pub fn fits(self, to_move: usize) -> bool {
        match self {
            Pie::Ahead => to_move == 0,
            Pie::Open => to_move == 1,
            Pie::Off | Pie::Swapped => true,
        }
    }
}
