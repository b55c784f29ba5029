//! `/clock`: how much time everybody has, where words are not read.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::{Command, meant, table_option};
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Shows the clocks of a table.
pub(super) struct Clocks;

#[async_trait]
impl Command for Clocks {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn want(&self) -> TablePurpose {
        TablePurpose::See
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        match meant(ctx, interaction, input, self.want()).await {
            Ok(table) => ctx.view().clocks(&table, interaction.who, ctx.registry.now()),
            Err(post) => *post,
        }
    }
}
