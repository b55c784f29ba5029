//! The arguments of the search of one node, and its result so far.

use crate::{FutilityMargin, Guess, Score};

/// The arguments of the search of one node: depth, window and distance from the root.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) depth: u32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) ply: u32,
}

impl Window {
    /// The bound nearest to the window if everything within `margin` of an evaluation is outside the window. Proofs are
    /// farther away than any evaluation.
    pub(super) fn bound_outside(self, evaluation: Score, margin: FutilityMargin) -> Option<Score> {
        let (low, high) = (evaluation.shifted(-margin.down), evaluation.shifted(margin.up));
        match evaluation {
            _ if evaluation.is_proof() => None,
            _ if low >= self.beta && !low.is_proof() => Some(low),
            _ if high <= self.alpha && !high.is_proof() => Some(high),
            _ => None,
        }
    }
}

/// The best move of a node so far.
#[derive(Clone, Copy)]
pub(super) struct Best<M> {
    pub(super) score: Score,
    pub(super) m: Option<M>,
    /// Whether all moves that should be searched were searched.
    pub(super) whole: bool,
}

impl<M> Best<M> {
    pub(super) const NONE: Best<M> = Best { score: Score::MIN, m: None, whole: false };

    pub(super) fn update(&mut self, score: Score, m: M) {
        if score > self.score {
            *self = Best { score, m: Some(m), whole: false };
        }
    }
}

/// Moves of a node that were searched before the others were listed.
pub(super) struct FirstMoves<M> {
    pub(super) best: Best<M>,
    pub(super) searched: [Option<M>; 3],
}

impl<M: Copy + Eq> FirstMoves<M> {
    pub(super) fn count(&self) -> usize {
        self.searched.iter().flatten().count()
    }

    pub(super) fn has(&self, m: M) -> bool {
        self.searched.contains(&Some(m))
    }

    pub(super) fn update(&mut self, score: Score, m: M) {
        let next = self.count();
        self.searched[next] = Some(m);
        self.best.update(score, m);
    }
}

impl<M: Copy> Best<M> {
    /// The best evaluation of all moves; `NONE` if there are no moves.
    pub(super) fn of(moves: &[Guess<M>]) -> Best<M> {
        let best = moves.iter().reduce(|best, g| if g.score > best.score { g } else { best });
        best.map_or(Best::NONE, |g| Best { score: g.score, m: Some(g.m), whole: true })
    }
}
