//! Who the stand-ins of a table are, as both journals know it.

use crate::Person;
use crate::ports::{Entry, JournalError};
use crate::stand_in::Named;

/// The people of one table, each with their stand-in there.
#[derive(Clone, Debug, Default)]
pub struct StandIns {
    /// Stand-in and person.
    known: Vec<(Person, Person)>,
    /// How many of them were known before.
    old: usize,
}

impl StandIns {
    /// Those that are kept: each stand-in with the person.
    pub fn kept(known: Vec<(Person, Person)>) -> StandIns {
        StandIns { old: known.len(), known }
    }

    /// Those that were drawn since they were read, and must be kept.
    pub fn fresh(&self) -> &[(Person, Person)] {
        &self.known[self.old..]
    }

    /// All of them.
    pub fn all(&self) -> &[(Person, Person)] {
        &self.known
    }

    /// The stand-in of a person, drawn now if there is none yet.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn of(&mut self, person: Person) -> Result<Person, JournalError> {
        if person.is_stand_in() {
            return Ok(person);
        }
        if let Some((stand_in, _)) = self.known.iter().find(|(_, known)| *known == person) {
            return Ok(*stand_in);
        }
        let mut bits = [0; 8];
        getrandom::fill(&mut bits).map_err(|error| JournalError::Medium(error.to_string()))?;
        let stand_in = Person::stand_in(u64::from_le_bytes(bits));
        self.known.push((stand_in, person));
        Ok(stand_in)
    }

    /// Entries as they are written: with stand-ins in people's places.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn hide(&mut self, entries: &[Entry]) -> Result<Vec<Entry>, JournalError> {
        let mut hidden = entries.to_vec();
        let mut failed = None;
        for entry in &mut hidden {
            entry.event.each_person(&mut |person| match self.of(*person) {
                Ok(stand_in) => *person = stand_in,
                Err(error) => failed = Some(error),
            });
        }
        failed.map_or(Ok(hidden), Err)
    }

    /// The same entries with the people back that are still known.
    pub fn reveal(&self, entries: &mut [Entry]) {
        for entry in entries {
            entry.event.each_person(&mut |named| {
                let found = self.known.iter().find(|(stand_in, _)| stand_in == named);
                *named = found.map_or(*named, |(_, person)| *person);
            });
        }
    }

    /// Forgets who a person's stand-in is.
    pub fn forget(&mut self, who: Person) {
        self.known.retain(|(_, person)| *person != who);
        self.old = self.known.len();
    }
}
