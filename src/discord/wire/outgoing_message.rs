//! Messages as plain data, and their JSON.

mod component;
mod picture;

use serde_json::{Value, json};

use rookery_i18n::{person, role};
use rookery_table::{MessageId, RoleId, UserId};

use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use component::row_json;

pub use component::{ButtonStyle, Choice, Component};
pub use picture::{DeferredScenes, Pace, Picture, Scenes};

/// The flag of an ephemeral message.
pub const PRIVATE_FLAG: u64 = 1 << 6;
/// Precedes the mentions of people whom the text does not name.
const PING_LINE: &str = "\n-# ";
/// The flag of a message without a notification.
pub const SILENT_FLAG: u64 = 1 << 12;

/// A message to send.
#[derive(Clone, Debug, Default)]
pub struct OutgoingMessage {
    /// The text. A phone's notification shows only the first line.
    pub content: String,
    /// The people to notify; other mentions in the text do not notify.
    pub pings: Vec<UserId>,
    /// The roles whose members are notified.
    pub roles: Vec<RoleId>,
    /// A board, drawn when it is sent.
    pub picture: Option<Picture>,
    /// A file to attach, instead of a board.
    pub file: Option<File>,
    /// A longer text with a title, below the content.
    pub embed: Option<Embed>,
    /// The rows of buttons and selects, from top to bottom.
    pub rows: Vec<Vec<Component>>,
    /// The message that this one replies to.
    pub answers: Option<MessageId>,
    /// For edits: the text stays unchanged.
    pub keeps_content: bool,
    /// For edits: the picture stays although none is attached.
    pub keeps_picture: bool,
    /// Whether the message causes no notification sound, even if it pings.
    pub silent: bool,
    /// Whether the message answers an order that could not be stored: the same order may be given again at
    /// once.
    pub not_kept: bool,
    /// Whether Discord is asked to open the Activity instead. The message is sent only if it can't.
    pub launches: bool,
}

/// A file to attach.
#[derive(Clone, Debug)]
pub struct File {
    /// The file name: letters, digits, `-` and `.`.
    pub name: String,
    /// The content, at most `MAX_FILE_BYTES`.
    pub bytes: Vec<u8>,
}

/// A text with a title, which Discord shows in a frame below the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embed {
    /// The title, at most `MAX_TITLE_CHARS`.
    pub title: String,
    /// The description in Markdown, at most `MAX_EMBED_CHARS`.
    pub text: String,
}

impl OutgoingMessage {
    /// Creates a message with text only.
    pub fn text(content: impl Into<String>) -> OutgoingMessage {
        OutgoingMessage { content: content.into(), ..OutgoingMessage::default() }
    }

    /// Creates an edit that removes the buttons and changes nothing else.
    pub fn edit_without_buttons() -> OutgoingMessage {
        OutgoingMessage { keeps_content: true, keeps_picture: true, ..OutgoingMessage::default() }
    }

    /// Creates an edit that removes the buttons, replaces the text and keeps the picture.
    pub fn edit_text(content: impl Into<String>) -> OutgoingMessage {
        OutgoingMessage { keeps_picture: true, ..OutgoingMessage::text(content) }
    }

    /// Sets the picture, which replaces an earlier one.
    #[must_use]
    pub fn picture(mut self, picture: Picture) -> OutgoingMessage {
        self.picture = Some(picture);
        self
    }

    /// Sets the attached file.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>, bytes: Vec<u8>) -> OutgoingMessage {
        self.file = Some(File { name: name.into(), bytes });
        self
    }

    /// Adds a row of components.
    #[must_use]
    pub fn row(mut self, parts: impl IntoIterator<Item = Component>) -> OutgoingMessage {
        self.rows.push(parts.into_iter().collect());
        self
    }

    /// Adds people to notify. A person with two seats is listed once: Discord rejects a message that lists a
    /// user twice.
    #[must_use]
    pub fn ping(mut self, who: impl IntoIterator<Item = UserId>) -> OutgoingMessage {
        add_new(&mut self.pings, who);
        self
    }

    /// Adds roles to notify, each once.
    #[must_use]
    pub fn ping_roles(mut self, roles: impl IntoIterator<Item = RoleId>) -> OutgoingMessage {
        add_new(&mut self.roles, roles);
        self
    }

    /// Suppresses the notification sound.
    #[must_use]
    pub fn silent(mut self) -> OutgoingMessage {
        self.silent = true;
        self
    }

    /// Makes the message a reply.
    #[must_use]
    pub fn in_reply_to(mut self, message: MessageId) -> OutgoingMessage {
        self.answers = Some(message);
        self
    }

    /// Returns the JSON of a new message. Discord posts a message that is sent twice with the same `nonce`
    /// once.
    pub fn json(&self, nonce: Option<&str>) -> Value {
        let mut body = self.body();
        if !self.keeps_content {
            body["content"] = json!(self.content_with_pings());
        }
        if let Some(nonce) = nonce {
            body["nonce"] = json!(nonce);
            body["enforce_nonce"] = json!(true);
        }
        body
    }

    fn body(&self) -> Value {
        let mut body = json!({
            "allowed_mentions": self.mentions(),
            "components": self.rows.iter().map(|row| row_json(row)).collect::<Vec<_>>(),
        });
        if !self.keeps_content {
            body["content"] = json!(self.content);
        }
        if let Some(embed) = &self.embed {
            body["embeds"] = json!([{ "title": embed.title, "description": embed.text }]);
        }
        if let Some(picture) = &self.picture {
            body["attachments"] =
                json!([{ "id": "0", "filename": picture.file_name(), "description": picture.alt }]);
        } else if let Some(file) = &self.file {
            body["attachments"] = json!([{ "id": "0", "filename": file.name }]);
        }
        if let Some(message) = self.answers {
            // The reply is posted even if the other message was deleted meanwhile.
            body["message_reference"] =
                json!({ "message_id": message.to_string(), "fail_if_not_exists": false });
        }
        if self.silent {
            body["flags"] = json!(SILENT_FLAG);
        }
        body
    }

    /// Returns the JSON of an edit, which removes the old picture unless it is kept. An edit has no nonce, is
    /// no reply and notifies nobody.
    pub fn json_edit(&self) -> Value {
        let mut body = self.body();
        let fields = body.as_object_mut().expect("a message is an object");
        fields.remove("message_reference");
        fields.remove("flags");
        if !self.has_files() && !self.keeps_picture {
            fields.insert("attachments".into(), json!([]));
        }
        body
    }

    /// Returns the JSON of an ephemeral answer to an interaction.
    pub fn json_private(&self) -> Value {
        let mut body = self.body();
        body["flags"] = json!(PRIVATE_FLAG);
        body
    }

    /// Returns whether the message has a picture or a file.
    pub fn has_files(&self) -> bool {
        self.picture.is_some() || self.file.is_some()
    }

    /// Returns the text, followed in small print by mentions of the people to ping whom it does not mention,
    /// as many as fit. Discord pings only people whose mention is in the text.
    fn content_with_pings(&self) -> String {
        let people = self.people().map(person);
        let called = people.chain(self.roles.iter().map(|it| role(*it)));
        let (mut text, mut before) = (self.content.clone(), PING_LINE);
        for name in called.filter(|name| !self.content.contains(name.as_str())) {
            if text.chars().count() + before.len() + name.len() > MAX_CONTENT_CHARS {
                break;
            }
            text = text + before + &name;
            before = " ";
        }
        text
    }

    /// Returns the people to notify, without pseudonyms: Discord rejects ids that belong to nobody.
    fn people(&self) -> impl Iterator<Item = UserId> {
        self.pings.iter().copied().filter(|who| !who.is_pseudonym())
    }

    fn mentions(&self) -> Value {
        let users: Vec<_> = self.people().map(|who| who.0.to_string()).collect();
        let mut mentions = json!({ "parse": [], "users": users, "replied_user": false });
        if !self.roles.is_empty() {
            let roles: Vec<_> = self.roles.iter().map(ToString::to_string).collect();
            mentions["roles"] = json!(roles);
        }
        mentions
    }
}

fn add_new<T: PartialEq>(known: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}

#[cfg(test)]
mod tests;
