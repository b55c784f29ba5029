//! `/rules`: explains how a game is played and notated.

use async_trait::async_trait;

use super::command::Command;
use super::common_options::GameOptions;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Rules;

#[async_trait]
impl Command for Rules {
    type Input = GameOptions;

    fn name(&self) -> &'static str {
        "rules"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: GameOptions) -> OutgoingMessage {
        if let Some(game) = input.game {
            return page(ctx, game.0.as_str());
        }
        match ctx.table_of_thread(interaction.place.channel, interaction.who).await {
            Some(table) => page(ctx, &table.terms().game),
            None => ctx.view().rules_of_which(),
        }
    }
}

/// Builds the rules page of a game.
pub(super) fn page(ctx: &Context, game: &str) -> OutgoingMessage {
    ctx.view().rules(game).unwrap_or_else(|| OutgoingMessage::text(ctx.words.no_such_game(game)))
}
