//! Playing on from a position against the bot.

use rookery_core::Play;
use rookery_core::player::Level;

use super::import::{OtherSeats, play_on};
use super::play::opened;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Opens a table from a position against the bot; returns the answer.
pub(in crate::discord) async fn play_from(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    level: Level,
) -> OutgoingMessage {
    let others = OtherSeats { opponent: None, ai: Some(level) };
    let played = play_on(ctx, interaction, play, others).await;
    played.map_or_else(OutgoingMessage::text, |table| opened(ctx.words, &table, interaction.place))
}
