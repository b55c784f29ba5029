//! Counts how often each text is parsed as a move, to test that a typed move is parsed once (feature `testing`).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static PARSES: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

/// Counts one parse of a text.
pub(crate) fn count(text: &str) {
    *PARSES.lock().unwrap_or_else(PoisonError::into_inner).entry(text.to_owned()).or_default() += 1;
}

/// The number of times a text was parsed in this process. Choose a spelling that no other test uses.
pub fn parses(text: &str) -> usize {
    PARSES.lock().unwrap_or_else(PoisonError::into_inner).get(text).copied().unwrap_or_default()
}
