//! Who the pseudonyms of a table are, as both journals know it.

use crate::UserId;
use crate::model::records::{Entry, StoreError};
use crate::pseudonym::NamesPeople;

/// The people of one table, each with their pseudonym there.
#[derive(Clone, Debug, Default)]
pub struct Pseudonyms {
    /// pseudonym and person.
    known: Vec<(UserId, UserId)>,
    /// How many of them were known before.
    old: usize,
}

impl Pseudonyms {
    /// Those that are kept: each pseudonym with the person.
    pub fn kept(known: Vec<(UserId, UserId)>) -> Pseudonyms {
        Pseudonyms { old: known.len(), known }
    }

    /// Those that were drawn since they were read, and must be kept.
    pub fn fresh(&self) -> &[(UserId, UserId)] {
        &self.known[self.old..]
    }

    /// All of them.
    pub fn all(&self) -> &[(UserId, UserId)] {
        &self.known
    }

    /// The pseudonym of a person, drawn now if there is none yet.
    ///
    /// # Errors
    /// If the system gives no random numbers.
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

    /// Entries as they are written: with pseudonyms in people's places.
    ///
    /// # Errors
    /// If the system gives no random numbers.
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

    /// The same entries with the people back that are still known.
    pub fn reveal(&self, entries: &mut [Entry]) {
        for entry in entries {
            entry.event.for_each_person(&mut |named| {
                let found = self.known.iter().find(|(pseudonym, _)| pseudonym == named);
                *named = found.map_or(*named, |(_, person)| *person);
            });
        }
    }

    /// Forgets who a person's pseudonym is.
    pub fn forget(&mut self, who: UserId) {
        self.known.retain(|(_, person)| *person != who);
        self.old = self.known.len();
    }
}
