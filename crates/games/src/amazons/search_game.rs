//! The Amazons as a [`SearchGame`].

use std::collections::HashMap;

use super::batch_eval::{BatchEvaluator, PositionEval};
use super::bits::Bits;
use super::eval;
use super::fast::{FastMove, FastPosition, Grid};
use super::fill_count::{Bounds, Fill, FillCounter};
use super::row_lanes::LANES;
use super::rules::Side;
use super::style::SearchParams;
use rookery_core::player::Halt;
use rookery_core::seed::mix;
use rookery_core::{Board, Seat};
use rookery_search::levels::evaluation_noise;
use rookery_search::ordering::HISTORY_SLOTS;
use rookery_search::{End, FutilityBasis, FutilityMargin, Guess, Listed, Score, SearchGame};

/// Hundredths of a move that win about 3 games in 4.
pub(super) const LARGE: f32 = 300.0;
/// State budget of an exact count inside a search.
const COUNT_NODES: u64 = 400;
/// Cached endings: some 10 MB.
const MAX_ENDINGS: usize = 200_000;
/// Moves evaluated between two checks for a good enough one.
const AT_ONCE: usize = 2 * LANES;

/// A search on one board. Its seats are the colours: the first is White.
#[derive(Clone)]
pub(super) struct AmazonsSearch<B> {
    pub(super) grid: Grid<B>,
    style: SearchParams,
    evaluator: BatchEvaluator,
    /// The moves of the current position.
    shots: Vec<FastMove>,
    noise: Noise,
    fill_counter: FillCounter<'static>,
    endings: HashMap<u64, Option<End>>,
}

impl<B: Bits> AmazonsSearch<B> {
    /// Creates a search game whose evaluations have an error of up to `max_error` large advantages.
    pub(super) fn new(
        board: &'static Board,
        style: SearchParams,
        max_error: f32,
        seed: u64,
    ) -> AmazonsSearch<B> {
        let fill_counter = FillCounter::new(board.lines(), 0);
        let noise = Noise { max_error: (max_error * LARGE) as i32, salt: mix(seed) };
        let grid = Grid::new(board);
        let evaluator = BatchEvaluator::new(grid.stride, grid.rows());
        AmazonsSearch {
            grid,
            style,
            evaluator,
            shots: Vec::new(),
            noise,
            fill_counter,
            endings: HashMap::new(),
        }
    }

    /// Whether no region with a free cell is shared any more.
    pub(super) fn is_separated(&self, at: &FastPosition<B>) -> bool {
        eval::shared(self.grid.stride, at).is_empty()
    }

    /// The remaining moves of a colour once nothing is shared.
    pub(super) fn left(&mut self, at: &FastPosition<B>, side: Side, budget_nodes: u64) -> Bounds {
        self.fill_counter.refill(budget_nodes);
        self.fill_counter.count(self.grid.set(at.amazons[side.index()]), self.grid.set(at.free))
    }

    /// Stops counts early once this halt is called.
    pub(super) fn set_halt(&mut self, halt: Halt) {
        self.fill_counter.set_halt(halt);
    }

    /// A move that preserves the lower bound of the colour's last count.
    pub(super) fn sure_fill(&self, at: &FastPosition<B>, side: Side) -> Option<Fill> {
        self.fill_counter.first_fill(self.grid.set(at.amazons[side.index()]), self.grid.set(at.free))
    }

    /// The number of parts of the board in the cache of the counts.
    #[cfg(test)]
    pub(super) fn counted_parts(&self) -> usize {
        self.fill_counter.remembered()
    }

    /// The unused budget of the last count.
    pub(super) fn unspent(&self) -> u64 {
        self.fill_counter.left()
    }

    /// The result if the position is separated and the counts prove it. With `x` moves left for the side to move and
    /// `y` for the other, it wins if `x > y`, at the latest at its turn after the other's last move. Otherwise it is
    /// stuck after its own last move and the reply.
    pub(super) fn counted(&mut self, at: &FastPosition<B>, budget_nodes: u64) -> Option<End> {
        let [mover, other] = [Side::BOTH[at.mover], Side::BOTH[1 - at.mover]];
        let x = self.left(at, mover, budget_nodes);
        let y = self.left(at, other, budget_nodes);
        if x.least > y.most {
            return Some(End::win(seat(at.mover), 2 * y.most + 1));
        }
        (x.most <= y.least).then(|| End::win(seat(1 - at.mover), 2 * x.most))
    }

    fn can_move(&self, at: &FastPosition<B>) -> bool {
        eval::can_move(self.grid.stride, at)
    }

    fn evaluation(&mut self, at: &FastPosition<B>) -> i32 {
        eval::evaluate(self.grid.stride, at, self.style.weights) + self.noise.error(at.key)
    }

    /// Evaluates the positions after moves.
    fn look_at(&mut self, at: &FastPosition<B>, shots: &[FastMove], out: &mut Vec<Guess<FastMove>>) {
        let AmazonsSearch { style, evaluator, noise, .. } = self;
        evaluator.children(at, shots, style.weights, |shot, look| {
            out.push(Guess { m: shot, score: noise.score(at.after(shot).key, look) });
        });
    }

    /// Evaluates the positions after moves in batches, until one is good enough.
    fn look_until(&mut self, at: &FastPosition<B>, enough: Score, out: &mut Vec<Guess<FastMove>>) -> Listed {
        let mut shots = std::mem::take(&mut self.shots);
        shots.clear();
        self.grid.for_each_move(at, |shot| shots.push(shot));
        for some in shots.chunks(AT_ONCE) {
            let before = out.len();
            self.look_at(at, some, out);
            if out[before..].iter().any(|guess| guess.score >= enough) {
                break;
            }
        }
        let whole = out.len() == shots.len();
        self.shots = shots;
        Listed { evaluated: out.len() as u64, whole }
    }

    /// The moves of a position and their evaluations, one by one.
    fn one_by_one(&self, at: &FastPosition<B>, out: &mut Vec<Guess<FastMove>>) {
        self.grid.for_each_move(at, |shot| {
            let child = at.after(shot);
            let evaluation = eval::evaluate(self.grid.stride, &child, self.style.weights);
            let can_move = self.can_move(&child);
            out.push(Guess {
                m: shot,
                score: self.noise.score(child.key, PositionEval { evaluation, can_move }),
            });
        });
    }
}

/// The evaluation noise of a level.
#[derive(Clone, Copy)]
struct Noise {
    /// The maximum error in hundredths; the error differs between positions.
    max_error: i32,
    /// The seed of the errors.
    salt: u64,
}

impl Noise {
    fn error(self, key: u64) -> i32 {
        evaluation_noise(key, self.salt, self.max_error)
    }

    /// The score of a move that leads to the position of this hash, given the evaluation of that position for the
    /// opponent.
    fn score(self, key: u64, look: PositionEval) -> Score {
        if look.can_move { Score::evaluation(-(look.evaluation + self.error(key))) } else { Score::won(1) }
    }
}

/// The seat of a colour in this search.
fn seat(colour: usize) -> Seat {
    if colour == 0 { Seat::FIRST } else { Seat::SECOND }
}

impl<B: Bits> SearchGame for AmazonsSearch<B> {
    type Node = FastPosition<B>;
    type Move = FastMove;

    fn turn(&self, at: &FastPosition<B>) -> Seat {
        seat(at.mover)
    }

    fn key(&self, at: &FastPosition<B>) -> u64 {
        at.key
    }

    fn play(&self, at: &mut FastPosition<B>, shot: FastMove) {
        *at = at.after(shot);
    }

    fn settled(&mut self, at: &FastPosition<B>) -> Option<End> {
        if !self.can_move(at) {
            return Some(End::win(seat(1 - at.mover), 0));
        }
        if !self.is_separated(at) {
            return None;
        }
        if let Some(known) = self.endings.get(&at.key) {
            return *known;
        }
        let end = self.counted(at, COUNT_NODES);
        if self.endings.len() > MAX_ENDINGS {
            self.endings.clear();
        }
        self.endings.insert(at.key, end);
        end
    }

    fn evaluate(&mut self, at: &FastPosition<B>, seat: Seat) -> i32 {
        let evaluation = self.evaluation(at);
        if seat.index() == at.mover { evaluation } else { -evaluation }
    }

    fn children(&mut self, at: &FastPosition<B>, out: &mut Vec<Guess<FastMove>>) {
        if !self.style.batches {
            return self.one_by_one(at, out);
        }
        let mut shots = std::mem::take(&mut self.shots);
        shots.clear();
        self.grid.for_each_move(at, |shot| shots.push(shot));
        self.look_at(at, &shots, out);
        self.shots = shots;
    }

    fn guess(&mut self, at: &FastPosition<B>, shot: FastMove) -> Option<Score> {
        if !self.style.lazy_listing || !self.grid.is_legal(at, shot) {
            return None;
        }
        let child = at.after(shot);
        let (evaluation, can_move) = (self.evaluation(&child), self.can_move(&child));
        Some(if can_move { Score::evaluation(-evaluation) } else { Score::won(1) })
    }

    fn children_until(
        &mut self,
        at: &FastPosition<B>,
        ahead: &[FastMove],
        enough: Score,
        out: &mut Vec<Guess<FastMove>>,
    ) -> Listed {
        if !self.style.lazy_listing {
            self.children(at, out);
            return Listed { evaluated: out.len() as u64, whole: true };
        }
        let legal: Vec<FastMove> =
            ahead.iter().copied().filter(|shot| self.grid.is_legal(at, *shot)).collect();
        self.look_at(at, &legal, out);
        let evaluated = legal.len() as u64;
        if out.iter().any(|guess| guess.score >= enough) {
            return Listed { evaluated, whole: false };
        }
        out.clear();
        let listed = self.look_until(at, enough, out);
        Listed { evaluated: evaluated + listed.evaluated, ..listed }
    }

    fn history_slots(&self, at: &FastPosition<B>, shot: FastMove) -> [usize; 2] {
        // Sixteen bits: the colour, the part of the move, and two cells of seven bits. On boards of more than 128 bits
        // some cells share a slot, which makes the history less precise but not wrong.
        let kind = |part: usize, a: u8, b: u8| {
            (at.mover << 15 | part << 14 | usize::from(a & 127) << 7 | usize::from(b & 127)) % HISTORY_SLOTS
        };
        [kind(0, shot.from, shot.to), kind(1, shot.to, shot.arrow)]
    }

    fn width(&self, ply: u32, _depth: u32) -> usize {
        self.style.widths[ply.min(2) as usize]
    }

    fn futility_margin(
        &self,
        at: &FastPosition<B>,
        seen: FutilityBasis,
        depth: u32,
    ) -> Option<FutilityMargin> {
        self.style.futility_margins.as_ref()?.at(at.free.count(), seen, depth)
    }

    fn large_advantage(&self) -> f32 {
        LARGE
    }
}
