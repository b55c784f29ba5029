//! The players of the other seats when a position is played on, also as the end of a custom id.

use rookery_core::player::Level;
use rookery_table::UserId;

/// Precedes the players in a custom id, and separates the level from the opponent.
const AGAINST: char = '!';

/// The players of the other seats when a position is played on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherSeats {
    /// The level of the bot, if it plays.
    pub ai: Option<Level>,
    /// The person to challenge.
    pub opponent: Option<UserId>,
}

impl OtherSeats {
    /// Whether nobody was named.
    pub fn is_nobody(self) -> bool {
        self == OtherSeats::default()
    }

    /// Formats them as the end of a custom id; empty if nobody was named.
    pub fn end(self) -> String {
        if self.is_nobody() {
            return String::new();
        }
        let level = self.ai.map_or("", Level::key);
        let person = self.opponent.map(|who| who.0.to_string()).unwrap_or_default();
        format!("{AGAINST}{level}{AGAINST}{person}")
    }

    /// Splits the end off a custom id; `None` if it isn't one.
    pub fn split(id: &str) -> Option<(&str, OtherSeats)> {
        let Some((rest, named)) = id.split_once(AGAINST) else { return Some((id, OtherSeats::default())) };
        let (level, person) = named.split_once(AGAINST)?;
        let ai = match level {
            "" => None,
            level => Some(Level::named(level)?),
        };
        let opponent = match person {
            "" => None,
            person => Some(UserId(person.parse().ok()?)),
        };
        let named = OtherSeats { ai, opponent };
        (!named.is_nobody()).then_some((rest, named))
    }
}
