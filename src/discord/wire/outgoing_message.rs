//! Messages as plain data, and the JSON they become.

mod component;
mod picture;

use serde_json::{Value, json};

use rookery_i18n::{person, role};
use rookery_table::{MessageId, RoleId, UserId};

use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use component::row_json;

pub use component::{ButtonStyle, Choice, Component};
pub use picture::{DeferredScenes, Picture, Scenes};

/// The flag of a message that one person alone sees.
pub const PRIVATE_FLAG: u64 = 1 << 6;
/// What stands before those who are called without being named in the text.
pub(in crate::discord) const PING_LINE: &str = "\n-# ";
/// The flag of a message that makes no sound and no notification.
pub const SILENT_FLAG: u64 = 1 << 12;

/// A message, before it is sent.
#[derive(Clone, Debug, Default)]
pub struct OutgoingMessage {
    /// Its text. The first line is what a phone shows.
    pub content: String,
    /// Who hears of it; mentions of others are only their names.
    pub pings: Vec<UserId>,
    /// The roles all of whom hear of it.
    pub roles: Vec<RoleId>,
    /// A board, drawn when it is sent.
    pub picture: Option<Picture>,
    /// A file that goes with it, in place of a board.
    pub file: Option<File>,
    /// A longer text with a title.
    pub embed: Option<Embed>,
    /// Buttons and selects.
    pub rows: Vec<Vec<Component>>,
    /// The message it answers.
    pub answers: Option<MessageId>,
    /// For edits: the text stays what it was.
    pub keeps_content: bool,
    /// For edits: the picture stays, though none comes along.
    pub keeps_picture: bool,
    /// Whether it makes no sound, though it pings.
    pub silent: bool,
    /// Whether it answers an order that could not be kept: the same order may be given again at once.
    pub not_kept: bool,
}

/// A file to be taken home.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name: letters, digits, `-` and `.`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A text with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embed {
    /// Its title.
    pub title: String,
    /// Its text, Markdown.
    pub text: String,
}

impl OutgoingMessage {
    /// A message of text alone.
    pub fn text(content: impl Into<String>) -> OutgoingMessage {
        OutgoingMessage { content: content.into(), ..OutgoingMessage::default() }
    }

    /// An edit that takes the buttons off and changes nothing else.
    pub fn edit_without_buttons() -> OutgoingMessage {
        OutgoingMessage { keeps_content: true, keeps_picture: true, ..OutgoingMessage::default() }
    }

    /// An edit that takes the buttons off and says something else over the same picture.
    pub fn edit_text(content: impl Into<String>) -> OutgoingMessage {
        OutgoingMessage { keeps_picture: true, ..OutgoingMessage::text(content) }
    }

    /// The same with a board.
    #[must_use]
    pub fn picture(mut self, picture: Picture) -> OutgoingMessage {
        self.picture = Some(picture);
        self
    }

    /// The same with a file.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>, bytes: Vec<u8>) -> OutgoingMessage {
        self.file = Some(File { name: name.into(), bytes });
        self
    }

    /// The same with one more row.
    #[must_use]
    pub fn row(mut self, parts: impl IntoIterator<Item = Component>) -> OutgoingMessage {
        self.rows.push(parts.into_iter().collect());
        self
    }

    /// The same, pinging these people. A person with two seats is pinged once: Discord refuses a message that
    /// lists a user
    /// twice.
    #[must_use]
    pub fn ping(mut self, who: impl IntoIterator<Item = UserId>) -> OutgoingMessage {
        add_new(&mut self.pings, who);
        self
    }

    /// The same, heard by all with these roles, each once.
    #[must_use]
    pub fn ping_roles(mut self, roles: impl IntoIterator<Item = RoleId>) -> OutgoingMessage {
        add_new(&mut self.roles, roles);
        self
    }

    /// The same without a sound.
    #[must_use]
    pub fn silent(mut self) -> OutgoingMessage {
        self.silent = true;
        self
    }

    /// The same as an answer to a message.
    #[must_use]
    pub fn in_reply_to(mut self, message: MessageId) -> OutgoingMessage {
        self.answers = Some(message);
        self
    }

    /// As Discord wants it of a new message. `nonce` keeps one that is sent twice from appearing twice.
    pub fn json(&self, nonce: Option<&str>) -> Value {
        let mut body = self.body();
        if !self.keeps_content {
            body["content"] = json!(self.content_calling());
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
            // A message that was deleted meanwhile is answered as well.
            body["message_reference"] =
                json!({ "message_id": message.to_string(), "fail_if_not_exists": false });
        }
        if self.silent {
            body["flags"] = json!(SILENT_FLAG);
        }
        body
    }

    /// As an edit: a picture that is not there any more goes away. Takes no nonce, answers nothing and calls
    /// nobody.
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

    /// As the content of an answer to an interaction, seen by one person alone.
    pub fn json_private(&self) -> Value {
        let mut body = self.body();
        body["flags"] = json!(PRIVATE_FLAG);
        body
    }

    /// Whether anything goes with it that is no text.
    pub fn has_files(&self) -> bool {
        self.picture.is_some() || self.file.is_some()
    }

    /// The text, and under it in small letters the people to ping whom it doesn't mention: Discord pings
    /// nobody whose mention
    /// the text lacks. As many as fit.
    fn content_calling(&self) -> String {
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

    /// Those who hear of it. Discord takes no number that is nobody's.
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

/// Adds what is not there yet.
fn add_new<T: PartialEq>(known: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}

#[cfg(test)]
mod tests;
