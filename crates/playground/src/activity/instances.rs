//! The open frames. All frames that people open in one channel are an instance; it ends when the last one is closed.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::discord_state::model::Interaction;
use super::super::id::Id;

/// The application's Activity: its switch in the developer portal, and its open frames.
#[derive(Debug, Default)]
pub(crate) struct Activities {
    /// Where the proxy finds the application's pages: the mapping of the portal. `None` if Activities are switched off.
    pub(crate) pages: Option<SocketAddr>,
    /// The open frames by their ids.
    frames: BTreeMap<String, Frame>,
}

/// A frame of a person.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) user: Id,
    pub(crate) instance: String,
    channel: Id,
}

impl Activities {
    /// Returns the id of the frame that a person has open.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn frame_of_person(&self, user: Id) -> Option<String> {
        self.frames.iter().find(|(_, frame)| frame.user == user).map(|(id, _)| id.clone())
    }
}

impl DiscordState {
    /// Opens a frame for the person of an interaction, in the instance of its channel; returns the id of the instance.
    pub(crate) fn launch_activity(&mut self, interaction: &Interaction) -> Result<String, ApiError> {
        if self.activities.pages.is_none() {
            return Err(ApiError::new(400, 0, "Activities are not enabled for this application"));
        }
        let (user, channel) = (interaction.user_id, interaction.channel_id);
        let same = self.activities.frames.values().find(|frame| frame.channel == channel);
        let instance = match same.map(|frame| frame.instance.clone()) {
            Some(instance) => instance,
            None => self.new_instance(interaction),
        };
        // A person is in one frame at a time.
        self.close_frames(|frame| frame.user == user);
        let id = self.new_id();
        let name = format!("{:016x}", id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let frame = Frame { user, channel, instance: instance.clone() };
        self.activities.frames.insert(name.clone(), frame);
        let news = json!({"interaction_id": interaction.id, "application_id": self.bot_id, "frame_id": name,
            "instance_id": instance, "channel_id": channel, "guild_id": interaction.guild_id});
        self.send_to_people(Some(vec![user]), "ACTIVITY_LAUNCH", news);
        self.tell_participants(&instance);
        Ok(instance)
    }

    fn new_instance(&mut self, interaction: &Interaction) -> String {
        let (id, channel) = (self.new_id(), interaction.channel_id);
        match interaction.guild_id {
            Some(guild) => format!("i-{id}-gc-{guild}-{channel}"),
            None => format!("i-{id}-pc-{channel}"),
        }
    }

    /// Returns a frame of a person, or an error for the page.
    pub(crate) fn frame_of(&self, user: Id, id: &str) -> Result<&Frame, ApiError> {
        let found = self.activities.frames.get(id).filter(|frame| frame.user == user);
        found.ok_or_else(|| ApiError::for_page("That activity is closed."))
    }

    /// Closes frames, and tells the people who are still in their instances.
    pub(crate) fn close_frames(&mut self, which: impl Fn(&Frame) -> bool) {
        let (closed, open) =
            std::mem::take(&mut self.activities.frames).into_iter().partition(|(_, frame)| which(frame));
        self.activities.frames = open;
        let closed: BTreeMap<String, Frame> = closed;
        for frame in closed.values() {
            self.tell_participants(&frame.instance);
        }
    }

    /// Closes one frame of a person; does nothing if it is closed.
    pub(crate) fn close_frame(&mut self, user: Id, id: &str) {
        let Ok(frame) = self.frame_of(user, id) else { return };
        let instance = frame.instance.clone();
        self.activities.frames.remove(id);
        self.tell_participants(&instance);
    }

    /// Returns the people in an instance, as Discord's client lists them, ordered by their ids: those of frames are random.
    pub(crate) fn participants(&self, instance: &str) -> Vec<Value> {
        let all = self.activities.frames.values();
        let mut inside: Vec<_> = all.filter(|frame| frame.instance == instance).collect();
        inside.sort_by_key(|frame| frame.user);
        let show = |frame: &Frame| {
            let mut shown = self.show_user(frame.user);
            shown["flags"] = json!(0);
            shown
        };
        inside.into_iter().map(show).collect()
    }

    fn tell_participants(&mut self, instance: &str) {
        let inside = self.activities.frames.values().filter(|frame| frame.instance == instance);
        let to = inside.map(|frame| frame.user).collect();
        let news = json!({"instance_id": instance, "participants": self.participants(instance)});
        self.send_to_people(Some(to), "ACTIVITY_PARTICIPANTS", news);
    }
}
