//! Creating, changing and deleting messages of the bot or of people. The callers check permissions.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::message::{FILES_MAX, has_value};
use super::super::id::Id;
use super::super::upload::Upload;
use super::mentions::{Allowed, read_id};
use super::model::{Attachment, Message, flag, message_kind};
use super::{DiscordState, Key};

/// The flags that a sender may set on a new message.
const SETTABLE: u64 = flag::SUPPRESS_EMBEDS | flag::SUPPRESS_NOTIFICATIONS | flag::COMPONENTS_V2;
/// The flags that an edit may set or clear.
const EDITABLE: u64 = flag::SUPPRESS_EMBEDS | flag::COMPONENTS_V2;

impl DiscordState {
    /// Creates a message without content.
    pub(crate) fn blank_message(&mut self, channel_id: Id, author_id: Id) -> Message {
        Message {
            id: self.new_id(),
            channel_id,
            author_id,
            kind: message_kind::DEFAULT,
            content: String::new(),
            created_ms: self.now_ms,
            edited_ms: None,
            embeds: Vec::new(),
            attachments: Vec::new(),
            components: Vec::new(),
            flags: 0,
            mentions: Vec::new(),
            mention_roles: Vec::new(),
            mention_everyone: false,
            reference: None,
            nonce: None,
            pinned: false,
            reactions: Vec::new(),
            interaction_id: None,
            only_for: None,
        }
    }

    /// Applies the fields of a body to a message; absent fields stay unchanged. Refuses (50006) a result with
    /// nothing to show.
    pub(crate) fn fill(
        &mut self,
        message: &mut Message,
        body: &Value,
        files: &[Upload],
    ) -> Result<(), ApiError> {
        if let Some(content) = body.get("content") {
            message.content = content.as_str().unwrap_or_default().trim().to_owned();
        }
        if let Some(embeds) = body.get("embeds") {
            message.embeds = embeds.as_array().cloned().unwrap_or_default();
            message.embeds.iter_mut().for_each(|embed| embed["type"] = json!("rich"));
        }
        if let Some(components) = body.get("components") {
            message.components = components.as_array().cloned().unwrap_or_default();
        }
        self.fill_files(message, body, files)?;
        if message.edited_ms.is_none() {
            message.flags |= body["flags"].as_u64().unwrap_or(0) & SETTABLE;
        } else if let Some(flags) = body["flags"].as_u64() {
            message.flags = (message.flags & !EDITABLE) | (flags & EDITABLE);
        }
        self.fill_pings(message, body);
        if is_empty(message) { Err(ApiError::empty_message()) } else { Ok(()) }
    }

    /// Keeps the files that `attachments` lists by id (all, if it is absent) and adds the new ones.
    fn fill_files(&mut self, message: &mut Message, body: &Value, files: &[Upload]) -> Result<(), ApiError> {
        let listed = body["attachments"].as_array().map_or(&[][..], Vec::as_slice);
        if body.get("attachments").is_some() {
            let kept = |file: &Attachment| listed.iter().any(|it| read_id(&it["id"]) == Some(file.id));
            message.attachments.retain(kept);
        }
        for file in &mut message.attachments {
            let named = listed.iter().find(|it| read_id(&it["id"]) == Some(file.id));
            if let Some(text) = named.and_then(|it| it["description"].as_str()) {
                file.description = Some(text.to_owned());
            }
        }
        for upload in files {
            let about = listed.iter().find(|it| read_id(&it["id"]) == Some(Id(upload.number)));
            let file = self.keep_file(upload, about.unwrap_or(&Value::Null));
            message.attachments.push(file);
        }
        if message.attachments.len() > FILES_MAX {
            return Err(ApiError::new(400, 30015, "Maximum number of attachments reached (10)"));
        }
        Ok(())
    }

    pub(crate) fn keep_file(&mut self, upload: &Upload, about: &Value) -> Attachment {
        let id = self.new_id();
        self.files.insert(id, upload.bytes.clone());
        self.touch(Key::File(id));
        let filename = about["filename"].as_str().unwrap_or(&upload.filename);
        let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        Attachment {
            id,
            filename: filename.chars().map(safe).collect(),
            description: about["description"].as_str().filter(|text| !text.is_empty()).map(str::to_owned),
            content_type: content_type(filename).to_owned(),
            size: upload.bytes.len() as u64,
            dimensions: png_dimensions(&upload.bytes),
        }
    }

    fn fill_pings(&self, message: &mut Message, body: &Value) {
        let Some(channel) = self.channels.get(&message.channel_id) else { return };
        let allowed = Allowed::read(body);
        let pings = self.pings(message.author_id, &message.content, &allowed, channel);
        message.mentions = pings.users;
        message.mention_roles = pings.roles;
        message.mention_everyone = pings.everyone;
        if allowed.replied_user {
            self.ping_replied(message);
        }
    }

    /// Adds the author of the message replied to as a mention, except for a reply to an answer of an
    /// interaction, which mentions nobody.
    pub(crate) fn ping_replied(&self, message: &mut Message) {
        let target = message.reference.filter(|_| message.kind == message_kind::REPLY);
        let Some(target) = target.and_then(|key| self.messages.get(&key)) else { return };
        let is_ordinary = target.interaction_id.is_none();
        if is_ordinary && !message.mentions.contains(&target.author_id) {
            message.mentions.push(target.author_id);
        }
    }

    /// Adds a finished message to its channel and sends the events. An archived thread is unarchived.
    pub(crate) fn insert(&mut self, message: Message) {
        let (channel_id, id) = (message.channel_id, message.id);
        if message.only_for.is_none() {
            self.note_in_channel(&message);
        }
        self.touch(Key::Message(channel_id, id));
        self.messages.insert((channel_id, id), message.clone());
        self.send_message_event("MESSAGE_CREATE", &message);
    }

    fn note_in_channel(&mut self, message: &Message) {
        let channel_id = message.channel_id;
        self.unarchive(channel_id);
        self.join_thread(channel_id, message.author_id);
        for named in &message.mentions {
            self.join_thread(channel_id, *named);
        }
        let Some(channel) = self.channels.get_mut(&channel_id) else { return };
        channel.last_message_id = Some(message.id);
        if let Some(thread) = &mut channel.thread {
            thread.messages += 1;
        }
        self.touch(Key::Channel(channel_id));
    }

    /// Replaces a message with its changed version and sends the event.
    pub(crate) fn replace(&mut self, message: Message) {
        self.touch(Key::Message(message.channel_id, message.id));
        self.messages.insert((message.channel_id, message.id), message.clone());
        self.send_message_event("MESSAGE_UPDATE", &message);
    }

    /// Deletes a message with its files and sends the event.
    pub(crate) fn remove(&mut self, channel_id: Id, id: Id) {
        let Some(message) = self.messages.remove(&(channel_id, id)) else { return };
        self.touch(Key::Message(channel_id, id));
        for file in &message.attachments {
            self.files.remove(&file.id);
            self.touch(Key::File(file.id));
        }
        self.send_message_deleted(&message);
    }
}

fn is_empty(message: &Message) -> bool {
    let has_text = has_value(&json!(message.content));
    !has_text && message.embeds.is_empty() && message.attachments.is_empty() && message.components.is_empty()
}

fn content_type(filename: &str) -> &'static str {
    match filename.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

/// Reads width and height from a PNG's IHDR chunk (PNG specification, section 11.2.2): bytes 16 to 24.
fn png_dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.get(..24).filter(|header| header.starts_with(b"\x89PNG\r\n\x1a\n"))?;
    let number = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some((number(16)?, number(20)?))
}
