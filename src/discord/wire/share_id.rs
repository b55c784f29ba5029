//! The custom ids of the buttons for a game's public link.

use rookery_table::TableId;

/// The prefix of these custom ids.
const KIND: &str = "shr:";

/// An action on a game's public link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareAction {
    /// Show the link, and create it if there is none.
    Show,
    /// Replace the link: the old one stops working.
    Replace,
    /// Withdraw the link, so that nobody can use it.
    Stop,
}

impl ShareAction {
    /// All actions, in the order of the command's choices.
    pub const ALL: [ShareAction; 3] = [ShareAction::Show, ShareAction::Replace, ShareAction::Stop];

    /// Returns the key used in commands and custom ids.
    pub fn key(self) -> &'static str {
        match self {
            ShareAction::Show => "on",
            ShareAction::Replace => "new",
            ShareAction::Stop => "off",
        }
    }

    /// Returns the action with this key.
    pub fn named(key: &str) -> Option<ShareAction> {
        ShareAction::ALL.into_iter().find(|action| action.key() == key)
    }

    /// Returns the locale key of the command's choice.
    pub fn offer(self) -> &'static str {
        match self {
            ShareAction::Show => "share-on",
            ShareAction::Replace => "share-new",
            ShareAction::Stop => "share-off",
        }
    }

    /// Returns the custom id of the button.
    pub fn button_id(self, table: TableId) -> String {
        format!("{KIND}{}:{table}", self.key())
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<(ShareAction, TableId)> {
        let (key, table) = id.strip_prefix(KIND)?.split_once(':')?;
        Some((ShareAction::named(key)?, table.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_buttons_carry_what_they_are_for() {
        let table: TableId = "K7Q2".parse().unwrap();
        for action in ShareAction::ALL {
            assert_eq!(ShareAction::named(action.key()), Some(action));
            assert_eq!(action.button_id(table), format!("shr:{}:K7Q2", action.key()));
        }
    }
}
