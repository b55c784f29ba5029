//! `/help`: shows how everything works.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::Command;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Shows how everything works.
pub(super) struct Help;

#[async_trait]
impl Command for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn options(&self, _words: &Localizer) -> Vec<Value> {
        Vec::new()
    }

    async fn run(&self, ctx: &Context, _asked: &Interaction, _given: &CommandInput) -> OutgoingMessage {
        page(ctx)
    }
}

/// The help page, made from the list of all commands.
pub fn page(ctx: &Context) -> OutgoingMessage {
    let commands: Vec<_> =
        super::ALL.iter().map(|one| (one.name(), super::describe(ctx.words, one.name()))).collect();
    ctx.view().help(&commands, ctx.settings.contact.as_deref())
}
