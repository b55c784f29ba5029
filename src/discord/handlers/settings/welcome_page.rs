//! The page of a server's settings for its welcome message.

use rookery_table::preferences::ServerPreferences;
use rookery_table::{ChannelId, GuildId};

use super::panel::{Panel, not_kept};
use crate::discord::actions::welcome;
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::{InteractionChannel, lacking};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::setting_id::{SettingId, SettingsPanel};

/// The key of the setting.
pub(super) const WELCOME: &str = "welcome";

/// Builds the page with the channel of the welcome message.
pub(super) fn page(ctx: &Context, server: &ServerPreferences) -> OutgoingMessage {
    let (words, panel) = (ctx.words, Panel { words: ctx.words, panel: SettingsPanel::Server });
    let state = match server.welcome {
        Some(channel) => words.say("config-welcome-in", &[("channel", mention(channel).into())]),
        None => words.word("config-welcome-none"),
    };
    let picker = Component::Channels {
        id: panel.id(WELCOME),
        placeholder: panel.name(WELCOME),
        chosen: server.welcome.into_iter().collect(),
        most: 1,
    };
    let again = server.welcome.map(|channel| {
        let id = SettingId::with(SettingsPanel::Server, WELCOME, &channel.to_string()).id();
        Component::button(words.word("button-welcome-again"), ButtonStyle::Success, id)
    });
    let text = format!("{}\n{state}", words.word("config-welcome"));
    OutgoingMessage::text(text).row([picker]).row(again.into_iter().chain([panel.page("places")]))
}

/// Chooses the channel for the welcome message. A channel in which the bot cannot post is refused.
pub(super) async fn choose(ctx: &Context, guild: GuildId, channel: Option<ChannelId>) -> OutgoingMessage {
    if let Some(channel) = channel
        && let Some(refusal) = refusal(ctx, guild, channel).await
    {
        return OutgoingMessage::text(refusal);
    }
    match welcome::choose(ctx, guild, channel).await {
        Ok(()) => page(ctx, &*ctx.registry.preferences_cache().server(Some(guild)).await),
        Err(error) => not_kept(ctx.words, &error),
    }
}

/// Returns which permissions the bot lacks in a channel, if it lacks any that the message needs.
async fn refusal(ctx: &Context, guild: GuildId, channel: ChannelId) -> Option<String> {
    let named = |permissions: Vec<String>| {
        let args =
            [("channel", mention(channel).into()), ("permissions", ctx.words.join(&permissions).into())];
        Some(ctx.words.say("config-welcome-lacking", &args))
    };
    let may = match ctx.own_permissions(channel).await {
        Ok(may) => may,
        // A channel that the bot may not see cannot be looked up.
        Err(DiscordError::NoAccess { .. } | DiscordError::NotFound { .. }) => 0,
        Err(fault) => {
            tracing::info!(%channel, %fault, "the permissions in a channel are not known");
            return Some(ctx.words.say("config-welcome-unknown", &[("channel", mention(channel).into())]));
        }
    };
    let place = InteractionChannel {
        channel,
        guild: Some(guild),
        thread: false,
        parent: None,
        may: Some(may),
        ours: true,
    };
    let missing: Vec<String> =
        lacking(place).into_iter().filter(|need| need.vital).map(|need| ctx.words.word(need.name)).collect();
    if missing.is_empty() { None } else { named(missing) }
}

fn mention(channel: ChannelId) -> String {
    format!("<#{channel}>")
}
