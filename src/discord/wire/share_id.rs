//! What a button for a game's link carries.

use rookery_table::TableId;

/// What ids of the buttons begin with.
const KIND: &str = "shr:";

/// What somebody wants of a game's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareAction {
    /// To see it; one is made if there is none.
    Show,
    /// Another one in its place: the old one stops working.
    Replace,
    /// None any more.
    Stop,
}

impl ShareAction {
    /// All of them.
    pub const ALL: [ShareAction; 3] = [ShareAction::Show, ShareAction::Replace, ShareAction::Stop];

    /// Its name in commands and in buttons.
    pub fn key(self) -> &'static str {
        match self {
            ShareAction::Show => "on",
            ShareAction::Replace => "new",
            ShareAction::Stop => "off",
        }
    }

    /// The action of this name.
    pub fn named(key: &str) -> Option<ShareAction> {
        ShareAction::ALL.into_iter().find(|action| action.key() == key)
    }

    /// The sentence that offers it in the command's list.
    pub fn offer(self) -> &'static str {
        match self {
            ShareAction::Show => "share-on",
            ShareAction::Replace => "share-new",
            ShareAction::Stop => "share-off",
        }
    }

    /// The id of a button for it.
    pub fn button_id(self, table: TableId) -> String {
        format!("{KIND}{}:{table}", self.key())
    }

    /// Reads a custom_id; `None` if it is of another kind.
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
