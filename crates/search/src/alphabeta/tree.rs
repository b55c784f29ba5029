//! The tree below the root.

use super::Search;
use super::window::{Best, FirstMoves, Window};
use crate::ordering::best_first;
use crate::transposition_table::EntryStore;
use crate::{Bound, FutilityBasis, Guess, Score, SearchGame, TableEntry};
use rookery_core::Seat;

/// A killer move is searched before the other moves are listed if its evaluation is at most this many hundredths below
/// beta.
const KILLER_MARGIN: i32 = 50;

impl<M: SearchGame, R: EntryStore<M::Move>> Search<'_, M, R> {
    /// The score of a node for its side to move; outside the window only a bound.
    fn search(&mut self, node: &M::Node, window: Window) -> Score {
        if let Some(end) = self.search_game.settled(node) {
            self.clock.settle();
            return end.score(self.search_game.turn(node));
        }
        let key = self.search_game.key(node);
        let seen = self.table.get(key);
        if let Some(score) = seen.and_then(|seen| seen.answers(window.depth, window.alpha, window.beta)) {
            return score;
        }
        if let Some(score) = self.futile(node, window) {
            return score;
        }
        let tried = seen.and_then(|seen| seen.best);
        let best = match window.depth {
            1 => self.search_one_ply(node, window, tried),
            _ => self.expand(node, window, tried),
        };
        if !self.clock.limit_reached() {
            let bound = match best.score {
                _ if window.depth == 1 && best.whole => Bound::Exact,
                score if score >= window.beta => Bound::AtLeast,
                score if score <= window.alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.table.put(key, TableEntry { score: best.score, bound, depth: window.depth, best: best.m });
        }
        best.score
    }

    /// The score of a node whose evaluation is so far outside the window that a search would not bring it inside.
    fn futile(&mut self, node: &M::Node, window: Window) -> Option<Score> {
        let margin = self.search_game.futility_margin(node, FutilityBasis::Position, window.depth)?;
        let turn = self.search_game.turn(node);
        let evaluation = Score::evaluation(self.search_game.evaluate(node, turn));
        self.clock.count_nodes(1);
        window.bound_outside(evaluation, margin)
    }

    /// The same test with the evaluations of all moves.
    fn futile_by_moves(
        &self,
        node: &M::Node,
        moves: &[Guess<M::Move>],
        window: Window,
    ) -> Option<Best<M::Move>> {
        let margin = self.search_game.futility_margin(node, FutilityBasis::Moves, window.depth)?;
        let seen = Best::of(moves);
        let score = window.bound_outside(seen.score, margin)?;
        Some(Best { score, ..seen })
    }

    /// A search of one ply: the best evaluation, or one that is good enough.
    fn search_one_ply(&mut self, node: &M::Node, window: Window, tried: Option<M::Move>) -> Best<M::Move> {
        let ahead: Vec<M::Move> = tried.into_iter().chain(self.killers.at(window.ply)).collect();
        let mut moves = self.move_buffers.pop().unwrap_or_default();
        let listed = self.search_game.children_until(node, &ahead, window.beta, &mut moves);
        let best = match self.clock.count_nodes(listed.evaluated) {
            true => Best::NONE,
            false if moves.is_empty() => self.evaluation(node),
            false => Best::of(&moves),
        };
        if let Some(m) = best.m.filter(|_| best.score >= window.beta) {
            self.killers.record_cutoff(window.ply, m);
        }
        moves.clear();
        self.move_buffers.push(moves);
        Best { whole: best.score < window.beta || listed.whole, ..best }
    }

    /// A deeper search, which evaluates all moves first to order them.
    fn expand(&mut self, node: &M::Node, mut window: Window, tried: Option<M::Move>) -> Best<M::Move> {
        let ahead = self.search_first_moves(node, window, tried);
        if ahead.best.score >= window.beta || self.clock.limit_reached() {
            return ahead.best;
        }
        window.alpha = window.alpha.max(ahead.best.score);
        let mut moves = self.move_buffers.pop().unwrap_or_default();
        self.search_game.children(node, &mut moves);
        let best = match self.clock.count_nodes(moves.len() as u64) {
            true => ahead.best,
            false if moves.is_empty() => self.evaluation(node),
            false => match self.futile_by_moves(node, &moves, window) {
                Some(futile) if futile.score > ahead.best.score => futile,
                Some(_) => ahead.best,
                None => self.scan(node, &mut moves, window, &ahead),
            },
        };
        moves.clear();
        self.move_buffers.push(moves);
        best
    }

    /// Searches the table move, and killers that look good enough here: a cutoff saves the batch evaluation.
    fn search_first_moves(
        &mut self,
        node: &M::Node,
        mut window: Window,
        tried: Option<M::Move>,
    ) -> FirstMoves<M::Move> {
        let mut ahead = FirstMoves { best: Best::NONE, searched: [None; 3] };
        for m in tried.into_iter().chain(self.killers.at(window.ply)) {
            let worth_it = tried == Some(m)
                || self.guess(node, m).is_some_and(|score| score >= window.beta.shifted(-KILLER_MARGIN));
            if ahead.has(m) || !worth_it {
                continue;
            }
            let score = self.step(node, m, ahead.count(), window);
            if self.clock.limit_reached() {
                break;
            }
            ahead.update(score, m);
            if score >= window.beta {
                self.killers.record_cutoff(window.ply, m);
                break;
            }
            window.alpha = window.alpha.max(score);
        }
        ahead
    }

    fn guess(&mut self, node: &M::Node, m: M::Move) -> Option<Score> {
        let score = self.search_game.guess(node, m)?;
        self.clock.count_nodes(1);
        Some(score)
    }

    /// The value of a node without moves if the rules don't define one.
    fn evaluation(&mut self, node: &M::Node) -> Best<M::Move> {
        let turn = self.search_game.turn(node);
        Best { score: Score::evaluation(self.search_game.evaluate(node, turn)), ..Best::NONE }
    }

    fn scan(
        &mut self,
        node: &M::Node,
        moves: &mut Vec<Guess<M::Move>>,
        mut window: Window,
        ahead: &FirstMoves<M::Move>,
    ) -> Best<M::Move> {
        let mut best = ahead.best;
        let width = self.search_game.width(window.ply, window.depth);
        let (search_game, history, noise) = (&*self.search_game, &self.history, self.noise);
        let key = search_game.key(node);
        best_first(moves, width, |m| {
            let kinds = search_game.history_slots(node, m);
            history.bonus(kinds) + noise.bonus(key, kinds)
        });
        moves.retain(|guess| !ahead.has(guess.m));
        for (i, guess) in (ahead.count()..).zip(moves.iter()) {
            if i >= width && !best.score.is_lost() {
                break;
            }
            let score = self.step(node, guess.m, i, window);
            if self.clock.limit_reached() {
                break;
            }
            best.update(score, guess.m);
            window.alpha = window.alpha.max(best.score);
            if window.alpha >= window.beta {
                self.killers.record_cutoff(window.ply, guess.m);
                self.history.record_cutoff(self.search_game.history_slots(node, guess.m), window.depth);
                break;
            }
        }
        best
    }

    /// The score of the `i`-th move of a node: the first with the full window, later ones first with a null window and
    /// reduced depth, then again if they turn out better than expected.
    pub(super) fn step(&mut self, node: &M::Node, m: M::Move, i: usize, window: Window) -> Score {
        let mut child = node.clone();
        self.search_game.play(&mut child, m);
        let turn = self.search_game.turn(node);
        let whole = Window { depth: window.depth - 1, ply: window.ply + 1, ..window };
        if i == 0 {
            return self.search_child(&child, turn, whole);
        }
        let narrow = Window { beta: window.alpha.shifted(1), ..whole };
        let less = self.search_game.reduction(i, window.depth).min(window.depth.saturating_sub(2));
        let mut score = self.search_child(&child, turn, Window { depth: whole.depth - less, ..narrow });
        if less > 0 && score > window.alpha {
            score = self.search_child(&child, turn, narrow);
        }
        if score > window.alpha && score < window.beta {
            score = self.search_child(&child, turn, whole);
        }
        score
    }

    /// Searches a child; window and score are those of the parent.
    fn search_child(&mut self, child: &M::Node, turn: Seat, window: Window) -> Score {
        let (alpha, beta) = (window.alpha.nearer(), window.beta.nearer());
        if self.search_game.turn(child) == turn {
            return self.search(child, Window { alpha, beta, ..window }).farther(1);
        }
        -self.search(child, Window { alpha: -beta, beta: -alpha, ..window }).farther(1)
    }
}
