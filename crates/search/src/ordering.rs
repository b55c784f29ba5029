//! Move ordering: the best move of the previous iteration, then by evaluation, then by history.

use super::Guess;
use rookery_core::seed::mix;

/// Slots of the history table.
pub const HISTORY_SLOTS: usize = 1 << 16;

/// The largest bonus of the history table, in hundredths.
const MAX_BONUS: i64 = 60;

/// Bonuses of helpers are less than this, in hundredths.
const MAX_NOISE: u64 = 31;

/// How often moves of a kind have caused a cutoff (the history heuristic of J. Schaeffer, 1983, over parts of moves
/// rather than whole ones, since whole moves rarely recur in these games).
#[derive(Debug)]
pub struct HistoryTable {
    counts: Vec<u32>,
    most: u32,
}

impl Default for HistoryTable {
    fn default() -> HistoryTable {
        HistoryTable { counts: vec![0; HISTORY_SLOTS], most: 1 }
    }
}

impl HistoryTable {
    /// Records a cutoff by a move of these two kinds at this depth.
    pub fn record_cutoff(&mut self, kinds: [usize; 2], depth: u32) {
        for kind in kinds {
            let count = &mut self.counts[kind];
            *count = count.saturating_add(depth * depth);
            self.most = self.most.max(*count);
        }
    }

    /// The bonus of a move, 0 to 60 hundredths.
    pub fn bonus(&self, kinds: [usize; 2]) -> i32 {
        let sum: i64 = kinds.iter().map(|kind| i64::from(self.counts[*kind])).sum();
        (sum * MAX_BONUS / (2 * i64::from(self.most))) as i32
    }
}

/// Noise in the move order that differs by thread, so that helpers do not search the same subtrees at the same time but
/// find each other's results in the shared table.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootNoise(u64);

impl RootNoise {
    /// The noise of the thread in this slot. Slot 0 has none.
    pub(super) fn of(place: usize) -> RootNoise {
        RootNoise(place as u64)
    }

    /// The bonus of a move of these kinds in the position of this hash, 0 to 30 hundredths.
    pub(super) fn bonus(self, key: u64, kinds: [usize; 2]) -> i32 {
        if self.0 == 0 {
            return 0;
        }
        let kinds = (kinds[0] << 16 | kinds[1]) as u64;
        (mix(key ^ mix(kinds ^ self.0 << 32)) % MAX_NOISE) as i32
    }
}

/// Puts the best-looking moves first: the `width` best in order, the rest unordered. Ties are broken by the original
/// order.
pub fn best_first<M: Copy>(guesses: &mut Vec<Guess<M>>, width: usize, bonus: impl Fn(M) -> i32) {
    let mut keyed: Vec<(i32, u32, Guess<M>)> = Vec::with_capacity(guesses.len());
    keyed.extend((0..).zip(guesses.iter()).map(|(i, g)| (-(g.score.raw() + bonus(g.m)), i, *g)));
    let key = |entry: &(i32, u32, Guess<M>)| (entry.0, entry.1);
    if width < keyed.len() {
        keyed.select_nth_unstable_by_key(width, key);
    }
    let sorted = width.min(keyed.len());
    keyed[..sorted].sort_unstable_by_key(key);
    guesses.clear();
    guesses.extend(keyed.into_iter().map(|(_, _, guess)| guess));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    fn guesses(scores: &[i32]) -> Vec<Guess<usize>> {
        scores.iter().enumerate().map(|(m, s)| Guess { m, score: Score::evaluation(*s) }).collect()
    }

    fn order(guesses: &[Guess<usize>]) -> Vec<usize> {
        guesses.iter().map(|g| g.m).collect()
    }

    #[test]
    fn the_best_lead_and_ties_keep_their_order() {
        let mut moves = guesses(&[1, 5, 3, 5, -2, 4]);
        best_first(&mut moves, 3, |_| 0);
        assert_eq!(order(&moves)[..3], [1, 3, 5]);
        assert_eq!(moves.len(), 6);
    }

    #[test]
    fn root_noise_is_zero_for_slot_0_and_differs_between_helpers() {
        let bonuses = |place| (0..200).map(move |kind| RootNoise::of(place).bonus(9, [kind, 7]));
        assert!(bonuses(0).all(|bonus| bonus == 0));
        assert!(bonuses(1).all(|bonus| (0..=30).contains(&bonus)));
        let alike = bonuses(1).zip(bonuses(2)).filter(|(one, other)| one == other).count();
        assert!(alike < 40, "{alike} of 200, where chance makes 6 or 7");
    }

    #[test]
    fn history_bonus_is_bounded() {
        let mut history = HistoryTable::default();
        history.record_cutoff([1, 2], 3);
        history.record_cutoff([2, 5], 1);
        assert_eq!(history.bonus([7, 8]), 0);
        assert!(history.bonus([1, 2]) > history.bonus([1, 8]));
        assert!(i64::from(history.bonus([2, 2])) <= MAX_BONUS);
    }
}
