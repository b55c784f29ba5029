//! What the text of a position lacks at some place, as data; `i18n` makes the sentence.

use std::fmt;

/// The key of a sentence and its arguments in order.
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
    /// A requirement with this key and no arguments.
    pub const fn of(key: &'static str) -> Need {
        Need { key, about: Vec::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn with(mut self, what: impl ToString) -> Need {
        self.about.push(what.to_string());
        self
    }

    /// The Fluent key without its prefix `need-`.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The arguments of the sentence.
    pub fn about(&self) -> &[String] {
        &self.about
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.key, self.about.join(", "))
    }
}
