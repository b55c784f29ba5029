//! A message as a person sees it, with its components.

use serde_json::Value;

use crate::id::Id;

/// A message as a person's client shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleMessage {
    /// The snowflake that Discord gave the message.
    pub id: Id,
    /// The id of its channel, thread or DM.
    pub channel: Id,
    /// The whole message as Discord's JSON.
    pub json: Value,
}

impl VisibleMessage {
    /// Returns the message's text; empty if there is none.
    pub fn content(&self) -> &str {
        self.json["content"].as_str().unwrap_or_default()
    }

    /// Returns the author's user id.
    pub fn author(&self) -> Option<Id> {
        self.json["author"]["id"].as_str().and_then(|id| id.parse().ok())
    }

    /// Whether the message is ephemeral.
    pub fn is_ephemeral(&self) -> bool {
        self.json["flags"].as_u64().unwrap_or(0) & crate::discord_state::model::flag::EPHEMERAL != 0
    }

    /// Returns the display names of all pinged people.
    pub fn pinged(&self) -> Vec<&str> {
        let users = self.json["mentions"].as_array().into_iter().flatten();
        users.filter_map(|user| user["global_name"].as_str()).collect()
    }

    /// Returns the attachments as JSON: `filename`, `description`, `url`, `width`, …
    pub fn files(&self) -> &[Value] {
        self.json["attachments"].as_array().map_or(&[][..], Vec::as_slice)
    }

    /// Returns the custom id of the button with this label, or with this emoji if it has no label.
    pub fn button(&self, label: &str) -> Option<&str> {
        let shows = |one: &&Value| one["label"] == label || one["emoji"]["name"] == label;
        self.components().into_iter().filter(|one| one["type"] == 2).find(shows)?["custom_id"].as_str()
    }

    /// Returns the labels of all enabled buttons, in order.
    pub fn buttons(&self) -> Vec<&str> {
        let all = self.components();
        let buttons = all.into_iter().filter(|one| one["type"] == 2 && one["disabled"] != true);
        buttons.filter_map(|one| one["label"].as_str()).collect()
    }

    /// Returns the selects as JSON: `custom_id`, `options`, …
    pub fn selects(&self) -> Vec<&Value> {
        let all = self.components().into_iter();
        all.filter(|one| one["type"].as_u64().is_some_and(|kind| matches!(kind, 3 | 5..=8))).collect()
    }

    fn components(&self) -> Vec<&Value> {
        let mut found = Vec::new();
        collect(&self.json["components"], &mut found);
        found
    }
}

/// Collects every component except rows, in order, at any depth.
fn collect<'a>(components: &'a Value, found: &mut Vec<&'a Value>) {
    for one in components.as_array().into_iter().flatten() {
        if one["components"].is_array() {
            collect(&one["components"], found);
        } else {
            found.push(one);
        }
    }
}
