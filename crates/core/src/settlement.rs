//! The proven end of a game in which no region is shared any more.

use std::collections::VecDeque;

use super::{EndgameCount, Outcome, OwnedRegion, Position, Score, Seat};

/// How a game ends that is decided by counting, and moves that end it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<M = String> {
    /// Every region with something left in it.
    pub domains: Vec<OwnedRegion>,
    /// What each seat, by index, can still be sure of and what it can get at most: moves (Amazons),
    /// points (penguins). Equal where counted out.
    pub left: Vec<(u32, u32)>,
    /// Moves to the end by the rules, every seat in its turn. Each takes what it can be sure of; in the
    /// Amazons the loser runs out first.
    pub moves: Vec<M>,
    /// The result by the rules after these moves.
    pub outcome: Outcome,
    /// Points of every seat after these moves, in games with points.
    pub scores: Option<Vec<Score>>,
    /// The lead as in [`EndgameCount::Separated`]; `None` where the winner is proven and the lead is not.
    pub margin_halves: Option<u32>,
}

impl<M: Copy> Settlement<M> {
    /// What a claim comes to when every seat plays its `ways` (by seat, each in its order). `None` if the
    /// game is over already, the claim names no winner, or the ways do not bring about what it says.
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
        // Playing on is better than a wrong result.
        if outcome.winners != proven.winners {
            return None;
        }
        Some(Settlement { domains, left, moves, outcome, scores: end.scores(), margin_halves })
    }

    /// The same settlement with other words for the moves.
    pub fn named<N>(self, moves: Vec<N>) -> Settlement<N> {
        let Settlement { domains, left, outcome, scores, margin_halves, .. } = self;
        Settlement { domains, left, moves, outcome, scores, margin_halves }
    }
}

/// The moves in the order in which the seats make them, and the position after them.
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
