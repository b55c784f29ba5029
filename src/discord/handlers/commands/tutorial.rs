//! `/tutorial`: a lesson in a few short steps, each solved by buttons.

use async_trait::async_trait;

use super::command::Command;
use super::common_options::GameOptions;
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
