//! Pseudonyms: numbers that stand for people in a table's entries, so that a name can be removed without changing an
//! entry.
//!
//! Wherever an entry names a person, the journal writes a pseudonym drawn for this person at this table, and stores the
//! mapping separately. Reading an entry puts the people back. A deletion of a person's data deletes only the mapping:
//! the entries and their hashes stay as they were written, and the pseudonym no longer identifies anybody.

use crate::model::records::Card;
use crate::model::{Event, Occupant, UserId};
use crate::rated::Account;
use crate::teams::{Team, TeamMembers};
use crate::{OutboxItem, Terms};

/// The bit that marks a pseudonym: Discord's ids reach it in the year 2084.
const PSEUDONYM_BIT: u64 = 1 << 63;

impl UserId {
    /// Makes a pseudonym from random bits.
    pub fn pseudonym(bits: u64) -> UserId {
        UserId(bits | PSEUDONYM_BIT)
    }

    /// Whether this is a pseudonym of a person whose data was deleted.
    pub fn is_pseudonym(self) -> bool {
        self.0 & PSEUDONYM_BIT != 0
    }
}

/// Data that names people.
pub trait NamesPeople {
    /// Calls `change` with every person in it, so that `change` can replace them.
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId));

    /// Replaces one person with another; returns whether that person was found.
    fn rename(&mut self, from: UserId, to: UserId) -> bool {
        let mut found = false;
        self.for_each_person(&mut |person| {
            if *person == from {
                (*person, found) = (to, true);
            }
        });
        found
    }
}

impl NamesPeople for Event {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        match self {
            Event::Opened { terms, host, chairs } => {
                terms.for_each_person(change);
                change(host);
                chairs.iter_mut().for_each(|chair| chair.for_each_person(change));
            }
            Event::Seated { occupant, .. } => occupant.for_each_person(change),
            Event::Rested { person, .. } | Event::Proposed { person, .. } | Event::Voted { person, .. } => {
                change(person)
            }
            Event::Enlisted { captain, person } | Event::Departed { captain, person } => {
                change(captain);
                change(person);
            }
            Event::Rated { changes, .. } => {
                changes.iter_mut().for_each(|it| it.who.for_each_person(change));
            }
            // All other events are listed by name, so that a new one that names people is not forgotten here.
            Event::BoardChannelSet { .. }
            | Event::BoardChannelCleared
            | Event::Frozen
            | Event::Thawed
            | Event::Vacated { .. }
            | Event::Started { .. }
            | Event::Moved { .. }
            | Event::Planned { .. }
            | Event::Hinted { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Undone { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Proven { .. }
            | Event::Accepted { .. }
            | Event::PlayedOn { .. }
            | Event::PauseOver
            | Event::Lost { .. }
            | Event::Warned { .. }
            | Event::TimeUp { .. }
            | Event::TimeGiven { .. }
            | Event::TimedOut { .. }
            | Event::Rematched { .. }
            | Event::Ended { .. }
            | Event::Elected { .. }
            | Event::Forgotten { .. } => {}
        }
    }
}

impl NamesPeople for Terms {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        // All fields are listed by name, so that a new one that names people is not forgotten here.
        let Terms {
            game: _,
            options: _,
            seed: _,
            layout: _,
            guild: _,
            channel: _,
            thread: _,
            user_install: _,
            rated: _,
            settle: _,
            from: _,
            commitment: _,
            clock: _,
            set: _,
            again: _,
            teams,
            reserved_seats,
            pingable_roles: _,
        } = self;
        teams.iter_mut().for_each(|team| team.for_each_person(change));
        reserved_seats.iter_mut().for_each(|reserved_seat| reserved_seat.members.for_each_person(change));
    }
}

impl NamesPeople for Team {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        change(&mut self.captain);
        self.members.for_each_person(change);
    }
}

impl NamesPeople for TeamMembers {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        match self {
            TeamMembers::Named { people } => people.iter_mut().for_each(change),
            TeamMembers::Everyone | TeamMembers::Role { .. } => {}
        }
    }
}

impl NamesPeople for Occupant {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        match self {
            Occupant::Invited { person } | Occupant::Human { person } => change(person),
            Occupant::Open | Occupant::Ai { .. } => {}
        }
    }
}

impl NamesPeople for Account {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        match self {
            Account::Person(person) => change(person),
            Account::Program(_) => {}
        }
    }
}

impl NamesPeople for Card {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        self.people.iter_mut().flatten().for_each(&mut *change);
        self.host.iter_mut().chain(&mut self.waits_for).for_each(&mut *change);
        self.teams.iter_mut().for_each(|team| team.for_each_person(change));
        self.members.iter_mut().for_each(|member| change(&mut member.person));
        self.asked.iter_mut().for_each(change);
    }
}

impl NamesPeople for OutboxItem {
    fn for_each_person(&mut self, change: &mut dyn FnMut(&mut UserId)) {
        if let OutboxItem::Away { person, .. } | OutboxItem::TurnedDown { person } = self {
            change(person);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;
    use rookery_core::player::Level;

    #[test]
    fn discords_numbers_are_people() {
        // An id of the year 2026, and the largest one issued before it.
        assert!(!UserId(1_456_000_000_000_000_000).is_pseudonym());
        assert!(UserId::pseudonym(7).is_pseudonym());
    }

    #[test]
    fn a_person_is_renamed_wherever_they_are_named() {
        let (ada, nobody) = (UserId(1), UserId::pseudonym(5));
        let chairs = vec![
            Occupant::Human { person: ada },
            Occupant::Ai { level: Level::Easy },
            Occupant::Invited { person: ada },
        ];
        let mut opened = Event::Opened { terms: Terms::default(), host: ada, chairs };
        assert!(opened.rename(ada, nobody) && !opened.rename(ada, nobody));
        let kept = serde_json::to_string(&opened).unwrap();
        assert_eq!(kept.matches(&nobody.0.to_string()).count(), 3, "{kept}");
        let mut item = OutboxItem::Away { person: ada, until: millis::timestamp(1) };
        assert!(
            item.rename(ada, nobody)
                && item == OutboxItem::Away { person: nobody, until: millis::timestamp(1) }
        );
    }
}
