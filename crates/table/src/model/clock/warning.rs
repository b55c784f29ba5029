//! Reminders that little time is left.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// The fraction of the initial time that is left at a reminder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A quarter of the initial time.
    Quarter,
    /// A twentieth of the initial time.
    Twentieth,
}

impl Warning {
    /// Returns the time left at which the reminder is sent.
    pub(crate) fn left(self, initial: SignedDuration) -> SignedDuration {
        match self {
            Warning::Quarter => initial / 4,
            Warning::Twentieth => initial / 20,
        }
    }
}
