//! Principal-variation alpha-beta for two seats: iterative deepening, a narrow first window, late
//! moves reduced, a memo. All children of a node are judged in one batch, so a search of one ply is
//! that batch, and the deeper ones know their best-looking moves from the start.

use super::ordering::{Habits, best_first};
use super::{Bound, Clock, Drift, Guess, Killers, Memo, Mind, Remembered, Score, Seen};
use crate::kit::Seat;
use crate::kit::player::{Thought, Value};

/// No search goes deeper; deep rounds are quick only in positions that are all but decided.
const DEEPEST: u32 = 60;
/// How far the value may move between rounds before a full window is needed, in hundredths.
const ASPIRATION: i32 = 80;
/// How many other moves a thought mentions.
const OTHERS: usize = 25;
/// A move that was good enough next door is searched before the others are listed if it looks no more than
/// this many hundredths too weak.
const NEARLY: i32 = 50;

/// Thinks about a position until the clock runs out, the depth is reached or the result is proven.
/// `None` if the game is over. Without any limit the search is one ply deep.
///
/// The best move found so far is always at hand: a halt gets a legal move, from the batch of the
/// first ply at worst. With only nodes limited the answer depends on the mind and the position alone.
pub fn think<M: Mind>(
    mind: &mut M,
    root: &M::Node,
    clock: &mut Clock,
    memo_bits: u32,
) -> Option<Thought<M::Move>> {
    if mind.settled(root).is_some_and(|end| end.plies == 0) {
        return None;
    }
    let mut search = Search::new(mind, clock, memo_bits);
    let mut moves = search.first_moves(root)?;
    let mut done = 1;
    while done < DEEPEST && search.goes_on(&moves, done) {
        if !search.round(root, &mut moves, done + 1) {
            break;
        }
        done += 1;
    }
    Some(search.thought(root, &moves, done))
}

struct Search<'a, M: Mind> {
    mind: &'a mut M,
    clock: &'a mut Clock,
    memo: Memo<M::Move>,
    habits: Habits,
    killers: Killers<M::Move>,
    /// Lists of moves that are not in use.
    spare: Vec<Vec<Guess<M::Move>>>,
}

/// A search of one node: how deep, in which window, how far from the root.
#[derive(Clone, Copy)]
struct Window {
    depth: u32,
    alpha: Score,
    beta: Score,
    ply: u32,
}

impl Window {
    /// The bound nearest to the window, where everything within `drift` of an opinion lies outside of it.
    /// Proofs lie farther off than any opinion can.
    fn missed_by(self, opinion: Score, drift: Drift) -> Option<Score> {
        let (low, high) = (opinion.shifted(-drift.down), opinion.shifted(drift.up));
        match opinion {
            _ if opinion.is_proof() => None,
            _ if low >= self.beta && !low.is_proof() => Some(low),
            _ if high <= self.alpha && !high.is_proof() => Some(high),
            _ => None,
        }
    }
}

/// The best move of a node so far.
#[derive(Clone, Copy)]
struct Best<M> {
    score: Score,
    m: Option<M>,
    /// Whether all moves that were to be looked at have been.
    whole: bool,
}

impl<M> Best<M> {
    const NONE: Best<M> = Best { score: Score::LEAST, m: None, whole: false };

    fn hears_of(&mut self, score: Score, m: M) {
        if score > self.score {
            *self = Best { score, m: Some(m), whole: false };
        }
    }
}

/// Moves of a node that were searched before the others were listed.
struct Ahead<M> {
    best: Best<M>,
    searched: [Option<M>; 3],
}

impl<M: Copy + Eq> Ahead<M> {
    fn count(&self) -> usize {
        self.searched.iter().flatten().count()
    }

    fn has(&self, m: M) -> bool {
        self.searched.contains(&Some(m))
    }

    fn hears_of(&mut self, score: Score, m: M) {
        let next = self.count();
        self.searched[next] = Some(m);
        self.best.hears_of(score, m);
    }
}

impl<'a, M: Mind> Search<'a, M> {
    fn new(mind: &'a mut M, clock: &'a mut Clock, memo_bits: u32) -> Self {
        let (memo, habits) = (Memo::new(memo_bits), Habits::default());
        Search { mind, clock, memo, habits, killers: Killers::new(DEEPEST), spare: Vec::new() }
    }

    /// All moves of the root with their guesses, best first.
    fn first_moves(&mut self, root: &M::Node) -> Option<Vec<Guess<M::Move>>> {
        let mut moves = Vec::new();
        self.mind.children(root, &mut moves);
        self.clock.spend(moves.len() as u64);
        best_first(&mut moves, usize::MAX, |_| 0);
        (!moves.is_empty()).then_some(moves)
    }

    fn goes_on(&self, moves: &[Guess<M::Move>], done: u32) -> bool {
        let decided = moves[0].score.is_proof() || (moves.len() == 1 && done > 1);
        !decided && !self.clock.is_unbounded() && self.clock.allows_round_after(done)
    }

    /// Searches one ply deeper than before. False if time ran out on the way; what was found by then
    /// is kept in the order of the moves.
    fn round(&mut self, root: &M::Node, moves: &mut [Guess<M::Move>], depth: u32) -> bool {
        let before = moves[0].score;
        let (alpha, beta) = match depth {
            0..=2 => (Score::LEAST, Score::MOST),
            _ => (before.shifted(-ASPIRATION), before.shifted(ASPIRATION)),
        };
        let score = self.root(root, moves, Window { depth, alpha, beta, ply: 0 });
        if !self.clock.is_out() && (score <= alpha || score >= beta) {
            self.root(root, moves, Window { depth, alpha: Score::LEAST, beta: Score::MOST, ply: 0 });
        }
        !self.clock.is_out()
    }

    /// The root differs from other nodes: its list is kept between rounds, and a better move goes to
    /// its front at once.
    fn root(&mut self, root: &M::Node, moves: &mut [Guess<M::Move>], mut window: Window) -> Score {
        let width = self.mind.width(0, window.depth);
        let mut best = Score::LEAST;
        for i in 0..moves.len() {
            if i >= width && !best.is_lost() {
                break;
            }
            let score = self.step(root, moves[i].m, i, window);
            if self.clock.is_out() {
                break;
            }
            if i == 0 || score > window.alpha {
                moves[i].score = score;
            }
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

    /// The score of a node for its side to move, at least on the right side of the window.
    fn search(&mut self, node: &M::Node, window: Window) -> Score {
        if let Some(end) = self.mind.settled(node) {
            return end.score(self.mind.turn(node));
        }
        let key = self.mind.key(node);
        let seen = self.memo.get(key);
        if let Some(score) = seen.and_then(|seen| seen.answers(window.depth, window.alpha, window.beta)) {
            return score;
        }
        if let Some(score) = self.foregone(node, window) {
            return score;
        }
        let tried = seen.and_then(|seen| seen.best);
        let best = match window.depth {
            1 => self.glance(node, window, tried),
            _ => self.expand(node, window, tried),
        };
        if !self.clock.is_out() {
            let bound = match best.score {
                _ if window.depth == 1 && best.whole => Bound::Exact,
                score if score >= window.beta => Bound::AtLeast,
                score if score <= window.alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.memo.put(key, Remembered { score: best.score, bound, depth: window.depth, best: best.m });
        }
        best.score
    }

    /// The score of a node that looks so good, or so bad, that a search would not bring it into the window.
    fn foregone(&mut self, node: &M::Node, window: Window) -> Option<Score> {
        let drift = self.mind.drift(node, Seen::Itself, window.depth)?;
        let turn = self.mind.turn(node);
        let opinion = Score::opinion(self.mind.judge(node, turn));
        self.clock.spend(1);
        window.missed_by(opinion, drift)
    }

    /// The same once all moves have their guesses.
    fn foregone_by_moves(
        &self,
        node: &M::Node,
        moves: &[Guess<M::Move>],
        window: Window,
    ) -> Option<Best<M::Move>> {
        let drift = self.mind.drift(node, Seen::Moves, window.depth)?;
        let seen = of_guesses(moves);
        let score = window.missed_by(seen.score, drift)?;
        Some(Best { score, ..seen })
    }

    /// A search of one ply: the best guess, or one that is good enough.
    fn glance(&mut self, node: &M::Node, window: Window, tried: Option<M::Move>) -> Best<M::Move> {
        let ahead: Vec<M::Move> = tried.into_iter().chain(self.killers.at(window.ply)).collect();
        let mut moves = self.spare.pop().unwrap_or_default();
        let listed = self.mind.children_until(node, &ahead, window.beta, &mut moves);
        let best = match self.clock.spend(listed.judged) {
            true => Best::NONE,
            false if moves.is_empty() => self.opinion(node),
            false => of_guesses(&moves),
        };
        if let Some(m) = best.m.filter(|_| best.score >= window.beta) {
            self.killers.praise(window.ply, m);
        }
        moves.clear();
        self.spare.push(moves);
        Best { whole: best.score < window.beta || listed.whole, ..best }
    }

    /// A deeper search, which judges all moves first, since they are to be searched in order.
    fn expand(&mut self, node: &M::Node, mut window: Window, tried: Option<M::Move>) -> Best<M::Move> {
        let ahead = self.go_ahead(node, window, tried);
        if ahead.best.score >= window.beta || self.clock.is_out() {
            return ahead.best;
        }
        window.alpha = window.alpha.max(ahead.best.score);
        let mut moves = self.spare.pop().unwrap_or_default();
        self.mind.children(node, &mut moves);
        let best = match self.clock.spend(moves.len() as u64) {
            true => ahead.best,
            false if moves.is_empty() => self.opinion(node),
            false => match self.foregone_by_moves(node, &moves, window) {
                Some(foregone) if foregone.score > ahead.best.score => foregone,
                Some(_) => ahead.best,
                None => self.scan(node, &mut moves, window, &ahead),
            },
        };
        moves.clear();
        self.spare.push(moves);
        best
    }

    /// Searches the remembered move, and those that were good enough next door if they look so here:
    /// where one is, the batch is saved.
    fn go_ahead(&mut self, node: &M::Node, mut window: Window, tried: Option<M::Move>) -> Ahead<M::Move> {
        let mut ahead = Ahead { best: Best::NONE, searched: [None; 3] };
        for m in tried.into_iter().chain(self.killers.at(window.ply)) {
            let worth_it = tried == Some(m)
                || self.guess(node, m).is_some_and(|score| score >= window.beta.shifted(-NEARLY));
            if ahead.has(m) || !worth_it {
                continue;
            }
            let score = self.step(node, m, ahead.count(), window);
            if self.clock.is_out() {
                break;
            }
            ahead.hears_of(score, m);
            if score >= window.beta {
                self.killers.praise(window.ply, m);
                break;
            }
            window.alpha = window.alpha.max(score);
        }
        ahead
    }

    fn guess(&mut self, node: &M::Node, m: M::Move) -> Option<Score> {
        let score = self.mind.guess(node, m)?;
        self.clock.spend(1);
        Some(score)
    }

    /// What a node without moves is worth where the rules do not say.
    fn opinion(&mut self, node: &M::Node) -> Best<M::Move> {
        let turn = self.mind.turn(node);
        Best { score: Score::opinion(self.mind.judge(node, turn)), ..Best::NONE }
    }

    fn scan(
        &mut self,
        node: &M::Node,
        moves: &mut Vec<Guess<M::Move>>,
        mut window: Window,
        ahead: &Ahead<M::Move>,
    ) -> Best<M::Move> {
        let mut best = ahead.best;
        let width = self.mind.width(window.ply, window.depth);
        let (mind, habits) = (&*self.mind, &self.habits);
        best_first(moves, width, |m| habits.bonus(mind.habits(node, m)));
        moves.retain(|guess| !ahead.has(guess.m));
        for (i, guess) in (ahead.count()..).zip(moves.iter()) {
            if i >= width && !best.score.is_lost() {
                break;
            }
            let score = self.step(node, guess.m, i, window);
            if self.clock.is_out() {
                break;
            }
            best.hears_of(score, guess.m);
            window.alpha = window.alpha.max(best.score);
            if window.alpha >= window.beta {
                self.killers.praise(window.ply, guess.m);
                self.habits.praise(self.mind.habits(node, guess.m), window.depth);
                break;
            }
        }
        best
    }

    /// The score of the `i`-th move of a node: the first in the whole window, later ones first in an
    /// empty one and less deep, again if they turn out better than thought.
    fn step(&mut self, node: &M::Node, m: M::Move, i: usize, window: Window) -> Score {
        let mut child = node.clone();
        self.mind.play(&mut child, m);
        let turn = self.mind.turn(node);
        let whole = Window { depth: window.depth - 1, ply: window.ply + 1, ..window };
        if i == 0 {
            return self.below(&child, turn, whole);
        }
        let narrow = Window { beta: window.alpha.shifted(1), ..whole };
        let less = self.mind.reduction(i, window.depth).min(window.depth.saturating_sub(2));
        let mut score = self.below(&child, turn, Window { depth: whole.depth - less, ..narrow });
        if less > 0 && score > window.alpha {
            score = self.below(&child, turn, narrow);
        }
        if score > window.alpha && score < window.beta {
            score = self.below(&child, turn, whole);
        }
        score
    }

    /// Searches a child; the window and the score are those of the parent, whose turn it was.
    fn below(&mut self, child: &M::Node, turn: Seat, window: Window) -> Score {
        let (alpha, beta) = (window.alpha.nearer(), window.beta.nearer());
        if self.mind.turn(child) == turn {
            return self.search(child, Window { alpha, beta, ..window }).farther(1);
        }
        -self.search(child, Window { alpha: -beta, beta: -alpha, ..window }).farther(1)
    }

    fn thought(&self, root: &M::Node, moves: &[Guess<M::Move>], depth: u32) -> Thought<M::Move> {
        let value = |g: &Guess<M::Move>| (g.m, Value::from(g.score));
        let mut others: Vec<_> = moves[1..].to_vec();
        best_first(&mut others, OTHERS, |_| 0);
        Thought {
            best: moves[0].m,
            value: moves[0].score.into(),
            depth,
            nodes: self.clock.nodes(),
            line: self.line(root, moves[0].m, depth),
            others: others.iter().take(OTHERS).map(value).collect(),
        }
    }

    /// The line expected, as far as the memo still knows it.
    fn line(&self, root: &M::Node, best: M::Move, depth: u32) -> Vec<M::Move> {
        let mut node = root.clone();
        let mut line = vec![best];
        self.mind.play(&mut node, best);
        while line.len() < depth as usize {
            let Some(m) = self.memo.get(self.mind.key(&node)).and_then(|seen| seen.best) else { break };
            self.mind.play(&mut node, m);
            line.push(m);
        }
        line
    }
}

fn of_guesses<M: Copy>(moves: &[Guess<M>]) -> Best<M> {
    let best = moves.iter().reduce(|best, g| if g.score > best.score { g } else { best });
    best.map_or(Best::NONE, |g| Best { score: g.score, m: Some(g.m), whole: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::player::{Halt, Limits};
    use crate::kit::seed::Chance;
    use crate::search::trees::Wood;

    fn think_to(wood: &mut Wood, root: usize, depth: u32, memo_bits: u32) -> Thought<usize> {
        let mut clock = Clock::start(Limits { depth: Some(depth), ..Limits::default() }, Halt::default());
        think(wood, &root, &mut clock, memo_bits).unwrap()
    }

    #[test]
    fn hand_written_trees_have_their_known_values() {
        // The textbook tree: three moves, of which the replies leave 3, 2 and 2.
        for (tree, depth, best, value) in [
            ("((3 12 8) (2 4 6) (14 5 2))", 2, 0, Value::Opinion(3)),
            ("((3 12 8) (2 4 6) (14 5 2))", 1, 0, Value::Opinion(0)),
            ("(5 (a b) (a a))", 2, 2, Value::Won(2)),
            ("((b 9) (b 2 1))", 2, 0, Value::Lost(2)),
            ("((b 9) (((b) 9)))", 4, 1, Value::Opinion(9)),
            ("(1 +(+(a) -7))", 3, 1, Value::Won(3)),
            ("(b)", 1, 0, Value::Lost(1)),
        ] {
            let (mut wood, root) = Wood::read(tree, 2);
            let thought = think_to(&mut wood, root, depth, 6);
            assert_eq!((thought.best, thought.value), (best, value), "{tree}");
        }
    }

    #[test]
    fn a_quick_win_is_preferred_to_a_slow_one_and_a_slow_loss_to_a_quick_one() {
        let (mut wood, root) = Wood::read("(((( a ))) a)", 2);
        assert_eq!(think_to(&mut wood, root, 4, 6).best, 1);
        let (mut wood, root) = Wood::read("((b) (((b))))", 2);
        let thought = think_to(&mut wood, root, 4, 6);
        assert_eq!((thought.best, thought.value), (1, Value::Lost(4)));
    }

    /// Late-move reductions may hide an opinion, but with at most three moves a node there are none,
    /// so here alpha-beta must be minimax exactly, whatever the memo keeps.
    #[test]
    fn alpha_beta_is_minimax_on_random_trees_with_any_memo() {
        for seed in 0..400 {
            let (mut wood, root) = Wood::grow(&mut Chance::new(seed), 6, 3);
            let mut moves = Vec::new();
            wood.children(&root, &mut moves);
            // The only move is not thought about to the end.
            if moves.len() < 2 {
                continue;
            }
            for memo_bits in [1, 4, 10] {
                let thought = think_to(&mut wood, root, 6, memo_bits);
                let depth = if matches!(thought.value, Value::Opinion(_)) { 6 } else { DEEPEST };
                assert_eq!(thought.value, wood.minimax(root, depth).into(), "seed {seed} bits {memo_bits}");
            }
        }
    }

    /// However few moves are searched, and however late ones are reduced, what is called proven is.
    #[test]
    fn proofs_are_proofs_in_narrow_searches_too() {
        let mut proofs = 0;
        for seed in 0..400 {
            let (mut wood, root) = Wood::grow(&mut Chance::new(seed), 5, 14);
            wood.width = Some(2);
            if wood.settled(&root).is_some() {
                continue;
            }
            let value = think_to(&mut wood, root, 5, 8).value;
            let truth = wood.minimax(root, 5);
            match value {
                Value::Won(_) => assert!(truth.is_won(), "seed {seed}: {value:?} but {truth:?}"),
                Value::Lost(_) => assert!(truth.is_lost(), "seed {seed}: {value:?} but {truth:?}"),
                _ => continue,
            }
            proofs += 1;
        }
        assert!(proofs > 40, "only {proofs} proofs to look at");
    }

    #[test]
    fn a_halt_gets_a_legal_move_and_a_finished_game_none() {
        let halt = Halt::default();
        halt.call();
        let (mut wood, root) = Wood::grow(&mut Chance::new(5), 7, 4);
        let thought = think(&mut wood, &root, &mut Clock::start(Limits::default(), halt), 8).unwrap();
        assert_eq!(thought.depth, 1);
        let (mut wood, root) = Wood::read("a", 2);
        let mut clock = Clock::start(Limits::default(), Halt::default());
        assert_eq!(think(&mut wood, &root, &mut clock, 8), None);
    }

    #[test]
    fn with_nodes_limited_two_thoughts_are_the_same() {
        let (mut wood, root) = Wood::grow(&mut Chance::new(77), 9, 4);
        let mut once = || {
            let limits = Limits { nodes: Some(500), ..Limits::default() };
            think(&mut wood, &root, &mut Clock::start(limits, Halt::default()), 8)
        };
        assert_eq!(once(), once());
    }
}
