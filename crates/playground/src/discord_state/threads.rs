//! Threads: opened, joined, archived, unarchived.

use std::collections::BTreeSet;

use serde_json::json;

use super::super::api_error::ApiError;
use super::super::clock::iso;
use super::super::id::Id;
use super::super::permissions::MANAGE_THREADS;
use super::gateway_events::intent;
use super::model::{Channel, Thread, flag, kind, message_kind};
use super::{DiscordState, Key};

/// The properties of a new thread.
pub(crate) struct NewThread {
    pub(crate) parent: Id,
    /// The message it starts from, if any: the thread takes that message's id.
    pub(crate) message: Option<Id>,
    pub(crate) owner: Id,
    pub(crate) name: String,
    pub(crate) auto_archive_minutes: u64,
    pub(crate) private: bool,
}

/// After when a thread is archived unless anything happens in it; `None` if it is no open thread.
fn archive_ms(channel: &Channel) -> Option<u64> {
    let thread = channel.thread.as_ref().filter(|thread| !thread.archived)?;
    let last_said_ms = channel.last_message_id.map_or(0, Id::created_ms);
    let last_ms = last_said_ms.max(thread.created_ms).max(thread.archive_changed_ms);
    Some(last_ms + thread.auto_archive_minutes * 60_000)
}

impl DiscordState {
    /// Opens a thread; 160004 if the message has one, 160006 if the server has too many.
    pub(crate) fn open_thread(&mut self, new: NewThread) -> Result<Id, ApiError> {
        let parent = self.channel(new.parent)?.clone();
        if new.message.is_some_and(|id| self.channels.contains_key(&id)) {
            return Err(ApiError::thread_exists());
        }
        let in_guild = self.channels.values().filter(|it| it.guild_id == parent.guild_id);
        let active = in_guild.filter(|it| it.thread.as_ref().is_some_and(|thread| !thread.archived)).count();
        if active >= self.rules.active_threads_max {
            return Err(ApiError::too_many_threads());
        }
        let id = new.message.unwrap_or_else(|| self.new_id());
        let channel = self.thread_channel(id, &parent, &new);
        self.channels.insert(id, channel.clone());
        self.plan_archiving(&channel);
        self.touch(Key::Channel(id));
        self.send_thread_created(&channel);
        self.post_thread_created(&channel, &new);
        Ok(id)
    }

    fn thread_channel(&self, id: Id, parent: &Channel, new: &NewThread) -> Channel {
        Channel {
            id,
            kind: if new.private { kind::PRIVATE_THREAD } else { kind::PUBLIC_THREAD },
            guild_id: parent.guild_id,
            parent_id: Some(parent.id),
            name: new.name.clone(),
            topic: None,
            position: 0,
            overwrites: Vec::new(),
            recipients: Vec::new(),
            last_message_id: None,
            thread: Some(Thread {
                owner_id: new.owner,
                archived: false,
                locked: false,
                auto_archive_minutes: new.auto_archive_minutes,
                archive_changed_ms: self.now_ms,
                created_ms: self.now_ms,
                members: BTreeSet::from([new.owner]),
                messages: 0,
            }),
        }
    }

    fn send_thread_created(&mut self, channel: &Channel) {
        let mut shown = self.show_channel(channel);
        shown["newly_created"] = json!(true);
        self.send_to_people(Some(self.audience(channel)), "THREAD_CREATE", shown.clone());
        if self.bot_sees(channel) {
            self.send_to_bot("THREAD_CREATE", intent::GUILDS, channel.guild_id, shown);
        }
    }

    /// Adds Discord's system message: in the thread, a link to the message that it starts from; for a thread without
    /// one, a note in the channel.
    fn post_thread_created(&mut self, channel: &Channel, new: &NewThread) {
        let Some(hangs_on) = new.message else {
            let mut line = self.blank_message(new.parent, new.owner);
            line.kind = message_kind::THREAD_CREATED;
            line.content = new.name.clone();
            line.reference = Some((channel.id, channel.id));
            return self.insert(line);
        };
        if let Some(message) = self.messages.get(&(new.parent, hangs_on)).cloned() {
            let flags = message.flags | flag::HAS_THREAD;
            self.replace(super::model::Message { flags, ..message });
        }
        let mut line = self.blank_message(channel.id, new.owner);
        line.kind = message_kind::THREAD_STARTER;
        line.reference = Some((new.parent, hangs_on));
        self.insert(line);
    }

    /// Adds `user` to the members of a thread; does nothing for other channels.
    pub(crate) fn join_thread(&mut self, channel: Id, user: Id) {
        self.change_thread_members(channel, user, true);
    }

    /// Removes `user` from the members of the thread.
    pub(crate) fn leave_thread(&mut self, channel: Id, user: Id) {
        self.change_thread_members(channel, user, false);
    }

    fn change_thread_members(&mut self, channel_id: Id, user: Id, joins: bool) {
        let thread = self.channels.get_mut(&channel_id).and_then(|it| it.thread.as_mut());
        let Some(thread) = thread else { return };
        let changed = if joins { thread.members.insert(user) } else { thread.members.remove(&user) };
        let (count, Some(channel)) = (thread.members.len(), self.channels.get(&channel_id).cloned()) else {
            return;
        };
        if !changed {
            return;
        }
        self.touch(Key::Channel(channel_id));
        let added = if joins { vec![self.show_thread_member(&channel, user)] } else { Vec::new() };
        let removed = if joins { Vec::new() } else { vec![user] };
        let data = json!({"id": channel_id, "guild_id": channel.guild_id, "member_count": count.min(50),
            "added_members": added, "removed_member_ids": removed});
        self.send_to_people(Some(self.audience(&channel)), "THREAD_MEMBERS_UPDATE", data.clone());
        // Without the Guild Members intent a bot receives only its own changes.
        let wanted = if user == self.bot_id { intent::GUILDS } else { intent::GUILD_MEMBERS };
        if self.bot_sees(&channel) {
            self.send_to_bot("THREAD_MEMBERS_UPDATE", wanted, channel.guild_id, data);
        }
    }

    /// Returns a thread member with their membership in the server.
    pub(crate) fn show_thread_member(&self, channel: &Channel, user: Id) -> serde_json::Value {
        let guild = channel.guild_id.and_then(|id| self.guilds.get(&id));
        let member = guild.and_then(|guild| guild.members.get(&user)).map(|it| self.show_member(it));
        let mut shown = json!({"id": channel.id, "user_id": user, "flags": 1,
            "join_timestamp": iso(self.now_ms)});
        if let Some(member) = member {
            shown["member"] = member;
        }
        shown
    }

    /// Unarchives a thread; does nothing for other channels.
    pub(crate) fn unarchive(&mut self, channel_id: Id) {
        self.change_thread(channel_id, |thread| thread.archived = false);
    }

    /// Archives every thread that was inactive for its archive duration. Every change calls this, so it looks at the threads only
    /// when one may be due.
    pub(crate) fn archive_inactive(&mut self) {
        let now_ms = self.now_ms;
        if now_ms <= self.next_archive_ms {
            return;
        }
        let due: Vec<(Id, u64)> =
            self.channels.values().filter_map(|channel| Some((channel.id, archive_ms(channel)?))).collect();
        self.next_archive_ms =
            due.iter().map(|(_, at_ms)| *at_ms).filter(|at_ms| *at_ms >= now_ms).min().unwrap_or(u64::MAX);
        for (id, _) in due.into_iter().filter(|(_, at_ms)| now_ms > *at_ms) {
            self.change_thread(id, |thread| thread.archived = true);
        }
    }

    /// Notes when a new or changed thread is to be archived.
    fn plan_archiving(&mut self, channel: &Channel) {
        let at_ms = archive_ms(channel).unwrap_or(u64::MAX);
        self.next_archive_ms = self.next_archive_ms.min(at_ms);
    }

    /// Changes a thread, and sends the event if anything changed.
    pub(crate) fn change_thread(&mut self, channel_id: Id, change: impl FnOnce(&mut Thread)) {
        let now_ms = self.now_ms;
        let Some(channel) = self.channels.get_mut(&channel_id) else { return };
        let Some(thread) = &mut channel.thread else { return };
        let before = (thread.archived, thread.locked, thread.auto_archive_minutes);
        change(thread);
        if before.0 != thread.archived {
            thread.archive_changed_ms = now_ms;
        }
        if before != (thread.archived, thread.locked, thread.auto_archive_minutes) {
            let channel = channel.clone();
            self.plan_archiving(&channel);
            self.touch(Key::Channel(channel_id));
            self.send_channel_event("THREAD_UPDATE", &channel);
        }
    }

    /// Refuses a message in a locked thread, unless the author may manage threads.
    pub(crate) fn refuse_locked(&self, user: Id, channel: &Channel) -> Result<(), ApiError> {
        let Some(thread) = channel.thread.as_ref().filter(|thread| thread.locked) else { return Ok(()) };
        if self.permissions_in(user, channel) & MANAGE_THREADS != 0 {
            return Ok(());
        }
        Err(if thread.archived { ApiError::archived() } else { ApiError::thread_locked() })
    }

    /// Refuses a change in an archived thread (50083).
    pub(crate) fn refuse_archived(&self, channel: &Channel) -> Result<(), ApiError> {
        match &channel.thread {
            Some(thread) if thread.archived => Err(ApiError::archived()),
            _ => Ok(()),
        }
    }
}
