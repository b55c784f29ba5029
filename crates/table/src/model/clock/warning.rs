//! Reminders of how little time is left.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// How much time is left at a reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A quarter of what the game began with.
    Quarter,
    /// A twentieth of it.
    Twentieth,
}

impl Warning {
    pub(crate) const ALL: [Warning; 2] = [Warning::Quarter, Warning::Twentieth];

    /// The time that is left when it is given.
    pub(crate) fn left(self, initial: SignedDuration) -> SignedDuration {
        match self {
            Warning::Quarter => initial / 4,
            Warning::Twentieth => initial / 20,
        }
    }
}
