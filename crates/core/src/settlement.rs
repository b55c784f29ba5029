//! The proven end of a game in which no region is shared any more.

use std::collections::VecDeque;

use super::{EndgameCount, Outcome, OwnedRegion, Position, Score, Seat};

/// The proven end of a game, and moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<M = String> {
    /// Every region in which something is left.
    pub domains: Vec<OwnedRegion>,
    /// For each seat, by index, the lower and upper bound of its remaining gains: moves (Amazons), points (penguin
    /// games). Equal if the count finished.
    pub left: Vec<(u32, u32)>,
    /// Legal moves to the end of the game. Each seat gains at least its lower bound; in the Amazons the loser runs out
    /// of moves first.
    pub moves: Vec<M>,
    /// The result by the rules after these moves.
    pub outcome: Outcome,
    /// Points of every seat after these moves, in games with points.
    pub scores: Option<Vec<Score>>,
    /// The lead as in [`EndgameCount::Separated`]; `None` if the winner is proven and the lead is not.
    pub margin_halves: Option<u32>,
}

impl<M: Copy> Settlement<M> {
    /// The settlement of a count when every seat plays its `ways` (by seat, each in order). `None` if the game is
    /// already over, the count names no winner, or the moves do not lead to the counted result.
    pub fn of<P: Position<Move = M>>(
        position: &P,
        claim: EndgameCount,
        ways: Vec<Vec<M>>,
    ) -> Option<Settlement<M>> {
        let left = Seat::all(position.seats()).map(|seat| claim.left(seat)).collect::<Option<Vec<_>>>()?;
        let EndgameCount::Separated { domains, outcome: Some(proven), margin_halves } = claim else {
            return None;
        };
        if position.outcome().is_some() {
            return None;
        }
        let (moves, end) = played_out(position, ways);
        let outcome = end.outcome()?;
        debug_assert_eq!(outcome.winners, proven.winners, "what was proven comes about");
        // Continuing the game is better than a wrong result.
        if outcome.winners != proven.winners {
            return None;
        }
        Some(Settlement { domains, left, moves, outcome, scores: end.scores(), margin_halves })
    }

    /// The same settlement with the moves replaced, such as by their texts.
    pub fn named<N>(self, moves: Vec<N>) -> Settlement<N> {
        let Settlement { domains, left, outcome, scores, margin_halves, .. } = self;
        Settlement { domains, left, moves, outcome, scores, margin_halves }
    }
}

/// The moves in playing order, and the position after them.
fn played_out<P: Position>(position: &P, ways: Vec<Vec<P::Move>>) -> (Vec<P::Move>, P) {
    let mut ways: Vec<VecDeque<P::Move>> = ways.into_iter().map(VecDeque::from).collect();
    let (mut moves, mut now) = (Vec::new(), position.clone());
    while now.outcome().is_none() {
        let Some(m) = ways.get_mut(now.turn().index()).and_then(VecDeque::pop_front) else { break };
        debug_assert_eq!(now.check(m), Ok(()), "a way through an own region can be gone");
        now.play_unchecked(m);
        moves.push(m);
    }
    (moves, now)
}
