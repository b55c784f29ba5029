//! `/tutorial`: a lesson in a few short steps, each solved by buttons.

use async_trait::async_trait;

use rookery_core::player::Level;

use super::command::Command;
use super::common_options::GameOptions;
use super::open_table::{AiStrength, OpenTable};
use super::play::open_table;
use crate::discord::handlers::lesson;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Tutorial;

#[async_trait]
impl Command for Tutorial {
    type Input = GameOptions;

    fn name(&self) -> &'static str {
        "tutorial"
    }

    async fn run(&self, ctx: &Context, _: &Interaction, input: GameOptions) -> OutgoingMessage {
        let game = input.game.0.as_str();
        let first = lesson::begin(ctx, game);
        first.unwrap_or_else(|| OutgoingMessage::text(ctx.words.no_such_game(game)))
    }
}

/// Opens a first game against the bot at its lowest level, as `/play` would.
pub(in crate::discord) async fn first_game(
    ctx: &Context,
    interaction: &Interaction,
    game: &str,
) -> OutgoingMessage {
    let ai = Some(AiStrength::Level(Level::Beginner));
    let request = OpenTable { game: game.to_owned(), ai, ..OpenTable::default() };
    open_table(ctx, interaction, &request).await
}
