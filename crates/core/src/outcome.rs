//! Results of games, and scores.

use super::Seat;

/// Why a game is over by its own rules (tables add resignation, time and agreement).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// The side to move has no legal move, and loses.
    NoMoves,
    /// No player can move any more; the points decide.
    Points,
    /// Equal points; the number of tiles decides.
    Tiles,
    /// A ball in a goal corner.
    Goal,
    /// The opponent's Kernel is controlled.
    Kernel,
    /// A position occurred for the third time.
    Repetition,
    /// No player can move any more, and nobody has won.
    Stuck,
}

impl Reason {
    /// Its name in journals and records, and the key of its sentence.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The reason with this name.
    pub fn named(key: &str) -> Option<Reason> {
        key.parse().ok()
    }
}

/// The end of a game by its rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winners: one seat; several that share the victory; both for a draw of two. Never empty.
    pub winners: Vec<Seat>,
    /// The rule that ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// The outcome with one winner.
    pub fn win(seat: Seat, reason: Reason) -> Outcome {
        Outcome { winners: vec![seat], reason }
    }

    /// All seats share the victory.
    pub fn draw(seats: usize, reason: Reason) -> Outcome {
        Outcome { winners: Seat::all(seats).collect(), reason }
    }

    /// A seat's share: 1 for a win, 0 for a loss, an equal share of 1 if the victory is shared.
    pub fn share(&self, seat: Seat) -> f64 {
        Outcome::share_of(&self.winners, seat)
    }

    /// The share of a seat in a game that these seats have won, for any reason.
    pub fn share_of(winners: &[Seat], seat: Seat) -> f64 {
        if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 }
    }
}

/// The score of a seat so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Score {
    /// Fish or points; controlled stacks in Amoeba.
    pub points: u32,
    /// Tiles taken, where the game counts them.
    pub tiles: Option<u32>,
}
