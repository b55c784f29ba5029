//! Moves that were typed in part: after "Now add where the arrow lands", the rest alone completes the move.
//!
//! They are kept in memory only. After a restart, or when very many people have begun moves, the whole move is typed
//! again.

use std::sync::Arc;

use quick_cache::sync::Cache;
use rookery_table::{TableId, UserId};

/// The most moves kept.
const CAPACITY: usize = 10_000;

/// The beginnings of moves, by table, person and the ply that they were typed at. Clones share them.
#[derive(Clone)]
pub struct BegunMoves(Arc<Cache<(TableId, UserId, usize), String>>);

impl Default for BegunMoves {
    fn default() -> BegunMoves {
        BegunMoves(Arc::new(Cache::new(CAPACITY)))
    }
}

impl BegunMoves {
    /// Keeps the beginning of a person's move; it replaces an earlier one.
    pub fn keep(&self, table: TableId, who: UserId, ply: usize, beginning: String) {
        self.0.insert((table, who, ply), beginning);
    }

    /// Forgets the beginning of a person's move.
    pub fn forget(&self, table: TableId, who: UserId, ply: usize) {
        self.0.remove(&(table, who, ply));
    }

    /// Returns what the person has typed of a move at this ply.
    pub fn beginning(&self, table: TableId, who: UserId, ply: usize) -> Option<String> {
        self.0.get(&(table, who, ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begun_move_counts_for_its_person_and_ply() {
        let (begun, table) = (BegunMoves::default(), "K7Q2".parse::<TableId>().unwrap());
        begun.keep(table, UserId(1), 4, "d1-d7".into());
        assert_eq!(begun.beginning(table, UserId(1), 4).as_deref(), Some("d1-d7"));
        assert_eq!(begun.beginning(table, UserId(1), 5), None);
        assert_eq!(begun.beginning(table, UserId(2), 4), None);
        begun.forget(table, UserId(2), 4);
        assert_eq!(begun.beginning(table, UserId(1), 4).as_deref(), Some("d1-d7"));
        begun.forget(table, UserId(1), 4);
        assert_eq!(begun.beginning(table, UserId(1), 4), None);
    }
}
