//! `/tv`: keeps the best game going on on this server on one board in a channel.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;
use rookery_table::TableError;

use super::{Command, OptionKind, chosen, option};
use crate::discord::actions::tv_state;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction, missing};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Puts the television up, or away.
pub(super) struct Tv;

#[async_trait]
impl Command for Tv {
    fn name(&self) -> &'static str {
        "tv"
    }

    fn for_managers(&self) -> bool {
        true
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let ways = [("here", "tv-here"), ("off", "tv-off")];
        let ways = ways.map(|(way, offer)| (words.word(offer), way.to_owned()));
        vec![chosen(option(words, OptionKind::Text, "where", "command-tv-where"), ways)]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let Some(guild) = interaction.place.guild else {
            return OutgoingMessage::text(ctx.words.word("config-no-server"));
        };
        let away = input.text("where") == Some("off");
        let lacks: Vec<_> = missing(interaction.place).into_iter().map(|key| ctx.words.word(key)).collect();
        if !away && !lacks.is_empty() {
            let args = [("permissions", ctx.words.join(&lacks).into())];
            return OutgoingMessage::text(ctx.words.say("play-missing", &args));
        }
        match tv_state::put(ctx, guild, (!away).then_some(interaction.place.channel)).await {
            Ok(()) => OutgoingMessage::text(ctx.words.word(if away { "tv-gone" } else { "tv-there" })),
            Err(error) => {
                OutgoingMessage::text(ctx.words.table_error(&TableError::Store(error.to_string()), None))
            }
        }
    }
}
