//! Files that people choose, before a message or a command that has them is sent.

use serde_json::Value;

use super::super::api_error::ApiError;
use super::super::discord_state::model::Attachment;
use super::super::discord_state::{DiscordState, Key};
use super::super::id::Id;
use super::super::upload::Upload;

/// The most files that are kept without a message, the newest.
const KEPT: usize = 50;

impl DiscordState {
    /// Stores a file for a person's message, or for a command's attachment option, whose value is its id.
    pub(crate) fn upload(&mut self, filename: &str, bytes: &[u8]) -> Attachment {
        let upload = Upload { number: 0, filename: filename.to_owned(), bytes: bytes.into() };
        let file = self.keep_file(&upload, &Value::Null);
        self.command_uploads.insert(file.id, file.clone());
        while self.command_uploads.len() > KEPT
            && let Some((oldest, _)) = self.command_uploads.pop_first()
        {
            self.files.remove(&oldest);
            self.touch(Key::File(oldest));
        }
        file
    }

    /// The uploaded files with these ids.
    pub(crate) fn uploaded(&self, ids: &[Id]) -> Result<Vec<Attachment>, ApiError> {
        let file = |id: &Id| {
            let known = self.command_uploads.get(id).cloned();
            known.ok_or_else(|| ApiError::for_page("A file isn't here any more. Choose it again."))
        };
        ids.iter().map(file).collect()
    }
}
