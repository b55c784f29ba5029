//! The state shared by the threads of one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rookery_core::player::Halt;

/// The slot of one thread of a search; slot 0 is the calling thread.
#[derive(Clone, Debug)]
pub(super) struct HelperSlot {
    /// Called when one thread has the answer, or the calling thread runs out of time.
    done: Halt,
    node_counts: Arc<[NodeCount]>,
    index: usize,
}

/// The number of positions that one thread has searched. Only that thread writes it; its own cache line prevents false
/// sharing.
#[derive(Debug, Default)]
#[repr(align(64))]
struct NodeCount(AtomicU64);

impl HelperSlot {
    /// The slots of this many threads.
    pub(super) fn slots(threads: usize) -> impl Iterator<Item = HelperSlot> {
        let node_counts: Arc<[NodeCount]> = (0..threads).map(|_| NodeCount::default()).collect();
        let done = Halt::default();
        (0..threads).map(move |index| HelperSlot {
            done: done.clone(),
            node_counts: Arc::clone(&node_counts),
            index,
        })
    }

    /// The halt of all threads.
    pub(super) fn done(&self) -> &Halt {
        &self.done
    }

    /// Publishes the number of positions that this thread has searched.
    pub(super) fn report_nodes(&self, nodes: u64) {
        self.node_counts[self.index].0.store(nodes, Ordering::Relaxed);
    }

    /// The number of positions that all threads have searched, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.node_counts.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }

    /// The index of this slot; 0 for the calling thread.
    pub(super) fn index(&self) -> usize {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_counts_are_summed_and_halt_is_shared() {
        let helper_slot: Vec<HelperSlot> = HelperSlot::slots(3).collect();
        for (index, nodes) in helper_slot.iter().zip([5, 70, 600]) {
            index.report_nodes(nodes - 1);
            index.report_nodes(nodes);
        }
        assert!(helper_slot.iter().all(|index| index.nodes() == 675));
        helper_slot[1].done().call();
        assert!(helper_slot.iter().all(|index| index.done().called()));
    }
}
