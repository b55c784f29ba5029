//! The interface between a game and a search.

use std::fmt::Debug;

use super::Score;
use rookery_core::{MAX_SEATS, Seat};

/// The result of a position, by the rules or by proof, with best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The share of each seat: 1 for a win, 0 for a loss, equal shares of 1 otherwise.
    pub shares: [f32; MAX_SEATS],
    /// Upper bound of the number of plies to the end; 0 if the game is over.
    pub plies: u32,
}

impl End {
    /// A win of one seat.
    pub fn win(seat: Seat, plies: u32) -> End {
        let mut shares = [0.0; MAX_SEATS];
        shares[seat.index()] = 1.0;
        End { shares, plies }
    }

    /// The score for a seat in a game of two.
    pub fn score(&self, seat: Seat) -> Score {
        match self.shares[seat.index()] {
            share if share >= 1.0 => Score::won(self.plies),
            share if share <= 0.0 => Score::lost(self.plies),
            _ => Score::EVEN,
        }
    }
}

/// A move and its evaluation for the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess<M> {
    /// A legal move of the node.
    pub m: M,
    /// A proof where the move ends the game; else an evaluation.
    pub score: Score,
}

/// The cost of a move generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Number of positions evaluated.
    pub evaluated: u64,
    /// Whether all legal moves are in the list.
    pub whole: bool,
}

/// The evaluation that a futility margin is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FutilityBasis {
    /// The static evaluation of the position.
    Position,
    /// The best static evaluation after one move.
    Moves,
}

/// Futility margin: how far, in hundredths, a search may change the static evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FutilityMargin {
    /// Decrease at most.
    pub down: i32,
    /// Increase at most.
    pub up: i32,
}

/// A game as a search sees it: positions, moves and evaluation.
///
/// A separate trait rather than one of positions, because it may keep weights, noise and cached endings between calls.
/// All evaluations must be functions of the node alone (and of a fixed seed), or searches become inconsistent. Each thread
/// of a search has its own clone.
pub trait SearchGame: Clone + Send {
    /// A position in a form that is fast to search.
    type Node: Clone + Sync;
    /// A move; it should be small.
    type Move: Copy + Eq + Debug + Send;

    /// The number of seats.
    fn seats(&self, _node: &Self::Node) -> usize {
        2
    }
    /// Whether a seat still plays; a seat that resigned cannot win.
    fn plays(&self, _node: &Self::Node, _seat: Seat) -> bool {
        true
    }
    /// The seat to move.
    fn turn(&self, node: &Self::Node) -> Seat;
    /// A hash of the position.
    fn key(&self, node: &Self::Node) -> u64;
    /// Plays a legal move.
    fn play(&self, node: &mut Self::Node, m: Self::Move);
    /// The result of the game, if rules or exact counting prove it: never a guess.
    fn settled(&mut self, node: &Self::Node) -> Option<End>;
    /// The evaluation of the position for a seat, in hundredths of the game's unit. With two seats the two evaluations are
    /// each other's negative.
    fn evaluate(&mut self, node: &Self::Node, seat: Seat) -> i32;
    /// Appends every legal move with its guess. One batch, because many games evaluate all children of a node more
    /// cheaply than one by one. Called only if the game is not over.
    fn children(&mut self, node: &Self::Node, out: &mut Vec<Guess<Self::Move>>);
    /// The score of one move, if it is legal: the same that [`SearchGame::children`] would list. It saves listing the
    /// moves if an earlier good move still suffices; implementations may always return `None`.
    fn guess(&mut self, _node: &Self::Node, _m: Self::Move) -> Option<Score> {
        None
    }
    /// As [`SearchGame::children`], but the list may end at, or a few moves after, a move whose score reaches `enough`.
    /// The moves of `ahead` are evaluated first, if they are legal.
    fn children_until(
        &mut self,
        node: &Self::Node,
        ahead: &[Self::Move],
        enough: Score,
        out: &mut Vec<Guess<Self::Move>>,
    ) -> Listed {
        let mut evaluated = 0;
        for m in ahead {
            let Some(score) = self.guess(node, *m) else { continue };
            evaluated += 1;
            if score >= enough {
                out.push(Guess { m: *m, score });
                return Listed { evaluated, whole: false };
            }
        }
        let whole = self.list_until(node, enough, out);
        Listed { evaluated: evaluated + out.len() as u64, whole }
    }
    /// The list of [`SearchGame::children_until`] without moves ahead; returns whether it contains all legal moves.
    fn list_until(&mut self, node: &Self::Node, _enough: Score, out: &mut Vec<Guess<Self::Move>>) -> bool {
        self.children(node, out);
        true
    }
    /// Two indices below [`super::ordering::HISTORY_SLOTS`] for this move's entries in the history table.
    fn history_slots(&self, node: &Self::Node, m: Self::Move) -> [usize; 2];
    /// The number of best-looking moves that are searched `ply` plies below the root with `depth` (2 or more) left.
    /// Further moves are searched only if all before them lose, so that a proven loss stays a proof.
    fn width(&self, _ply: u32, _depth: u32) -> usize {
        usize::MAX
    }
    /// The depth reduction of the first search of a node's `i`-th move, with `depth` (2 or more) left. The search keeps
    /// at least one ply.
    fn reduction(&self, i: usize, _depth: u32) -> u32 {
        match i {
            0..3 => 0,
            3..12 => 1,
            _ => 2,
        }
    }
    /// The maximum expected difference between a search of `depth` plies and the node's own evaluation or, once its moves
    /// are evaluated, the best of them. If the window is farther away, the search is skipped. `None`: never skip.
    fn futility_margin(
        &self,
        _node: &Self::Node,
        _seen: FutilityBasis,
        _depth: u32,
    ) -> Option<FutilityMargin> {
        None
    }
    /// The size of a large advantage in hundredths: an evaluation of this size wins about 3 games in 4.
    fn large_advantage(&self) -> f32 {
        300.0
    }
}
