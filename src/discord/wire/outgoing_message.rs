//! Messages as plain data, and the JSON they become.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::drawing;
use rookery_core::scene::Scene;
use rookery_i18n::{person, role};
use rookery_render::Fingerprint;
use rookery_table::{ChannelId, MessageId, RoleId, UserId};

use crate::discord::wire::limits::MAX_CONTENT_CHARS;

/// The flag of a message that one person alone sees.
pub const PRIVATE_FLAG: u64 = 1 << 6;
/// What stands before those who are called without being named in the text.
pub(in crate::discord) const PING_LINE: &str = "\n-# ";
/// What stands on a button that is none: Discord wants a label on every one.
const NOTHING: &str = "·";
/// The flag of a message that makes no sound and no notification.
pub const SILENT_FLAG: u64 = 1 << 12;
/// The name that a board's file has.
const FILE_NAME: &str = "board.png";
/// The name that boards in motion have.
const ANIMATION_NAME: &str = "board.gif";

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

/// A board to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What is drawn: one scene, or several that follow each other.
    pub scenes: Scenes,
    /// What stands under each scene, if they are to stand side by side; else empty.
    pub captions: Vec<String>,
    /// What it shows (in the end), in words.
    pub alt: String,
    /// Its file, once it was drawn.
    pub drawn: Option<drawing::File>,
}

/// What a picture is drawn from.
#[derive(Clone, Debug)]
pub enum Scenes {
    /// Scenes that are there.
    Ready(Vec<Scene>),
    /// Scenes that are made when they are drawn: those of a whole game take long, and much room.
    Deferred(DeferredScenes),
}

/// Scenes that are made when they are drawn.
#[derive(Clone)]
pub struct DeferredScenes {
    /// How many they are.
    pub count: usize,
    /// Tells them apart from all others.
    pub fingerprint: Fingerprint,
    /// Makes them.
    pub make: Arc<dyn Fn() -> Vec<Scene> + Send + Sync>,
}

impl fmt::Debug for DeferredScenes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Later({} scenes)", self.count)
    }
}

impl Scenes {
    /// How many they are.
    pub fn count(&self) -> usize {
        match self {
            Scenes::Ready(scenes) => scenes.len(),
            Scenes::Deferred(later) => later.count,
        }
    }

    /// The scenes.
    pub fn make(self) -> Vec<Scene> {
        match self {
            Scenes::Ready(scenes) => scenes,
            Scenes::Deferred(later) => (later.make)(),
        }
    }
}

impl Picture {
    /// A board that stands.
    pub fn still(scene: Scene, alt: String) -> Picture {
        Picture { scenes: Scenes::Ready(vec![scene]), captions: Vec::new(), alt, drawn: None }
    }

    /// Boards that follow each other, one or more, in one animated picture.
    pub fn animation(scenes: DeferredScenes, alt: String) -> Picture {
        Picture { scenes: Scenes::Deferred(scenes), captions: Vec::new(), alt, drawn: None }
    }

    /// Boards side by side, each over its caption.
    pub fn sheet(boards: Vec<(Scene, String)>, alt: String) -> Picture {
        let (scenes, captions) = boards.into_iter().unzip();
        Picture { scenes: Scenes::Ready(scenes), captions, alt, drawn: None }
    }

    /// Whether it moves.
    pub fn moves(&self) -> bool {
        self.scenes.count() > 1 && self.captions.is_empty()
    }

    /// What its file is called.
    pub fn file_name(&self) -> &'static str {
        if self.moves() { ANIMATION_NAME } else { FILE_NAME }
    }
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

/// Something to press or choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A button.
    Button {
        /// What stands on it.
        label: String,
        /// How loud it is.
        style: ButtonStyle,
        /// What comes back when it is pressed.
        id: String,
    },
    /// A place where no button is, so that those beside it keep theirs.
    Blank {
        /// Any id that no other part has; nothing ever comes back.
        id: String,
    },
    /// A list of choices, one to be taken.
    Select {
        /// What comes back when something is chosen.
        id: String,
        /// What stands there before.
        placeholder: String,
        /// What there is.
        choices: Vec<Choice>,
    },
    /// A choice of text channels, several or none.
    Channels {
        /// What comes back when something is chosen.
        id: String,
        /// What stands there where nothing is chosen.
        placeholder: String,
        /// Those chosen now.
        chosen: Vec<ChannelId>,
        /// How many may be chosen.
        most: usize,
    },
}

/// One choice of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is shown.
    pub label: String,
    /// What comes back.
    pub value: String,
    /// A note under it; may be empty.
    pub note: String,
}

/// How loud a button is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonStyle {
    /// What one came for.
    Primary,
    /// One of several.
    Secondary,
    /// Yes, gladly.
    Success,
    /// Not to be undone.
    Danger,
}

impl Component {
    /// A button.
    pub fn button(label: impl Into<String>, style: ButtonStyle, id: impl Into<String>) -> Component {
        Component::Button { label: label.into(), style, id: id.into() }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Component::Button { id, .. }
            | Component::Blank { id }
            | Component::Select { id, .. }
            | Component::Channels { id, .. } => id,
        }
    }

    fn json(&self) -> Value {
        match self {
            Component::Button { label, style, id } => {
                json!({ "type": 2, "label": label, "style": style.style(), "custom_id": id })
            }
            Component::Blank { id } => {
                let style = ButtonStyle::Secondary.style();
                json!({ "type": 2, "label": NOTHING, "style": style, "custom_id": id, "disabled": true })
            }
            Component::Channels { id, placeholder, chosen, most } => {
                const TEXT_CHANNEL: u8 = 0;
                let now = |id: &ChannelId| json!({ "id": id.to_string(), "type": "channel" });
                json!({ "type": 8, "custom_id": id, "placeholder": placeholder, "min_values": 0,
                    "max_values": most, "channel_types": [TEXT_CHANNEL],
                    "default_values": chosen.iter().map(now).collect::<Vec<_>>() })
            }
            Component::Select { id, placeholder, choices } => {
                let options: Vec<_> = choices.iter().map(Choice::json).collect();
                json!({ "type": 3, "custom_id": id, "placeholder": placeholder, "options": options })
            }
        }
    }
}

impl Choice {
    fn json(&self) -> Value {
        let mut choice = json!({ "label": self.label, "value": self.value });
        if !self.note.is_empty() {
            choice["description"] = json!(self.note);
        }
        choice
    }
}

impl ButtonStyle {
    /// Discord's number for it.
    fn style(self) -> u8 {
        match self {
            ButtonStyle::Primary => 1,
            ButtonStyle::Secondary => 2,
            ButtonStyle::Success => 3,
            ButtonStyle::Danger => 4,
        }
    }
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

fn row_json(row: &[Component]) -> Value {
    json!({ "type": 1, "components": row.iter().map(Component::json).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_pinged_unless_named() {
        let body = OutgoingMessage::text("<@1> and <@2> @everyone").ping([UserId(2)]).json(None);
        let wanted = json!({ "parse": [], "users": ["2"], "replied_user": false });
        assert_eq!(body["allowed_mentions"], wanted);
        assert_eq!(OutgoingMessage::text("x").json_edit()["allowed_mentions"]["users"], json!([]));
    }

    #[test]
    fn a_role_is_pinged_only_if_named() {
        let post = OutgoingMessage::text("<@&1> <@&2>").ping_roles([RoleId(2)]);
        let wanted = json!({ "parse": [], "users": [], "roles": ["2"], "replied_user": false });
        assert_eq!(post.json(None)["allowed_mentions"], wanted);
    }

    #[test]
    fn whoever_is_named_twice_is_pinged_once() {
        let post = OutgoingMessage::text("x").ping([UserId(2), UserId(1), UserId(2)]).ping([UserId(1)]);
        let body = post.ping_roles([RoleId(4)]).ping_roles([RoleId(3), RoleId(4)]).json(None);
        assert_eq!(body["allowed_mentions"]["users"], json!(["2", "1"]));
        assert_eq!(body["allowed_mentions"]["roles"], json!(["4", "3"]));
    }

    #[test]
    fn who_is_pinged_without_being_named_stands_under_a_new_message() {
        let post = OutgoingMessage::text("<@1> won <@&4>")
            .ping([1, 2, 12].map(UserId))
            .ping_roles([RoleId(4), RoleId(5)]);
        assert_eq!(post.json(None)["content"], "<@1> won <@&4>\n-# <@2> <@12> <@&5>");
        for other in [post.json_edit(), post.json_private()] {
            assert_eq!(other["content"], post.content, "nobody is called by these");
        }
        let named = OutgoingMessage::text("<@1> won").ping([UserId(1)]);
        assert_eq!(named.json(None)["content"], named.content);
        for (left, added) in [(12, 0), (13, 1), (22, 1), (23, 2)] {
            let long = "x".repeat(MAX_CONTENT_CHARS - left);
            let told = OutgoingMessage::text(&long).ping([1, 2].map(|n| UserId(n + 123_456))).json(None);
            let told = told["content"].as_str().unwrap();
            assert!(told.starts_with(&long) && told.len() <= MAX_CONTENT_CHARS);
            assert_eq!(told.matches("<@").count(), added, "with room for {left}");
        }
    }

    #[test]
    fn a_nonce_is_enforced() {
        let body = OutgoingMessage::text("x").json(Some("K7Q2-1"));
        assert_eq!(body["nonce"], "K7Q2-1");
        assert_eq!(body["enforce_nonce"], true);
    }

    #[test]
    fn silence_is_asked_for_once_and_not_in_edits() {
        let post = OutgoingMessage::text("x").silent();
        assert_eq!(post.json(None)["flags"], 4_096);
        assert!(post.json_edit().get("flags").is_none());
        assert_eq!(post.json_private()["flags"], 64);
    }

    #[test]
    fn stripping_touches_neither_text_nor_picture() {
        let body = OutgoingMessage::edit_without_buttons().json_edit();
        assert_eq!(body["components"], json!([]));
        assert!(body.get("content").is_none());
        assert!(body.get("attachments").is_none());
    }

    #[test]
    fn what_is_retold_has_new_words_and_its_old_picture() {
        let body = OutgoingMessage::edit_text("K7Q2 · 1. d1-d7/g7").json_edit();
        assert_eq!((&body["content"], &body["components"]), (&json!("K7Q2 · 1. d1-d7/g7"), &json!([])));
        assert!(body.get("attachments").is_none());
    }
}
