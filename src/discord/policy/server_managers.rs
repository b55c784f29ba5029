//! What only the managers of a server may do.

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Returns the refusal of a manager's command for people who may not manage the server; `None` for managers.
pub(in crate::discord) fn refusal_to_others(
    ctx: &Context,
    interaction: &Interaction,
) -> Option<OutgoingMessage> {
    let key = match interaction.place.guild {
        None => "config-no-server",
        Some(_) if !interaction.manages => "config-not-yours",
        Some(_) => return None,
    };
    Some(OutgoingMessage::text(ctx.words.word(key)))
}
