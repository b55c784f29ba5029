//! Playing on from a position against the bot.

use rookery_core::Play;
use rookery_core::player::Level;

use super::import::play_on_and_link;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Opens a table from a position against the bot; returns the answer.
pub(in crate::discord) async fn play_from(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    level: Level,
) -> OutgoingMessage {
    let others = OtherSeats { opponent: None, ai: Some(level) };
    play_on_and_link(ctx, interaction, play, others).await
}
