//! The pie rule: after the first move the second seat may take it for its own, instead of moving. So the
//! best first move is an even one.

use super::Seat;
use super::rules::{AllowedValues, GameInfo, OptionSpec, Setup};

/// Where the pie rule stands in a game for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pie {
    /// Not played, or declined: the sides can't be swapped.
    Off,
    /// The first move comes next; after it the second seat may swap.
    Ahead,
    /// The second seat may swap now, instead of moving.
    Open,
    /// The seats have swapped sides.
    Swapped,
}

/// How positions in text call a stage; one that is off is not told.
const WORDS: [(Pie, &str); 3] = [(Pie::Ahead, "ahead"), (Pie::Open, "open"), (Pie::Swapped, "swapped")];

impl Pie {
    /// How it is written that the second seat takes the first move for its own.
    pub const SWAP: &'static str = "swap";

    /// The option of a game that can be played under this rule.
    pub const OPTION: OptionSpec =
        OptionSpec { key: "pie", allowed: AllowedValues::OneOf(&["off", "on"]), default: "off" };

    /// Where it stands as a game begins.
    pub fn at_start(setup: &Setup, about: &GameInfo) -> Pie {
        if setup.option(about, Pie::OPTION.key) == "on" { Pie::Ahead } else { Pie::Off }
    }

    /// Where it stands after a move on the board.
    #[must_use]
    pub fn after_move(self) -> Pie {
        match self {
            Pie::Ahead => Pie::Open,
            Pie::Open => Pie::Off,
            settled => settled,
        }
    }

    /// The seat that plays a side: 0 for the side that begins, 1 for the other.
    pub fn seat(self, side: usize) -> Seat {
        if (side == 0) == (self == Pie::Swapped) { Seat::SECOND } else { Seat::FIRST }
    }

    /// The side that a seat of two plays: 0 for the side that begins, 1 for the other.
    pub fn side(self, seat: Seat) -> usize {
        if self == Pie::Swapped { seat.other().index() } else { seat.index() }
    }

    /// Its word in a position's line (`pie:ahead`), after the colon; none if it is off.
    pub fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(pie, _)| *pie == self).map(|(_, word)| *word)
    }

    /// The stage of a word in a position's line.
    pub fn named(word: &str) -> Option<Pie> {
        WORDS.iter().find(|(_, known)| *known == word).map(|(pie, _)| *pie)
    }

    /// Whether it can stand so while a side (0 for the one that begins) is to move.
    pub fn fits(self, to_move: usize) -> bool {
        match self {
            Pie::Ahead => to_move == 0,
            Pie::Open => to_move == 1,
            Pie::Off | Pie::Swapped => true,
        }
    }
}
