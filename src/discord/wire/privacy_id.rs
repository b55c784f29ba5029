//! What the buttons of `/privacy` carry.

/// What all ids of these buttons begin with.
const PREFIX: &str = "prv:";

/// What a person wants done with what is kept about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivacyAction {
    /// To receive it as a file.
    Send,
    /// To be asked before it is deleted.
    Ask,
    /// To have it deleted, resigning running games.
    Resign,
    /// To have it deleted, handing running games to the program where that is possible.
    StandIn,
    /// To keep it.
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

    /// The custom_id of a button for it.
    pub fn id(self) -> String {
        let word =
            PrivacyAction::WORDS.iter().find(|(action, _)| *action == self).map_or("", |(_, word)| word);
        format!("{PREFIX}{word}")
    }

    /// Reads a custom_id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PrivacyAction> {
        let word = id.strip_prefix(PREFIX)?;
        PrivacyAction::WORDS.iter().find(|(_, known)| *known == word).map(|(action, _)| *action)
    }
}
