//! Threads: opened on a message or without one, joined and left.

use super::super::check::Complaints;
use super::super::id::Id;
use super::super::permissions::{
    self, CREATE_PRIVATE_THREADS, CREATE_PUBLIC_THREADS, MANAGE_THREADS, READ_MESSAGE_HISTORY,
};
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::model::{Channel, kind};
use super::super::world::threads::NewThread;
use super::call::{Call, Reply};
use super::channels::check_minutes;

/// `POST /channels/{channel}/messages/{message}/threads`
pub(super) fn open_on_message(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let parent = parent_channel(world, call, CREATE_PUBLIC_THREADS | READ_MESSAGE_HISTORY)?;
    let message = super::messages::public_message(world, &parent, call.id("message")?)?;
    create(world, call, &parent, Some(message.id), false)
}

/// `POST /channels/{channel}/threads`: `type` 11 is public, 12 (which Discord takes for granted) private.
pub(super) fn open(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let private = call.body["type"].as_u64().is_none_or(|number| number == u64::from(kind::PRIVATE_THREAD));
    let wanted = if private { CREATE_PRIVATE_THREADS } else { CREATE_PUBLIC_THREADS };
    let parent = parent_channel(world, call, wanted)?;
    create(world, call, &parent, None, private)
}

fn parent_channel(world: &World, call: &Call, wanted: u64) -> Result<Channel, Refusal> {
    let parent = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    if parent.kind != kind::TEXT {
        return Err(Refusal::wrong_channel_type());
    }
    permissions::require(world, world.bot_id, &parent, wanted)?;
    Ok(parent)
}

fn create(
    world: &mut World,
    call: &Call,
    parent: &Channel,
    message: Option<Id>,
    private: bool,
) -> Result<Reply, Refusal> {
    let mut wrong = Complaints::default();
    wrong.text("name", &call.body["name"], 1, 100, true);
    wrong.number("rate_limit_per_user", &call.body["rate_limit_per_user"], 0, 21_600, false);
    check_minutes(&mut wrong, &call.body);
    wrong.finish()?;
    let id = world.open_thread(NewThread {
        parent: parent.id,
        message,
        owner: world.bot_id,
        name: call.body["name"].as_str().unwrap_or_default().to_owned(),
        auto_archive_minutes: call.body["auto_archive_duration"].as_u64().unwrap_or(4_320),
        private,
    })?;
    Ok(Reply::Created(world.show_channel(world.channel(id)?)))
}

/// `GET /channels/{channel}/thread-members`
pub(super) fn members(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = thread(world, call)?;
    let members = channel.thread.iter().flat_map(|thread| &thread.members);
    Ok(Reply::Json(members.map(|user| world.show_thread_member(&channel, *user)).collect()))
}

/// `GET /channels/{channel}/thread-members/{user}`: 10007 where they are not in the thread.
pub(super) fn member(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (channel, user) = (thread(world, call)?, call.id("user")?);
    let is_in = channel.thread.as_ref().is_some_and(|thread| thread.members.contains(&user));
    if !is_in {
        return Err(Refusal::unknown_member());
    }
    Ok(Reply::Json(world.show_thread_member(&channel, user)))
}

/// `PUT /channels/{channel}/thread-members/@me`
pub(super) fn join(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = open_thread(world, call)?;
    world.join_thread(channel.id, world.bot_id);
    Ok(Reply::Nothing)
}

/// `DELETE /channels/{channel}/thread-members/@me`
pub(super) fn leave(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let channel = open_thread(world, call)?;
    world.leave_thread(channel.id, world.bot_id);
    Ok(Reply::Nothing)
}

/// `PUT /channels/{channel}/thread-members/{user}`
pub(super) fn add_member(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (channel, user) = (open_thread(world, call)?, call.id("user")?);
    permissions::require(world, world.bot_id, &channel, permissions::to_write(&channel))?;
    let guild = channel.guild_id.and_then(|id| world.guilds.get(&id));
    if guild.is_none_or(|guild| !guild.members.contains_key(&user)) {
        return Err(Refusal::unknown_member());
    }
    world.join_thread(channel.id, user);
    Ok(Reply::Nothing)
}

/// `DELETE /channels/{channel}/thread-members/{user}`
pub(super) fn remove_member(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (channel, user) = (open_thread(world, call)?, call.id("user")?);
    permissions::require(world, world.bot_id, &channel, MANAGE_THREADS)?;
    world.leave_thread(channel.id, user);
    Ok(Reply::Nothing)
}

fn thread(world: &World, call: &Call) -> Result<Channel, Refusal> {
    let channel = world.channel_for(world.bot_id, call.id("channel")?)?.clone();
    if channel.thread.is_none() { Err(Refusal::wrong_channel_type()) } else { Ok(channel) }
}

fn open_thread(world: &World, call: &Call) -> Result<Channel, Refusal> {
    let channel = thread(world, call)?;
    world.refuse_archived(&channel)?;
    Ok(channel)
}
