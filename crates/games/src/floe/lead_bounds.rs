//! Bounds of the final lead between two seats with any play.

use super::endgame_count::{Terms, combined_score};
use super::reachable_tiles::TakeRule;
use super::{Floe, Phase};
use rookery_core::{CellSet, Seat};

/// Lower and upper bound of the lead of one of two seats: points, and tiles if they decide ties, in one number whose
/// sign gives the winner. Equal once the game is over.
pub(crate) fn lead_bounds(floe: &Floe, terms: Terms, seat: Seat) -> (i32, i32) {
    let other = seat.next(floe.seats());
    let lead = certain_points(floe, terms, seat) - certain_points(floe, terms, other);
    if floe.phase() == Phase::Over {
        return (lead, lead);
    }
    (lead - open(floe, terms, other), lead + open(floe, terms, seat))
}

/// The certain part of a seat's final result.
fn certain_points(floe: &Floe, terms: Terms, seat: Seat) -> i32 {
    let taken = floe.taken(seat);
    let now = combined_score(taken.points.into(), if terms.tiles_decide { taken.tiles.into() } else { 0 });
    // A piece that may move away and spear another tile leaves its own tile to others.
    let stays = terms.way == TakeRule::Walk || floe.phase() == Phase::Over;
    let standing = if terms.standing_counts && stays { floe.pieces(seat) } else { CellSet::EMPTY };
    (now + worth(floe, terms, standing)) as i32
}

/// The most that a seat could still gain if its pieces took everything within reach.
fn open(floe: &Floe, terms: Terms, seat: Seat) -> i32 {
    let lines = floe.board().lines();
    let pieces = floe.pieces(seat);
    let reached = match terms.way {
        TakeRule::Walk => lines.region(lines.neighbours_of_all(pieces), floe.free()),
        TakeRule::Spear => lines.region(pieces, floe.tiles()),
    };
    worth(floe, terms, reached) as i32
}

fn worth(floe: &Floe, terms: Terms, cells: CellSet) -> u32 {
    combined_score(floe.fish_on(cells), if terms.tiles_decide { cells.len() as u32 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floe::layout;
    use crate::floe::state::{FloeTerms, State};
    use rookery_core::seed::SeededRng;
    use rookery_core::{Board, Position};

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Walks;
    impl FloeTerms for Walks {
        const TERMS: Terms = Terms { way: TakeRule::Walk, standing_counts: true, tiles_decide: true };
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Spears;
    impl FloeTerms for Spears {
        const TERMS: Terms = Terms { way: TakeRule::Spear, standing_counts: true, tiles_decide: false };
    }

    /// In random games the bounds only become tighter, and at the end they name the winner.
    fn close_in<K: FloeTerms>(seed: u64) {
        let board = Board::square(6, 6);
        let mut floe = Floe::bare(board, 2, 2, false);
        layout::random(board, seed).into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
        floe.begin(Phase::Place, Seat::FIRST);
        let (mut state, mut chance) = (State::<K>::new(floe), SeededRng::new(seed));
        let mut last = (i32::MIN, i32::MAX);
        loop {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let Some(m) = chance.pick(&moves) else { break };
            state.play_unchecked(*m);
            if state.floe().phase() == Phase::Place {
                continue;
            }
            let (least, most) = lead_bounds(state.floe(), K::TERMS, Seat::FIRST);
            assert!(last.0 <= least && least <= most && most <= last.1, "{last:?}, {least}, {most}");
            assert_eq!(lead_bounds(state.floe(), K::TERMS, Seat::SECOND), (-most, -least));
            last = (least, most);
        }
        let outcome = state.outcome().unwrap();
        let lead = outcome.share(Seat::FIRST) - outcome.share(Seat::SECOND);
        assert_eq!((last.0, f64::from(last.0.signum())), (last.1, lead));
    }

    #[test]
    fn bounds_close_in_on_the_lead_that_decides() {
        for seed in 0..40 {
            close_in::<Walks>(seed);
            close_in::<Spears>(seed);
        }
    }
}
