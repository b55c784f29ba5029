//! What threads that think about the same question know of each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rookery_core::player::Halt;

/// One thread's place among those that think about one question; the first is whoever was asked.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    /// Called when one of them has the answer, or whoever was asked has no more time.
    done: Halt,
    tallies: Arc<[Tally]>,
    own: usize,
}

/// How many positions one thread has looked at. Only it writes there; a cache line of its own keeps that from
/// slowing the others down.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Tally(AtomicU64);

impl Crew {
    /// The places of so many threads.
    pub(super) fn places(threads: usize) -> impl Iterator<Item = Crew> {
        let tallies: Arc<[Tally]> = (0..threads).map(|_| Tally::default()).collect();
        let done = Halt::default();
        (0..threads).map(move |own| Crew { done: done.clone(), tallies: Arc::clone(&tallies), own })
    }

    /// The sign that ends the thought for all.
    pub(super) fn done(&self) -> &Halt {
        &self.done
    }

    /// Tells how many positions this thread has looked at.
    pub(super) fn tell(&self, nodes: u64) {
        self.tallies[self.own].0.store(nodes, Ordering::Relaxed);
    }

    /// How many positions all have looked at, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.0.load(Ordering::Relaxed)).sum()
    }

    /// Which of the places this is; 0 for whoever was asked.
    pub(super) fn place(&self) -> usize {
        self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_tells_is_summed_and_one_sign_is_for_all() {
        let crew: Vec<Crew> = Crew::places(3).collect();
        for (own, nodes) in crew.iter().zip([5, 70, 600]) {
            own.tell(nodes - 1);
            own.tell(nodes);
        }
        assert!(crew.iter().all(|own| own.nodes() == 675));
        crew[1].done().call();
        assert!(crew.iter().all(|own| own.done().called()));
    }
}
