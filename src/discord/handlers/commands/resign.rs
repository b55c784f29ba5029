//! `/resign`: asks for confirmation and then resigns.

use async_trait::async_trait;

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::actions::resign_confirmation;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Resign;

#[async_trait]
impl Command for Resign {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "resign"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => ctx.about(
                &table,
                interaction.place.channel,
                resign_confirmation::ask_to_resign(ctx, &table, interaction.who),
            ),
            Err(post) => *post,
        }
    }
}
