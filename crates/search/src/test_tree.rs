//! Game trees written by hand or grown at random, to test searches on.

use super::{End, Guess, Listed, Score, SearchGame};
use rookery_core::Seat;
use rookery_core::seed::{SeededRng, mix};

/// A tree; nodes are indices, the root is the last node.
#[derive(Clone, Debug, Default)]
pub(super) struct TestTree {
    nodes: Vec<TestNode>,
    seats: usize,
    /// How many moves are searched at each node.
    pub(super) width: Option<usize>,
}

#[derive(Clone, Debug)]
struct TestNode {
    turn: Seat,
    children: Vec<usize>,
    /// For seat 0, in trees of two seats.
    evaluation: i32,
    end: Option<End>,
}

impl TestTree {
    /// Reads a tree: `(…)` is a node with moves, a number is seat 0's evaluation of a node without moves, `a` to `d` is a
    /// win of that seat. Seats alternate, except that `+(` lets the same seat move again.
    pub(super) fn read(text: &str, seats: usize) -> (TestTree, usize) {
        let mut test_tree = TestTree { seats, ..TestTree::default() };
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        let word = words.next().unwrap();
        let root = test_tree.node(word, &mut words, Seat::FIRST);
        (test_tree, root)
    }

    fn node<'a>(
        &mut self,
        word: &str,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
        turn: Seat,
    ) -> usize {
        let mut children = Vec::new();
        if word == "(" {
            loop {
                match words.next().unwrap() {
                    ")" => break,
                    "+" => {
                        assert_eq!(words.next(), Some("("), "+ stands before a node");
                        children.push(self.node("(", words, turn));
                    }
                    word => children.push(self.node(word, words, turn.next(self.seats))),
                }
            }
        }
        let winner = "abcd".find(word).and_then(Seat::new);
        let end = winner.map(|seat| End::win(seat, 0));
        self.push(TestNode { turn, children, evaluation: word.parse().unwrap_or(0), end })
    }

    /// Grows a random tree of two seats: up to `most` moves per node, sometimes an early end or a second move in a row.
    pub(super) fn grow(rng: &mut SeededRng, depth: u32, most: u64) -> (TestTree, usize) {
        let mut test_tree = TestTree { seats: 2, ..TestTree::default() };
        let root = test_tree.push_random_node(rng, depth, most, Seat::FIRST);
        (test_tree, root)
    }

    fn push_random_node(&mut self, rng: &mut SeededRng, depth: u32, most: u64, turn: Seat) -> usize {
        let ends = rng.below(12) == 0;
        let winner = if rng.below(2) == 0 { turn } else { turn.other() };
        let mut children = Vec::new();
        if depth > 0 && !ends {
            for _ in 0..=rng.below(most) {
                let next = if rng.below(6) == 0 { turn } else { turn.other() };
                children.push(self.push_random_node(rng, depth - 1, most, next));
            }
        }
        let evaluation = rng.below(41) as i32 - 20;
        self.push(TestNode { turn, children, evaluation, end: ends.then(|| End::win(winner, 0)) })
    }

    fn push(&mut self, branch: TestNode) -> usize {
        self.nodes.push(branch);
        self.nodes.len() - 1
    }

    /// The value of a node for its side to move, by plain minimax.
    pub(super) fn minimax(&mut self, node: usize, depth: u32) -> Score {
        let turn = self.nodes[node].turn;
        if let Some(end) = self.nodes[node].end {
            return end.score(turn);
        }
        if depth == 0 || self.nodes[node].children.is_empty() {
            return Score::evaluation(self.evaluate(&node, turn));
        }
        let children = self.nodes[node].children.clone();
        children.into_iter().map(|kid| self.seen_from(kid, turn, depth - 1)).max().unwrap()
    }

    fn seen_from(&mut self, kid: usize, turn: Seat, depth: u32) -> Score {
        let score = self.minimax(kid, depth).farther(1);
        if self.nodes[kid].turn == turn { score } else { -score }
    }
}

impl SearchGame for TestTree {
    type Node = usize;
    type Move = usize;

    fn seats(&self, _: &usize) -> usize {
        self.seats
    }
    fn turn(&self, node: &usize) -> Seat {
        self.nodes[*node].turn
    }
    fn key(&self, node: &usize) -> u64 {
        mix(*node as u64)
    }
    fn play(&self, node: &mut usize, m: usize) {
        *node = self.nodes[*node].children[m];
    }
    fn settled(&mut self, node: &usize) -> Option<End> {
        self.nodes[*node].end
    }
    fn evaluate(&mut self, node: &usize, seat: Seat) -> i32 {
        let evaluation = self.nodes[*node].evaluation;
        if seat == Seat::FIRST { evaluation } else { -evaluation }
    }
    fn children(&mut self, node: &usize, out: &mut Vec<Guess<usize>>) {
        let turn = self.turn(node);
        for (m, kid) in self.nodes[*node].children.clone().into_iter().enumerate() {
            out.push(Guess { m, score: self.seen_from(kid, turn, 0) });
        }
    }
    fn guess(&mut self, node: &usize, m: usize) -> Option<Score> {
        let turn = self.turn(node);
        let kid = *self.nodes[*node].children.get(m)?;
        Some(self.seen_from(kid, turn, 0))
    }
    fn children_until(
        &mut self,
        node: &usize,
        ahead: &[usize],
        enough: Score,
        out: &mut Vec<Guess<usize>>,
    ) -> Listed {
        let all = 0..self.nodes[*node].children.len();
        let mut evaluated = 0;
        for m in ahead.iter().copied().chain(all) {
            let Some(score) = self.guess(node, m) else { continue };
            evaluated += 1;
            out.push(Guess { m, score });
            if score >= enough {
                return Listed { evaluated, whole: false };
            }
        }
        Listed { evaluated, whole: true }
    }
    fn history_slots(&self, _: &usize, m: usize) -> [usize; 2] {
        [m, m + 100]
    }
    fn width(&self, _: u32, _: u32) -> usize {
        self.width.unwrap_or(usize::MAX)
    }
    fn large_advantage(&self) -> f32 {
        10.0
    }
}
