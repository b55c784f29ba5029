//! Principal-variation alpha-beta for two seats: iterative deepening, aspiration windows, late move reductions, a
//! transposition table. All children of a node are evaluated in one batch, so a search of one ply is that batch, and
//! deeper searches have their moves ordered from the start.
//!
//! This file holds the root; `tree` searches the tree, `lazy_smp` runs several threads.

mod lazy_smp;
#[cfg(test)]
mod tests;
mod tree;
mod window;

use self::window::Window;
use super::ordering::{HistoryTable, RootNoise, best_first};
use super::transposition_table::EntryStore;
use super::{Guess, Killers, Score, SearchClock, SearchGame, TranspositionTable};
use rookery_core::player::{SearchResult, Value};

/// The maximum depth; deep iterations are quick only in positions that are nearly decided.
const MAX_DEPTH: u32 = 60;
/// Half width of the aspiration window, in hundredths.
const ASPIRATION: i32 = 80;
/// The number of other moves in a result.
const OTHERS: usize = 25;

/// Searches a position until the clock runs out, the depth is reached or the result is proven. `None` if the game is
/// over. Without any limit the search is one ply deep.
///
/// A halt always gets a legal move, at worst from the batch of the first ply. With only nodes limited the answer
/// depends on the search game and the position alone, unless the clock provides helpers: several threads share a table,
/// and chance decides which of them finds what first.
pub fn think<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    clock: &mut SearchClock,
    table_bits: u32,
) -> Option<SearchResult<M::Move>> {
    if search_game.settled(root).is_some_and(|end| end.plies == 0) {
        return None;
    }
    let helpers = clock.reserve();
    if !helpers.is_empty() {
        return lazy_smp::think(search_game, root, clock, helpers, table_bits);
    }
    let mut search = Search::new(search_game, clock, TranspositionTable::new(table_bits));
    let found = search.find(root)?;
    Some(search.search_result(root, &found))
}

/// One thread's search. `R` is its transposition table, private or shared.
struct Search<'a, M: SearchGame, R> {
    search_game: &'a mut M,
    clock: &'a mut SearchClock,
    table: R,
    history: HistoryTable,
    killers: Killers<M::Move>,
    noise: RootNoise,
    /// Unused move lists, to avoid allocations.
    move_buffers: Vec<Vec<Guess<M::Move>>>,
}

/// After an interrupted iteration whose first move turned out to lose, moves the first move that does not lose to the
/// front.
fn put_first_open_move_first<M>(moves: &mut [Guess<M>]) {
    let open = moves.iter().position(|guess| !guess.score.is_lost());
    if let Some(i) = open {
        moves[..=i].rotate_right(1);
    }
}

/// The result of a search.
struct Found<M> {
    /// All moves of the root; the first is the best.
    moves: Vec<Guess<M>>,
    done: u32,
}

impl<'a, M: SearchGame, R: EntryStore<M::Move>> Search<'a, M, R> {
    fn new(search_game: &'a mut M, clock: &'a mut SearchClock, table: R) -> Self {
        let (history, killers, noise) =
            (HistoryTable::default(), Killers::new(MAX_DEPTH), RootNoise::of(clock.place()));
        Search { search_game, clock, table, history, killers, noise, move_buffers: Vec::new() }
    }

    /// Iterative deepening. `None` if there is no move.
    fn find(&mut self, root: &M::Node) -> Option<Found<M::Move>> {
        let mut moves = self.first_moves(root)?;
        let mut done = 1;
        self.clock.report_progress(done, moves[0].score.into());
        while done < MAX_DEPTH && self.goes_on(&moves, done) {
            if !self.round(root, &mut moves, done + 1) {
                put_first_open_move_first(&mut moves);
                break;
            }
            done += 1;
            self.clock.report_progress(done, moves[0].score.into());
        }
        Some(Found { moves, done })
    }

    /// All moves of the root with their evaluations, best first.
    fn first_moves(&mut self, root: &M::Node) -> Option<Vec<Guess<M::Move>>> {
        let mut moves = Vec::new();
        self.search_game.children(root, &mut moves);
        self.clock.count_nodes(moves.len() as u64);
        best_first(&mut moves, usize::MAX, |_| 0);
        (!moves.is_empty()).then_some(moves)
    }

    fn goes_on(&self, moves: &[Guess<M::Move>], done: u32) -> bool {
        let decided = moves[0].score.is_proof() || (moves.len() == 1 && done > 1);
        !decided && !self.clock.is_unbounded() && self.clock.allows_round_after(done)
    }

    /// Searches one ply deeper than before. False if time ran out; the results so far are kept in the order of the
    /// moves.
    fn round(&mut self, root: &M::Node, moves: &mut [Guess<M::Move>], depth: u32) -> bool {
        let before = moves[0].score;
        let (alpha, beta) = match depth {
            0..=2 => (Score::MIN, Score::MAX),
            _ => (before.shifted(-ASPIRATION), before.shifted(ASPIRATION)),
        };
        let score = self.root(root, moves, Window { depth, alpha, beta, ply: 0 });
        if !self.clock.limit_reached() && (score <= alpha || score >= beta) {
            self.root(root, moves, Window { depth, alpha: Score::MIN, beta: Score::MAX, ply: 0 });
        }
        !self.clock.limit_reached()
    }

    /// The root differs from other nodes: its move list is kept between iterations, and a better move goes to the front
    /// at once.
    fn root(&mut self, root: &M::Node, moves: &mut [Guess<M::Move>], mut window: Window) -> Score {
        let width = self.search_game.width(0, window.depth);
        let mut best = Score::MIN;
        for i in 0..moves.len() {
            if i >= width && !best.is_lost() {
                break;
            }
            let score = self.step(root, moves[i].m, i, window);
            if self.clock.limit_reached() {
                break;
            }
            moves[i].score = match score {
                _ if i == 0 || score > window.alpha || score.is_lost() => score,
                // This is an upper bound, whatever the move's earlier score.
                _ => moves[i].score.min(score),
            };
            if score > best {
                best = score;
                moves[..=i].rotate_right(1);
            }
            window.alpha = window.alpha.max(best);
            if window.alpha >= window.beta {
                break;
            }
        }
        best
    }

    fn search_result(&self, root: &M::Node, found: &Found<M::Move>) -> SearchResult<M::Move> {
        let Found { moves, done } = found;
        let value = |g: &Guess<M::Move>| (g.m, Value::from(g.score));
        let mut others: Vec<_> = moves[1..].to_vec();
        best_first(&mut others, OTHERS, |_| 0);
        SearchResult {
            best: moves[0].m,
            value: moves[0].score.into(),
            depth: *done,
            nodes: self.clock.nodes(),
            line: self.line(root, moves[0].m, *done),
            others: others.iter().take(OTHERS).map(value).collect(),
        }
    }

    /// The principal variation, as far as it is still in the table.
    fn line(&self, root: &M::Node, best: M::Move, depth: u32) -> Vec<M::Move> {
        let mut node = root.clone();
        let mut line = vec![best];
        self.search_game.play(&mut node, best);
        while line.len() < depth as usize {
            let Some(m) = self.table.get(self.search_game.key(&node)).and_then(|seen| seen.best) else {
                break;
            };
            self.search_game.play(&mut node, m);
            line.push(m);
        }
        line
    }
}
