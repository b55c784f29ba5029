//! The player of the Amazons: alpha-beta on the fast board, exact counting once the board is separated. The resources
//! of the levels are defined in `search::levels`.

use super::bits::{Bits, Wide};
use super::book;
use super::fast::{FastMove, FastPosition, fits};
use super::fill_count::Bounds;
use super::rules::{AmazonsPosition, Move, Side};
use super::search_game::AmazonsSearch;
use super::style::{self, SearchParams};
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Pie, Position};
use rookery_search::levels::{self, Strength};
use rookery_search::{End, Guess, SearchClock, SearchGame, generic, ordering, pie};

/// State budgets of exact counts once nothing is shared any more.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// At the root, for each colour.
    root: u64,
    /// After each candidate move at the root.
    child: u64,
    /// After all candidate moves together.
    children: u64,
}

/// For levels that are limited by time.
const TIMED: Budget = Budget { root: 50_000, child: 5_000, children: u64::MAX };
/// With a time limit the root's budget starts at this value and is doubled until this part of the time has passed:
/// proven results are kept, so a count continues roughly where it stopped.
const FIRST_STEP: u64 = 256;
const COUNTING: f32 = 0.125;
/// The number of other moves in a result.
const OTHERS: usize = 25;
/// For levels that answer at once: some tenths of a second at worst.
const AT_ONCE: Budget = Budget { root: 5_000, child: 500, children: 20_000 };

/// Searches a position. `None` if the game is over.
///
/// With only nodes limited, the same seed, level and position give the same answer. Without limits, every level but
/// hard and expert answers well within a second.
pub(super) fn think(position: &AmazonsPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    let well_read = request.book && request.level >= Level::Hard;
    let known = if well_read { book::book_move(position, request.seed) } else { None };
    known.or_else(|| think_in(style::USUAL, position, request))
}

/// The search of the baseline player: see `style`. With a node limit, evaluating positions in batches is only faster:
/// the evaluations and the moves are the same.
pub(super) fn baseline(position: &AmazonsPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    let batches = request.limits.time.is_none();
    think_in(SearchParams { batches, ..style::BASELINE }, position, request)
}

pub(super) fn think_in(
    style: SearchParams,
    position: &AmazonsPosition,
    request: &SearchRequest,
) -> Option<SearchResult<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    if request.level == Level::Random {
        return generic::any_move(position, request.seed);
    }
    if fits(position.board(), u128::BITS) {
        Player::<u128>::new(style, position, request).think(position)
    } else {
        Player::<Wide>::new(style, position, request).think(position)
    }
}

/// One search at one level.
pub(super) struct Player<B> {
    pub(super) head: AmazonsSearch<B>,
    strength: Strength,
    clock: SearchClock,
    seed: u64,
}

impl<B: Bits> Player<B> {
    pub(super) fn new(style: SearchParams, position: &AmazonsPosition, request: &SearchRequest) -> Player<B> {
        let strength = Strength::of(request.level);
        let mut head = AmazonsSearch::new(position.board(), style, strength.max_error, request.seed);
        head.set_halt(request.halt.clone());
        Player { head, strength, clock: strength.clock(request), seed: request.seed }
    }

    fn think(mut self, position: &AmazonsPosition) -> Option<SearchResult<Move>> {
        let at = self.head.grid.position(position);
        let search_result = match position.pie() {
            Pie::Ahead => pie::even_move(&mut self.head, &at)?,
            // A beginner does not count.
            _ if self.strength.considers_one_move_in == 1 && self.head.is_separated(&at) => self.fill(&at)?,
            _ => levels::think(&mut self.head, &at, &self.strength, self.seed, &mut self.clock)?,
        };
        let search_result = search_result.map(|shot| self.head.grid.to_move(shot));
        Some(if position.pie() == Pie::Open {
            pie::or_swap(search_result, Move::Swap)
        } else {
            search_result
        })
    }

    fn guesses(&mut self, at: &FastPosition<B>) -> Vec<Guess<FastMove>> {
        let mut guesses = Vec::new();
        self.head.children(at, &mut guesses);
        self.clock.count_nodes(guesses.len() as u64);
        guesses
    }

    /// Nothing is shared any more: the move that keeps the most moves, by exact count as far as the budget allows. The
    /// first move that loses none is good enough; candidates are tried best-looking first.
    ///
    /// If that proves less for every move than was proven for the position, it is the move of that proof.
    pub(super) fn fill(&mut self, at: &FastPosition<B>) -> Option<SearchResult<FastMove>> {
        let mover = Side::BOTH[at.mover];
        let Budget { root, child, mut children } =
            if self.strength.depth.is_none() { TIMED } else { AT_ONCE };
        let (before, end, spent) = self.count(at, root);
        let sure = self.head.sure_fill(at, mover);
        let child = child.min(spent);
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
            if best.1 >= before.most || children == 0 || self.clock.count_nodes(1) || self.clock.is_past(1.0)
            {
                break;
            }
        }
        if let Some([from, to, arrow]) = sure.filter(|_| best.1 < before.least) {
            let wanted = Move::Go { from, to, arrow };
            let found = guesses.iter().find(|guess| self.head.grid.to_move(guess.m) == wanted);
            best = found.map_or(best, |guess| (guess.m, before.least));
        }
        let score = end.map_or(guesses[0].score, |end| end.score(self.head.turn(at)));
        let others = guesses.iter().filter(|guess| guess.m != best.0).take(OTHERS);
        let others = others.map(|guess| (guess.m, guess.score.into())).collect();
        Some(SearchResult {
            nodes: self.clock.nodes(),
            others,
            ..SearchResult::of(best.0, score.into(), 1, 0)
        })
    }

    /// The remaining moves of the side to move, the result if it is known, and the final state budget of each count:
    /// `most`, or as much as the time allows.
    fn count(&mut self, at: &FastPosition<B>, most: u64) -> (Bounds, Option<End>, u64) {
        let mover = Side::BOTH[at.mover];
        let mut budget = if self.clock.has_time_limit() { FIRST_STEP } else { most };
        loop {
            let before = self.head.left(at, mover, budget);
            let end = self.head.counted(at, budget);
            let known = end.is_some() && before.least == before.most;
            if known || budget >= most || self.clock.count_nodes(0) || self.clock.is_past(COUNTING) {
                return (before, end, budget);
            }
            budget = most.min(2 * budget);
        }
    }
}
