//! Rows that this version cannot read because they are newer or damaged. They stay unchanged, are logged
//! once, and are counted.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rookery_table::ports::StoreError;

/// The rows that could not be read since the journal was opened, by kind and name.
#[derive(Default)]
pub(crate) struct UnreadableRows(Mutex<HashSet<(&'static str, String)>>);

impl UnreadableRows {
    /// Returns the row's value, or `None` if it cannot be read, so that one bad row does not block the
    /// others. `kind` and `name` identify the row in the log.
    pub(crate) fn skip<T>(
        &self,
        kind: &'static str,
        name: impl Display,
        read: Result<T, StoreError>,
    ) -> Option<T> {
        read.inspect_err(|error| self.report(kind, name, error)).ok()
    }

    /// Logs a row unless it was logged before.
    pub(super) fn report(&self, kind: &'static str, name: impl Display, why: &impl Display) {
        let name = name.to_string();
        if self.rows().insert((kind, name.clone())) {
            tracing::error!(kind, name, %why, "a row of the journal cannot be read; it is left alone");
        }
    }

    /// Forgets a row that was written again and can be read.
    pub(crate) fn repaired(&self, kind: &'static str, name: impl Display) {
        let mut rows = self.rows();
        if !rows.is_empty() {
            rows.remove(&(kind, name.to_string()));
        }
    }

    pub(super) fn count(&self) -> usize {
        self.rows().len()
    }

    fn rows(&self) -> MutexGuard<'_, HashSet<(&'static str, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
