//! Stand-ins: numbers that people are called by in a table's entries, so that their names can be taken out
//! without touching an entry.
//!
//! A journal writes a stand-in, drawn for this person at this table, wherever an entry names somebody, and
//! keeps apart who that is. Entries are read with the people put back. When somebody has their data deleted,
//! only what is kept apart is: the entries stay as they were written, and so do their seals. From then on the
//! stand-in is all there is: nobody, called by a number of no meaning.

use super::ports::Card;
use super::rated::Account;
use super::teams::{Crowd, Team};
use super::words::{Event, Occupant, Person};
use super::{Say, Terms};

/// The bit that tells stand-ins from people: Discord's numbers reach it in the year 2084.
const STANDS_IN: u64 = 1 << 63;

impl Person {
    /// The stand-in of these bits.
    pub fn stand_in(bits: u64) -> Person {
        Person(bits | STANDS_IN)
    }

    /// Whether this is a stand-in for somebody of whom nothing is known any more.
    pub fn is_stand_in(self) -> bool {
        self.0 & STANDS_IN != 0
    }
}

/// Something in which people are named.
pub trait Named {
    /// Hands every person in it to `change`, which may put another in their place.
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person));

    /// Puts one person in the place of another; whether that one was there.
    fn rename(&mut self, from: Person, to: Person) -> bool {
        let mut found = false;
        self.each_person(&mut |person| {
            if *person == from {
                (*person, found) = (to, true);
            }
        });
        found
    }
}

impl Named for Event {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        match self {
            Event::Opened { terms, host, chairs } => {
                terms.each_person(change);
                change(host);
                chairs.iter_mut().for_each(|chair| chair.each_person(change));
            }
            Event::Seated { occupant, .. } => occupant.each_person(change),
            Event::Rested { person, .. } | Event::Proposed { person, .. } | Event::Voted { person, .. } => {
                change(person)
            }
            Event::Enlisted { captain, person } | Event::Departed { captain, person } => {
                change(captain);
                change(person);
            }
            Event::Rated { changes, .. } => {
                changes.iter_mut().for_each(|it| it.who.each_person(change));
            }
            // Every other event by its name, so that a new one that names people is not forgotten here.
            Event::Housed { .. }
            | Event::Unhoused
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

impl Named for Terms {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        // Every field by its name, so that a new one that names people is not forgotten here.
        let Terms {
            game: _,
            options: _,
            seed: _,
            layout: _,
            guild: _,
            channel: _,
            thread: _,
            brought: _,
            rated: _,
            settle: _,
            from: _,
            pledge: _,
            clock: _,
            set: _,
            again: _,
            teams,
            rivals,
            pingable_roles: _,
        } = self;
        teams.iter_mut().for_each(|team| team.each_person(change));
        rivals.iter_mut().for_each(|rival| rival.crowd.each_person(change));
    }
}

impl Named for Team {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        change(&mut self.captain);
        self.crowd.each_person(change);
    }
}

impl Named for Crowd {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        match self {
            Crowd::Named { people } => people.iter_mut().for_each(change),
            Crowd::Everyone | Crowd::Role { .. } => {}
        }
    }
}

impl Named for Occupant {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        match self {
            Occupant::Invited { person } | Occupant::Human { person } => change(person),
            Occupant::Open | Occupant::Ai { .. } => {}
        }
    }
}

impl Named for Account {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        match self {
            Account::Person(person) => change(person),
            Account::Program(_) => {}
        }
    }
}

impl Named for Card {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        self.people.iter_mut().flatten().for_each(&mut *change);
        self.host.iter_mut().chain(&mut self.waits_for).for_each(&mut *change);
        self.teams.iter_mut().for_each(|team| team.each_person(change));
        self.members.iter_mut().for_each(|member| change(&mut member.person));
        self.asked.iter_mut().for_each(change);
    }
}

impl Named for Say {
    fn each_person(&mut self, change: &mut dyn FnMut(&mut Person)) {
        if let Say::Away { person, .. } | Say::TurnedDown { person } = self {
            change(person);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::player::Level;

    #[test]
    fn discords_numbers_are_people() {
        // One of the year 2026, and the largest that was given out when that began.
        assert!(!Person(1_456_000_000_000_000_000).is_stand_in());
        assert!(Person::stand_in(7).is_stand_in());
    }

    #[test]
    fn a_person_is_renamed_wherever_they_are_named() {
        let (ada, nobody) = (Person(1), Person::stand_in(5));
        let chairs = vec![
            Occupant::Human { person: ada },
            Occupant::Ai { level: Level::Easy },
            Occupant::Invited { person: ada },
        ];
        let mut opened = Event::Opened { terms: Terms::default(), host: ada, chairs };
        assert!(opened.rename(ada, nobody) && !opened.rename(ada, nobody));
        let kept = serde_json::to_string(&opened).unwrap();
        assert_eq!(kept.matches(&nobody.0.to_string()).count(), 3, "{kept}");
        let mut say = Say::Away { person: ada, until_ms: 1 };
        assert!(say.rename(ada, nobody) && say == Say::Away { person: nobody, until_ms: 1 });
    }
}
