//! Selects the instruction set that evaluates floes.

use std::fmt::Debug;

use super::sets::Single;
use super::{Task, compute_specialised, look};
use rookery_core::CellSet;
use rookery_core::bitboard::Bitboard;
use rookery_search::simd::Scalar;
#[cfg(target_arch = "x86_64")]
use rookery_search::simd::x86::{Avx2x4, Avx512x8};

/// A word that holds a set of cells of a floe in a batch.
#[expect(private_bounds, reason = "which machines there are is nobody else's business")]
pub(crate) trait BatchWord: Bitboard {
    /// The instruction set for this word.
    type BatchKernel: BatchKernel<Self>;
}

impl BatchWord for u64 {
    type BatchKernel = FastestKernel;
}

impl BatchWord for u128 {
    type BatchKernel = Single;
}

impl BatchWord for CellSet {
    type BatchKernel = Single;
}

/// An instruction set that evaluates floes in words of type `W`.
pub(super) trait BatchKernel<W>: Copy + Debug + Send {
    /// The fastest supported one.
    fn find() -> Self;
    /// Computes one part for all floes.
    fn look(self, task: &mut Task<'_, W>);
}

impl<W: Bitboard> BatchKernel<W> for Single {
    fn find() -> Single {
        Single
    }
    fn look(self, task: &mut Task<'_, W>) {
        look(self, task);
    }
}

/// The instruction sets for floes of up to 64 cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FastestKernel {
    /// Eight floes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512x8),
    /// Four floes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2x4),
    /// One floe at a time.
    Scalar(Scalar),
}

impl BatchKernel<u64> for FastestKernel {
    fn find() -> FastestKernel {
        #[cfg(target_arch = "x86_64")]
        if let Some(unit) = Avx512x8::find() {
            return FastestKernel::Avx512(unit);
        } else if let Some(unit) = Avx2x4::find() {
            return FastestKernel::Avx2(unit);
        }
        FastestKernel::Scalar(Scalar)
    }

    #[expect(unsafe_code, reason = "features of the machine have to be vouched for")]
    fn look(self, task: &mut Task<'_, u64>) {
        match self {
            // SAFETY: a unit exists only if the CPU supports these features.
            #[cfg(target_arch = "x86_64")]
            FastestKernel::Avx512(unit) => unsafe { look_512(unit, task) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            FastestKernel::Avx2(unit) => unsafe { look_256(unit, task) },
            FastestKernel::Scalar(unit) => look(unit, task),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn look_512(unit: Avx512x8, task: &mut Task<'_, u64>) {
    compute_specialised(unit, task);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn look_256(unit: Avx2x4, task: &mut Task<'_, u64>) {
    compute_specialised(unit, task);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floe::batch::{BatchShape, FloeBatch, LANES};
    use crate::floe::evaluation::Features;
    use crate::floe::{Floe, Phase, layout};
    use rookery_core::board::Shape;
    use rookery_core::seed::SeededRng;
    use rookery_core::{Board, Seat};

    fn machines() -> Vec<FastestKernel> {
        let mut machines = vec![FastestKernel::Scalar(Scalar)];
        #[cfg(target_arch = "x86_64")]
        machines.extend(
            Avx2x4::find()
                .map(FastestKernel::Avx2)
                .into_iter()
                .chain(Avx512x8::find().map(FastestKernel::Avx512)),
        );
        machines
    }

    /// A random floe without some of its tiles.
    fn floe(board: &'static Board, seats: usize, rng: &mut SeededRng) -> Floe {
        let mut floe = Floe::bare(board, seats, 3, false);
        layout::random(board, rng.bits()).into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
        let mut cells: Vec<_> = board.cells().collect();
        rng.shuffle(&mut cells);
        for seat in Seat::all(seats) {
            (0..3)
                .filter_map(|_| cells.pop())
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|at| floe.put(seat, at));
        }
        cells.truncate(rng.below(cells.len() as u64) as usize);
        cells.into_iter().for_each(|cell| floe.remove_tile(cell));
        floe.begin(Phase::Move, Seat::FIRST);
        floe
    }

    /// All results of a batch for some floes.
    fn batch_results<W: BatchWord>(
        machine: W::BatchKernel,
        floes: &[Floe],
        spears: bool,
    ) -> Vec<(CellSet, bool, i32, Features)> {
        let mut floe_batch = FloeBatch::<W>::new(floes[0].board());
        floe_batch.machine = machine;
        let common = BatchShape { floes: floes.len(), seats: floes[0].seats(), each: 3, spears };
        floes.iter().enumerate().for_each(|(lane, floe)| floe_batch.lay(lane, floe));
        floe_batch.walk(&common);
        floe_batch.slide(&common);
        let seats = 0..floes[0].seats();
        let each = seats.flat_map(|seat| (0..floes.len()).map(move |lane| (lane, seat)));
        each.map(|(lane, seat)| {
            let (reach, alone) = (floe_batch.reach(lane, seat).unpack(), floe_batch.may_be_alone(lane, seat));
            (reach, alone, floe_batch.under(lane, seat), floe_batch.features(lane, seat, true))
        })
        .collect()
    }

    #[test]
    fn every_machine_sees_the_same() {
        let mut rng = SeededRng::new(5);
        for board in [Board::of(Shape::Island), Board::square(8, 8), Board::square(5, 12)] {
            for round in 0..30 {
                let (seats, spears) = (2 + round % 3, round % 2 == 0);
                let many = 1 + rng.below(LANES as u64) as usize;
                let floes: Vec<Floe> = (0..many).map(|_| floe(board, seats, &mut rng)).collect();
                let wanted = batch_results::<CellSet>(Single, &floes, spears);
                assert!(wanted == batch_results::<u128>(Single, &floes, spears));
                for machine in machines() {
                    assert!(wanted == batch_results::<u64>(machine, &floes, spears), "{machine:?}");
                }
            }
        }
    }
}
