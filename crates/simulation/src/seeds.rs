//! Runs many seeds, several at a time.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::options::Options;
use crate::run::{Counts, Report, run};
use crate::world::lock;

/// What the seeds have given together.
#[derive(Debug, Default)]
pub struct Totals {
    /// How often things happened.
    pub counts: Counts,
    /// The reports of the seeds that violated an invariant, by seed.
    pub failed: Vec<Report>,
}

/// Runs these seeds on this many threads, or one for each processor if it is 0. `tell` hears of each seed.
///
/// # Panics
/// If the simulation itself fails.
pub fn run_seeds(
    seeds: Range<u64>,
    threads: usize,
    options: Options,
    tell: impl Fn(&Report) + Sync,
) -> Totals {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let (next, totals) = (AtomicU64::new(seeds.start), Mutex::new(Totals::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let report = run(seed, options);
                    tell(&report);
                    let mut totals = lock(&totals);
                    totals.counts.add(report.counts);
                    totals.failed.extend(Some(report).filter(|report| !report.violations.is_empty()));
                }
            });
        }
    });
    let mut totals = totals.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    totals.failed.sort_by_key(|report| report.seed);
    totals
}
