//! Amoeba as a [`SearchGame`]: evaluation, and wins in one move without a search.

use super::fast::{FastMove, FastPosition};
use super::rules::{AmoebaPosition, POINTS, REPEATS_TO_END, Side};
use rookery_core::Seat;
use rookery_core::seed::mix;
use rookery_search::levels::evaluation_noise;
use rookery_search::ordering::HISTORY_SLOTS;
use rookery_search::{End, Guess, Score, SearchGame};

/// The number of hundredths of a stack that win about 3 games in 4.
pub(super) const LARGE: f32 = 250.0;

/// A stack that can move, in hundredths.
const STACK: i32 = 100;
/// A stack that cannot move.
const STUCK: i32 = 35;
/// Each direction in which a stack can move.
const WAY: i32 = 6;
/// Penalty for the side to move if its Kernel is attacked, since it must respond.
const ATTACKED: i32 = 60;
const ATTACKED_TWICE: i32 = 160;
/// Each direction in which the Kernel's own stack can move.
const ESCAPE: i32 = 12;
/// The bonus for being to move.
const TEMPO: i32 = 20;

/// The search game, with the positions of the game so far.
#[derive(Clone, Debug)]
pub(super) struct AmoebaSearch {
    max_error: i32,
    salt: u64,
    /// Hashes of positions that end the game when they occur again.
    repeated_hashes: Vec<u64>,
}

impl AmoebaSearch {
    pub(super) fn new(position: &AmoebaPosition, max_error: f32, seed: u64) -> AmoebaSearch {
        // The searched position itself continues, regardless of its occurrences.
        let here = position.repetition_hash();
        let repeated_hashes =
            position.repeated_hashes(REPEATS_TO_END - 1).into_iter().filter(|hash| *hash != here).collect();
        AmoebaSearch { max_error: (max_error * LARGE) as i32, salt: mix(seed), repeated_hashes }
    }

    fn standing(&self, at: &FastPosition, side: Side) -> i32 {
        let mut sum = 0;
        for (from, stack) in at.own(side) {
            let ways = at.ways(from, stack);
            sum += if ways > 0 { STACK + WAY * ways } else { STUCK };
            if from == at.kernel(side) {
                sum += ESCAPE * ways;
            }
        }
        sum
    }

    /// The evaluation of a position for the side to move, which cannot win at once.
    fn evaluation(&self, at: &FastPosition) -> i32 {
        let (me, foe) = (at.to_move, at.to_move.other());
        let attacked = match at.attackers(foe) {
            0 => 0,
            1 => ATTACKED,
            _ => ATTACKED_TWICE,
        };
        let error = evaluation_noise(at.hash, self.salt, self.max_error);
        let error = if me == Side::Bottom { error } else { -error };
        self.standing(at, me) - self.standing(at, foe) + TEMPO - attacked + error
    }

    /// The value of a legal move for the side that makes it.
    fn score(&mut self, at: &FastPosition, m: FastMove) -> Score {
        let child = at.after(m);
        match self.settled(&child) {
            Some(end) => end.score(self.turn(at)).farther(1),
            None => Score::evaluation(-self.evaluation(&child)),
        }
    }

    fn by_stacks(&self, at: &FastPosition) -> End {
        let [bottom, top] = Side::BOTH.map(|side| at.own(side).count());
        match bottom.cmp(&top) {
            std::cmp::Ordering::Greater => End::win(seat(Side::Bottom), 0),
            std::cmp::Ordering::Less => End::win(seat(Side::Top), 0),
            std::cmp::Ordering::Equal => End { shares: [0.5, 0.5, 0.0, 0.0], plies: 0 },
        }
    }
}

/// Sides are seats here; the player handles the pie rule.
fn seat(side: Side) -> Seat {
    if side == Side::Bottom { Seat::FIRST } else { Seat::SECOND }
}

impl SearchGame for AmoebaSearch {
    type Node = FastPosition;
    type Move = FastMove;

    fn turn(&self, at: &FastPosition) -> Seat {
        seat(at.to_move)
    }
    fn key(&self, at: &FastPosition) -> u64 {
        at.hash
    }
    fn play(&self, at: &mut FastPosition, hop: FastMove) {
        at.play(hop);
    }
    fn settled(&mut self, at: &FastPosition) -> Option<End> {
        if let Some(taker) = at.taker() {
            return Some(End::win(seat(taker), 0));
        }
        if !at.can_move() {
            return Some(End::win(seat(at.to_move.other()), 0));
        }
        if self.repeated_hashes.contains(&at.hash) {
            return Some(self.by_stacks(at));
        }
        (at.attackers(at.to_move) > 0).then(|| End::win(seat(at.to_move), 1))
    }
    fn evaluate(&mut self, at: &FastPosition, asked: Seat) -> i32 {
        let evaluation = self.evaluation(at);
        if self.turn(at) == asked { evaluation } else { -evaluation }
    }
    fn children(&mut self, at: &FastPosition, out: &mut Vec<Guess<FastMove>>) {
        out.extend(at.fast_moves().map(|m| Guess { m, score: self.score(at, m) }));
    }
    fn guess(&mut self, at: &FastPosition, m: FastMove) -> Option<Score> {
        at.is_legal(m).then(|| self.score(at, m))
    }
    fn list_until(&mut self, at: &FastPosition, enough: Score, out: &mut Vec<Guess<FastMove>>) -> bool {
        let mut fast_moves = at.fast_moves();
        for m in fast_moves.by_ref() {
            let score = self.score(at, m);
            out.push(Guess { m, score });
            if score >= enough {
                break;
            }
        }
        fast_moves.next().is_none()
    }
    fn history_slots(&self, at: &FastPosition, hop: FastMove) -> [usize; 2] {
        let from = hop.from.index() * 16 + usize::from(hop.dir) * 2 + usize::from(hop.split);
        let to = at.stack(hop.from).height() * POINTS + hop.from.index();
        let side = at.to_move.index() << 12;
        [(from | side) % HISTORY_SLOTS, (to | side | 1 << 13) % HISTORY_SLOTS]
    }
    fn width(&self, _ply: u32, depth: u32) -> usize {
        match depth {
            ..=2 => 20,
            3 => 30,
            _ => 50,
        }
    }
    fn large_advantage(&self) -> f32 {
        LARGE
    }
}
