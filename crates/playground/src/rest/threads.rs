//! Threads: opened from a message or without one, joined and left.

use super::super::api_error::ApiError;
use super::super::check::Complaints;
use super::super::discord_state::DiscordState;
use super::super::discord_state::model::{Channel, kind};
use super::super::discord_state::threads::NewThread;
use super::super::id::Id;
use super::super::permissions::{
    self, CREATE_PRIVATE_THREADS, CREATE_PUBLIC_THREADS, MANAGE_THREADS, READ_MESSAGE_HISTORY,
};
use super::call::{Call, Reply};
use super::channels::check_minutes;

/// `POST /channels/{channel}/messages/{message}/threads`
pub(super) fn open_on_message(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let parent = parent_channel(discord_state, call, CREATE_PUBLIC_THREADS | READ_MESSAGE_HISTORY)?;
    let message = super::messages::public_message(discord_state, &parent, call.id("message")?)?;
    create(discord_state, call, &parent, Some(message.id), false)
}

/// `POST /channels/{channel}/threads`: `type` 11 is public, 12 (Discord's default) is private.
pub(super) fn open(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let private = call.body["type"].as_u64().is_none_or(|number| number == u64::from(kind::PRIVATE_THREAD));
    let wanted = if private { CREATE_PRIVATE_THREADS } else { CREATE_PUBLIC_THREADS };
    let parent = parent_channel(discord_state, call, wanted)?;
    create(discord_state, call, &parent, None, private)
}

fn parent_channel(discord_state: &DiscordState, call: &Call, wanted: u64) -> Result<Channel, ApiError> {
    let parent = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    if parent.kind != kind::TEXT {
        return Err(ApiError::wrong_channel_type());
    }
    discord_state.require_permissions(discord_state.bot_id, &parent, wanted)?;
    Ok(parent)
}

fn create(
    discord_state: &mut DiscordState,
    call: &Call,
    parent: &Channel,
    message: Option<Id>,
    private: bool,
) -> Result<Reply, ApiError> {
    let mut wrong = Complaints::default();
    wrong.text("name", &call.body["name"], 1, 100, true);
    wrong.number("rate_limit_per_user", &call.body["rate_limit_per_user"], 0, 21_600, false);
    check_minutes(&mut wrong, &call.body);
    wrong.finish()?;
    let id = discord_state.open_thread(NewThread {
        parent: parent.id,
        message,
        owner: discord_state.bot_id,
        name: call.body["name"].as_str().unwrap_or_default().to_owned(),
        auto_archive_minutes: call.body["auto_archive_duration"].as_u64().unwrap_or(4_320),
        private,
    })?;
    Ok(Reply::Created(discord_state.show_channel(discord_state.channel(id)?)))
}

/// `GET /channels/{channel}/thread-members`
pub(super) fn members(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = thread(discord_state, call)?;
    let members = channel.thread.iter().flat_map(|thread| &thread.members);
    Ok(Reply::Json(members.map(|user| discord_state.show_thread_member(&channel, *user)).collect()))
}

/// `GET /channels/{channel}/thread-members/{user}`: 10007 if they are not in the thread.
pub(super) fn member(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (channel, user) = (thread(discord_state, call)?, call.id("user")?);
    let is_in = channel.thread.as_ref().is_some_and(|thread| thread.members.contains(&user));
    if !is_in {
        return Err(ApiError::unknown_member());
    }
    Ok(Reply::Json(discord_state.show_thread_member(&channel, user)))
}

/// `PUT /channels/{channel}/thread-members/@me`
pub(super) fn join(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = open_thread(discord_state, call)?;
    discord_state.join_thread(channel.id, discord_state.bot_id);
    Ok(Reply::Nothing)
}

/// `DELETE /channels/{channel}/thread-members/@me`
pub(super) fn leave(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let channel = open_thread(discord_state, call)?;
    discord_state.leave_thread(channel.id, discord_state.bot_id);
    Ok(Reply::Nothing)
}

/// `PUT /channels/{channel}/thread-members/{user}`
pub(super) fn add_member(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (channel, user) = (open_thread(discord_state, call)?, call.id("user")?);
    discord_state.require_permissions(discord_state.bot_id, &channel, permissions::to_write(&channel))?;
    let guild = channel.guild_id.and_then(|id| discord_state.guilds.get(&id));
    if guild.is_none_or(|guild| !guild.members.contains_key(&user)) {
        return Err(ApiError::unknown_member());
    }
    discord_state.join_thread(channel.id, user);
    Ok(Reply::Nothing)
}

/// `DELETE /channels/{channel}/thread-members/{user}`
pub(super) fn remove_member(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (channel, user) = (open_thread(discord_state, call)?, call.id("user")?);
    discord_state.require_permissions(discord_state.bot_id, &channel, MANAGE_THREADS)?;
    discord_state.leave_thread(channel.id, user);
    Ok(Reply::Nothing)
}

fn thread(discord_state: &DiscordState, call: &Call) -> Result<Channel, ApiError> {
    let channel = discord_state.channel_for(discord_state.bot_id, call.id("channel")?)?.clone();
    if channel.thread.is_none() { Err(ApiError::wrong_channel_type()) } else { Ok(channel) }
}

fn open_thread(discord_state: &DiscordState, call: &Call) -> Result<Channel, ApiError> {
    let channel = thread(discord_state, call)?;
    discord_state.refuse_archived(&channel)?;
    Ok(channel)
}
