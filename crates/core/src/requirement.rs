//! What is expected at a place in a position's text, as data; `i18n` makes the sentence.

use std::fmt;

/// The key of a sentence and its arguments in order.
///
/// ```
/// use rookery_core::Requirement;
/// let need = Requirement::of("floe-row").with(8).with(7);
/// assert_eq!(need.key(), "floe-row");
/// assert_eq!(need.args(), ["8", "7"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    key: &'static str,
    args: Vec<String>,
}

impl Requirement {
    /// A requirement with this key and no arguments.
    pub const fn of(key: &'static str) -> Requirement {
        Requirement { key, args: Vec::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn with(mut self, what: impl ToString) -> Requirement {
        self.args.push(what.to_string());
        self
    }

    /// The Fluent key without its prefix `need-`.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The arguments of the sentence.
    pub fn args(&self) -> &[String] {
        &self.args
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.key, self.args.join(", "))
    }
}
