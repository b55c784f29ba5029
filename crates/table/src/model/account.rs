//! Who has a rating, and what a game changed in it.

use jiff::Timestamp;
use rookery_core::player::Level;
use serde::{Deserialize, Serialize};

use super::rating::{Pool, Rating};
use super::{Occupant, TableId, UserId};

/// The owner of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Account {
    /// A person.
    Person(UserId),
    /// The program at a level.
    Program(Level),
}

impl Account {
    /// The account of a seat's occupant; none for an empty seat.
    pub fn of(occupant: Occupant) -> Option<Account> {
        match occupant {
            Occupant::Human { person } => Some(Account::Person(person)),
            Occupant::Ai { level } => Some(Account::Program(level)),
            Occupant::Open | Occupant::Invited { .. } => None,
        }
    }
}

impl Account {
    /// Whether it is that of somebody of whom nothing is known any more.
    pub fn is_pseudonym(self) -> bool {
        matches!(self, Account::Person(person) if person.is_pseudonym())
    }
}

/// As it is kept: `person:80351110224678912`, `program:medium`.
impl From<Account> for String {
    fn from(account: Account) -> String {
        match account {
            Account::Person(person) => format!("person:{}", person.0),
            Account::Program(level) => format!("program:{}", level.key()),
        }
    }
}

impl TryFrom<String> for Account {
    type Error = String;
    fn try_from(text: String) -> Result<Account, String> {
        let account = match text.split_once(':') {
            Some(("person", id)) => id.parse().ok().map(|id| Account::Person(UserId(id))),
            Some(("program", key)) => Level::named(key).map(Account::Program),
            _ => None,
        };
        account.ok_or_else(|| format!("no account is called {text:?}"))
    }
}

/// A rating as it was after a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingRecord {
    /// Whose.
    pub who: Account,
    /// The game's key.
    pub game: String,
    /// Whom it compares with whom.
    pub pool: Pool,
    /// The rating.
    pub rating: Rating,
    /// When.
    pub at: Timestamp,
    /// The table it was played at.
    pub table: TableId,
}

/// What a game changed for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingChange {
    /// Seat index from 0.
    pub seat: u8,
    /// Who sat there.
    pub who: Account,
    /// The rating it began with, its rest before the game taken into account.
    pub before: Rating,
    /// The rating after it.
    pub after: Rating,
}

/// The pool that a game with these chairs counts for; `None` if it counts for none: somebody holds two
/// seats, or the program more than one.
pub fn pool(chairs: &[Occupant]) -> Option<Pool> {
    let accounts: Vec<_> = chairs.iter().map(|chair| Account::of(*chair)).collect::<Option<_>>()?;
    let programs = accounts.iter().filter(|account| matches!(account, Account::Program(_))).count();
    let twice = (1..accounts.len()).any(|i| accounts[..i].contains(&accounts[i]));
    match (accounts.len(), programs) {
        _ if twice => None,
        (2, 0) => Some(Pool::Two),
        (3.., 0) => Some(Pool::Many),
        (2, 1) => Some(Pool::Program),
        _ => None,
    }
}

/// Whether a game can come to count: free seats are taken by people who sit nowhere else at the table.
pub fn can_count(chairs: &[Occupant]) -> bool {
    let taken = |(i, chair): (usize, &Occupant)| match *chair {
        // Ids that Discord gave away long before there were people like these.
        Occupant::Open => Occupant::Human { person: UserId(i as u64) },
        Occupant::Invited { person } => Occupant::Human { person },
        seated => seated,
    };
    let full: Vec<_> = chairs.iter().enumerate().map(taken).collect();
    pool(&full).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Occupant = Occupant::Human { person: UserId(101) };
    const BEN: Occupant = Occupant::Human { person: UserId(102) };
    const CLEO: Occupant = Occupant::Human { person: UserId(103) };
    const BOT: Occupant = Occupant::Ai { level: Level::Easy };

    #[test]
    fn people_and_the_program_are_kept_apart() {
        assert_eq!(pool(&[ADA, BEN]), Some(Pool::Two));
        assert_eq!(pool(&[ADA, BEN, CLEO]), Some(Pool::Many));
        assert_eq!(pool(&[BOT, ADA]), Some(Pool::Program));
        for none in [&[ADA, ADA][..], &[BOT, BOT], &[ADA, BEN, BOT], &[ADA, Occupant::Open]] {
            assert_eq!(pool(none), None, "{none:?}");
        }
        assert!(can_count(&[ADA, Occupant::Open]) && can_count(&[Occupant::Open, ADA, Occupant::Open]));
        assert!(!can_count(&[ADA, Occupant::Invited { person: UserId(101) }]));
    }

    #[test]
    fn an_account_is_read_as_it_is_kept() {
        for account in [Account::Person(UserId(u64::MAX)), Account::Program(Level::Expert)] {
            assert_eq!(Account::try_from(String::from(account)), Ok(account));
        }
        for wrong in ["", "person:", "person:x", "program:god", "ada"] {
            assert!(Account::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
