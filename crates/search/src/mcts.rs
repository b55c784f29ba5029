//! Monte-Carlo tree search for two to four seats, with evaluations in place of playouts.
//!
//! The value of a leaf is the evaluation after its best-looking move, which needs no further search (a winning chance
//! for two seats, a share for each of more). Moves are selected by their value so far plus a bonus for those that look
//! good and have few visits (PUCT: C. Rosin, 2011; D. Silver and others, 2017). Proven results propagate up the tree
//! (M. Winands and others, "Monte-Carlo tree search solver", 2008).

use std::num::NonZeroU32;

use super::{End, Guess, Score, SearchClock, SearchGame, ordering};
use rookery_core::player::{SearchResult, Value};
use rookery_core::{MAX_SEATS, Seat};

type Shares = [f32; MAX_SEATS];

/// The exploration constant of PUCT.
const EXPLORATION: f32 = 0.3;
/// Iterations of a search that has no limit, or only a depth limit.
const ROUNDS_UNBOUNDED: u64 = 400;
/// Progress is reported after this many iterations, and each time they have doubled.
const FIRST_REPORT_ROUNDS: u64 = 64;
/// The maximum size of the tree: some hundred megabytes in the worst game.
const MAX_NODES: usize = 400_000;
/// `ln 3`: the log odds of three in four.
const LOG_ODDS_OF_LARGE: f32 = 1.098_612_3;

/// Searches until the clock runs out, the result is proven or the tree is full. `None` if the game is over.
pub(crate) fn think<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    if search_game.settled(root).is_some_and(|end| end.plies == 0) {
        return None;
    }
    let fair = fair_log_odds(
        Seat::all(search_game.seats(root)).filter(|seat| search_game.plays(root, *seat)).count(),
    );
    let mut tree = Tree { search_game, clock, nodes: Vec::new(), fair, cut: Vec::new() };
    tree.expand(root, 0);
    if tree.nodes[0].edges.is_empty() {
        return None;
    }
    let mut rounds = 0;
    while tree.goes_on(rounds) {
        tree.round(root);
        tree.add_cut_moves();
        rounds += 1;
        if rounds >= FIRST_REPORT_ROUNDS && rounds.is_power_of_two() {
            let SearchResult { depth, value, .. } = tree.search_result();
            tree.clock.report_progress(depth, value);
        }
    }
    Some(tree.search_result())
}

struct Tree<'a, M: SearchGame> {
    search_game: &'a mut M,
    clock: &'a mut SearchClock,
    nodes: Vec<Node<M::Move>>,
    /// The log odds of an equal share: the value of an evaluation of 0.
    fair: f32,
    /// The root's moves beyond the search width.
    cut: Vec<Guess<M::Move>>,
}

struct Node<M> {
    turn: Seat,
    visits: u32,
    sums: Shares,
    edges: Vec<Edge<M>>,
    /// Whether all legal moves are among the edges.
    whole: bool,
    end: Option<End>,
}

impl<M> Node<M> {
    fn mean(&self) -> Shares {
        self.sums.map(|sum| sum / self.visits.max(1) as f32)
    }
}

struct Edge<M> {
    m: M,
    /// Estimated probability that it is the best move; the priors of a node sum to 1.
    prior: f32,
    /// The prior value for the mover.
    prior_value: f32,
    /// The index of its node; never the root. Most edges of a tree are never visited, so they are kept small.
    child: Option<NonZeroU32>,
}

impl<M> Edge<M> {
    fn child(&self) -> Option<usize> {
        self.child.map(|at| at.get() as usize)
    }
}

impl<M: SearchGame> Tree<'_, M> {
    fn goes_on(&self, rounds: u64) -> bool {
        let bound = self.clock.depth().is_none() && !self.clock.is_unbounded();
        let proven = self.nodes[0].end.is_some() || (self.nodes[0].edges.len() == 1 && rounds > 0);
        !self.clock.limit_reached()
            && !proven
            && self.nodes.len() < MAX_NODES
            && (bound || rounds < ROUNDS_UNBOUNDED)
    }

    /// One iteration: walks down to a leaf, evaluates it, and updates the nodes on the way.
    fn round(&mut self, root: &M::Node) {
        let mut node = root.clone();
        let mut path = vec![0];
        let mut at = 0;
        let shares = loop {
            if let Some(end) = self.nodes[at].end {
                break end.shares;
            }
            if self.nodes[at].edges.is_empty() {
                break self.nodes[at].mean();
            }
            let edge = self.choose(at);
            let m = self.nodes[at].edges[edge].m;
            self.search_game.play(&mut node, m);
            match self.nodes[at].edges[edge].child() {
                Some(child) => at = child,
                None => {
                    let child = self.nodes.len();
                    let shares = self.expand(&node, path.len() as u32);
                    self.nodes[at].edges[edge].child = NonZeroU32::new(child as u32);
                    path.push(child);
                    break shares;
                }
            }
            path.push(at);
        };
        // An iteration without a new node counts too, otherwise a small tree would be walked for ever.
        self.clock.count_nodes(1);
        self.backpropagate(&path, shares);
    }

    /// Adds a node and returns its estimated value for each seat.
    fn expand(&mut self, node: &M::Node, ply: u32) -> Shares {
        let turn = self.search_game.turn(node);
        let end = self.search_game.settled(node);
        let mut edges = Vec::new();
        let mut whole = true;
        // A settled root still needs a move.
        if end.is_none() || ply == 0 {
            let mut guesses = Vec::new();
            self.search_game.children(node, &mut guesses);
            let width = self.search_game.width(ply, 2).max(2);
            ordering::best_first(&mut guesses, width, |_| 0);
            whole = guesses.len() <= width;
            self.clock.count_nodes(guesses.len() as u64);
            let cut = guesses.split_off(width.min(guesses.len()));
            if ply == 0 {
                self.cut = cut;
            }
            edges = self.edges(&guesses);
        }
        let shares = match (end, edges.first()) {
            (Some(end), _) => end.shares,
            (None, Some(best)) => self.estimated_shares(node, best.m),
            (None, None) => self.evaluation(node),
        };
        let end = end.filter(|_| ply > 0);
        self.nodes.push(Node { turn, visits: 0, sums: [0.0; MAX_SEATS], edges, whole, end });
        shares
    }

    /// Once all searched moves of the root lose, the others are searched too: a seat has lost only if every move loses.
    fn add_cut_moves(&mut self) {
        let root = &self.nodes[0];
        let seat = root.turn.index();
        let lost = |child: usize| self.nodes[child].end.is_some_and(|end| end.shares[seat] <= 0.0);
        if self.cut.is_empty() || !root.edges.iter().all(|edge| edge.child().is_some_and(lost)) {
            return;
        }
        let cut = std::mem::take(&mut self.cut);
        let more = self.edges(&cut);
        self.nodes[0].edges.extend(more);
        self.nodes[0].whole = true;
    }

    fn edges(&self, guesses: &[Guess<M::Move>]) -> Vec<Edge<M::Move>> {
        let prior_value = |guess: &Guess<M::Move>| chance(guess.score, self.search_game.large_advantage());
        let best = guesses.iter().map(prior_value).fold(0.0, f32::max);
        let keen = |guess: &Guess<M::Move>| ((prior_value(guess) - best) * 8.0).exp();
        let sum: f32 = guesses.iter().map(keen).sum();
        let edge = |g: &Guess<M::Move>| Edge {
            m: g.m,
            prior: keen(g) / sum,
            prior_value: prior_value(g),
            child: None,
        };
        guesses.iter().map(edge).collect()
    }

    /// Returns the estimated value of each seat after a move.
    fn estimated_shares(&mut self, node: &M::Node, m: M::Move) -> Shares {
        let mut next = node.clone();
        self.search_game.play(&mut next, m);
        match self.search_game.settled(&next) {
            Some(end) => end.shares,
            None => self.evaluation(&next),
        }
    }

    fn evaluation(&mut self, node: &M::Node) -> Shares {
        let seats = self.search_game.seats(node);
        // For two seats with opposite evaluations this is the logistic curve.
        let scale = 2.0 * self.search_game.large_advantage() / LOG_ODDS_OF_LARGE;
        let mut shares = [0.0; MAX_SEATS];
        for seat in Seat::all(seats) {
            if !self.search_game.plays(node, seat) {
                continue;
            }
            shares[seat.index()] =
                (self.search_game.evaluate(node, seat) as f32 / scale).clamp(-30.0, 30.0).exp();
        }
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }

    /// The edge to follow: a proven loss only if there is nothing else.
    fn choose(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let spread = EXPLORATION * ((node.visits + 1) as f32).sqrt();
        let appeal = |edge: &Edge<M::Move>| {
            let (value, visits) = self.worth(node, edge);
            value + spread * edge.prior / (1 + visits) as f32
        };
        let appeals = node.edges.iter().map(appeal);
        appeals.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i)
    }

    /// The value of an edge for the mover, and its number of visits. An unvisited edge has the node's value so far
    /// minus the difference of its evaluation to that of the best-looking move. (Its own evaluation is on another scale
    /// than shares of three or four.) Proven losses rank below all others.
    fn worth(&self, node: &Node<M::Move>, edge: &Edge<M::Move>) -> (f32, u32) {
        let seat = node.turn.index();
        let Some(child) = edge.child() else {
            return (node.mean()[seat] + edge.prior_value - node.edges[0].prior_value, 0);
        };
        match self.nodes[child].end {
            Some(end) if end.shares[seat] <= 0.0 => (-10.0, self.nodes[child].visits),
            Some(end) => (end.shares[seat], self.nodes[child].visits),
            None => (self.nodes[child].mean()[seat], self.nodes[child].visits),
        }
    }

    fn backpropagate(&mut self, path: &[usize], shares: Shares) {
        for at in path.iter().rev() {
            let node = &mut self.nodes[*at];
            node.visits += 1;
            for (sum, share) in node.sums.iter_mut().zip(shares) {
                *sum += share;
            }
            if node.end.is_none() {
                self.nodes[*at].end = self.proof(&self.nodes[*at]);
            }
        }
    }

    /// A node is proven if one move wins, or if all legal moves are proven and its seat has no choice between equally
    /// good results that differ for the other seats.
    fn proof(&self, node: &Node<M::Move>) -> Option<End> {
        let seat = node.turn.index();
        let ends = || node.edges.iter().map(|edge| edge.child().and_then(|child| self.nodes[child].end));
        let wins = ends().flatten().filter(|end| end.shares[seat] >= 1.0);
        if let Some(quickest) = wins.min_by_key(|end| end.plies) {
            return Some(End { plies: quickest.plies + 1, ..quickest });
        }
        let all: Vec<End> = ends().collect::<Option<_>>().filter(|_| node.whole)?;
        let most = all.iter().map(|end| end.shares[seat]).fold(0.0, f32::max);
        let good = || all.iter().filter(|end| end.shares[seat] >= most);
        let slowest = good().max_by_key(|end| end.plies)?;
        // A seat may choose any of the results that are equally good for it: with more than two seats this may decide
        // which of the others wins, and then nothing is proven.
        let sure = good().all(|end| end.shares == slowest.shares);
        sure.then(|| End { plies: slowest.plies + 1, ..*slowest })
    }

    fn search_result(&self) -> SearchResult<M::Move> {
        let root = &self.nodes[0];
        let mut order: Vec<&Edge<M::Move>> = root.edges.iter().collect();
        order.sort_by(|a, b| self.rank(root, b).total_cmp(&self.rank(root, a)));
        let value = |edge: &Edge<M::Move>| self.value(root, edge);
        let line = self.line(order[0]);
        SearchResult {
            best: order[0].m,
            value: value(order[0]),
            depth: self.complete_plies(0).min(line.len() as u32),
            nodes: self.clock.nodes(),
            line,
            others: order[1..].iter().take(25).map(|edge| (edge.m, value(edge))).collect(),
        }
    }

    /// The number of complete plies below a node, counting only moves within the search width. A proven result needs no
    /// search.
    fn complete_plies(&self, at: usize) -> u32 {
        let mut least = u32::MAX;
        for edge in &self.nodes[at].edges {
            least = match edge.child() {
                None => return 1,
                Some(child) if self.nodes[child].end.is_some() => least,
                Some(child) => least.min(self.complete_plies(child)),
            };
        }
        least.saturating_add(1)
    }

    /// Proven wins first, quickest first; then by number of visits; proven losses last.
    fn rank(&self, root: &Node<M::Move>, edge: &Edge<M::Move>) -> f32 {
        let (worth, visits) = self.worth(root, edge);
        let end = edge.child().and_then(|child| self.nodes[child].end);
        match end.map(|end| (end.shares[root.turn.index()], end.plies)) {
            Some((share, plies)) if share >= 1.0 => 1e12 - plies as f32 * 1e6,
            Some((share, plies)) if share <= 0.0 => -1e12 + plies as f32 * 1e6,
            _ => visits as f32 + worth,
        }
    }

    fn value(&self, root: &Node<M::Move>, edge: &Edge<M::Move>) -> Value {
        let end = edge.child().and_then(|child| self.nodes[child].end);
        match end.map(|end| (end.shares[root.turn.index()], end.plies + 1)) {
            Some((share, plies)) if share >= 1.0 => Value::Won(plies),
            Some((share, plies)) if share <= 0.0 => Value::Lost(plies),
            Some(_) => Value::Drawn,
            None => {
                // The prior of an unvisited move is already an estimate.
                let odds = match edge.child {
                    Some(_) => log_odds(self.worth(root, edge).0) - self.fair,
                    None => log_odds(edge.prior_value),
                };
                Value::Estimate((odds / LOG_ODDS_OF_LARGE * self.search_game.large_advantage()) as i32)
            }
        }
    }

    /// The most visited moves from the root on.
    fn line(&self, first: &Edge<M::Move>) -> Vec<M::Move> {
        let mut line = vec![first.m];
        let mut at = first.child();
        while let Some(node) = at.map(|at| &self.nodes[at]) {
            let tried = node.edges.iter().filter(|edge| edge.child.is_some());
            let best = tried.max_by(|a, b| self.rank(node, a).total_cmp(&self.rank(node, b)));
            let Some(edge) = best else { break };
            line.push(edge.m);
            at = edge.child();
        }
        line
    }
}

/// The winning chance that a score stands for.
fn chance(score: Score, large: f32) -> f32 {
    match score {
        score if score.is_won() => 1.0,
        score if score.is_lost() => 0.0,
        score => 1.0 / (1.0 + (-LOG_ODDS_OF_LARGE * score.raw() as f32 / large).exp()),
    }
}

fn log_odds(share: f32) -> f32 {
    let share = share.clamp(0.001, 0.999);
    (share / (1.0 - share)).ln()
}

/// The log odds of one seat's share if `seats` have equal shares.
fn fair_log_odds(seats: usize) -> f32 {
    -((seats.max(2) - 1) as f32).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_tree::TestTree;
    use rookery_core::player::{Halt, Limits};
    use rookery_core::seed::SeededRng;

    fn think_over(test_tree: &mut TestTree, root: usize, nodes: u64) -> SearchResult<usize> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        think(test_tree, &root, &mut SearchClock::start(limits, Halt::default())).unwrap()
    }

    #[test]
    fn finds_and_proves_wins_on_hand_written_trees() {
        for (tree, best, value) in [
            ("(9 (a b) (a a))", 2, Value::Won(2)),
            ("((b 9) (b 2))", 0, Value::Lost(2)),
            ("(1 +(+(a) -7))", 1, Value::Won(3)),
        ] {
            let (mut test_tree, root) = TestTree::read(tree, 2);
            test_tree.width = Some(9);
            let search_result = think_over(&mut test_tree, root, 4_000);
            if !matches!(value, Value::Lost(_)) {
                assert_eq!(search_result.best, best, "{tree}");
                assert_eq!(search_result.value, value, "{tree}");
            }
        }
    }

    /// Three seats: after a's second move b chooses between winning and letting c win; b wins. The third leaves c no
    /// choice but to let a win. The first lets c win.
    #[test]
    fn three_seats_each_look_after_themselves() {
        let (mut test_tree, root) = TestTree::read("(((c c)) ((b) (c)) ((a) (a a)))", 3);
        let search_result = think_over(&mut test_tree, root, 4_000);
        assert_eq!((search_result.best, search_result.value), (2, Value::Won(3)));
    }

    /// b loses either way and decides whether a or c wins: a has no proof of anything.
    #[test]
    fn losing_seat_choosing_the_winner_prevents_a_proof() {
        let (mut test_tree, root) = TestTree::read("(((a) (c)) ((c) (a)))", 3);
        let search_result = think_over(&mut test_tree, root, 4_000);
        assert!(matches!(search_result.value, Value::Estimate(_)), "{:?}", search_result.value);
    }

    #[test]
    fn a_game_is_not_lost_while_there_are_moves_that_were_not_searched() {
        let (mut test_tree, root) = TestTree::read("((b b) (b b) -5)", 3);
        test_tree.width = Some(2);
        let search_result = think_over(&mut test_tree, root, 4_000);
        assert_eq!(search_result.best, 2, "{search_result:?}");
        assert!(matches!(search_result.value, Value::Estimate(_)), "{search_result:?}");
        let (mut test_tree, root) = TestTree::read("((b b) (b b) (c c))", 3);
        test_tree.width = Some(2);
        assert_eq!(think_over(&mut test_tree, root, 4_000).value, Value::Lost(2));
    }

    #[test]
    fn an_even_game_is_worth_nothing_however_many_play() {
        for seats in 2..=4 {
            let (mut test_tree, root) = TestTree::read("((0 0) (0 0))", seats);
            let search_result = think_over(&mut test_tree, root, 400);
            assert_eq!(search_result.value, Value::Estimate(0), "{seats} seats");
            assert_eq!(search_result.others[0].1, Value::Estimate(0), "{seats} seats");
        }
    }

    /// One move leads deep down, and thirty others look so bad that most are never tried.
    #[test]
    fn mcts_depth_counts_complete_plies_only() {
        let tree = format!("(((((((9)))))) {})", "-50 ".repeat(30));
        let (mut test_tree, root) = TestTree::read(&tree, 3);
        let search_result = think_over(&mut test_tree, root, 110);
        assert!(search_result.line.len() >= 5 && search_result.depth == 1, "{search_result:?}");
        let (mut test_tree, root) = TestTree::read("((1 2) (3 4))", 3);
        assert_eq!(think_over(&mut test_tree, root, 400).depth, 2);
    }

    #[test]
    fn converges_to_the_minimax_choice_on_random_trees() {
        let mut right = 0;
        for seed in 0..60 {
            let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 4, 4);
            if test_tree.settled(&root).is_some() {
                continue;
            }
            let search_result = think_over(&mut test_tree, root, 20_000);
            let mut child = root;
            test_tree.play(&mut child, search_result.best);
            let score = test_tree.minimax(child, 3).farther(1);
            let score = if test_tree.turn(&child) == test_tree.turn(&root) { score } else { -score };
            let truth = test_tree.minimax(root, 4);
            if truth.is_won() {
                assert!(score.is_won(), "seed {seed}: a won game was let go");
            }
            if let Value::Won(_) = search_result.value {
                assert!(truth.is_won(), "seed {seed}: no such win");
            }
            right += i32::from(score.raw() >= truth.raw() - 2);
        }
        assert!(right >= 45, "only {right} near the best");
    }
}
