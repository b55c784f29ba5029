//! The bot's permissions in a channel: which are missing, and how to grant them.

use rookery_i18n::Localizer;

use crate::discord::policy::teams;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Interaction, RequiredPermission, lacking};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Builds the answer with the permissions that the bot lacks in the channel, the teams of the server that it
/// cannot ping there, and what to do about both.
pub async fn check(ctx: &Context, interaction: &Interaction) -> OutgoingMessage {
    let Some(guild) = interaction.place.guild else {
        return OutgoingMessage::text(ctx.words.word("config-no-server"));
    };
    let mut lines = permissions(ctx.words, interaction);
    let roles = teams::roles_in_play(ctx, guild).await;
    lines.extend(teams::unpinged_roles_note(ctx, interaction, &roles).await);
    OutgoingMessage::text(lines.join("\n"))
}

fn permissions(words: &Localizer, interaction: &Interaction) -> Vec<String> {
    let (here, lacking) = (format!("<#{}>", interaction.place.channel), lacking(interaction.place));
    if lacking.is_empty() {
        return vec![words.say("check-well", &[("channel", here.into())])];
    }
    let mut lines = vec![words.say("check-lacking", &[("channel", here.as_str().into())])];
    lines.extend(lacking.iter().map(|need| line(words, need)));
    lines.push(words.say("check-how", &[("channel", here.into())]));
    lines
}

fn line(words: &Localizer, need: &RequiredPermission) -> String {
    words.say(
        "check-line",
        &[("permission", words.word(need.name).into()), ("why", words.word(need.why).into())],
    )
}
