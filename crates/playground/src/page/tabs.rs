//! The open pages and their event queues.

use serde_json::json;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::super::discord_state::gateway_events::PageEvent;
use super::super::id::Id;

/// The open pages, each with its person.
#[derive(Debug, Default)]
pub(crate) struct Tabs {
    list: Vec<(Id, UnboundedSender<String>)>,
}

impl Tabs {
    /// Registers a page of `user` and returns its event queue.
    pub(super) fn open(&mut self, user: Id) -> UnboundedReceiver<String> {
        let (tab, frames) = mpsc::unbounded_channel();
        self.list.push((user, tab));
        frames
    }

    /// Whether a page of `user` is open.
    pub(super) fn is_open(&self, user: Id) -> bool {
        self.list.iter().any(|(who, tab)| *who == user && !tab.is_closed())
    }

    /// Sends an event to every page of its recipients, and removes closed pages.
    pub(crate) fn tell(&mut self, news: &PageEvent) {
        let meant = |user: &Id| news.to.as_ref().is_none_or(|to| to.contains(user));
        if !self.list.iter().any(|(user, _)| meant(user)) {
            return;
        }
        let frame = json!({"t": news.name, "d": news.data}).to_string();
        self.list.retain(|(user, tab)| !meant(user) || tab.send(frame.clone()).is_ok());
    }
}
