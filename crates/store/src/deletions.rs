//! Reading of unfinished deletions, the same for every database.

use crate::rows::{StoredRow, leave_policy, name, table_id, unsigned};
use crate::unreadable::UnreadableRows;
use rookery_table::UserId;
use rookery_table::ports::{Deletion, StoreError};

/// The table name that stands for the data of a person beside tables.
pub(crate) const REST: &str = "";

/// Unfinished deletions, one for each person.
pub(crate) struct Deletions(pub(crate) Vec<Deletion>);

impl Deletions {
    /// Reads rows of a person, a table and a leave policy, those of a person one after another.
    pub(crate) fn read(
        rows: &[impl StoredRow],
        unreadable: &UnreadableRows,
    ) -> Result<Deletions, StoreError> {
        let mut all: Vec<Deletion> = Vec::new();
        for row in rows {
            let (who, leave_policy) = (UserId(unsigned(row, 0)?), leave_policy(&name(row, 2)));
            if all.last().is_none_or(|deletion| deletion.who != who) {
                all.push(Deletion { who, leave_policy, tables: Vec::new(), rest: false });
            }
            let Some(deletion) = all.last_mut() else { continue };
            match name(row, 1).as_str() {
                REST => deletion.rest = true,
                name => deletion.tables.extend(unreadable.skip("deletion", name, table_id(row, 1))),
            }
        }
        Ok(Deletions(all))
    }

    /// Returns the key of the last person of a page, unless there are no more.
    pub(crate) fn next(&self, limit: usize) -> Option<UserId> {
        self.0.last().filter(|_| self.0.len() >= limit.max(1)).map(|deletion| deletion.who)
    }

    /// Adds deletions that only a note keeps: rows of a person's number and a leave policy.
    pub(crate) fn add_postponed(&mut self, rows: &[impl StoredRow]) {
        for row in rows {
            let Ok(who) = name(row, 0).parse().map(UserId) else { continue };
            match self.0.iter_mut().find(|deletion| deletion.who == who) {
                Some(deletion) => deletion.rest = true,
                None => {
                    let leave_policy = leave_policy(&name(row, 1));
                    self.0.push(Deletion { who, leave_policy, tables: Vec::new(), rest: true });
                }
            }
        }
    }
}
