//! Sets of two games from the same start: when the first has a result, the second opens by itself with
//! the seats swapped. One after the other, not at once: a live clock can be kept at one board only, and a
//! challenge need not be accepted twice.

use rookery_core::Seat;
use rookery_core::seed::{SeededRng, mix};

pub use crate::model::InSet;
use crate::model::commitment::SeedCommitment;
use crate::model::{Occupant, Status, TableId, Terms};
use crate::rated;
use crate::state::Table;

/// Told apart from all else that is drawn from a seed: what the second game's table is called.
const NAMES: u64 = 0x2ec0_4d6a;
/// The same for the table where a game is played again.
const AGAIN: u64 = 0x51b7_a39d;

impl Table {
    /// The score of the set as it stands here, in half points by seat; `None` if the table is of no set.
    pub fn set_halves(&self) -> Option<[u8; 2]> {
        let carried_halves = self.terms().set?.carried_halves();
        let own = own_halves(self);
        Some([carried_halves[0] + own[0], carried_halves[1] + own[1]])
    }

    /// Whether a game is over that has a result, and another one of its set is to follow.
    pub fn has_second(&self) -> bool {
        let first = self.terms().set == Some(InSet::First) && self.chairs().len() == 2;
        first && rated::places(self).is_some()
    }
}

/// What a game gave each of two seats: two halves to who won, one to each who shared it; nothing while
/// it goes on, and where it was called off.
fn own_halves(table: &Table) -> [u8; 2] {
    let Status::Over(ending) = table.status() else { return [0, 0] };
    if rated::places(table).is_none() {
        return [0, 0];
    }
    let each = if ending.winners.len() == 1 { 2 } else { 1 };
    [Seat::FIRST, Seat::SECOND].map(|seat| if ending.winners.contains(&seat) { each } else { 0 })
}

/// Terms and chairs of the second game; `None` if none is to follow. Both games begin with the same position,
/// so that neither side has the better one; the seed is known by now, so that what else is drawn comes from
/// lots of its own.
pub(crate) fn second(table: &Table) -> Option<(Terms, Vec<Occupant>)> {
    let halves = table.set_halves().filter(|_| table.has_second())?;
    let set = InSet::Second { first: table.id(), halves: [halves[1], halves[0]] };
    let commitment = Some(Box::new(SeedCommitment::requested(true, false)));
    let mut chairs = table.chairs().to_vec();
    // Players who had left, or ran out of time, are seated again.
    for (seat, person) in table.away() {
        chairs[seat.index()] = Occupant::Human { person: *person };
    }
    chairs.swap(Seat::FIRST.index(), 1);
    Some((Terms { set: Some(set), commitment, ..table.terms_again() }, chairs))
}

/// What the second game's table is called, drawn from the first one's seed so that opening it twice does
/// no harm; another name each attempt, should one be taken.
pub(crate) fn second_name(table: &Table, attempt: usize) -> TableId {
    name(table, mix(NAMES ^ attempt as u64), attempt)
}

/// The same of the table where a finished game is played again, or once more where that came to nothing.
pub(crate) fn again_name(table: &Table, attempt: usize) -> TableId {
    let before = table.rematch();
    let before = before.iter().flat_map(|id| id.as_str().bytes());
    let what = before.fold(mix(AGAIN ^ attempt as u64), |what, sign| mix(what ^ u64::from(sign)));
    name(table, what, attempt)
}

fn name(table: &Table, what: u64, attempt: usize) -> TableId {
    let seed = mix(table.terms().seed ^ what);
    let own = table.id().as_str().bytes().fold(seed, |seed, sign| mix(seed ^ u64::from(sign)));
    TableId::draw(&mut SeededRng::new(own), 4 + attempt / 8)
}
