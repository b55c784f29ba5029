//! A transposition table that several threads use at the same time.

use std::sync::{Mutex, MutexGuard, TryLockError};

use super::transposition_table::{EntryStore, TableEntry, TranspositionTable};

/// There are `2^SHARDS_BITS` shards, each with its own lock: two threads rarely need the same one.
const SHARDS_BITS: u32 = 8;

/// The table in shards. A thread does not wait for a locked shard but continues as if the entry were missing, which
/// costs less than waiting.
#[derive(Debug)]
pub(super) struct SharedTranspositionTable<M> {
    shards: Vec<Shard<M>>,
}

/// Aligned to a cache line, to avoid false sharing of the locks.
#[derive(Debug)]
#[repr(align(64))]
struct Shard<M>(Mutex<TranspositionTable<M>>);

impl<M: Copy> SharedTranspositionTable<M> {
    /// A table of `2^bits` slots in total; at least two in each shard.
    pub(super) fn new(bits: u32) -> SharedTranspositionTable<M> {
        let each = bits.saturating_sub(SHARDS_BITS);
        let shard = || Shard(Mutex::new(TranspositionTable::new(each)));
        SharedTranspositionTable { shards: (0..1 << SHARDS_BITS).map(|_| shard()).collect() }
    }

    /// Each shard indexes its slots by the lower bits of a hash, so the highest bits choose the shard.
    fn part(&self, key: u64) -> Option<MutexGuard<'_, TranspositionTable<M>>> {
        let Shard(table) = &self.shards[(key >> (u64::BITS - SHARDS_BITS)) as usize];
        match table.try_lock() {
            Ok(part) => Some(part),
            // Entries do not depend on each other, so a poisoned shard is still valid.
            Err(TryLockError::Poisoned(part)) => Some(part.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<M: Copy> EntryStore<M> for &SharedTranspositionTable<M> {
    fn get(&self, key: u64) -> Option<TableEntry<M>> {
        self.part(key)?.get(key)
    }

    fn put(&mut self, key: u64, seen: TableEntry<M>) {
        if let Some(mut part) = self.part(key) {
            part.put(key, seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Score};
    use rookery_core::seed::mix;

    fn seen(depth: u32) -> TableEntry<u64> {
        TableEntry { score: Score::EVEN, bound: Bound::Exact, depth, best: Some(u64::from(depth)) }
    }

    #[test]
    fn shared_table_entries_are_visible_to_other_threads() {
        let table = SharedTranspositionTable::new(14);
        let keys = || (0..1_000).map(mix);
        std::thread::scope(|scope| {
            scope.spawn(|| keys().for_each(|key| (&table).put(key, seen(key as u32 & 7))));
        });
        // Two slots for each of a thousand hashes: some entries replace others, most have room.
        let known = keys().filter_map(|key| Some((key, (&table).get(key)?)));
        let right = known.filter(|(key, found)| found.best == Some(key & 7)).count();
        assert!(right > 900, "{right} of 1000");
    }

    #[test]
    fn locked_shard_reads_as_missing() {
        let table = SharedTranspositionTable::new(10);
        (&table).put(7, seen(3));
        let held = table.part(7);
        assert!((&table).get(7).is_none());
        (&table).put(7, seen(4));
        drop(held);
        assert_eq!((&table).get(7).map(|found| found.depth), Some(3));
    }
}
