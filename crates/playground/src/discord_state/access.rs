//! Who sees a channel, and what they may do in it.

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::permissions::{self, IN_DM, VIEW_CHANNEL};
use super::DiscordState;
use super::model::{Channel, kind};

impl DiscordState {
    /// Returns the permissions of `user` in `channel`: 0 outside the members of its server or the recipients of
    /// the DM.
    pub(crate) fn permissions_in(&self, user: Id, channel: &Channel) -> u64 {
        let Some(guild) = channel.guild_id.and_then(|id| self.guilds.get(&id)) else {
            return if channel.recipients.contains(&user) { IN_DM } else { 0 };
        };
        let place = match &channel.thread {
            Some(_) => channel.parent_id.and_then(|id| self.channels.get(&id)).unwrap_or(channel),
            None => channel,
        };
        permissions::in_channel(guild, user, channel, place)
    }

    /// Refuses with 50001 if the channel is not visible, and with 50013 if one of `wanted` is missing.
    pub(crate) fn require_permissions(
        &self,
        user: Id,
        channel: &Channel,
        wanted: u64,
    ) -> Result<(), ApiError> {
        let has = self.permissions_in(user, channel);
        if has & VIEW_CHANNEL == 0 {
            return Err(ApiError::missing_access());
        }
        if has & wanted != wanted { Err(ApiError::missing_permissions()) } else { Ok(()) }
    }

    /// Returns the channel if `user` sees it: else 10003 (not there) or 50001 (hidden).
    pub(crate) fn channel_for(&self, user: Id, id: Id) -> Result<&Channel, ApiError> {
        let channel = self.channel(id)?;
        self.require_permissions(user, channel, VIEW_CHANNEL)?;
        Ok(channel)
    }

    /// Returns everybody who sees the channel, except the bot.
    pub(crate) fn audience(&self, channel: &Channel) -> Vec<Id> {
        let humans = self.users.values().filter(|user| !user.bot).map(|user| user.id);
        humans.filter(|user| self.permissions_in(*user, channel) & VIEW_CHANNEL != 0).collect()
    }

    /// Refuses a message in a category, a closed DM or a locked thread, or without permission.
    pub(crate) fn refuse_place(&self, author: Id, channel: &Channel) -> Result<(), ApiError> {
        if channel.kind == kind::CATEGORY {
            return Err(ApiError::wrong_channel_type());
        }
        let others = channel.recipients.iter().filter(|id| **id != author);
        if others.filter_map(|id| self.users.get(id)).any(|user| !user.dms_open) {
            return Err(ApiError::cannot_dm());
        }
        self.require_permissions(author, channel, permissions::to_write(channel))?;
        self.refuse_locked(author, channel)
    }
}
