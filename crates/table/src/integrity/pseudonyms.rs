//! The mapping between the pseudonyms of a table and its people, for every journal adapter.

use crate::UserId;
use crate::model::records::{Entry, StoreError};
use crate::pseudonym::NamesPeople;

/// The people of one table, each with their pseudonym there.
#[derive(Clone, Debug, Default)]
pub struct Pseudonyms {
    /// Each pseudonym with its person.
    known: Vec<(UserId, UserId)>,
    /// The number of pairs that were read from the store.
    old: usize,
}

impl Pseudonyms {
    /// Creates the mapping from stored pairs of pseudonym and person.
    pub fn kept(known: Vec<(UserId, UserId)>) -> Pseudonyms {
        Pseudonyms { old: known.len(), known }
    }

    /// Returns the pairs drawn since then, which must be stored.
    pub fn fresh(&self) -> &[(UserId, UserId)] {
        &self.known[self.old..]
    }

    /// Returns all pairs of pseudonym and person.
    pub fn all(&self) -> &[(UserId, UserId)] {
        &self.known
    }

    /// Returns the pseudonym of a person; draws one if there is none.
    ///
    /// # Errors
    /// If the system's random number generator fails.
    pub fn of(&mut self, person: UserId) -> Result<UserId, StoreError> {
        if person.is_pseudonym() {
            return Ok(person);
        }
        if let Some((pseudonym, _)) = self.known.iter().find(|(_, known)| *known == person) {
            return Ok(*pseudonym);
        }
        let mut bits = [0; 8];
        getrandom::fill(&mut bits).map_err(|error| StoreError::Backend(error.to_string()))?;
        let pseudonym = UserId::pseudonym(u64::from_le_bytes(bits));
        self.known.push((pseudonym, person));
        Ok(pseudonym)
    }

    /// Returns entries with pseudonyms in place of people.
    ///
    /// # Errors
    /// If the system's random number generator fails.
    pub fn hide(&mut self, entries: &[Entry]) -> Result<Vec<Entry>, StoreError> {
        let mut hidden = entries.to_vec();
        let mut failed = None;
        for entry in &mut hidden {
            entry.event.for_each_person(&mut |person| match self.of(*person) {
                Ok(pseudonym) => *person = pseudonym,
                Err(error) => failed = Some(error),
            });
        }
        failed.map_or(Ok(hidden), Err)
    }

    /// Puts the people who are still known back into entries.
    pub fn reveal(&self, entries: &mut [Entry]) {
        for entry in entries {
            entry.event.for_each_person(&mut |named| {
                let found = self.known.iter().find(|(pseudonym, _)| pseudonym == named);
                *named = found.map_or(*named, |(_, person)| *person);
            });
        }
    }

    /// Removes the pair of a person.
    pub fn forget(&mut self, who: UserId) {
        self.known.retain(|(_, person)| *person != who);
        self.old = self.known.len();
    }
}
