//! A player for any game, without knowledge of the game.
//!
//! It searches the game's own positions, so it is correct but slow. A game with more knowledge provides its own
//! [`Evaluator`]; one that needs speed implements [`SearchGame`] on a faster board.

use std::hash::{Hash, Hasher};

use super::levels::{self, Strength, evaluation_noise};
use super::ordering::HISTORY_SLOTS;
use super::{End, Guess, Score, SearchClock, SearchGame, exact, mates};
use rookery_core::player::{Level, SearchRequest, SearchResult, Value};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{MAX_SEATS, Outcome, Position, Seat};

/// Evaluates positions. It may cache results; its evaluations must depend on the position alone. Each thread of a search
/// has its own clone.
pub trait Evaluator<P: Position>: Clone + Send {
    /// The evaluation of a position for a seat, in hundredths of the game's unit. With two seats the two evaluations are each
    /// other's negative.
    fn evaluation(&mut self, position: &P, seat: Seat) -> i32;
    /// The evaluations of many positions, in order. An evaluator that handles several at once returns how many from
    /// [`Evaluator::batch_size`].
    fn evaluations(&mut self, positions: &[P], seat: Seat, out: &mut Vec<i32>) {
        out.extend(positions.iter().map(|position| self.evaluation(position, seat)));
    }
    /// The number of positions that take hardly more time than one.
    fn batch_size(&self) -> usize {
        1
    }
    /// The result of the game if exact counting already proves it; the rules are checked separately.
    fn proof(&mut self, _position: &P) -> Option<End> {
        None
    }
    /// Whether two seats play for the largest margin: finished positions are evaluated too, and a won game is still
    /// played for points.
    fn plays_for_margin(&self) -> bool {
        false
    }
    /// Wins of one of two seats within this many plies (odd, or 0) are searched for exactly, by the levels that look
    /// ahead, before anything else.
    fn sure_plies(&self) -> u32 {
        0
    }
    /// The number of plies within which a game of two that is won by counting is certainly over, if few enough for an
    /// exhaustive search; [`Evaluator::lead_bounds`] then bounds the final lead.
    fn plies_left(&self, _position: &P) -> Option<u32> {
        None
    }
    /// Lower and upper bound of the final lead of one of two seats; called when few plies are left.
    fn lead_bounds(&mut self, _position: &P, _seat: Seat) -> exact::LeadBounds {
        (i32::MIN, i32::MAX)
    }
    /// The number of best-looking moves that are searched; see [`SearchGame::width`].
    fn width(&self, _ply: u32, _depth: u32) -> usize {
        40
    }
    /// The number of hundredths that win about 3 games in 4.
    fn large_advantage(&self) -> f32 {
        300.0
    }
}

/// Evaluates by the points so far and the number of moves.
#[derive(Clone, Copy, Debug)]
pub struct PointsEvaluator;

impl<P: Position> Evaluator<P> for PointsEvaluator {
    fn evaluation(&mut self, position: &P, seat: Seat) -> i32 {
        lead(position, seat) + freedom(position, seat)
    }
}

/// The lead of a seat over its best opponent in hundredths of a point; 0 in games without points.
pub fn lead<P: Position>(position: &P, seat: Seat) -> i32 {
    let Some(scores) = position.scores() else { return 0 };
    let points = |seat: Seat| scores.get(seat.index()).map_or(0, |score| score.points as i32);
    let others = Seat::all(position.seats()).filter(|other| *other != seat);
    100 * (points(seat) - others.map(points).max().unwrap_or(0))
}

/// Ten hundredths for each doubling of the number of moves of the side to move; the negative of that for the other
/// seats.
fn freedom<P: Position>(position: &P, seat: Seat) -> i32 {
    let doublings = (position.count() + 1).ilog2() as i32;
    if position.turn() == seat { 10 * doublings } else { -10 * doublings }
}

/// Searches any position with [`PointsEvaluator`]. `None` if the game is over.
pub fn think<P: Position>(position: &P, request: &SearchRequest) -> Option<SearchResult<P::Move>> {
    think_as(position, request, PointsEvaluator)
}

/// Searches any position with the game's own evaluator. `None` if the game is over.
pub fn think_as<P: Position>(
    position: &P,
    request: &SearchRequest,
    evaluator: impl Evaluator<P>,
) -> Option<SearchResult<P::Move>> {
    if request.level == Level::Random {
        return any_move(position, request.seed);
    }
    let strength = Strength::of(request.level);
    let max_error = (strength.max_error * evaluator.large_advantage()) as i32;
    let sure = evaluator.sure_plies();
    let mut clock = strength.clock(request);
    let mut simple = GenericGame::new(evaluator, max_error, mix(request.seed));
    let asked = proves(position.count(), &clock);
    let quick = strength.mate_plies(sure).filter(|_| asked && position.seats() == 2);
    let won = quick.and_then(|plies| mates::find(&mut simple, position, plies, &mut clock));
    let proof = if asked && strength.depth.is_none() { simple.proof(position, &mut clock) } else { None };
    if let Some(search_result) = won.or_else(|| proof.and_then(|proof| proven(proof, clock.nodes()))) {
        return Some(search_result);
    }
    let search_result = levels::think(&mut simple, position, &strength, request.seed, &mut clock)?;
    // If all moves lose, the search takes the one that looks best.
    Some(SearchResult { value: proof.map_or(search_result.value, |proof| proof.value), ..search_result })
}

/// Whether to look for proofs with this many legal moves: not for a forced move with a time limit, but always with a
/// node limit, where the value is needed.
pub fn proves(moves: u64, clock: &SearchClock) -> bool {
    moves > 1 || clock.most_nodes().is_some()
}

/// Converts a proof to a search result.
fn proven<M: Copy>(proof: exact::Proof<M>, nodes: u64) -> Option<SearchResult<M>> {
    let depth = match proof.value {
        Value::Won(plies) | Value::Lost(plies) => plies,
        _ => 0,
    };
    Some(SearchResult::of(proof.best?, proof.value, depth, nodes))
}

/// A uniformly random legal move. `None` if the game is over.
pub fn any_move<P: Position>(position: &P, seed: u64) -> Option<SearchResult<P::Move>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let best = *SeededRng::new(seed).pick(&moves)?;
    Some(SearchResult::of(best, Value::Estimate(0), 0, moves.len() as u64))
}

/// Adapts any game to [`SearchGame`].
#[derive(Clone)]
struct GenericGame<P: Position, J> {
    max_error: i32,
    salt: u64,
    evaluator: J,
    /// Unused buffers: moves, child positions, and their evaluations.
    moves: Vec<P::Move>,
    after: Vec<P>,
    evaluations: Vec<i32>,
}

impl<P: Position, J: Evaluator<P>> GenericGame<P, J> {
    fn new(evaluator: J, max_error: i32, salt: u64) -> GenericGame<P, J> {
        GenericGame {
            max_error,
            salt,
            evaluator,
            moves: Vec::new(),
            after: Vec::new(),
            evaluations: Vec::new(),
        }
    }

    /// The score of a move for the seat that makes it, given the child position and its evaluation.
    fn score(&mut self, child: &P, evaluation: i32, seat: Seat) -> Score {
        match self.settled(child) {
            Some(end) => end.score(seat).farther(1),
            None => Score::evaluation(evaluation + self.error(child, seat)),
        }
    }

    /// The error of the evaluation. It is the same for both of two seats with opposite signs, so that their evaluations stay
    /// opposite.
    fn error(&self, position: &P, seat: Seat) -> i32 {
        let sign = if seat == Seat::FIRST { 1 } else { -1 };
        sign * evaluation_noise(position.hash(), self.salt, self.max_error)
    }

    /// Evaluates the positions after some moves together.
    fn look_at(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<Guess<P::Move>>) {
        let turn = position.turn();
        let (mut after, mut evaluations) =
            (std::mem::take(&mut self.after), std::mem::take(&mut self.evaluations));
        after.extend(moves.iter().map(|m| played(position, *m)));
        self.evaluator.evaluations(&after, turn, &mut evaluations);
        for ((m, child), evaluation) in moves.iter().zip(&after).zip(&evaluations) {
            out.push(Guess { m: *m, score: self.score(child, *evaluation, turn) });
        }
        after.clear();
        evaluations.clear();
        (self.after, self.evaluations) = (after, evaluations);
    }

    /// The proven result, if few enough moves are left for an exhaustive search.
    fn proof(&mut self, position: &P, clock: &mut SearchClock) -> Option<exact::Proof<P::Move>> {
        let plies = self.evaluator.plies_left(position).filter(|plies| *plies > 0)?;
        exact::prove(position, plies, |position, seat| self.evaluator.lead_bounds(position, seat), clock)
    }

    /// The result of a finished game, unless the margin is what counts.
    fn end(&self, position: &P) -> Option<End> {
        let margin = self.evaluator.plays_for_margin() && position.seats() == 2;
        if margin { None } else { position.outcome().as_ref().map(ended) }
    }
}

/// The position after a legal move.
fn played<P: Position>(position: &P, m: P::Move) -> P {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

fn ended(outcome: &Outcome) -> End {
    let mut shares = [0.0; MAX_SEATS];
    for seat in &outcome.winners {
        shares[seat.index()] = outcome.share(*seat) as f32;
    }
    End { shares, plies: 0 }
}

impl<P: Position, J: Evaluator<P>> SearchGame for GenericGame<P, J> {
    type Node = P;
    type Move = P::Move;

    fn seats(&self, position: &P) -> usize {
        position.seats()
    }
    fn plays(&self, position: &P, seat: Seat) -> bool {
        !position.is_retired(seat)
    }
    fn turn(&self, position: &P) -> Seat {
        position.turn()
    }
    fn key(&self, position: &P) -> u64 {
        position.hash()
    }
    fn play(&self, position: &mut P, m: P::Move) {
        position.play_unchecked(m);
    }
    fn settled(&mut self, position: &P) -> Option<End> {
        self.end(position).or_else(|| self.evaluator.proof(position))
    }
    fn evaluate(&mut self, position: &P, seat: Seat) -> i32 {
        self.evaluator.evaluation(position, seat) + self.error(position, seat)
    }
    fn children(&mut self, position: &P, out: &mut Vec<Guess<P::Move>>) {
        let mut moves = std::mem::take(&mut self.moves);
        position.moves(&mut moves);
        self.look_at(position, &moves, out);
        moves.clear();
        self.moves = moves;
    }
    fn guess(&mut self, position: &P, m: P::Move) -> Option<Score> {
        position.check(m).ok()?;
        let (child, turn) = (played(position, m), position.turn());
        let evaluation = self.evaluator.evaluation(&child, turn);
        Some(self.score(&child, evaluation, turn))
    }
    fn list_until(&mut self, position: &P, enough: Score, out: &mut Vec<Guess<P::Move>>) -> bool {
        let mut moves = std::mem::take(&mut self.moves);
        position.moves(&mut moves);
        for some in moves.chunks(self.evaluator.batch_size()) {
            let before = out.len();
            self.look_at(position, some, out);
            if out[before..].iter().any(|guess| guess.score >= enough) {
                break;
            }
        }
        let whole = out.len() == moves.len();
        moves.clear();
        self.moves = moves;
        whole
    }
    fn history_slots(&self, position: &P, m: P::Move) -> [usize; 2] {
        let mut sum = Fnv(position.turn().index() as u64);
        m.hash(&mut sum);
        let sum = mix(sum.finish()) as usize;
        [sum % HISTORY_SLOTS, (sum >> 32) % HISTORY_SLOTS]
    }
    fn width(&self, ply: u32, depth: u32) -> usize {
        self.evaluator.width(ply, depth)
    }
    fn large_advantage(&self) -> f32 {
        self.evaluator.large_advantage()
    }
}

/// The hash of G. Fowler, L. Noll and K.-P. Vo (1a, 64 bits): the same on every machine and in every version of the
/// standard library.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::player::Limits;
    use rookery_core::{IllegalMove, Reason, Score as Points};

    /// One heap; take one to three; the player who takes the last wins. With two seats a heap is lost for the side to
    /// move exactly if it is divisible by four (C. Bouton's theory, for a single heap with a limit).
    #[derive(Clone, Debug, PartialEq)]
    struct Heap {
        left: u8,
        turn: Seat,
        seats: usize,
        taken: Vec<u32>,
    }

    fn heap(left: u8, seats: usize) -> Heap {
        Heap { left, turn: Seat::FIRST, seats, taken: vec![0; seats] }
    }

    impl Position for Heap {
        type Move = u8;

        fn seats(&self) -> usize {
            self.seats
        }
        fn turn(&self) -> Seat {
            self.turn
        }
        fn outcome(&self) -> Option<Outcome> {
            let last = Seat::all(self.seats).find(|seat| seat.next(self.seats) == self.turn)?;
            (self.left == 0).then(|| Outcome::win(last, Reason::Points))
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(1..=self.left.min(3));
        }
        fn check(&self, m: u8) -> Result<(), IllegalMove> {
            if (1..=self.left.min(3)).contains(&m) { Ok(()) } else { Err(IllegalMove::Over) }
        }
        fn play_unchecked(&mut self, m: u8) {
            self.taken[self.turn.index()] += u32::from(m);
            self.left -= m;
            self.turn = self.turn.next(self.seats);
        }
        fn hash(&self) -> u64 {
            self.fresh_hash()
        }
        fn fresh_hash(&self) -> u64 {
            let taken = self.taken.iter().fold(0, |sum, n| mix(sum ^ u64::from(*n)));
            mix(taken ^ u64::from(self.left) << 8 ^ self.turn.index() as u64)
        }
        fn scores(&self) -> Option<Vec<Points>> {
            Some(self.taken.iter().map(|n| Points { points: *n, tiles: None }).collect())
        }
    }

    fn request(level: Level, nodes: u64) -> SearchRequest {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        SearchRequest { limits, ..SearchRequest::new(level, 4) }
    }

    #[test]
    fn plays_a_solved_game_perfectly_and_knows_it() {
        for left in 2..=14 {
            let search_result = think(&heap(left, 2), &request(Level::Expert, 200_000)).unwrap();
            if left % 4 == 0 {
                assert!(matches!(search_result.value, Value::Lost(_)), "{left}: {:?}", search_result.value);
            } else {
                assert!(matches!(search_result.value, Value::Won(_)), "{left}: {:?}", search_result.value);
                assert_eq!(search_result.best, left % 4, "of {left}");
            }
        }
    }

    /// Counts the requests for proofs.
    #[derive(Clone, Default)]
    struct CallCounter(std::sync::Arc<std::sync::atomic::AtomicU32>);

    impl Evaluator<Heap> for CallCounter {
        fn evaluation(&mut self, _: &Heap, _: Seat) -> i32 {
            0
        }
        fn plies_left(&self, position: &Heap) -> Option<u32> {
            Some(position.left.into())
        }
        fn lead_bounds(&mut self, _: &Heap, _: Seat) -> exact::LeadBounds {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            (-1, 1)
        }
    }

    #[test]
    fn nothing_is_proven_of_the_only_move_while_time_runs() {
        let timed = Limits { time: Some(std::time::Duration::from_secs(5)), ..Limits::default() };
        let timed = SearchRequest { limits: timed, ..SearchRequest::new(Level::Expert, 4) };
        for (left, request, proves) in
            [(1, &timed, false), (2, &timed, true), (1, &request(Level::Expert, 1_000), true)]
        {
            let evaluator = CallCounter::default();
            assert_eq!(think_as(&heap(left, 2), request, evaluator.clone()).unwrap().best, left);
            let asked = evaluator.0.load(std::sync::atomic::Ordering::Relaxed) > 0;
            assert_eq!(asked, proves, "{left}: {:?}", request.limits);
        }
    }

    /// Prefers small heaps, and counts its evaluations.
    #[derive(Clone, Default)]
    struct Small(std::sync::Arc<std::sync::atomic::AtomicU32>);

    impl Evaluator<Heap> for Small {
        fn evaluation(&mut self, position: &Heap, _: Seat) -> i32 {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            -i32::from(position.left)
        }
    }

    #[test]
    fn a_list_goes_no_further_than_a_move_that_is_good_enough() {
        let evaluator = Small::default();
        let evaluated = || evaluator.0.swap(0, std::sync::atomic::Ordering::Relaxed);
        let mut simple = GenericGame::new(evaluator.clone(), 0, 1);
        let listed = |simple: &mut GenericGame<Heap, Small>, ahead: &[u8], enough: i32| {
            let mut out = Vec::new();
            let listed = simple.children_until(&heap(9, 2), ahead, Score::evaluation(enough), &mut out);
            (out.iter().map(|guess| guess.m).collect::<Vec<_>>(), listed.evaluated, listed.whole)
        };
        assert_eq!(listed(&mut simple, &[], -8), (vec![1], 1, false));
        assert_eq!(listed(&mut simple, &[], -7), (vec![1, 2], 2, false));
        assert_eq!(listed(&mut simple, &[], 0), (vec![1, 2, 3], 3, true));
        assert_eq!(evaluated(), 6);
        // Taking three was good in another position, and taking four is illegal.
        assert_eq!(listed(&mut simple, &[4, 3], -7), (vec![3], 1, false));
        assert_eq!(listed(&mut simple, &[4, 3], 0), (vec![1, 2, 3], 4, true));
        assert_eq!(evaluated(), 5);
    }

    #[test]
    fn three_and_four_seats_take_a_win_in_one() {
        for (seats, left) in [(3, 2), (3, 3), (4, 1), (4, 3)] {
            let search_result = think(&heap(left, seats), &request(Level::Expert, 5_000)).unwrap();
            assert_eq!(search_result.best, left, "{seats} seats");
            assert_eq!(search_result.value, Value::Won(1));
        }
    }

    #[test]
    fn every_level_moves_legally_and_stops_when_the_game_is_over() {
        for level in Level::ALL {
            for seats in 2..=4 {
                let best = think(&heap(9, seats), &request(level, 500)).unwrap().best;
                assert_eq!(heap(9, seats).check(best), Ok(()));
                assert_eq!(think(&heap(0, seats), &request(level, 500)), None);
            }
        }
    }

    #[test]
    fn a_lead_is_over_the_best_of_the_others() {
        let mut position = heap(20, 3);
        [3, 1, 2].into_iter().for_each(|m| position.play_unchecked(m));
        let leads: Vec<i32> = Seat::all(3).map(|seat| lead(&position, seat)).collect();
        assert_eq!(leads, [100, -200, -100]);
    }
}
