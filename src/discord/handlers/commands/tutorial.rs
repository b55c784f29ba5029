//! `/tutorial`: a lesson in a few short steps, each solved by buttons.

use async_trait::async_trait;

use super::command::Command;
use super::common_options::GameOptions;
use crate::discord::handlers::lesson;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::start_id::StartPurpose;

pub(super) struct Tutorial;

#[async_trait]
impl Command for Tutorial {
    type Input = GameOptions;

    fn name(&self) -> &'static str {
        "tutorial"
    }

    async fn run(&self, ctx: &Context, _: &Interaction, input: GameOptions) -> OutgoingMessage {
        let Some(game) = &input.game else { return ctx.view().start_games(StartPurpose::Lesson) };
        let game = game.0.as_str();
        let first = lesson::begin(ctx, game);
        first.unwrap_or_else(|| OutgoingMessage::text(ctx.words.no_such_game(game)))
    }
}
