//! Messages and interactions whose orders the journal could not take. Discord may send an event again, and whoever
//! remembers it as dealt with would drop it: these were not.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Hall;
use crate::table::words::Denied;

/// Ids that are remembered; Discord sends again within minutes, if at all.
const REMEMBERED: usize = 1_000;

/// The ids, oldest first.
#[derive(Default)]
pub(super) struct Unkept(Mutex<VecDeque<u64>>);

impl Unkept {
    /// Remembers where an order came from that could not be kept.
    pub(super) fn note<T>(&self, source: Option<u64>, result: &Result<T, Denied>) {
        let (Some(source), Err(Denied::Journal(_))) = (source, result) else { return };
        let mut ids = self.ids();
        if ids.contains(&source) {
            return;
        }
        if ids.len() == REMEMBERED {
            ids.pop_front();
        }
        ids.push_back(source);
    }

    fn ids(&self) -> MutexGuard<'_, VecDeque<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hall {
    /// Whether the journal could not take an order that came by this message or interaction: if the same comes
    /// again, it is to be carried out.
    pub fn is_unkept(&self, source: u64) -> bool {
        self.unkept.ids().contains(&source)
    }

    /// The same, and from now on it is not known any more.
    pub fn take_unkept(&self, source: u64) -> bool {
        let mut ids = self.unkept.ids();
        let found = ids.iter().position(|id| *id == source);
        found.and_then(|at| ids.remove(at)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_journal_did_not_take_is_remembered_and_not_for_ever() {
        let unkept = Unkept::default();
        let failed = || Err::<(), _>(Denied::Journal("the disk is full".into()));
        unkept.note(Some(1), &Ok(()));
        unkept.note(Some(2), &Err::<(), _>(Denied::Fault));
        unkept.note(None, &failed());
        assert!(unkept.ids().is_empty());
        for source in (0..=REMEMBERED as u64).chain([REMEMBERED as u64]) {
            unkept.note(Some(source), &failed());
        }
        let ids = unkept.ids();
        assert_eq!((ids.len(), ids.front().copied()), (REMEMBERED, Some(1)));
    }
}
