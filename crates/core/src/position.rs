//! The trait of a position, and the last move that led to it.

use std::fmt::Debug;
use std::hash::Hash;

use super::{IllegalMove, Outcome, Score, Seat};

/// A position: everything that determines the possible continuations, and nothing else.
///
/// The conformance suite (feature `testing`) checks that the methods agree with each other.
pub trait Position: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// One turn, small and comparable. It is meaningful only together with its position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of seats, 2 to 4.
    fn seats(&self) -> usize;

    /// The seat to move. Seats that must be skipped are already skipped. At the end of the game: the seat that would
    /// have been next.
    fn turn(&self) -> Seat;

    /// The outcome, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends all legal moves, each once, always in the same order; none once the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The number of legal moves. Override it where counting is faster than listing.
    fn count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// The number of sequences of `depth` legal moves (perft); a skipped turn is not a move. Override it where a game
    /// has a faster board.
    fn sequences(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    /// Checks whether a move is legal; the error says exactly why it is not.
    fn check(&self, m: Self::Move) -> Result<(), IllegalMove>;

    /// Plays a legal move. The effect of an illegal one is unspecified (but memory-safe).
    fn play_unchecked(&mut self, m: Self::Move);

    /// A hash of the position, updated incrementally where that is faster.
    fn hash(&self) -> u64;

    /// The same hash, computed from scratch.
    fn fresh_hash(&self) -> u64;

    /// A seat resigns in a game of three or four (with two seats the game ends instead). It keeps its score, its pieces
    /// stay as obstacles, its turns are skipped and it cannot win. If it was to move, the turn passes on. The
    /// resignation is part of the position, its line and its hash.
    fn retire(&mut self, seat: Seat) {
        debug_assert!(self.seats() == 2, "a game for {} lets seat {seat} retire", self.seats());
    }

    /// Whether a seat has resigned.
    fn is_retired(&self, _seat: Seat) -> bool {
        false
    }

    /// The points of every seat in order; `None` in games without points.
    fn scores(&self) -> Option<Vec<Score>> {
        None
    }

    /// The side (colour, family) of a seat: an index into [`GameInfo::sides`](super::rules::GameInfo::sides). It
    /// differs from the seat's own index only after a swap under the pie rule.
    fn side(&self, seat: Seat) -> usize {
        seat.index()
    }
}

/// The last move and the position before it.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a, P: Position> {
    /// The position in which the move was made.
    pub before: &'a P,
    /// The move, legal in `before`.
    pub played: P::Move,
    /// Earlier turns that are shown as well, oldest first, each with the position before it. Games with two seats may
    /// ignore them.
    pub earlier: &'a [(P, P::Move)],
}

impl<'a, P: Position> LastMove<'a, P> {
    /// A last move without earlier turns.
    pub fn alone(before: &'a P, played: P::Move) -> Self {
        LastMove { before, played, earlier: &[] }
    }

    /// All turns to show, oldest first, each with the position before it.
    pub fn all(&self) -> impl Iterator<Item = (&'a P, P::Move)> {
        let earlier = self.earlier.iter().map(|(before, m)| (before, *m));
        earlier.chain([(self.before, self.played)])
    }
}

/// The number of move sequences of `depth` plies from a position: plays each move and calls [`Position::sequences`] on
/// the result.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return position.count();
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let below = |m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next.sequences(depth - 1)
    };
    moves.into_iter().map(below).sum()
}
