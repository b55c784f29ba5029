//! Share links, with which games are watched in a browser.

use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{Table, TableId};

use super::MessageView;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::share_id::ShareAction;

impl MessageView<'_> {
    /// Builds the answer with a game's link for the player who shares it; `shown_by_server` is whether the
    /// server's setting shares the game as well.
    pub fn share_link(&self, table: &Table, link: &ShareLink, shown_by_server: bool) -> OutgoingMessage {
        let address = self.page_address(link).unwrap_or_default();
        let id = table.id();
        let args = [("table", id.as_str().into()), ("address", address.into())];
        let key = if shown_by_server { "share-link-public" } else { "share-link" };
        let button = |action: ShareAction, label: &str, style| {
            Component::button(self.words.word(label), style, action.button_id(id))
        };
        OutgoingMessage::text(self.words.say(key, &args)).row([
            button(ShareAction::Stop, "button-share-stop", ButtonStyle::Danger),
            button(ShareAction::Replace, "button-share-new", ButtonStyle::Secondary),
        ])
    }

    /// Formats the line with a game's link for a public message.
    pub(in crate::discord) fn page_line(&self, link: &ShareLink) -> Option<String> {
        Some(self.words.say("announce-web", &[("address", self.page_address(link)?.into())]))
    }

    /// Returns the full address of a page; `None` if there are no web pages.
    pub(in crate::discord) fn page_address(&self, link: &ShareLink) -> Option<String> {
        let kind = match link.target {
            ShareTarget::Table(_) => "g",
            ShareTarget::Server(_) => "s",
        };
        Some(format!("{}/{kind}/{}", self.web?, link.token.as_str()))
    }

    /// Builds the button that creates or shows a game's link; `None` if there are no web pages.
    pub(super) fn share_button(&self, table: TableId) -> Option<Component> {
        let id = ShareAction::Show.button_id(table);
        self.web.map(|_| Component::button(self.words.word("button-share"), ButtonStyle::Secondary, id))
    }
}
