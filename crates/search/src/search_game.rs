//! The interface of a game for a search.

use std::fmt::Debug;

use super::Score;
use rookery_core::{MAX_SEATS, Seat};

/// The result of a position, by the rules or by proof, with best play from here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The share of each seat: 1 for a win, 0 for a loss, equal shares of 1 otherwise.
    pub shares: [f32; MAX_SEATS],
    /// In at most how many plies; 0 if the game is over.
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

/// A move, and how good the position after it looks to the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess<M> {
    /// A legal move of the node.
    pub m: M,
    /// A proof where the move ends the game; else an opinion.
    pub score: Score,
}

/// The cost of a move generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Number of positions evaluated.
    pub judged: u64,
    /// Whether all legal moves are in the list.
    pub whole: bool,
}

/// The value that a futility margin is compared with.
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
    /// Lower by at most this.
    pub down: i32,
    /// Higher by at most this.
    pub up: i32,
}

/// A game for a search: positions, moves and evaluation.
///
/// It is a thing of its own rather than a trait of positions, because it may keep weights, noise,
/// and memory of endings between calls. All opinions must be functions of the node alone (and of
/// its own fixed seed), or searches become inconsistent. Each thread of a search has its
/// own clone.
pub trait SearchGame: Clone + Send {
    /// A position in a form that is quick to search.
    type Node: Clone + Sync;
    /// A move; it should be small.
    type Move: Copy + Eq + Debug + Send;

    /// How many seats play.
    fn seats(&self, _node: &Self::Node) -> usize {
        2
    }
    /// Whether a seat still plays; a seat that resigned wins nothing.
    fn plays(&self, _node: &Self::Node, _seat: Seat) -> bool {
        true
    }
    /// The seat to move.
    fn turn(&self, node: &Self::Node) -> Seat;
    /// A hash of the position.
    fn key(&self, node: &Self::Node) -> u64;
    /// Plays a legal move.
    fn play(&self, node: &mut Self::Node, m: Self::Move);
    /// How the game ends from here, where rules or exact counting tell: never a guess.
    fn settled(&mut self, node: &Self::Node) -> Option<End>;
    /// How good the position looks for a seat, in hundredths of the game's unit. For two seats the
    /// two opinions are each other's negative.
    fn evaluate(&mut self, node: &Self::Node, seat: Seat) -> i32;
    /// Appends every legal move with its guess. One batch, because many games judge all children of
    /// a node more cheaply than one by one. Called only where the game goes on.
    fn children(&mut self, node: &Self::Node, out: &mut Vec<Guess<Self::Move>>);
    /// What one move looks like, if it is legal: as [`SearchGame::children`] would say. A mind that answers saves
    /// the listing of moves wherever an old one is still good enough; `None` for every move is an answer too.
    fn guess(&mut self, _node: &Self::Node, _m: Self::Move) -> Option<Score> {
        None
    }
    /// As [`SearchGame::children`], but the list may end with a move that looks as good as `enough`, or a few behind
    /// it. The moves of `ahead` are looked at first, where they are legal.
    fn children_until(
        &mut self,
        node: &Self::Node,
        ahead: &[Self::Move],
        enough: Score,
        out: &mut Vec<Guess<Self::Move>>,
    ) -> Listed {
        let mut judged = 0;
        for m in ahead {
            let Some(score) = self.guess(node, *m) else { continue };
            judged += 1;
            if score >= enough {
                out.push(Guess { m: *m, score });
                return Listed { judged, whole: false };
            }
        }
        let whole = self.list_until(node, enough, out);
        Listed { judged: judged + out.len() as u64, whole }
    }
    /// The list of [`SearchGame::children_until`] without any moves ahead; whether all legal moves are in it.
    fn list_until(&mut self, node: &Self::Node, _enough: Score, out: &mut Vec<Guess<Self::Move>>) -> bool {
        self.children(node, out);
        true
    }
    /// Two indices below [`super::ordering::HISTORY_SLOTS`] under which successes of this move are kept.
    fn history_slots(&self, node: &Self::Node, m: Self::Move) -> [usize; 2];
    /// How many of the best-looking moves are searched `ply` plies below the root with `depth` to go
    /// (2 or more). Moves beyond are looked at only when all before them lose, so that a proven loss
    /// stays a proof.
    fn width(&self, _ply: u32, _depth: u32) -> usize {
        usize::MAX
    }
    /// How many plies less than the others the `i`-th move of a node is searched first, `depth` (2 or
    /// more) being left. The search sees to it that a ply remains.
    fn reduction(&self, i: usize, _depth: u32) -> u32 {
        match i {
            0..3 => 0,
            3..12 => 1,
            _ => 2,
        }
    }
    /// How far a search of `depth` plies is expected to lie at most from the node's own opinion, or once
    /// its moves have their guesses, from the best of them. Where the window is farther off than that, the
    /// search is left out. `None`: it never is.
    fn futility_margin(
        &self,
        _node: &Self::Node,
        _seen: FutilityBasis,
        _depth: u32,
    ) -> Option<FutilityMargin> {
        None
    }
    /// How many hundredths make a large advantage: an opinion of this size wins about 3 in 4.
    fn large(&self) -> f32 {
        300.0
    }
}
