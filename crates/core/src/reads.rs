//! How often each text was read as a move, for the test that a typed move is read once (feature `testing`).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static READS: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

/// Counts one reading of a text.
pub(crate) fn count(text: &str) {
    *READS.lock().unwrap_or_else(PoisonError::into_inner).entry(text.to_owned()).or_default() += 1;
}

/// How often a text was read in this process. Choose a spelling that no other test uses.
pub fn of(text: &str) -> usize {
    READS.lock().unwrap_or_else(PoisonError::into_inner).get(text).copied().unwrap_or_default()
}
