//! Messages of a channel: listed, posted, edited, deleted, pinned.

use serde_json::{Value, json};

use super::super::check;
use super::super::clock::iso;
use super::super::id::Id;
use super::super::permissions::{
    self, ATTACH_FILES, EMBED_LINKS, MANAGE_MESSAGES, PIN_MESSAGES, READ_MESSAGE_HISTORY,
};
use super::super::refusal::Refusal;
use super::super::world::mentions::read_id;
use super::super::world::model::{Channel, Message, kind, message_kind};
use super::super::world::{Key, World};
use super::call::{Call, Reply};

/// A nonce is remembered for this many milliseconds.
const NONCE_MS: u64 = 5 * 60 * 1_000;
/// After this many milliseconds a message is old, and few edits of such are taken.
const OLD_MS: u64 = 60 * 60 * 1_000;
/// Edits of old messages a channel takes in [`OLD_MS`]. Discord's number is hidden; it is low.
const OLD_EDITS_MAX: usize = 3;
const PINS_MAX: usize = 250;

/// `GET /channels/{channel}/messages`: newest first, at most 100, `before` or `after` an id.
pub(super) fn list(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?;
    let limit = call.number("limit", 50);
    if !(1..=100).contains(&limit) {
        let error = json!({"code": "NUMBER_TYPE_MAX", "message": "int value should be between 1 and 100."});
        return Err(Refusal::invalid_form(json!({"limit": {"_errors": [error]}})));
    }
    // Without the permission the list is empty; Discord does not say so.
    if permissions::in_channel(world, world.bot_id, channel) & READ_MESSAGE_HISTORY == 0 {
        return Ok(Reply::Json(json!([])));
    }
    let public = world.messages_in(channel.id).filter(|it| it.only_for.is_none());
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
    Ok(Reply::Json(shown.into_iter().map(|it| world.show_to_bot(it)).collect()))
}

/// `GET /channels/{channel}/messages/{message}`
pub(super) fn get(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    permissions::require(world, world.bot_id, &channel, READ_MESSAGE_HISTORY)?;
    let message = public_message(world, &channel, call.id("message")?)?;
    Ok(Reply::Json(world.show_to_bot(&message)))
}

/// `POST /channels/{channel}/messages`
pub(super) fn create(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let bot = world.bot_id;
    let channel = world.channel_for(bot, call.id("channel")?)?.clone();
    check::message::check(&call.body, &call.files)?;
    refuse_place(world, bot, &channel)?;
    refuse_parts(world, bot, &channel, call)?;
    refuse_words(world, &channel, &call.body)?;
    if let Some(already) = same_nonce(world, &channel, &call.body) {
        return Ok(Reply::Json(world.show_message(&already, true)));
    }
    let mut message = world.blank_message(channel.id, bot);
    set_reference(world, &mut message, &channel, &call.body)?;
    message.nonce = call.body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
    world.fill(&mut message, &call.body, &call.files)?;
    world.insert(message.clone());
    Ok(Reply::Json(world.show_message(&message, true)))
}

/// Refuses what a server's automatic moderation blocks; nobody moderates direct messages.
fn refuse_words(world: &World, channel: &Channel, body: &Value) -> Result<(), Refusal> {
    let text = body["content"].as_str().unwrap_or_default();
    let blocked = world.rules.blocked.iter().any(|word| text.contains(word.as_str()));
    if blocked && channel.guild_id.is_some() { Err(Refusal::blocked()) } else { Ok(()) }
}

/// Refuses writing where it cannot be: a category, a closed DM, a locked thread, without permission.
pub(crate) fn refuse_place(world: &World, author: Id, channel: &Channel) -> Result<(), Refusal> {
    if channel.kind == kind::CATEGORY {
        return Err(Refusal::wrong_channel_type());
    }
    let others = channel.recipients.iter().filter(|id| **id != author);
    if others.filter_map(|id| world.users.get(id)).any(|user| !user.dms_open) {
        return Err(Refusal::cannot_dm());
    }
    permissions::require(world, author, channel, permissions::to_write(channel))?;
    world.refuse_locked(author, channel)
}

/// Refuses embeds, files and replies where their permission is missing.
fn refuse_parts(world: &World, author: Id, channel: &Channel, call: &Call) -> Result<(), Refusal> {
    let has = permissions::in_channel(world, author, channel);
    let has_embeds = check::message::says_something(&call.body["embeds"]);
    if (has_embeds && has & EMBED_LINKS == 0) || (!call.files.is_empty() && has & ATTACH_FILES == 0) {
        return Err(Refusal::missing_permissions());
    }
    if !call.body["message_reference"].is_null() && has & READ_MESSAGE_HISTORY == 0 {
        return Err(Refusal::no_history());
    }
    Ok(())
}

/// The message this nonce made before, when the body asks for that check.
fn same_nonce(world: &World, channel: &Channel, body: &Value) -> Option<Message> {
    let nonce = body.get("nonce").filter(|nonce| !nonce.is_null() && body["enforce_nonce"] == true)?;
    let fresh = |it: &&Message| it.created_ms + NONCE_MS >= world.now_ms;
    let mut recent = world.messages_in(channel.id).rev().take_while(fresh);
    recent.find(|it| it.author_id == world.bot_id && it.nonce.as_ref() == Some(nonce)).cloned()
}

/// Makes the message a reply, where the body says so.
fn set_reference(
    world: &World,
    message: &mut Message,
    channel: &Channel,
    body: &Value,
) -> Result<(), Refusal> {
    let reference = &body["message_reference"];
    let Some(target) = read_id(&reference["message_id"]) else { return Ok(()) };
    let known = world.messages.get(&(channel.id, target)).is_some_and(|it| it.only_for.is_none());
    if known {
        message.kind = message_kind::REPLY;
        message.reference = Some((channel.id, target));
    } else if reference["fail_if_not_exists"] != false {
        let error = json!({"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"});
        return Err(Refusal::invalid_form(json!({"message_reference": {"_errors": [error]}})));
    }
    Ok(())
}

/// `PATCH /channels/{channel}/messages/{message}`: the bot's own, in a thread that is open.
pub(super) fn edit(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    let mut message = public_message(world, &channel, call.id("message")?)?;
    if message.author_id != world.bot_id {
        return Err(Refusal::not_yours());
    }
    if is_system(&message) {
        return Err(Refusal::system_message());
    }
    world.refuse_archived(&channel)?;
    check::message::check(&call.body, &call.files)?;
    refuse_parts(world, world.bot_id, &channel, call)?;
    count_old_edit(world, &message)?;
    world.edit_message(&mut message, &call.body, &call.files)?;
    Ok(Reply::Json(world.show_message(&message, true)))
}

/// Old messages may be edited a few times an hour only (30046, as a 429).
fn count_old_edit(world: &mut World, message: &Message) -> Result<(), Refusal> {
    let now = world.now_ms;
    if now.saturating_sub(message.created_ms) < OLD_MS {
        return Ok(());
    }
    let edits = world.old_edits.entry(message.channel_id).or_default();
    edits.retain(|at| now.saturating_sub(*at) < OLD_MS);
    if let Some(oldest) = edits.first().filter(|_| edits.len() >= OLD_EDITS_MAX) {
        let wait_s = (oldest + OLD_MS - now) as f64 / 1000.0;
        return Err(Refusal { retry_after: Some(wait_s), ..Refusal::old_edits() });
    }
    edits.push(now);
    Ok(())
}

/// `DELETE /channels/{channel}/messages/{message}`
pub(super) fn delete(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    let message = public_message(world, &channel, call.id("message")?)?;
    if message.author_id != world.bot_id {
        if channel.kind == kind::DM {
            return Err(Refusal::not_in_dm());
        }
        permissions::require(world, world.bot_id, &channel, MANAGE_MESSAGES)?;
    }
    world.refuse_archived(&channel)?;
    world.remove(channel.id, message.id);
    Ok(Reply::Nothing)
}

/// `GET /channels/{channel}/pins`
pub(super) fn pins(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?;
    let pinned = world.messages_in(channel.id).filter(|it| it.pinned);
    Ok(Reply::Json(pinned.map(|it| world.show_to_bot(it)).collect()))
}

/// `GET /channels/{channel}/messages/pins`: the newer form of the same.
pub(super) fn pins_page(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?;
    let pinned = world.messages_in(channel.id).filter(|it| it.pinned);
    let items = pinned.map(|it| json!({"pinned_at": iso(it.created_ms), "message": world.show_to_bot(it)}));
    Ok(Reply::Json(json!({"items": items.collect::<Vec<_>>(), "has_more": false})))
}

/// `PUT /channels/{channel}/pins/{message}`
pub(super) fn pin(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    set_pinned(world, call, true)
}

/// `DELETE /channels/{channel}/pins/{message}`
pub(super) fn unpin(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    set_pinned(world, call, false)
}

fn set_pinned(world: &mut World, call: &Call, pinned: bool) -> Result<Reply, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    permissions::require(world, world.bot_id, &channel, PIN_MESSAGES)?;
    world.refuse_archived(&channel)?;
    let message = public_message(world, &channel, call.id("message")?)?;
    if pinned && world.messages_in(channel.id).filter(|it| it.pinned).count() >= PINS_MAX {
        return Err(Refusal::too_many_pins());
    }
    world.replace(Message { pinned, ..message });
    Ok(Reply::Nothing)
}

/// The message, if others than one person see it: the REST of a channel knows no ephemeral ones.
pub(super) fn public_message(world: &World, channel: &Channel, id: Id) -> Result<Message, Refusal> {
    let message = world.message(channel.id, id)?;
    if message.only_for.is_some() { Err(Refusal::unknown_message()) } else { Ok(message.clone()) }
}

fn is_system(message: &Message) -> bool {
    matches!(message.kind, message_kind::THREAD_CREATED | message_kind::THREAD_STARTER)
}

impl World {
    /// A message as REST gives it to the bot: what the Message Content switch guards is left out.
    pub(crate) fn show_to_bot(&self, message: &Message) -> Value {
        self.show_message(message, self.rules.message_content || self.may_read(message))
    }

    /// Changes a message as an edit's body says, and tells of it; `message` becomes the result.
    pub(crate) fn edit_message(
        &mut self,
        message: &mut Message,
        body: &Value,
        files: &[super::call::Upload],
    ) -> Result<(), Refusal> {
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
