//! A message of the bot as Discord returns it.

use rookery_table::{MessageId, UserId};
use serde_json::Value;

/// A message as Discord returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discord) struct SentMessage {
    /// The id of the message.
    pub(in crate::discord) id: MessageId,
    /// The author's user id.
    pub(in crate::discord) author: UserId,
    /// The text; empty if the bot may not read it.
    pub(in crate::discord) content: String,
    /// The custom ids of its buttons and selects.
    pub(in crate::discord) custom_ids: Vec<String>,
    /// The names of its files.
    pub(in crate::discord) files: Vec<String>,
}

impl SentMessage {
    pub(super) fn read(message: &Value) -> Option<SentMessage> {
        let number = |value: &Value| value.as_str()?.parse().ok();
        let rows = message["components"].as_array().map(Vec::as_slice).unwrap_or_default();
        let files = message["attachments"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parts = rows.iter().filter_map(|row| row["components"].as_array()).flatten();
        Some(SentMessage {
            id: MessageId(number(&message["id"])?),
            author: UserId(number(&message["author"]["id"])?),
            content: message["content"].as_str().unwrap_or_default().to_owned(),
            custom_ids: parts.filter_map(|part| Some(part["custom_id"].as_str()?.to_owned())).collect(),
            files: files.iter().filter_map(|file| Some(file["filename"].as_str()?.to_owned())).collect(),
        })
    }
}
