//! Results of positions already searched: a table of fixed size, so that a search never takes more memory than it was
//! given.

use super::Score;

/// How a stored score bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is this or more.
    AtLeast,
    /// The true score is this or less.
    AtMost,
}

/// The entry of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry<M> {
    /// The score, relative to the position itself.
    pub score: Score,
    /// The kind of the score.
    pub bound: Bound,
    /// Plies searched below it.
    pub depth: u32,
    /// The best move, or the one that caused a cutoff.
    pub best: Option<M>,
}

impl<M> TableEntry<M> {
    /// The score, if it is sufficient for a search of `depth` plies with this window. Proofs hold at any depth.
    pub(crate) fn answers(&self, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
        let holds = match self.bound {
            Bound::Exact => self.depth >= depth || self.score.is_proof(),
            Bound::AtLeast => (self.depth >= depth || self.score.is_won()) && self.score >= beta,
            Bound::AtMost => (self.depth >= depth || self.score.is_lost()) && self.score <= alpha,
        };
        holds.then_some(self.score)
    }
}

/// The interface of a transposition table, whether it is private or shared.
pub(super) trait EntryStore<M> {
    /// The entry of the position with this hash.
    fn get(&self, key: u64) -> Option<TableEntry<M>>;
    /// Stores a position, replacing an older search of it or a shallower one in the same pair of slots.
    fn put(&mut self, key: u64, seen: TableEntry<M>);
}

/// The table: pairs of slots; one keeps the deeper search and the other the newer.
#[derive(Debug)]
pub(crate) struct TranspositionTable<M> {
    slots: Vec<Option<(u64, TableEntry<M>)>>,
    mask: usize,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table of `2^bits` slots; at least two.
    pub(crate) fn new(bits: u32) -> TranspositionTable<M> {
        let slots = 1 << bits.max(1);
        TranspositionTable { slots: vec![None; slots], mask: slots - 2 }
    }
}

impl<M: Copy> EntryStore<M> for TranspositionTable<M> {
    fn get(&self, key: u64) -> Option<TableEntry<M>> {
        let at = key as usize & self.mask;
        self.slots[at..at + 2].iter().flatten().find(|(found, _)| *found == key).map(|(_, seen)| *seen)
    }

    fn put(&mut self, key: u64, seen: TableEntry<M>) {
        let at = key as usize & self.mask;
        let pair = &mut self.slots[at..at + 2];
        let same = pair.iter().position(|slot| slot.is_some_and(|(found, _)| found == key));
        let deepest_is_shallower = pair[0].is_none_or(|(_, kept)| kept.depth <= seen.depth);
        let slot = same.unwrap_or(if deepest_is_shallower { 0 } else { 1 });
        pair[slot] = Some((key, seen));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(depth: u32, score: Score, bound: Bound) -> TableEntry<u8> {
        TableEntry { score, bound, depth, best: None }
    }

    #[test]
    fn keeps_the_deep_search_and_the_new_one() {
        let mut table = TranspositionTable::new(1);
        for (key, depth) in [(2, 9), (4, 1), (6, 2)] {
            table.put(key, seen(depth, Score::EVEN, Bound::Exact));
        }
        assert_eq!(table.get(2).map(|s| s.depth), Some(9), "the deepest is gone");
        assert!(table.get(4).is_none(), "three positions in two slots");
        assert_eq!(table.get(6).map(|s| s.depth), Some(2), "the newest is gone");
    }

    #[test]
    fn a_position_has_one_entry() {
        let mut table = TranspositionTable::new(4);
        table.put(7, seen(5, Score::EVEN, Bound::Exact));
        table.put(7, seen(1, Score::evaluation(3), Bound::AtLeast));
        assert_eq!(table.get(7).map(|s| s.score), Some(Score::evaluation(3)));
    }

    #[test]
    fn bounds_answer_only_on_their_side_and_proofs_at_any_depth() {
        let window = (Score::evaluation(0), Score::evaluation(10));
        let answers = |depth, score, bound| seen(depth, score, bound).answers(4, window.0, window.1);
        assert!(answers(4, Score::evaluation(10), Bound::AtLeast).is_some());
        assert!(answers(4, Score::evaluation(9), Bound::AtLeast).is_none());
        assert!(answers(4, Score::evaluation(0), Bound::AtMost).is_some());
        assert!(answers(4, Score::evaluation(1), Bound::AtMost).is_none());
        assert!(answers(3, Score::evaluation(5), Bound::Exact).is_none(), "too shallow");
        assert!(answers(1, Score::won(2), Bound::AtLeast).is_some());
        assert!(answers(1, Score::won(2), Bound::AtMost).is_none(), "at most won proves nothing");
    }
}
