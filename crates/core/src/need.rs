//! What a text of a position needs at some place, as data. Words are made of it in one place only (`words`).

use std::fmt;

/// The key of a sentence and what that speaks of, in its order.
///
/// ```
/// use rookery_core::Need;
/// let need = Need::of("floe-row").with(8).with(7);
/// assert_eq!(need.key(), "floe-row");
/// assert_eq!(need.about(), ["8", "7"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    key: &'static str,
    about: Vec<String>,
}

impl Need {
    /// What has a sentence of this key.
    pub const fn of(key: &'static str) -> Need {
        Need { key, about: Vec::new() }
    }

    /// The same with something more that its sentence speaks of.
    #[must_use]
    pub fn with(mut self, what: impl ToString) -> Need {
        self.about.push(what.to_string());
        self
    }

    /// The key of its sentence.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// What the sentence speaks of.
    pub fn about(&self) -> &[String] {
        &self.about
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.key, self.about.join(", "))
    }
}
