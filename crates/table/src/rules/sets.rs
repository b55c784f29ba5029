//! Sets of two games from the same start: when the first has a result, the second opens by itself with swapped seats.
//! They are played one after the other, because a live clock needs the player's full attention.

use rookery_core::Seat;
use rookery_core::seed::{SeededRng, mix};

pub use crate::model::InSet;
use crate::model::commitment::SeedCommitment;
use crate::model::{Occupant, Status, TableId, Terms};
use crate::rated;
use crate::state::Table;

/// Separates the name of the second game's table from other draws with the same seed.
const SECOND_GAME_SALT: u64 = 0x2ec0_4d6a;
/// Separates the name of a rematch's table from other draws with the same seed.
const REMATCH_SALT: u64 = 0x51b7_a39d;

impl Table {
    /// Returns the current score of the set, in half points by seat; `None` for a table outside a set.
    pub fn set_halves(&self) -> Option<[u8; 2]> {
        let carried_halves = self.terms().set?.carried_halves();
        let own = game_halves(self);
        Some([carried_halves[0] + own[0], carried_halves[1] + own[1]])
    }

    /// Whether this is the first game of a set and has a result.
    pub fn has_second_game(&self) -> bool {
        let first = self.terms().set == Some(InSet::First) && self.chairs().len() == 2;
        first && rated::places(self).is_some()
    }
}

/// Returns what a game gave each of two seats: two half points to the winner, one to each in a draw; none while it is
/// running, and after an abort.
fn game_halves(table: &Table) -> [u8; 2] {
    let Status::Over(ending) = table.status() else { return [0, 0] };
    if rated::places(table).is_none() {
        return [0, 0];
    }
    let each = if ending.winners.len() == 1 { 2 } else { 1 };
    [Seat::FIRST, Seat::SECOND].map(|seat| if ending.winners.contains(&seat) { each } else { 0 })
}

/// Returns the terms and chairs of the second game; `None` if none follows. Both games start from the same position, so
/// that neither side is favoured. Their seed is public by now, so the second game gets a separate draw seed.
pub(crate) fn second_game(table: &Table) -> Option<(Terms, Vec<Occupant>)> {
    let halves = table.set_halves().filter(|_| table.has_second_game())?;
    let set = InSet::Second { first: table.id(), halves: [halves[1], halves[0]] };
    let commitment = Some(Box::new(SeedCommitment::requested(true, false)));
    let mut chairs = table.chairs().to_vec();
    // Players for whom the bot substituted are seated again.
    for (seat, person) in table.substitutions() {
        chairs[seat.index()] = Occupant::Human { person: *person };
    }
    chairs.swap(Seat::FIRST.index(), 1);
    Some((Terms { set: Some(set), commitment, ..table.rematch_terms() }, chairs))
}

/// Returns the name of the second game's table, drawn from the first one's seed so that opening it twice does no harm.
/// Each attempt gives another name, in case one is taken.
pub(crate) fn second_name(table: &Table, attempt: usize) -> TableId {
    name(table, mix(SECOND_GAME_SALT ^ attempt as u64), attempt)
}

/// Returns the name of a rematch's table; it differs if an earlier rematch did not start.
pub(crate) fn rematch_name(table: &Table, attempt: usize) -> TableId {
    let before = table.rematch();
    let before = before.iter().flat_map(|id| id.as_str().bytes());
    let what = before.fold(mix(REMATCH_SALT ^ attempt as u64), |what, sign| mix(what ^ u64::from(sign)));
    name(table, what, attempt)
}

fn name(table: &Table, what: u64, attempt: usize) -> TableId {
    let seed = mix(table.terms().seed ^ what);
    let own = table.id().as_str().bytes().fold(seed, |seed, sign| mix(seed ^ u64::from(sign)));
    TableId::draw(&mut SeededRng::new(own), 4 + attempt / 8)
}
