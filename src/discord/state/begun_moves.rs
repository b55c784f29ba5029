//! Moves that were typed in part: after "Now add where the arrow lands", the rest alone completes the move.
//!
//! They are kept in memory only. After a restart, or when many people have begun moves, the whole move is typed again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_table::{TableId, UserId};

/// The most moves kept; beyond it all are forgotten.
const MAX_ENTRIES: usize = 10_000;

/// The beginnings of moves, by table and person. Clones share them.
#[derive(Clone, Default)]
pub struct BegunMoves(Arc<Mutex<HashMap<(TableId, UserId), BegunMove>>>);

/// The beginning of a move, and the ply that it was typed at.
struct BegunMove {
    ply: usize,
    text: String,
}

impl BegunMoves {
    /// Keeps the beginning of a person's move; it replaces an earlier one.
    pub fn keep(&self, table: TableId, who: UserId, ply: usize, beginning: String) {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.len() >= MAX_ENTRIES {
            begun.clear();
        }
        begun.insert((table, who), BegunMove { ply, text: beginning });
    }

    /// Returns what the person has typed of a move at this ply.
    pub fn beginning(&self, table: TableId, who: UserId, ply: usize) -> Option<String> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.get(&(table, who)).filter(|begun| begun.ply == ply).map(|begun| begun.text.clone())
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
    }
}
