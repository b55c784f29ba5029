//! `/hint`: the bot's advice for the player to move. Everyone at the table can see that a hint was used.

use async_trait::async_trait;

use rookery_table::Table;

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::actions::hint::find_hint;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Hint;

#[async_trait]
impl Command for Hint {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "hint"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => ctx.about(&table, interaction.place.channel, hint(ctx, interaction, &table).await),
            Err(post) => *post,
        }
    }
}

/// Answers with a hint, if the person may have one.
pub async fn hint(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    match find_hint(ctx, interaction.into(), interaction.into(), table).await {
        Ok(hint) => ctx.view().hint(&hint.table, &hint.thought),
        Err(post) => *post,
    }
}
