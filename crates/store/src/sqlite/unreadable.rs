//! What this version cannot read in the file: rows of a newer version, or damaged ones. They are left alone, reported
//! once in the log, and counted.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rookery_table::ports::StoreError;

/// Rows that could not be read since the file was opened, by kind and name.
#[derive(Default)]
pub(crate) struct UnreadableRows(Mutex<HashSet<(&'static str, String)>>);

impl UnreadableRows {
    /// What a row holds; nothing if it cannot be read: it must not hold up all others. `kind` and `name` tell which
    /// row it is.
    pub(crate) fn skip<T>(
        &self,
        kind: &'static str,
        name: impl Display,
        read: Result<T, StoreError>,
    ) -> Option<T> {
        read.inspect_err(|error| self.report(kind, name, error)).ok()
    }

    /// Reports a row in the log, unless that was done before.
    pub(super) fn report(&self, kind: &'static str, name: impl Display, why: &impl Display) {
        let name = name.to_string();
        if self.rows().insert((kind, name.clone())) {
            tracing::error!(kind, name, %why, "a row of the journal cannot be read; it is left alone");
        }
    }

    /// A row was written anew, so that it can be read.
    pub(super) fn repaired(&self, kind: &'static str, name: impl Display) {
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
