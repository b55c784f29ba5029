//! The custom ids of the buttons of `/rookery`.

use rookery_table::SourceId;

/// The prefix of these custom ids.
const PREFIX: &str = "own:";
/// The word before the number of an announcement.
const ANNOUNCE: &str = "announce:";
/// The word of the button that cancels.
const CANCEL: &str = "cancel";

/// The action of a button of `/rookery`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerAction {
    /// Send the announcement that this interaction has drafted.
    Announce(SourceId),
    /// Send nothing.
    Cancel,
}

impl OwnerAction {
    /// Returns the custom id.
    pub fn id(self) -> String {
        match self {
            OwnerAction::Announce(draft) => format!("{PREFIX}{ANNOUNCE}{draft}"),
            OwnerAction::Cancel => format!("{PREFIX}{CANCEL}"),
        }
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<OwnerAction> {
        let word = id.strip_prefix(PREFIX)?;
        match word.strip_prefix(ANNOUNCE) {
            Some(draft) => draft.parse().ok().map(OwnerAction::Announce),
            None => (word == CANCEL).then_some(OwnerAction::Cancel),
        }
    }
}
