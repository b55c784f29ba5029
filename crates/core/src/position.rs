//! The trait of a position, and how one position follows from another.

use std::fmt::Debug;
use std::hash::Hash;

use super::{IllegalMove, Outcome, Score, Seat};

/// A position: everything that decides what may happen next, and nothing else.
///
/// The conformance suite (feature `testing`) checks how the methods must agree with each other.
pub trait Position: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// One turn, small and comparable. It means something only together with its position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// How many seats play, 2 to 4.
    fn seats(&self) -> usize;

    /// Whose turn it is. Players who must be skipped are skipped already. At the end of the game:
    /// the seat that would have been next.
    fn turn(&self) -> Seat;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends all legal moves, each once, always in the same order; none once the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// How many legal moves there are; worth writing where they can be counted without being listed.
    fn count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// How many sequences of `depth` legal moves there are (perft); a skipped turn is not a move. Worth
    /// writing where a game has a faster board than its own.
    fn sequences(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    /// Whether a move is legal here, and if not, exactly why.
    fn check(&self, m: Self::Move) -> Result<(), IllegalMove>;

    /// Plays a legal move. What happens with any other is unspecified (but memory-safe).
    fn play_unchecked(&mut self, m: Self::Move);

    /// A hash of the position, kept up to date move by move where that is faster.
    fn hash(&self) -> u64;

    /// The same hash, reckoned from nothing.
    fn fresh_hash(&self) -> u64;

    /// A seat gives up in a game of three or four (with two the game ends instead): it keeps its
    /// score, its pieces stay as obstacles, it is skipped from now on and cannot win. The turn passes
    /// on if it was its own. Part of the position: it shows in its line and hash.
    fn retire(&mut self, seat: Seat) {
        debug_assert!(self.seats() == 2, "a game for {} lets seat {seat} retire", self.seats());
    }

    /// Whether a seat has given up so.
    fn is_retired(&self, _seat: Seat) -> bool {
        false
    }

    /// Points of every seat in order; `None` in games without points.
    fn scores(&self) -> Option<Vec<Score>> {
        None
    }

    /// Which side (colour, family) a seat plays: an index into [`GameInfo::sides`](super::rules::GameInfo::sides). Differs from the
    /// seat's own index only after a swap under the pie rule.
    fn side(&self, seat: Seat) -> usize {
        seat.index()
    }
}

/// How a position came about: the one before, and the move.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a, P: Position> {
    /// The position in which the move was made.
    pub before: &'a P,
    /// The move, legal in `before`.
    pub played: P::Move,
    /// The turns before it that are to be seen as well, the oldest first, each with the position in which it was
    /// taken. Games with two seats need not show them.
    pub earlier: &'a [(P, P::Move)],
}

impl<'a, P: Position> LastMove<'a, P> {
    /// A move by itself.
    pub fn alone(before: &'a P, played: P::Move) -> Self {
        LastMove { before, played, earlier: &[] }
    }

    /// All turns that are to be seen, the oldest first, each with the position in which it was taken.
    pub fn all(&self) -> impl Iterator<Item = (&'a P, P::Move)> {
        let earlier = self.earlier.iter().map(|(before, m)| (before, *m));
        earlier.chain([(self.before, self.played)])
    }
}

/// The number of move sequences of `depth` plies from a position: its moves are made one by one, and
/// what follows each is left to [`Position::sequences`].
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
