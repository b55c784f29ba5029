//! Seats at a table, numbered in turn order.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The most seats any game has.
pub const MAX_SEATS: usize = 4;

/// A seat at a table. Seat 0 moves first; users see it as "player 1". Serialized as its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first.
    pub const FIRST: Seat = Seat(0);
    /// The seat that moves second.
    pub const SECOND: Seat = Seat(1);
    /// The seat that moves third.
    pub const THIRD: Seat = Seat(2);
    /// The seat that moves fourth.
    pub const FOURTH: Seat = Seat(3);

    /// The seat with this index, `0..4`; `None` for larger ones.
    pub fn new(index: usize) -> Option<Seat> {
        (index < MAX_SEATS).then_some(Seat(index as u8))
    }

    /// The first `count` seats (0 to 4) in turn order.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..count.min(MAX_SEATS) as u8).map(Seat)
    }

    /// `0..4`, for use as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// `1..=4`, as shown to users.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// The next seat in a game of `count` (1 to 4) seats.
    #[inline]
    pub fn next(self, count: usize) -> Seat {
        Seat((self.0 + 1) % count.clamp(1, MAX_SEATS) as u8)
    }

    /// The other seat of a game for two.
    pub fn other(self) -> Seat {
        self.next(2)
    }
}

impl From<Seat> for u8 {
    /// The seat's index, as records keep it.
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    /// The seat with an index from a record.
    ///
    /// # Errors
    /// No game has so large a seat index.
    fn try_from(index: u8) -> Result<Seat, String> {
        Seat::new(index.into()).ok_or_else(|| format!("there is no seat {index}"))
    }
}

impl fmt::Display for Seat {
    /// The seat's number as shown to users, from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
