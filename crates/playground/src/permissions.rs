//! Permissions: base permissions, overwrites, and the rules for threads.
//!
//! The order of steps is Discord's (documentation, "Permissions", "Permission Overwrites").

use super::discord_state::model::{Channel, Guild, kind};
use super::id::Id;

pub(crate) const ADD_REACTIONS: u64 = 1 << 6;
pub(crate) const ADMINISTRATOR: u64 = 1 << 3;
pub(crate) const MANAGE_CHANNELS: u64 = 1 << 4;
pub(crate) const VIEW_CHANNEL: u64 = 1 << 10;
pub(crate) const SEND_MESSAGES: u64 = 1 << 11;
pub(crate) const MANAGE_MESSAGES: u64 = 1 << 13;
pub(crate) const EMBED_LINKS: u64 = 1 << 14;
pub(crate) const ATTACH_FILES: u64 = 1 << 15;
pub(crate) const READ_MESSAGE_HISTORY: u64 = 1 << 16;
pub(crate) const MENTION_EVERYONE: u64 = 1 << 17;
pub(crate) const USE_APPLICATION_COMMANDS: u64 = 1 << 31;
pub(crate) const MANAGE_THREADS: u64 = 1 << 34;
pub(crate) const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
pub(crate) const CREATE_PRIVATE_THREADS: u64 = 1 << 36;
pub(crate) const SEND_MESSAGES_IN_THREADS: u64 = 1 << 38;
pub(crate) const USE_EXTERNAL_APPS: u64 = 1 << 50;
pub(crate) const PIN_MESSAGES: u64 = 1 << 51;

/// The permissions of the bot's invite: view, send, embed, attach, read history, open threads, write in
/// threads.
pub(crate) const MINIMAL_INVITE: u64 = 309_237_763_072;

/// The permissions of everybody in a new server.
pub(crate) const EVERYONE: u64 =
    MINIMAL_INVITE | ADD_REACTIONS | USE_APPLICATION_COMMANDS | USE_EXTERNAL_APPS;

/// The permissions of each side of a DM.
pub(crate) const IN_DM: u64 = VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | ADD_REACTIONS
    | USE_APPLICATION_COMMANDS;

/// All permission bits, those not used here included.
const ALL: u64 = (1 << 53) - 1;

/// Returns the permissions of `user` in a channel of `guild`, with the overwrites of `place`: the channel itself, or the
/// parent of a thread.
pub(crate) fn in_channel(guild: &Guild, user: Id, channel: &Channel, place: &Channel) -> u64 {
    let may = with_overwrites(guild, user, place, in_guild(guild, user));
    // A private thread is visible to its members, and to those who may manage the channel's threads.
    if is_kept_from(user, channel) && may & MANAGE_THREADS == 0 { 0 } else { may }
}

fn is_kept_from(user: Id, channel: &Channel) -> bool {
    let is_in = channel.thread.as_ref().is_none_or(|thread| thread.members.contains(&user));
    channel.kind == kind::PRIVATE_THREAD && !is_in
}

/// Returns the permissions of `user` in the server, before any channel's overwrites.
pub(crate) fn in_guild(guild: &Guild, user: Id) -> u64 {
    let Some(member) = guild.members.get(&user) else { return 0 };
    if guild.owner_id == user {
        return ALL;
    }
    let of_roles = guild.roles.iter().filter(|role| role.id == guild.id || member.roles.contains(&role.id));
    let base = of_roles.fold(0, |sum, role| sum | role.permissions);
    if base & ADMINISTRATOR != 0 { ALL } else { base }
}

fn with_overwrites(guild: &Guild, user: Id, place: &Channel, base: u64) -> u64 {
    let Some(member) = guild.members.get(&user) else { return 0 };
    if base == ALL {
        return ALL;
    }
    let mut allowed = base;
    for overwrite in place.overwrites.iter().filter(|one| one.id == guild.id) {
        allowed = (allowed & !overwrite.deny) | overwrite.allow;
    }
    let of_roles = place.overwrites.iter().filter(|one| member.roles.contains(&one.id));
    let (deny, allow) = of_roles.fold((0, 0), |(deny, allow), one| (deny | one.deny, allow | one.allow));
    allowed = (allowed & !deny) | allow;
    for overwrite in place.overwrites.iter().filter(|one| one.id == user) {
        allowed = (allowed & !overwrite.deny) | overwrite.allow;
    }
    // Without permission to view a channel, all others are void.
    if allowed & VIEW_CHANNEL == 0 { 0 } else { allowed }
}

/// Returns the permission to write in `channel`: threads have their own.
pub(crate) fn to_write(channel: &Channel) -> u64 {
    if channel.thread.is_some() { SEND_MESSAGES_IN_THREADS } else { SEND_MESSAGES }
}
