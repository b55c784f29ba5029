//! What the threads of one search share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rookery_core::player::Halt;

/// The slot of one thread of a search; slot 0 is the calling thread.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    /// Called when one thread has the answer, or the calling thread has no more time.
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
    /// The slots of this many threads.
    pub(super) fn places(threads: usize) -> impl Iterator<Item = Crew> {
        let tallies: Arc<[Tally]> = (0..threads).map(|_| Tally::default()).collect();
        let done = Halt::default();
        (0..threads).map(move |own| Crew { done: done.clone(), tallies: Arc::clone(&tallies), own })
    }

    /// The halt of all threads.
    pub(super) fn done(&self) -> &Halt {
        &self.done
    }

    /// Publishes how many positions this thread has looked at.
    pub(super) fn tell(&self, nodes: u64) {
        self.tallies[self.own].0.store(nodes, Ordering::Relaxed);
    }

    /// The positions that all threads have looked at, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.0.load(Ordering::Relaxed)).sum()
    }

    /// The index of this slot; 0 for the calling thread.
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
