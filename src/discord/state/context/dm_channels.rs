//! Messages to people, by direct message where they accept them.

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use rookery_table::{ChannelId, SourceId, UserId};

impl Context {
    /// Records that a person is active in the channel of an interaction, and the channel itself if it is
    /// their direct message channel with the bot.
    pub(in crate::discord) fn record_activity(&self, interaction: &Interaction) {
        self.deferred_pings.seen(interaction.who, interaction.place.channel, self.registry.now());
        if interaction.place.guild.is_none() && interaction.place.ours {
            self.dm_channels.record_channel(interaction.who, interaction.place.channel);
        }
    }

    /// Returns the direct message channel with a person, whether or not they accept messages. Discord is
    /// asked once.
    ///
    /// # Errors
    /// If Discord's response is an error.
    pub(in crate::discord) async fn dm_channel(&self, who: UserId) -> Result<ChannelId, DiscordError> {
        if let Some(channel) = self.dm_channels.channel(who) {
            return Ok(channel);
        }
        let opened = self.api.patient().dm(who).await;
        match &opened {
            Ok(channel) => self.dm_channels.found(who, *channel),
            Err(fault) => self.dm_channels.refused(who, fault, self.registry.now()),
        }
        opened
    }

    /// Returns the direct message channel with a person, for games. Unless they are `here` already, a first message is posted
    /// there under an id, because only that shows whether they accept messages.
    ///
    /// # Errors
    /// The answer for the person, if they don't, or Discord can't be reached.
    pub(in crate::discord) async fn dm_for_games(
        &self,
        who: UserId,
        here: Option<ChannelId>,
        id: SourceId,
    ) -> Result<ChannelId, String> {
        let opened = async {
            let channel = self.dm_channel(who).await?;
            if Some(channel) != here {
                let first = OutgoingMessage::text(self.words.word("play-dm-first"));
                self.post_to(who, &first, &format!("v{id}")).await?;
            }
            Ok(channel)
        };
        opened.await.map_err(|error: DiscordError| {
            tracing::info!(%error, "a game cannot be played in direct messages");
            let is_closed = matches!(error, DiscordError::NoAccess { .. } | DiscordError::NotFound { .. });
            self.words.word(if is_closed { "play-dm-closed" } else { "play-dm-failed" })
        })
    }

    /// Posts a direct message to a person, and records whether they accept it.
    ///
    /// # Errors
    /// If Discord rejects the message.
    pub(in crate::discord) async fn post_to(
        &self,
        who: UserId,
        post: &OutgoingMessage,
        nonce: &str,
    ) -> Result<(), DiscordError> {
        let posted = self.api.patient().post(self.dm_channel(who).await?, post, Some(nonce)).await;
        match &posted {
            Ok(_) => self.dm_channels.clear_refusal(who),
            Err(fault) => self.dm_channels.refused(who, fault, self.registry.now()),
        }
        posted.map(drop)
    }

    /// Checks that the person has not refused direct messages recently.
    ///
    /// # Errors
    /// If they have.
    pub(in crate::discord) fn check_accepts_dms(&self, who: UserId) -> Result<(), DiscordError> {
        let why = || "direct messages were closed lately".to_owned();
        let shut = self.dm_channels.has_refused(who, self.registry.now());
        if shut { Err(DiscordError::NoAccess { code: 0, why: why() }) } else { Ok(()) }
    }
}
