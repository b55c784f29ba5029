//! What threads that think about the same question know of each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::kit::player::Halt;

/// One thread's place among those that think about one question; the first is whoever was asked.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    /// Called when one of them has the answer, or whoever was asked has no more time.
    done: Halt,
    desks: Arc<[Desk]>,
    own: usize,
}

/// What one thread tells the others. Only it writes there; a cache line of its own keeps that from slowing
/// the others down.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Desk {
    /// Positions looked at.
    nodes: AtomicU64,
    /// Plies that it searches now.
    depth: AtomicU32,
}

impl Crew {
    /// The places of so many threads.
    pub(super) fn places(threads: usize) -> impl Iterator<Item = Crew> {
        let desks: Arc<[Desk]> = (0..threads).map(|_| Desk::default()).collect();
        let done = Halt::default();
        (0..threads).map(move |own| Crew { done: done.clone(), desks: Arc::clone(&desks), own })
    }

    /// The sign that ends the thought for all.
    pub(super) fn done(&self) -> &Halt {
        &self.done
    }

    /// Tells how many positions this thread has looked at.
    pub(super) fn tell(&self, nodes: u64) {
        self.desks[self.own].nodes.store(nodes, Ordering::Relaxed);
    }

    /// How many positions all have looked at, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.desks.iter().map(|desk| desk.nodes.load(Ordering::Relaxed)).sum()
    }

    /// How deep to search after `done` whole plies: one more, but a companion leaves that out if half of all
    /// threads search as deep already. They would do the same work at the same time, while a deeper
    /// search leaves in the memo what they need next.
    pub(super) fn next_depth(&self, done: u32) -> u32 {
        let next = done + 1;
        let is_there = |desk: &&Desk| desk.depth.load(Ordering::Relaxed) >= next;
        let others = self.desks.iter().filter(is_there).count();
        let crowded = self.own > 0 && 2 * others >= self.desks.len();
        let depth = if crowded { next + 1 } else { next };
        self.desks[self.own].depth.store(depth, Ordering::Relaxed);
        depth
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

    #[test]
    fn a_companion_goes_deeper_than_where_half_of_all_are_and_who_was_asked_leaves_nothing_out() {
        let crew: Vec<Crew> = Crew::places(4).collect();
        let depths: Vec<u32> = crew.iter().map(|own| own.next_depth(1)).collect();
        assert_eq!(depths, [2, 2, 3, 3]);
        // All four are at two plies or deeper, and two of them at three.
        assert_eq!([crew[0].next_depth(2), crew[1].next_depth(2)], [3, 4]);
    }
}
