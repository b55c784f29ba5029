//! The player of the Amazons: alpha-beta on the fast board, exact counting once the board has fallen
//! apart. What the levels may use is said in `search::levels`.

use super::bits::{Bits, Wide};
use super::book;
use super::fast::{Fast, Shot, fits};
use super::head::Head;
use super::rules::{Amazons, Move, Side};
use super::style::{self, Style};
use crate::kit::player::{Ask, Level, Thought};
use crate::kit::{Pie, Position};
use crate::search::levels::{self, Strength};
use crate::search::{Clock, Guess, Mind, ordering, pie, simple};

/// How many states exact counts may look at where nothing is shared any more.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// Of the root, for each colour.
    root: u64,
    /// After each move that is tried there.
    child: u64,
    /// After all of them.
    children: u64,
}

/// Of those whom their time stops.
const TIMED: Budget = Budget { root: 50_000, child: 5_000, children: u64::MAX };
/// Of those who answer at once: some tenths of a second at worst.
const AT_ONCE: Budget = Budget { root: 5_000, child: 500, children: 20_000 };

/// Thinks about a position. `None` if the game is over.
///
/// With only nodes limited the same seed, level and position get the same answer. Every level but
/// hard and expert answers well within a second by itself.
pub fn think(position: &Amazons, ask: &Ask) -> Option<Thought<Move>> {
    let well_read = ask.book && ask.level >= Level::Hard;
    let known = if well_read { book::known(position, ask.seed) } else { None };
    known.or_else(|| think_in(style::USUAL, position, ask))
}

/// The yardstick's thoughts: see `style`.
pub(super) fn yardstick(position: &Amazons, ask: &Ask) -> Option<Thought<Move>> {
    think_in(style::YARDSTICK, position, ask)
}

pub(super) fn think_in(style: Style, position: &Amazons, ask: &Ask) -> Option<Thought<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    if ask.level == Level::Random {
        return simple::any_move(position, ask.seed);
    }
    if fits(position.board(), u128::BITS) {
        Player::<u128>::new(style, position, ask).think(position)
    } else {
        Player::<Wide>::new(style, position, ask).think(position)
    }
}

/// One thought at one level.
struct Player<B> {
    head: Head<B>,
    strength: Strength,
    clock: Clock,
    seed: u64,
}

impl<B: Bits> Player<B> {
    fn new(style: Style, position: &Amazons, ask: &Ask) -> Player<B> {
        let strength = Strength::of(ask.level);
        let head = Head::new(position.board(), style, strength.blur, ask.seed);
        Player { head, strength, clock: strength.clock(ask), seed: ask.seed }
    }

    fn think(mut self, position: &Amazons) -> Option<Thought<Move>> {
        let at = self.head.grid.position(position);
        let thought = match position.pie() {
            Pie::Ahead => pie::even_move(&mut self.head, &at)?,
            // A beginner does not count.
            _ if self.strength.sees_one_in == 1 && self.head.is_separated(&at) => self.fill(&at)?,
            _ => levels::think(&mut self.head, &at, &self.strength, self.seed, &mut self.clock)?,
        };
        let thought = thought.map(|shot| self.head.grid.to_move(shot));
        Some(if position.pie() == Pie::Open { pie::or_swap(thought, Move::Swap) } else { thought })
    }

    fn guesses(&mut self, at: &Fast<B>) -> Vec<Guess<Shot>> {
        let mut guesses = Vec::new();
        self.head.children(at, &mut guesses);
        self.clock.spend(guesses.len() as u64);
        guesses
    }

    /// Nothing is shared any more: the move that keeps the most moves, by exact count as far as the
    /// budget goes. The first that loses none is good enough; candidates come best-looking first.
    fn fill(&mut self, at: &Fast<B>) -> Option<Thought<Shot>> {
        let mover = Side::BOTH[at.mover];
        let Budget { root, child, mut children } =
            if self.strength.depth.is_none() { TIMED } else { AT_ONCE };
        let before = self.head.left(at, mover, root);
        let end = self.head.counted(at, root);
        let mut guesses = self.guesses(at);
        ordering::best_first(&mut guesses, usize::MAX, |_| 0);
        let mut best = (guesses.first()?.m, 0);
        for guess in &guesses {
            let budget = child.min(children);
            let left = self.head.left(&at.after(guess.m), mover, budget).least + 1;
            children -= budget - self.head.unspent();
            if left > best.1 {
                best = (guess.m, left);
            }
            if best.1 >= before.most || children == 0 || self.clock.spend(1) {
                break;
            }
        }
        let score = end.map_or(guesses[0].score, |end| end.score(self.head.turn(at)));
        Some(Thought::of(best.0, score.into(), 1, self.clock.nodes()))
    }
}
