//! Messages of a channel: listing, posting, editing, deleting, pinning.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check;
use super::super::clock::iso;
use super::super::discord_state::mentions::read_id;
use super::super::discord_state::model::{Channel, Message, kind, message_kind};
use super::super::discord_state::{DiscordState, Key};
use super::super::id::Id;
use super::super::permissions::{
    ATTACH_FILES, EMBED_LINKS, MANAGE_MESSAGES, PIN_MESSAGES, READ_MESSAGE_HISTORY,
};
use super::super::upload::Upload;
use super::call::{Call, Reply};

/// The time for which a nonce is remembered, in milliseconds.
const NONCE_MS: u64 = 5 * 60 * 1_000;
/// The age from which edits of a message are limited, in milliseconds.
const OLD_MS: u64 = 60 * 60 * 1_000;
/// The edits of old messages that a channel accepts in [`OLD_MS`]. Discord does not publish the number; it is
/// low.
const OLD_EDITS_MAX: usize = 3;
const PINS_MAX: usize = 250;

/// `GET /channels/{channel}/messages`: newest first, at most 100, `before` or `after` an id.
pub(super) fn list(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?;
    let limit = call.number("limit", 50);
    if !(1..=100).contains(&limit) {
        let error = json!({"code": "NUMBER_TYPE_MAX", "message": "int value should be between 1 and 100."});
        return Err(ApiError::invalid_form(json!({"limit": {"_errors": [error]}})));
    }
    // Without the permission the list is empty, as in Discord's API.
    if discord_state.permissions_in(discord_state.bot_id, channel) & READ_MESSAGE_HISTORY == 0 {
        return Ok(Reply::Json(json!([])));
    }
    let public = discord_state.messages_in(channel.id).filter(|it| it.only_for.is_none());
    let (before, after) = (call.query_id("before"), call.query_id("after"));
    let shown: Vec<&Message> = match (before, after) {
        (Some(before), _) => public.rev().filter(|it| it.id < before).take(limit).collect(),
        (_, Some(after)) => {
            let mut next: Vec<_> = public.filter(|it| it.id > after).take(limit).collect();
            next.reverse();
            next
        }
        _ => public.rev().take(limit).collect(),
    };
    Ok(Reply::Json(shown.into_iter().map(|it| discord_state.show_to_bot(it)).collect()))
}

/// `GET /channels/{channel}/messages/{message}`
pub(super) fn get(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    discord_state.require_permissions(discord_state.bot_id, &channel, READ_MESSAGE_HISTORY)?;
    let message = public_message(discord_state, &channel, call.id("message")?)?;
    Ok(Reply::Json(discord_state.show_to_bot(&message)))
}

/// `POST /channels/{channel}/messages`
pub(super) fn create(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let bot = discord_state.bot_id;
    let channel = discord_state.channel_for(bot, call.id("channel")?)?.clone();
    check::message::check(&call.body, &call.files)?;
    discord_state.refuse_place(bot, &channel)?;
    refuse_parts(discord_state, bot, &channel, call)?;
    refuse_words(discord_state, &channel, &call.body)?;
    if let Some(already) = same_nonce(discord_state, &channel, &call.body) {
        return Ok(Reply::Json(discord_state.show_message(&already, true)));
    }
    let mut message = discord_state.blank_message(channel.id, bot);
    set_reference(discord_state, &mut message, &channel, &call.body)?;
    message.nonce = call.body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
    discord_state.fill(&mut message, &call.body, &call.files)?;
    discord_state.insert(message.clone());
    Ok(Reply::Json(discord_state.show_message(&message, true)))
}

/// Refuses a message that the server's automatic moderation blocks; DMs have no moderation.
fn refuse_words(discord_state: &DiscordState, channel: &Channel, body: &Value) -> Result<(), ApiError> {
    let text = body["content"].as_str().unwrap_or_default();
    let blocked = discord_state.rules.blocked.iter().any(|word| text.contains(word.as_str()));
    if blocked && channel.guild_id.is_some() { Err(ApiError::blocked()) } else { Ok(()) }
}

/// Refuses embeds, files and replies without the permissions for them.
fn refuse_parts(
    discord_state: &DiscordState,
    author: Id,
    channel: &Channel,
    call: &Call,
) -> Result<(), ApiError> {
    let has = discord_state.permissions_in(author, channel);
    let has_embeds = check::message::has_value(&call.body["embeds"]);
    if (has_embeds && has & EMBED_LINKS == 0) || (!call.files.is_empty() && has & ATTACH_FILES == 0) {
        return Err(ApiError::missing_permissions());
    }
    if !call.body["message_reference"].is_null() && has & READ_MESSAGE_HISTORY == 0 {
        return Err(ApiError::no_history());
    }
    Ok(())
}

/// Returns the earlier message with this nonce, if the body asks for that check.
fn same_nonce(discord_state: &DiscordState, channel: &Channel, body: &Value) -> Option<Message> {
    let is_enforced = body["enforce_nonce"] == true && !discord_state.rules.forgets_nonces;
    let nonce = body.get("nonce").filter(|nonce| !nonce.is_null() && is_enforced)?;
    let fresh = |it: &&Message| it.created_ms + NONCE_MS >= discord_state.now_ms;
    let mut recent = discord_state.messages_in(channel.id).rev().take_while(fresh);
    recent.find(|it| it.author_id == discord_state.bot_id && it.nonce.as_ref() == Some(nonce)).cloned()
}

/// Makes the message a reply if the body has a reference.
fn set_reference(
    discord_state: &DiscordState,
    message: &mut Message,
    channel: &Channel,
    body: &Value,
) -> Result<(), ApiError> {
    let reference = &body["message_reference"];
    let Some(target) = read_id(&reference["message_id"]) else { return Ok(()) };
    let known = discord_state.messages.get(&(channel.id, target)).is_some_and(|it| it.only_for.is_none());
    if known {
        message.kind = message_kind::REPLY;
        message.reference = Some((channel.id, target));
    } else if reference["fail_if_not_exists"] != false {
        let error = json!({"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"});
        return Err(ApiError::invalid_form(json!({"message_reference": {"_errors": [error]}})));
    }
    Ok(())
}

/// `PATCH /channels/{channel}/messages/{message}`: the bot's own message, not in an archived thread.
pub(super) fn edit(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    let mut message = public_message(discord_state, &channel, call.id("message")?)?;
    if message.author_id != discord_state.bot_id {
        return Err(ApiError::not_yours());
    }
    if is_system(&message) {
        return Err(ApiError::system_message());
    }
    discord_state.refuse_archived(&channel)?;
    check::message::check(&call.body, &call.files)?;
    refuse_parts(discord_state, discord_state.bot_id, &channel, call)?;
    count_old_edit(discord_state, &message)?;
    discord_state.edit_message(&mut message, &call.body, &call.files)?;
    Ok(Reply::Json(discord_state.show_message(&message, true)))
}

/// Limits edits of old messages to a few per hour (30046, as a 429).
fn count_old_edit(discord_state: &mut DiscordState, message: &Message) -> Result<(), ApiError> {
    let now = discord_state.now_ms;
    if now.saturating_sub(message.created_ms) < OLD_MS {
        return Ok(());
    }
    let edits = discord_state.old_edits.entry(message.channel_id).or_default();
    edits.retain(|at| now.saturating_sub(*at) < OLD_MS);
    if let Some(oldest) = edits.first().filter(|_| edits.len() >= OLD_EDITS_MAX) {
        let wait_s = (oldest + OLD_MS - now) as f64 / 1000.0;
        return Err(ApiError { retry_after: Some(wait_s), ..ApiError::old_edits() });
    }
    edits.push(now);
    Ok(())
}

/// `DELETE /channels/{channel}/messages/{message}`
pub(super) fn delete(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    let message = public_message(discord_state, &channel, call.id("message")?)?;
    if message.author_id != discord_state.bot_id {
        if channel.kind == kind::DM {
            return Err(ApiError::not_in_dm());
        }
        discord_state.require_permissions(discord_state.bot_id, &channel, MANAGE_MESSAGES)?;
    }
    discord_state.refuse_archived(&channel)?;
    discord_state.remove(channel.id, message.id);
    Ok(Reply::Nothing)
}

/// `GET /channels/{channel}/pins`
pub(super) fn pins(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?;
    let pinned = discord_state.messages_in(channel.id).filter(|it| it.pinned);
    Ok(Reply::Json(pinned.map(|it| discord_state.show_to_bot(it)).collect()))
}

/// `GET /channels/{channel}/messages/pins`: the newer form of the list of pins.
pub(super) fn pins_page(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?;
    let pinned = discord_state.messages_in(channel.id).filter(|it| it.pinned);
    let items =
        pinned.map(|it| json!({"pinned_at": iso(it.created_ms), "message": discord_state.show_to_bot(it)}));
    Ok(Reply::Json(json!({"items": items.collect::<Vec<_>>(), "has_more": false})))
}

/// `PUT /channels/{channel}/pins/{message}`
pub(super) fn pin(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    set_pinned(discord_state, call, true)
}

/// `DELETE /channels/{channel}/pins/{message}`
pub(super) fn unpin(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    set_pinned(discord_state, call, false)
}

fn set_pinned(discord_state: &mut DiscordState, call: &Call, pinned: bool) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    discord_state.require_permissions(discord_state.bot_id, &channel, PIN_MESSAGES)?;
    discord_state.refuse_archived(&channel)?;
    let message = public_message(discord_state, &channel, call.id("message")?)?;
    if pinned && discord_state.messages_in(channel.id).filter(|it| it.pinned).count() >= PINS_MAX {
        return Err(ApiError::too_many_pins());
    }
    discord_state.replace(Message { pinned, ..message });
    Ok(Reply::Nothing)
}

/// Returns the message unless it is ephemeral: a channel's routes do not include those.
pub(super) fn public_message(
    discord_state: &DiscordState,
    channel: &Channel,
    id: Id,
) -> Result<Message, ApiError> {
    let message = discord_state.message(channel.id, id)?;
    if message.only_for.is_some() { Err(ApiError::unknown_message()) } else { Ok(message.clone()) }
}

fn is_system(message: &Message) -> bool {
    matches!(message.kind, message_kind::THREAD_CREATED | message_kind::THREAD_STARTER)
}

impl DiscordState {
    /// Returns a message for the bot over REST, without the fields that the Message Content switch guards.
    pub(crate) fn show_to_bot(&self, message: &Message) -> Value {
        self.show_message(message, self.rules.message_content || self.may_read(message))
    }

    /// Applies an edit's body to a message and sends the event; `message` becomes the result.
    pub(crate) fn edit_message(
        &mut self,
        message: &mut Message,
        body: &Value,
        files: &[Upload],
    ) -> Result<(), ApiError> {
        let before: Vec<Id> = message.attachments.iter().map(|file| file.id).collect();
        message.edited_ms = Some(self.now_ms);
        self.fill(message, body, files)?;
        for gone in before.into_iter().filter(|id| message.attachments.iter().all(|file| file.id != *id)) {
            self.files.remove(&gone);
            self.touch(Key::File(gone));
        }
        self.replace(message.clone());
        Ok(())
    }
}
