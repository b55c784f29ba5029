//! `/rules`: shows how a game is played and written.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::{Localizer, quoted};

use super::{Command, OptionKind, chosen, games_by_name, option, required};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Shows the rules of a game.
pub(super) struct Rules;

#[async_trait]
impl Command for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![required(chosen(
            option(words, OptionKind::Text, "game", "command-play-game"),
            games_by_name(words),
        ))]
    }

    async fn run(&self, ctx: &Context, _asked: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let game = input.text("game").unwrap_or_default();
        let rules = ctx.view().rules(game);
        rules.unwrap_or_else(|| {
            OutgoingMessage::text(ctx.words.say("refused-no-game", &[("name", quoted(game).into())]))
        })
    }
}
