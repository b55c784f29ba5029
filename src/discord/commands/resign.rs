//! `/resign`: asks, and only then gives up.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::super::buttons;
use super::super::context::Context;
use super::super::interaction::{CommandInput, Interaction};
use super::super::outgoing_message::OutgoingMessage;
use super::super::table_lookup::TablePurpose;
use super::{Command, meant, table_option};

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
                buttons::ask_to_resign(ctx, &table, interaction.who),
            ),
            Err(post) => *post,
        }
    }
}
