//! `/tv`: shows the best running game of this server on a board in a channel.

use async_trait::async_trait;

use rookery_table::TableError;

use super::command::Command;
use super::options::{command_options, option_choices};
use crate::discord::actions::tv_state;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Interaction, missing};
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Tv;

option_choices! {
    /// Whether a channel is the TV channel.
    pub(super) enum TvPlace {
        Here = "here", "tv-here";
        Off = "off", "tv-off";
    }
}

command_options! {
    pub(super) struct TvOptions {
        place: Option<TvPlace> = "where", "command-tv-where";
    }
}

#[async_trait]
impl Command for Tv {
    type Input = TvOptions;

    fn name(&self) -> &'static str {
        "tv"
    }

    fn for_managers(&self) -> bool {
        true
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TvOptions) -> OutgoingMessage {
        let Some(guild) = interaction.place.guild else {
            return OutgoingMessage::text(ctx.words.word("config-no-server"));
        };
        let away = input.place == Some(TvPlace::Off);
        let lacks: Vec<_> = missing(interaction.place).into_iter().map(|key| ctx.words.word(key)).collect();
        if !away && !lacks.is_empty() {
            let args = [("permissions", ctx.words.join(&lacks).into())];
            return OutgoingMessage::text(ctx.words.say("play-missing", &args));
        }
        match tv_state::set_channel(ctx, guild, (!away).then_some(interaction.place.channel)).await {
            Ok(()) => OutgoingMessage::text(ctx.words.word(if away { "tv-gone" } else { "tv-there" })),
            Err(error) => {
                OutgoingMessage::text(ctx.words.table_error(&TableError::Store(error.to_string()), None))
            }
        }
    }
}
