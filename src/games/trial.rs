//! Quick wins by trying everything: what the players of games that end suddenly find is compared with it.

use std::collections::HashMap;

use crate::kit::game::legal;
use crate::kit::rules::Room;
use crate::kit::{Position, Seat};

/// What is known of positions: whether the seat that began wins within so many plies.
type Known = HashMap<(u64, u32), bool>;

/// The first of these numbers of plies within which whoever is to move wins for certain. The position has
/// stood once, and no more than five plies are looked at: in so few none stands for the third time.
pub(super) fn quickest_win<R: Room>(
    position: &R::Position,
    within: impl IntoIterator<Item = u32>,
) -> Option<u32> {
    let (mut known, seat) = (Known::new(), position.turn());
    within.into_iter().find(|plies| wins::<R>(position, seat, *plies, &mut known))
}

/// Whether a seat wins within so many plies whatever the other does.
fn wins<R: Room>(position: &R::Position, seat: Seat, plies: u32, known: &mut Known) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winners == [seat];
    }
    if plies == 0 {
        return false;
    }
    if let Some(known) = known.get(&(position.hash(), plies)) {
        return *known;
    }
    let mut after = legal::<R>(position).into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    });
    let won = match position.turn() == seat {
        true => after.any(|next| wins::<R>(&next, seat, plies - 1, known)),
        false => after.all(|next| wins::<R>(&next, seat, plies - 1, known)),
    };
    known.insert((position.hash(), plies), won);
    won
}
