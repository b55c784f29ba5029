//! `/tutorial`: a game in a few short steps, with something to tap in each.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::{Localizer, quoted};

use super::{Command, OpenTable, OptionKind, chosen, games_by_name, open_table, option, required};
use crate::discord::handlers::lesson;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Begins a lesson.
pub(super) struct Tutorial;

#[async_trait]
impl Command for Tutorial {
    fn name(&self) -> &'static str {
        "tutorial"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![required(chosen(
            option(words, OptionKind::Text, "game", "command-play-game"),
            games_by_name(words),
        ))]
    }

    async fn run(&self, ctx: &Context, _asked: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let game = input.text("game").unwrap_or_default();
        let first = lesson::begin(ctx, game);
        first.unwrap_or_else(|| {
            OutgoingMessage::text(ctx.words.say("refused-no-game", &[("name", quoted(game).into())]))
        })
    }
}

/// Opens a first game against the program at its gentlest, as `/play` would.
pub(in crate::discord) async fn first_game(
    ctx: &Context,
    interaction: &Interaction,
    game: &str,
) -> OutgoingMessage {
    let ai = Some(Level::Beginner.key().to_owned());
    let request = OpenTable { game: game.to_owned(), ai, ..OpenTable::default() };
    open_table(ctx, interaction, &request).await
}
