//! Messages of people: posts, replies, edits, deletions, typing, DMs.

use serde_json::json;

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::discord_state::gateway_events::intent;
use super::super::discord_state::model::{Channel, Message, flag, message_kind};
use super::super::id::Id;
use super::super::permissions::{READ_MESSAGE_HISTORY, VIEW_CHANNEL};

/// The most characters of a person's message.
const TYPED_MAX: usize = 2_000;

impl DiscordState {
    /// Posts a message of `user`; `reply_to` is a message of the same channel and whether to ping its author.
    pub(crate) fn say(
        &mut self,
        user: Id,
        channel: Id,
        text: &str,
        reply_to: Option<(Id, bool)>,
        files: &[Id],
    ) -> Result<Id, ApiError> {
        let place = self.channel_for(user, channel)?.clone();
        if text.chars().count() > TYPED_MAX {
            return Err(ApiError::for_page(format!(
                "A message can have at most {TYPED_MAX} characters. Shorten it."
            )));
        }
        self.refuse_place(user, &place)?;
        let mut message = self.blank_message(channel, user);
        if let Some((target, _)) = reply_to {
            self.seen_by(user, self.message(channel, target)?)?;
            message.kind = message_kind::REPLY;
            message.reference = Some((channel, target));
        }
        let pings = reply_to.is_some_and(|(_, pings)| pings);
        let body = json!({"content": text, "allowed_mentions":
            {"parse": ["users", "roles", "everyone"], "replied_user": pings}});
        message.attachments = self.uploaded(files)?;
        self.fill(&mut message, &body, &[])?;
        // From here on the files are the message's, and go with it.
        self.command_uploads.retain(|id, _| !files.contains(id));
        let id = message.id;
        self.insert(message);
        Ok(id)
    }

    /// Deletes `user`'s own message, or dismisses an ephemeral one shown to them, in a channel that they can still see.
    pub(crate) fn delete_by(&mut self, user: Id, channel: Id, message: Id) -> Result<(), ApiError> {
        self.channel_for(user, channel)?;
        let found = self.message(channel, message)?;
        if found.author_id != user && found.only_for != Some(user) {
            return Err(ApiError::missing_permissions());
        }
        self.remove(channel, message);
        Ok(())
    }

    /// Edits `user`'s own message, in a channel that they can still see.
    pub(crate) fn edit_by(&mut self, user: Id, channel: Id, message: Id, text: &str) -> Result<(), ApiError> {
        self.channel_for(user, channel)?;
        let mut found = self.message(channel, message)?.clone();
        if found.author_id != user {
            return Err(ApiError::not_yours());
        }
        self.edit_message(&mut found, &json!({"content": text}), &[])
    }

    /// Shows `user` as typing.
    pub(crate) fn type_by(&mut self, user: Id, channel: Id) -> Result<(), ApiError> {
        let place = self.channel_for(user, channel)?.clone();
        let others = self.audience(&place).into_iter().filter(|id| *id != user).collect();
        self.send_to_people(Some(others), "TYPING_START", json!({"channel_id": channel, "user_id": user}));
        if self.bot_sees(&place) {
            let wanted = match place.guild_id {
                Some(_) => intent::GUILD_MESSAGE_TYPING,
                None => intent::DIRECT_MESSAGE_TYPING,
            };
            self.send_to_bot("TYPING_START", wanted, place.guild_id, self.show_typing(&place, user));
        }
        Ok(())
    }

    /// Returns the messages of a channel as `user` sees them, newest first: with their own ephemeral ones,
    /// without those of others, and without deferred answers.
    pub(crate) fn seen_in(
        &self,
        user: Id,
        channel: Id,
        before: Option<Id>,
        limit: usize,
    ) -> Result<Vec<&Message>, ApiError> {
        let place = self.channel_for(user, channel)?;
        let has_history = self.permissions_in(user, place) & READ_MESSAGE_HISTORY != 0;
        let seen = self.messages_in(channel).rev().filter(|it| before.is_none_or(|before| it.id < before));
        let mine = seen.filter(|it| is_shown(it, user) && (has_history || it.author_id == user));
        Ok(mine.take(limit).collect())
    }

    /// Refuses (10008) a message that `user` does not see.
    pub(crate) fn seen_by(&self, user: Id, message: &Message) -> Result<(), ApiError> {
        if is_shown(message, user) { Ok(()) } else { Err(ApiError::unknown_message()) }
    }

    /// Returns the channels, threads and DMs that `user` sees.
    pub(crate) fn visible_channels(&self, user: Id) -> impl Iterator<Item = &Channel> {
        self.channels.values().filter(move |it| self.permissions_in(user, it) & VIEW_CHANNEL != 0)
    }
}

fn is_shown(message: &Message, user: Id) -> bool {
    message.flags & flag::LOADING == 0 && message.only_for.is_none_or(|one| one == user)
}
