//! The evaluation that the player uses: the evaluations of `eval`, for all children of a position in batches. For a single
//! position `eval` itself is faster than a batch.

use super::batch::{Boards, Found, count};
use super::bits::Bits;
use super::eval::{DIMINISHING_RETURNS, InterpolatedWeights, mix};
use super::fast::{FastMove, FastPosition};
use super::row_lanes::{LANES, Words};
use super::rules::MAX_AMAZONS;
use super::weights::{FEATURES, Weights};
#[cfg(target_arch = "x86_64")]
use rookery_search::simd::x86::{Avx2x16, Avx512x32};

/// The evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PositionEval {
    /// For the side to move, in hundredths of a move: the result of `eval::evaluate`.
    pub(super) evaluation: i32,
    /// Whether the side to move has a move.
    pub(super) can_move: bool,
}

/// Evaluates positions on boards of one width.
#[derive(Clone)]
pub(super) struct BatchEvaluator {
    batch_evaluator: ByRows,
}

/// With as few rows as possible: fewer rows are faster.
#[derive(Clone)]
enum ByRows {
    Ten(Box<Batch<10>>),
    Twelve(Box<Batch<12>>),
}

impl BatchEvaluator {
    /// An evaluator for boards of this many rows, whose rows are `stride` cells apart.
    pub(super) fn new(stride: u32, rows: u32) -> BatchEvaluator {
        let machine = Simd::find();
        let batch_evaluator = match rows {
            0..=10 => ByRows::Ten(Box::new(Batch::new(machine, stride))),
            _ => ByRows::Twelve(Box::new(Batch::new(machine, stride))),
        };
        BatchEvaluator { batch_evaluator }
    }

    /// Evaluates the positions after these moves, in order.
    pub(super) fn children<B: Bits>(
        &mut self,
        at: &FastPosition<B>,
        shots: &[FastMove],
        weights: &Weights,
        visit: impl FnMut(FastMove, PositionEval),
    ) {
        match &mut self.batch_evaluator {
            ByRows::Ten(table) => table.children(at, shots, weights, visit),
            ByRows::Twelve(table) => table.children(at, shots, weights, visit),
        }
    }
}

/// Storage for positions side by side.
#[derive(Clone)]
struct Batch<const R: usize> {
    machine: Simd,
    stride: u32,
    /// The row of each cell and its bit in the row.
    places: [(usize, u16); 256],
    /// The same position in every lane.
    parent: Boards<R>,
    /// A different child position in every lane.
    boards: Boards<R>,
    found: Found,
}

impl<const R: usize> Batch<R> {
    fn new(machine: Simd, stride: u32) -> Batch<R> {
        let place = |cell: usize| (cell / stride as usize, 1 << (cell % stride as usize));
        let places = std::array::from_fn(place);
        Batch { machine, stride, places, parent: Boards::EMPTY, boards: Boards::EMPTY, found: Found::NONE }
    }

    fn children<B: Bits>(
        &mut self,
        at: &FastPosition<B>,
        shots: &[FastMove],
        weights: &Weights,
        mut visit: impl FnMut(FastMove, PositionEval),
    ) {
        self.lay(at, 1 - at.mover);
        // Every move fills one cell.
        let mixed = mix(weights, at.free.count() - 1);
        let many = amazons(at, 1 - at.mover);
        for shots in shots.chunks(LANES) {
            self.boards.clone_from(&self.parent);
            for (lane, shot) in shots.iter().enumerate() {
                self.play(lane, *shot, rank(at.amazons[at.mover], shot.from));
            }
            self.machine.count(&self.boards, &mut self.found);
            for (lane, shot) in shots.iter().enumerate() {
                visit(*shot, look(&self.found, lane, many, &mixed));
            }
        }
    }

    /// Writes a position into every lane of `parent`, the amazons of `first` first.
    fn lay<B: Bits>(&mut self, at: &FastPosition<B>, first: usize) {
        let row = (1 << (self.stride - 1)) - 1;
        for (r, free) in self.parent.free.iter_mut().enumerate() {
            *free = [at.free.word(r as u32 * self.stride) & row; LANES];
        }
        for (side, amazons) in self.parent.amazons.iter_mut().enumerate() {
            *amazons = [[[0; LANES]; R]; MAX_AMAZONS];
            for (amazon, cell) in amazons.iter_mut().zip(at.amazons[first ^ side].cells()) {
                let (r, bit) = self.places[usize::from(cell)];
                amazon[r] = [bit; LANES];
            }
        }
    }

    /// Makes a move in one lane with the amazon of this rank; the mover is then the second side of that lane.
    #[inline(always)]
    fn play(&mut self, lane: usize, shot: FastMove, rank: usize) {
        let [from, to, arrow] = [shot.from, shot.to, shot.arrow].map(|cell| self.places[usize::from(cell)]);
        let (free, amazon) = (&mut self.boards.free, &mut self.boards.amazons[1][rank]);
        amazon[from.0][lane] = 0;
        amazon[to.0][lane] = to.1;
        free[from.0][lane] |= from.1;
        free[to.0][lane] &= !to.1;
        free[arrow.0][lane] &= !arrow.1;
    }
}

/// The number of a set's cells before this one.
#[inline(always)]
fn rank<B: Bits>(set: B, cell: u8) -> usize {
    set.cells().take_while(|other| *other != cell).count()
}

/// The number of amazons of this colour, and of the other.
fn amazons<B: Bits>(at: &FastPosition<B>, first: usize) -> [usize; 2] {
    [first, 1 - first].map(|colour| at.amazons[colour].count() as usize)
}

/// The evaluation of a lane, given the number of amazons of each side.
#[inline(always)]
fn look(found: &Found, lane: usize, many: [usize; 2], mixed: &InterpolatedWeights) -> PositionEval {
    let mut features: [i32; FEATURES] = std::array::from_fn(|i| i32::from(found.features[i][lane] as i16));
    features[0] = 256;
    let mut can_move = false;
    for (side, sign) in [(0, 1), (1, -1)] {
        for near in &found.near[side][..many[side]] {
            let [first, second] = [near[0][lane], near[1][lane]];
            features[7] += sign * DIMINISHING_RETURNS[usize::from(first + second).min(31)];
            features[8] += sign * i32::from(first == 0);
            features[9] += sign * i32::from(second <= 3);
            can_move |= side == 0 && first > 0;
        }
    }
    PositionEval { evaluation: mixed.sum(&features), can_move }
}

#[derive(Clone, Copy, Debug)]
enum Simd {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512x32),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2x16),
    Plain(Words),
}

impl Simd {
    /// The fastest supported unit.
    fn find() -> Simd {
        #[cfg(target_arch = "x86_64")]
        if let Some(unit) = Avx512x32::find() {
            return Simd::Avx512(unit);
        } else if let Some(unit) = Avx2x16::find() {
            return Simd::Avx2(unit);
        }
        Simd::Plain(Words)
    }

    #[expect(unsafe_code, reason = "features of the machine have to be vouched for")]
    fn count<const R: usize>(self, boards: &Boards<R>, found: &mut Found) {
        match self {
            // SAFETY: a unit exists only if the CPU supports these features.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512(unit) => unsafe { count_512(unit, boards, found) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2(unit) => unsafe { count_256(unit, boards, found) },
            Simd::Plain(unit) => count(unit, boards, found),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn count_512<const R: usize>(unit: Avx512x32, boards: &Boards<R>, found: &mut Found) {
    count(unit, boards, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn count_256<const R: usize>(unit: Avx2x16, boards: &Boards<R>, found: &mut Found) {
    count(unit, boards, found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::bits::Wide;
    use crate::amazons::eval;
    use crate::amazons::fast::Grid;
    use crate::amazons::{Amazons, weights};
    use rookery_core::GameRules;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    fn machines() -> Vec<Simd> {
        let mut machines = vec![Simd::Plain(Words)];
        #[cfg(target_arch = "x86_64")]
        machines
            .extend(Avx2x16::find().map(Simd::Avx2).into_iter().chain(Avx512x32::find().map(Simd::Avx512)));
        machines
    }

    /// Evaluates a single position in a batch.
    fn one<B: Bits, const R: usize>(table: &mut Batch<R>, at: &FastPosition<B>) -> PositionEval {
        table.lay(at, at.mover);
        table.machine.count(&table.parent, &mut table.found);
        let mixed = mix(&weights::WEIGHTS, at.free.count());
        look(&table.found, LANES - 1, amazons(at, at.mover), &mixed)
    }

    /// Over random games, every child has the same evaluation by `eval` and by every unit, alone and in a batch.
    fn agrees<B: Bits, const R: usize>(setup: &Setup) {
        let position = Amazons::start(setup).unwrap();
        let grid = Grid::<B>::new(position.board());
        for machine in machines() {
            let mut table = Box::new(Batch::<R>::new(machine, grid.stride));
            let mut rng = SeededRng::new(3);
            let mut at = grid.position(&position);
            loop {
                let mut shots = Vec::new();
                grid.for_each_move(&at, |shot| shots.push(shot));
                rng.shuffle(&mut shots);
                shots.truncate(2 * LANES + 5);
                let mut told = Vec::new();
                table.children(&at, &shots, &weights::WEIGHTS, |shot, look| told.push((shot, look)));
                let plain = |at: &FastPosition<B>| PositionEval {
                    evaluation: eval::evaluate(grid.stride, at, &weights::WEIGHTS),
                    can_move: eval::can_move(grid.stride, at),
                };
                let wanted: Vec<_> = shots.iter().map(|shot| (*shot, plain(&at.after(*shot)))).collect();
                assert_eq!(told, wanted, "{machine:?} {setup:?}");
                assert_eq!(one(&mut table, &at), plain(&at), "{machine:?} {setup:?}");
                let Some(shot) = shots.first() else { break };
                at = at.after(*shot);
            }
        }
    }

    #[test]
    fn batch_evaluation_equals_single_evaluation() {
        let setup = |size| Setup::new(2).with("size", size);
        agrees::<u128, 10>(&setup("10x10"));
        agrees::<u128, 12>(&setup("10x10"));
        agrees::<u128, 10>(&setup("12x9"));
        agrees::<u128, 12>(&setup("6x12"));
        agrees::<u128, 10>(&setup("4x5"));
        agrees::<Wide, 12>(&setup("12x12"));
        agrees::<Wide, 10>(&setup("10x10").with("amazons", "3"));
    }

    /// Calls `show` with every position of a random game on the usual board.
    fn walk(seed: u64, mut show: impl FnMut(&mut Batch<10>, FastPosition<u128>)) {
        let position = Amazons::start(&Setup::new(2)).unwrap();
        let grid = Grid::<u128>::new(position.board());
        let mut table = Batch::new(Simd::find(), grid.stride);
        let (mut rng, mut at) = (SeededRng::new(seed), grid.position(&position));
        loop {
            let mut shots = Vec::new();
            grid.for_each_move(&at, |shot| shots.push(shot));
            let Some(shot) = rng.pick(&shots) else { break };
            at = at.after(*shot);
            show(&mut table, at);
        }
    }

    /// The evaluation is the same under all eight symmetries.
    #[test]
    fn evaluation_is_invariant_under_symmetry() {
        walk(9, |table, at| {
            let look = one(table, &at);
            for way in 0..8 {
                assert_eq!(one(table, &turned(&at, way)), look, "way {way}");
            }
        });
    }

    /// A position of the usual board in one of its eight symmetries.
    fn turned(at: &FastPosition<u128>, way: u8) -> FastPosition<u128> {
        let cell = |cell: u8| {
            let (col, row) = (cell % 11, cell / 11);
            let (col, row) = if way & 1 == 0 { (col, row) } else { (row, col) };
            let flip = |at: u8, bit: u8| if way & bit == 0 { at } else { 9 - at };
            flip(row, 4) * 11 + flip(col, 2)
        };
        let turn = |set: u128| set.cells().fold(0, |all, c| all | u128::of(cell(c)));
        FastPosition { amazons: at.amazons.map(turn), free: turn(at.free), ..*at }
    }

    /// Swapping the colours negates every feature except the cells that both reach equally soon.
    #[test]
    fn evaluation_is_antisymmetric_in_colours() {
        walk(5, |table, at| {
            let mut counts = |at: &FastPosition<u128>| {
                one(table, at);
                table.found.features.map(|row| row[0] as i16)
            };
            let (seen, back) = (counts(&at), counts(&FastPosition { mover: 1 - at.mover, ..at }));
            for i in (1..7).chain(10..13) {
                assert_eq!(seen[i], if i == 5 { back[i] } else { -back[i] }, "feature {i}");
            }
        });
    }
}
