//! The custom ids of the buttons of `/privacy`.

/// The prefix of these custom ids.
const PREFIX: &str = "prv:";

/// The action of a button of `/privacy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivacyAction {
    /// Send the stored data as a file.
    Send,
    /// Ask for confirmation before deleting the data.
    Ask,
    /// Delete the data and resign running games.
    Resign,
    /// Delete the data and hand running games to the bot where that is possible.
    StandIn,
    /// Cancel the deletion and keep the data.
    Keep,
}

impl PrivacyAction {
    const WORDS: [(PrivacyAction, &'static str); 5] = [
        (PrivacyAction::Send, "send"),
        (PrivacyAction::Ask, "ask"),
        (PrivacyAction::Resign, "resign"),
        (PrivacyAction::StandIn, "stand-in"),
        (PrivacyAction::Keep, "keep"),
    ];

    /// Returns the custom id.
    pub fn id(self) -> String {
        let word =
            PrivacyAction::WORDS.iter().find(|(action, _)| *action == self).map_or("", |(_, word)| word);
        format!("{PREFIX}{word}")
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PrivacyAction> {
        let word = id.strip_prefix(PREFIX)?;
        PrivacyAction::WORDS.iter().find(|(_, known)| *known == word).map(|(action, _)| *action)
    }
}
