//! Exact search for quick wins of one of two seats: it tries every move of the attacker and every reply, so pruning
//! cannot hide a win or invent one.

use std::collections::HashMap;

use super::{Guess, SearchClock, SearchGame, ordering};
use rookery_core::Seat;
use rookery_core::player::{SearchResult, Value};

/// One part in this many of the node and time budget may be spent here.
const BUDGET_DIVISOR: u64 = 4;
/// Maximum number of positions: enough for five plies except in the widest positions.
const MAX_NODES: u64 = 600_000;

/// The quickest win of the side to move within `plies`. `None` if there is none, or if the node or time budget did not
/// suffice.
pub fn find<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    plies: u32,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    let most = clock.most_nodes().map_or(MAX_NODES, |nodes| (nodes / BUDGET_DIVISOR).min(MAX_NODES));
    let seat = search_game.turn(root);
    let mut search = WinSearch { search_game, clock, seat, nodes_left: most, known: HashMap::new() };
    // With alternating turns a win is an odd number of plies away: even distances are only tried to find the exact
    // length of a win already found.
    for within in (1..=plies).filter(|within| within % 2 == 1 || *within == plies) {
        if let Some(found) = search.win(root, within)? {
            let quicker = if within > 1 { search.win(root, within - 1).flatten() } else { None };
            let ((best, plies), nodes) = (quicker.unwrap_or(found), search.clock.nodes());
            return Some(SearchResult::of(best, Value::Won(plies), plies, nodes));
        }
    }
    None
}

struct WinSearch<'a, M: SearchGame> {
    search_game: &'a mut M,
    clock: &'a mut SearchClock,
    /// The seat whose wins are searched.
    seat: Seat,
    nodes_left: u64,
    /// Results by position key and number of plies.
    known: HashMap<(u64, u32), Option<u32>>,
}

/// A result; `None` if the budget did not suffice.
type WithinBudget<T> = Option<T>;

impl<M: SearchGame> WinSearch<'_, M> {
    /// The number of plies within which the seat certainly wins, if at most `within`.
    fn plies(&mut self, node: &M::Node, within: u32) -> WithinBudget<Option<u32>> {
        if let Some(end) = self.search_game.settled(node) {
            let won = end.shares[self.seat.index()] >= 1.0 && end.plies <= within;
            return Some(won.then_some(end.plies));
        }
        if within == 0 {
            return Some(None);
        }
        let key = (self.search_game.key(node), within);
        if let Some(plies) = self.known.get(&key) {
            return Some(*plies);
        }
        let plies = match self.search_game.turn(node) == self.seat {
            true => self.win(node, within)?.map(|(_, plies)| plies),
            false => self.all(node, within)?,
        };
        self.known.insert(key, plies);
        Some(plies)
    }

    /// The same if the opponent is to move: the number of plies within which the seat wins after each of its moves.
    fn all(&mut self, node: &M::Node, within: u32) -> WithinBudget<Option<u32>> {
        let mut longest = 0;
        for guess in self.moves(node)? {
            let Some(plies) = self.after(node, guess.m, within)? else { return Some(None) };
            longest = longest.max(plies);
        }
        Some((longest > 0).then_some(longest))
    }

    /// A move that wins within `within` plies, and the number of plies.
    fn win(&mut self, node: &M::Node, within: u32) -> WithinBudget<Option<(M::Move, u32)>> {
        for guess in self.moves(node)? {
            // A move that ends the game is known from its guess and is listed first.
            if within == 1 && !guess.score.is_won() {
                break;
            }
            if let Some(plies) = self.after(node, guess.m, within)? {
                return Some(Some((guess.m, plies)));
            }
        }
        Some(None)
    }

    fn after(&mut self, node: &M::Node, m: M::Move, within: u32) -> WithinBudget<Option<u32>> {
        let mut child = node.clone();
        self.search_game.play(&mut child, m);
        Some(self.plies(&child, within - 1)?.map(|plies| plies + 1))
    }

    /// All moves, best-looking first, to find a refutation quickly.
    fn moves(&mut self, node: &M::Node) -> WithinBudget<Vec<Guess<M::Move>>> {
        let mut guesses = Vec::new();
        self.search_game.children(node, &mut guesses);
        let spent = guesses.len() as u64;
        self.nodes_left = self.nodes_left.checked_sub(spent)?;
        if self.clock.count_nodes(spent) || self.clock.is_past(1.0 / BUDGET_DIVISOR as f32) {
            return None;
        }
        ordering::best_first(&mut guesses, usize::MAX, |_| 0);
        Some(guesses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_tree::TestTree;
    use rookery_core::player::{Halt, Limits};
    use rookery_core::seed::SeededRng;

    fn quickest(test_tree: &mut TestTree, root: usize, plies: u32) -> Option<(usize, Value)> {
        let mut clock = SearchClock::start(Limits::default(), Halt::default());
        find(test_tree, &root, plies, &mut clock)
            .map(|search_result| (search_result.best, search_result.value))
    }

    #[test]
    fn hand_written_wins_are_found_within_their_plies_and_not_before() {
        let (mut test_tree, root) = TestTree::read("(5 (a b) (a (a 3)))", 2);
        assert_eq!(quickest(&mut test_tree, root, 2), None);
        assert_eq!(quickest(&mut test_tree, root, 3), Some((2, Value::Won(3))));
        let (mut test_tree, root) = TestTree::read("(5 ((a) (a)) a)", 2);
        assert_eq!(quickest(&mut test_tree, root, 5), Some((2, Value::Won(1))));
    }

    #[test]
    fn on_random_trees_it_finds_what_minimax_finds() {
        let mut found = 0;
        for seed in 0..600 {
            let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 6, 3);
            if test_tree.settled(&root).is_some() {
                continue;
            }
            let sure = test_tree.minimax(root, 5);
            let seen = quickest(&mut test_tree, root, 5).map(|(_, value)| value);
            assert_eq!(seen, sure.is_won().then(|| Value::from(sure)), "seed {seed}");
            found += usize::from(seen.is_some());
        }
        assert!(found > 20, "{found} wins are too few to tell");
    }
}
