//! Who gets where first: all pieces of all seats set out at once.

use super::Floe;
use crate::kit::plane::{Sea, Word};
use crate::kit::{CellSet, MOST_SEATS, Seat};

/// A floe in words.
#[derive(Clone, Debug)]
pub(super) struct View<W> {
    pub(super) free: W,
    pub(super) tiles: W,
    twos: W,
    threes: W,
    /// Pieces of those who still play; all others are only in the way.
    pub(super) pieces: [W; MOST_SEATS],
}

impl<W: Word> View<W> {
    pub(super) fn of(floe: &Floe) -> View<W> {
        let pieces = |seat: Seat| if floe.is_retired(seat) { CellSet::EMPTY } else { floe.pieces(seat) };
        View {
            free: W::pack(floe.free()),
            tiles: W::pack(floe.tiles()),
            twos: W::pack(floe.with_fish(2)),
            threes: W::pack(floe.with_fish(3)),
            pieces: std::array::from_fn(|i| Seat::new(i).map_or(W::default(), |seat| W::pack(pieces(seat)))),
        }
    }

    /// The fish on cells with tiles.
    #[inline]
    pub(super) fn fish(&self, cells: W) -> i32 {
        (cells.count() + (cells & self.twos).count() + 2 * (cells & self.threes).count()) as i32
    }
}

/// How a race went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race<W> {
    /// The cells that each seat reaches before all others.
    pub(super) first: [W; MOST_SEATS],
    /// The cells that it reaches as early as somebody else, and nobody earlier.
    pub(super) tied: [W; MOST_SEATS],
    /// All cells that it can reach.
    pub(super) reach: [W; MOST_SEATS],
}

/// Runs a race to its end, a wave for each move.
pub(super) fn race<W: Word>(view: &View<W>, seats: usize, wave: impl Fn(W) -> W) -> Race<W> {
    let none = [W::default(); MOST_SEATS];
    let mut race = Race { first: none, tied: none, reach: none };
    let mut edge = view.pieces;
    let mut open = view.free;
    loop {
        let mut some = W::default();
        let mut many = W::default();
        for (edge, reach) in edge.iter_mut().zip(&mut race.reach).take(seats) {
            *edge = if edge.is_none() { *edge } else { wave(*edge) & !*reach };
            *reach = *reach | *edge;
            many = many | some & *edge;
            some = some | *edge;
        }
        if some.is_none() {
            return race;
        }
        for (seat, edge) in edge.iter().enumerate().take(seats) {
            race.first[seat] = race.first[seat] | *edge & open & !many;
            race.tied[seat] = race.tied[seat] | *edge & open & many;
        }
        open = open & !some;
    }
}

/// All cells of `passable` that are connected with the cells `from`, which need not be among them.
pub(super) fn flood<W: Word>(sea: &Sea<W>, from: W) -> W {
    let mut found = W::default();
    let mut edge = from;
    while !edge.is_none() {
        edge = sea.steps(edge) & !found;
        found = found | edge;
    }
    found
}
