//! The custom ids of the help pages: a button that opens a page, and the select of topics on each page.

use strum::VariantArray;

/// The id of the select, and before a colon the prefix of the buttons.
const KIND: &str = "hlp";
/// Precedes the game in the id of a button that shows its rules.
const RULES: &str = "hlp:rules:";

/// A page of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum HelpTopic {
    /// How to start a game.
    Start,
    /// How to make a move.
    Moves,
    /// What can be asked and offered during a game.
    During,
    /// Time controls and vacation.
    Time,
    /// Teams and votes.
    Teams,
    /// Watching, replays and analysis.
    Watching,
    /// How the bot looks and notifies.
    Settings,
    /// All commands.
    Commands,
}

impl HelpTopic {
    /// Returns the key used in ids, options and locale keys.
    pub fn key(self) -> &'static str {
        match self {
            HelpTopic::Start => "start",
            HelpTopic::Moves => "moves",
            HelpTopic::During => "during",
            HelpTopic::Time => "time",
            HelpTopic::Teams => "teams",
            HelpTopic::Watching => "watching",
            HelpTopic::Settings => "settings",
            HelpTopic::Commands => "commands",
        }
    }

    /// Returns the topic with this key.
    pub fn named(key: &str) -> Option<HelpTopic> {
        HelpTopic::VARIANTS.iter().copied().find(|topic| topic.key() == key)
    }

    /// Returns the locale key of the topic's name.
    pub fn label(self) -> String {
        format!("help-topic-{}", self.key())
    }

    /// Returns the locale key of the page.
    pub fn page(self) -> String {
        format!("help-{}", self.key())
    }

    /// Returns the custom id of a button that opens the page.
    pub fn button_id(self) -> String {
        format!("{KIND}:{}", self.key())
    }

    /// Returns the custom id of the select of topics, whose values are keys.
    pub fn select_id() -> String {
        KIND.to_owned()
    }
}

/// The control of a help page that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpId {
    /// The select of topics.
    Select,
    /// A button that opens a page.
    Page(HelpTopic),
    /// A button that shows the rules of a game: `hlp:rules:amazons`.
    Rules(String),
}

impl HelpId {
    /// Returns the custom id of a button that shows the rules of a game.
    pub fn rules_of(game: &str) -> String {
        format!("{RULES}{game}")
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<HelpId> {
        if let Some(game) = id.strip_prefix(RULES) {
            return Some(HelpId::Rules(game.to_owned()));
        }
        match id.split_once(':') {
            None => (id == KIND).then_some(HelpId::Select),
            Some((kind, key)) => HelpTopic::named(key).filter(|_| kind == KIND).map(HelpId::Page),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_ids_are_read_back() {
        assert_eq!(HelpId::read(&HelpTopic::select_id()), Some(HelpId::Select));
        for topic in HelpTopic::VARIANTS {
            assert_eq!(HelpId::read(&topic.button_id()), Some(HelpId::Page(*topic)));
        }
        assert_eq!(HelpId::read(&HelpId::rules_of("amoeba")), Some(HelpId::Rules("amoeba".to_owned())));
        for id in ["", "hlp:", "hlp:x", "help", "prv:start"] {
            assert_eq!(HelpId::read(id), None, "{id}");
        }
    }
}
