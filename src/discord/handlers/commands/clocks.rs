//! `/clock`: shows the remaining time of all players.

use async_trait::async_trait;

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Clocks;

#[async_trait]
impl Command for Clocks {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "clock"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::See
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => ctx.view().clocks(&table, interaction.who, ctx.registry.now()),
            Err(post) => *post,
        }
    }
}
