//! `/resign`: asks, and only then gives up.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::{Command, meant, table_option};
use crate::discord::actions::resign_confirmation;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Gives up a game.
pub(super) struct Resign;

#[async_trait]
impl Command for Resign {
    fn name(&self) -> &'static str {
        "resign"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        match meant(ctx, interaction, input, TablePurpose::Act).await {
            Ok(table) => ctx.about(
                &table,
                interaction.place.channel,
                resign_confirmation::ask_to_resign(ctx, &table, interaction.who),
            ),
            Err(post) => *post,
        }
    }
}
