//! `/help`: shows how everything works.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::Command;

/// Shows how everything works.
pub(super) struct Help;

#[async_trait]
impl Command for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn options(&self, _words: &Words) -> Vec<Value> {
        Vec::new()
    }

    async fn run(&self, desk: &Desk, _asked: &Asked, _given: &Given) -> Post {
        page(desk)
    }
}

/// The help page, made from the list of all commands.
pub fn page(desk: &Desk) -> Post {
    let commands: Vec<_> =
        super::ALL.iter().map(|one| (one.name(), super::describe(desk.words, one.name()))).collect();
    desk.layout().help(&commands, desk.settings.contact.as_deref())
}
