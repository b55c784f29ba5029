//! `/help`: explains how everything works.

use async_trait::async_trait;

use super::command::{Command, describe};
use super::options::NoOptions;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Help;

#[async_trait]
impl Command for Help {
    type Input = NoOptions;

    fn name(&self) -> &'static str {
        "help"
    }

    async fn run(&self, ctx: &Context, _: &Interaction, _: NoOptions) -> OutgoingMessage {
        page(ctx)
    }
}

/// Builds the help page, which includes the list of all commands.
pub fn page(ctx: &Context) -> OutgoingMessage {
    let commands: Vec<_> =
        super::ALL.iter().map(|one| (one.name(), describe(ctx.words, one.name()))).collect();
    ctx.view().help(&commands, ctx.settings.contact.as_deref())
}
