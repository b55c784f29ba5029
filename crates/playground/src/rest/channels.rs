//! Channels: reading, changing, deleting, typing.

use serde_json::json;

use super::super::api_error::ApiError;
use super::super::check::Complaints;
use super::super::discord_state::model::{Channel, kind};
use super::super::discord_state::{DiscordState, Key};
use super::super::permissions::{self, MANAGE_CHANNELS, MANAGE_THREADS};
use super::call::{Call, Reply};

/// The allowed auto-archive durations of threads, in minutes.
pub(super) const ARCHIVE_MINUTES: [u64; 4] = [60, 1_440, 4_320, 10_080];

/// `GET /channels/{channel}`
pub(super) fn get(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?;
    Ok(Reply::Json(discord_state.show_channel(channel)))
}

/// `PATCH /channels/{channel}`: a channel's name and topic; a thread's name, archive and lock.
pub(super) fn change(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let id = call.id("channel")?;
    let channel = discord_state.channel_for(discord_state.bot_id, id)?.clone();
    check_change(call)?;
    match &channel.thread {
        Some(_) => change_thread(discord_state, call, &channel)?,
        None if channel.kind == kind::DM => return Err(ApiError::wrong_channel_type()),
        None => discord_state.require_permissions(discord_state.bot_id, &channel, MANAGE_CHANNELS)?,
    }
    rename(discord_state, call, &channel);
    Ok(Reply::Json(discord_state.show_channel(discord_state.channel(id)?)))
}

fn check_change(call: &Call) -> Result<(), ApiError> {
    let (body, mut wrong) = (&call.body, Complaints::default());
    wrong.text("name", &body["name"], 1, 100, false);
    wrong.text("topic", &body["topic"], 0, 1_024, false);
    wrong.boolean("archived", &body["archived"]);
    wrong.boolean("locked", &body["locked"]);
    check_minutes(&mut wrong, body);
    wrong.finish()
}

/// Adds an error for an `auto_archive_duration` that is not allowed.
pub(super) fn check_minutes(wrong: &mut Complaints, body: &serde_json::Value) {
    let minutes = &body["auto_archive_duration"];
    if !minutes.is_null() && !ARCHIVE_MINUTES.iter().any(|known| minutes == *known) {
        let message = "Value must be one of {60, 1440, 4320, 10080}.";
        wrong.add("auto_archive_duration", "BASE_TYPE_CHOICES", message);
    }
}

/// Changes a thread. Its owner may archive, unarchive (unless locked) and rename it; everything else, and
/// locking, needs the permission to manage threads.
fn change_thread(discord_state: &mut DiscordState, call: &Call, channel: &Channel) -> Result<(), ApiError> {
    let Some(thread) = &channel.thread else { return Ok(()) };
    let body = &call.body;
    let manages = discord_state.permissions_in(discord_state.bot_id, channel) & MANAGE_THREADS != 0;
    let owns = thread.owner_id == discord_state.bot_id && !body["locked"].is_boolean();
    let comes_back = body["archived"] == false;
    if !manages && (thread.locked || !(owns || only_unarchives(call))) {
        return Err(ApiError::missing_permissions());
    }
    if thread.archived && !comes_back {
        return Err(ApiError::archived());
    }
    discord_state.change_thread(channel.id, |thread| {
        thread.archived = body["archived"].as_bool().unwrap_or(thread.archived);
        thread.locked = body["locked"].as_bool().unwrap_or(thread.locked);
        thread.auto_archive_minutes =
            body["auto_archive_duration"].as_u64().unwrap_or(thread.auto_archive_minutes);
    });
    Ok(())
}

/// Whether a request only unarchives a thread, which everybody who may write in it may do.
fn only_unarchives(call: &Call) -> bool {
    let fields = call.body.as_object();
    fields.is_some_and(|fields| fields.len() == 1) && call.body["archived"] == false
}

fn rename(discord_state: &mut DiscordState, call: &Call, before: &Channel) {
    let Some(channel) = discord_state.channels.get_mut(&before.id) else { return };
    if let Some(name) = call.body["name"].as_str() {
        channel.name = name.to_owned();
    }
    if let Some(topic) = call.body["topic"].as_str() {
        channel.topic = Some(topic.to_owned());
    }
    let changed = channel.name != before.name || channel.topic != before.topic;
    if changed {
        let channel = channel.clone();
        discord_state.touch(Key::Channel(channel.id));
        let name = if channel.thread.is_some() { "THREAD_UPDATE" } else { "CHANNEL_UPDATE" };
        discord_state.send_channel_event(name, &channel);
    }
}

/// `DELETE /channels/{channel}`: deletes a channel or thread with its contents; a DM is only closed.
pub(super) fn delete(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    let wanted = if channel.thread.is_some() { MANAGE_THREADS } else { MANAGE_CHANNELS };
    if channel.kind != kind::DM {
        discord_state.require_permissions(discord_state.bot_id, &channel, wanted)?;
        discord_state.delete_channel(channel.id);
    }
    Ok(Reply::Json(discord_state.show_channel(&channel)))
}

/// `POST /channels/{channel}/typing`
pub(super) fn typing(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let bot = discord_state.bot_id;
    let channel = discord_state.channel_for(bot, call.id("channel")?)?.clone();
    discord_state.require_permissions(bot, &channel, permissions::to_write(&channel))?;
    let data = json!({"channel_id": channel.id, "user_id": bot});
    discord_state.send_to_people(Some(discord_state.audience(&channel)), "TYPING_START", data);
    Ok(Reply::Nothing)
}

impl DiscordState {
    /// Deletes a channel with its messages and threads, and sends the event.
    pub(crate) fn delete_channel(&mut self, id: super::super::id::Id) {
        let threads = self.channels.values().filter(|it| it.parent_id == Some(id) && it.thread.is_some());
        for thread in threads.map(|it| it.id).collect::<Vec<_>>() {
            self.delete_channel(thread);
        }
        let Some(channel) = self.channels.get(&id).cloned() else { return };
        let name = if channel.thread.is_some() { "THREAD_DELETE" } else { "CHANNEL_DELETE" };
        self.send_channel_event(name, &channel);
        self.channels.remove(&id);
        self.touch(Key::Channel(id));
        let keys: Vec<_> = self.messages_in(id).map(|it| (it.id, it.attachments.clone())).collect();
        for (message, files) in keys {
            self.messages.remove(&(id, message));
            self.touch(Key::Message(id, message));
            files.iter().for_each(|file| self.touch(Key::File(file.id)));
        }
    }
}
