//! The owners of ratings, and the rating changes that a game makes.

use jiff::Timestamp;
use rookery_core::Seat;
use rookery_core::player::Level;
use serde::{Deserialize, Serialize};

use super::rating::{Rating, RatingPool};
use super::{Occupant, TableId, UserId};

/// The owner of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Account {
    /// A person, by their Discord id.
    Person(UserId),
    /// The bot at a level.
    Program(Level),
}

impl Account {
    /// Returns the account of a seat's occupant, or `None` for an empty seat.
    pub fn of(occupant: Occupant) -> Option<Account> {
        match occupant {
            Occupant::Human { person } => Some(Account::Person(person)),
            Occupant::Ai { level } => Some(Account::Program(level)),
            Occupant::Open | Occupant::Invited { .. } => None,
        }
    }
}

impl Account {
    /// Returns whether the account stands for a person whose data was deleted.
    pub fn is_pseudonym(self) -> bool {
        matches!(self, Account::Person(person) if person.is_pseudonym())
    }
}

/// The stored form, for example `person:80351110224678912` or `program:medium`.
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

/// A rating as it stood after a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingRecord {
    /// The owner of the rating.
    pub who: Account,
    /// The key of the game that was rated.
    pub game: String,
    /// The pool that the rating belongs to.
    pub pool: RatingPool,
    /// The rating after the game.
    pub rating: Rating,
    /// The time of the change.
    pub at: Timestamp,
    /// The table that the game was played at.
    pub table: TableId,
}

/// A rating before a game, from which its change is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownRating {
    /// The owner of the rating.
    pub who: Account,
    /// The rating, after the inactivity since the previous game is taken into account.
    pub rating: Rating,
    /// The table after whose game the account got it; `None` for a newcomer. A table is rated once, so this names a
    /// state of the account's ratings in a game and pool.
    pub since: Option<TableId>,
}

/// The change that a game makes to the rating of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingChange {
    /// Seat index from 0.
    pub seat: Seat,
    /// The account that held the seat.
    pub who: Account,
    /// The rating before the game, after the inactivity since the previous game is taken into account.
    pub before: Rating,
    /// The rating after the game.
    pub after: Rating,
}

/// Returns the pool that a game with these chairs counts for, or `None` if it cannot be rated: a seat is
/// empty, a person holds two seats, or the bot holds more than one.
pub fn pool(chairs: &[Occupant]) -> Option<RatingPool> {
    let accounts: Vec<_> = chairs.iter().map(|chair| Account::of(*chair)).collect::<Option<_>>()?;
    let programs = accounts.iter().filter(|account| matches!(account, Account::Program(_))).count();
    let twice = (1..accounts.len()).any(|i| accounts[..i].contains(&accounts[i]));
    match (accounts.len(), programs) {
        _ if twice => None,
        (2, 0) => Some(RatingPool::Two),
        (3.., 0) => Some(RatingPool::Many),
        (2, 1) => Some(RatingPool::Program),
        _ => None,
    }
}

/// Returns whether the game can still be rated, assuming that each open seat is taken by a new person.
pub fn can_count(chairs: &[Occupant]) -> bool {
    let taken = |(i, chair): (usize, &Occupant)| match *chair {
        // Discord never issues ids this small to people, so they collide with no real person.
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
        assert_eq!(pool(&[ADA, BEN]), Some(RatingPool::Two));
        assert_eq!(pool(&[ADA, BEN, CLEO]), Some(RatingPool::Many));
        assert_eq!(pool(&[BOT, ADA]), Some(RatingPool::Program));
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
