//! Amoeba as a [`SearchGame`]: evaluation, and wins in one move without a search.

use super::fast::{Fast, Hop};
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
    blur: i32,
    salt: u64,
    /// Hashes of positions that end the game when they occur again.
    stood: Vec<u64>,
}

impl AmoebaSearch {
    pub(super) fn new(position: &AmoebaPosition, blur: f32, seed: u64) -> AmoebaSearch {
        // The searched position itself continues, regardless of its occurrences.
        let here = position.placing();
        let stood = position.stood(REPEATS_TO_END - 1).into_iter().filter(|hash| *hash != here).collect();
        AmoebaSearch { blur: (blur * LARGE) as i32, salt: mix(seed), stood }
    }

    fn standing(&self, at: &Fast, side: Side) -> i32 {
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

    /// The opinion of a position for the side to move, which cannot win at once.
    fn opinion(&self, at: &Fast) -> i32 {
        let (me, foe) = (at.to_move, at.to_move.other());
        let attacked = match at.attackers(foe) {
            0 => 0,
            1 => ATTACKED,
            _ => ATTACKED_TWICE,
        };
        let error = evaluation_noise(at.hash, self.salt, self.blur);
        let error = if me == Side::Bottom { error } else { -error };
        self.standing(at, me) - self.standing(at, foe) + TEMPO - attacked + error
    }

    /// The value of a legal move for the side that makes it.
    fn score(&mut self, at: &Fast, m: Hop) -> Score {
        let child = at.after(m);
        match self.settled(&child) {
            Some(end) => end.score(self.turn(at)).farther(1),
            None => Score::opinion(-self.opinion(&child)),
        }
    }

    fn by_stacks(&self, at: &Fast) -> End {
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
    type Node = Fast;
    type Move = Hop;

    fn turn(&self, at: &Fast) -> Seat {
        seat(at.to_move)
    }
    fn key(&self, at: &Fast) -> u64 {
        at.hash
    }
    fn play(&self, at: &mut Fast, hop: Hop) {
        at.play(hop);
    }
    fn settled(&mut self, at: &Fast) -> Option<End> {
        if let Some(taker) = at.taker() {
            return Some(End::win(seat(taker), 0));
        }
        if !at.can_move() {
            return Some(End::win(seat(at.to_move.other()), 0));
        }
        if self.stood.contains(&at.hash) {
            return Some(self.by_stacks(at));
        }
        (at.attackers(at.to_move) > 0).then(|| End::win(seat(at.to_move), 1))
    }
    fn evaluate(&mut self, at: &Fast, asked: Seat) -> i32 {
        let opinion = self.opinion(at);
        if self.turn(at) == asked { opinion } else { -opinion }
    }
    fn children(&mut self, at: &Fast, out: &mut Vec<Guess<Hop>>) {
        out.extend(at.hops().map(|m| Guess { m, score: self.score(at, m) }));
    }
    fn guess(&mut self, at: &Fast, m: Hop) -> Option<Score> {
        at.is_legal(m).then(|| self.score(at, m))
    }
    fn list_until(&mut self, at: &Fast, enough: Score, out: &mut Vec<Guess<Hop>>) -> bool {
        let mut hops = at.hops();
        for m in hops.by_ref() {
            let score = self.score(at, m);
            out.push(Guess { m, score });
            if score >= enough {
                break;
            }
        }
        hops.next().is_none()
    }
    fn history_slots(&self, at: &Fast, hop: Hop) -> [usize; 2] {
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
    fn large(&self) -> f32 {
        LARGE
    }
}
