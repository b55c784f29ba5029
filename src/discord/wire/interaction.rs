//! Interactions in our own terms: who asks, where, for what. `payload` reads them.

use serenity::all::Permissions;

use crate::discord::wire::api::InteractionToken;
use crate::discord::wire::custom_id::CustomId;
use rookery_table::{ChannelId, GuildId, MessageId, RoleId, UserId};

/// Something asked by command, completion or button.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// What it is answered by.
    pub token: InteractionToken,
    /// Who asks.
    pub who: UserId,
    /// Where.
    pub place: InteractionChannel,
    /// The language of their client, such as `de` or `en-US`.
    pub locale: Option<String>,
    /// The language of the server.
    pub guild_locale: Option<String>,
    /// Whether they may manage the server.
    pub manages: bool,
    /// Their roles on the server; `None` where Discord does not tell them.
    pub roles: Option<Vec<RoleId>>,
    /// Whether they may write there.
    pub writes: bool,
    /// Whether they may mention every role there themselves, whatever the role says; where Discord does not tell, they
    /// may not.
    pub mentions_all: bool,
}

/// Where something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InteractionChannel {
    /// The channel, thread or DM.
    pub channel: ChannelId,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
    /// Whether that is a thread.
    pub thread: bool,
    /// The channel that a thread hangs under.
    pub parent: Option<ChannelId>,
    /// What we may do there, as Discord's bits; `None` where it does not say.
    pub may: Option<u64>,
    /// Whether we are there ourselves, and not only brought along by the asker: then we can post.
    pub ours: bool,
}

/// A command as it was given.
#[derive(Clone, Debug, Default)]
pub struct CommandInput {
    /// Its name.
    pub name: String,
    /// Its options.
    pub options: GivenOptions,
    /// The option that is being typed.
    pub focus: Option<FocusedOption>,
    /// Whom it was used on, from a person's menu.
    pub target: Option<UserId>,
    /// The message that it was used on, from its menu.
    pub message: Option<TargetMessage>,
}

/// The option that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FocusedOption {
    /// The option's name.
    pub name: String,
    /// The text up to now.
    pub typed: String,
}

/// The options that were given to a command.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    pub(in crate::discord) subcommand: Option<String>,
    pub(in crate::discord) values: Vec<(String, OptionValue)>,
    pub(in crate::discord) file: Option<Attachment>,
    /// The bots among the people who are named.
    pub(in crate::discord) bots: Vec<UserId>,
}

/// What an option was given as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A person.
    User(UserId),
    /// Yes or no.
    Yes(bool),
}

/// A file that somebody brought along; it is fetched when it is needed.
#[derive(Clone, Debug)]
pub struct Attachment(pub(in crate::discord) serenity::all::Attachment);

/// The message that a command of the menu was used on.
#[derive(Clone, Debug, Default)]
pub struct TargetMessage {
    /// The message.
    pub message: MessageId,
    /// Its text.
    pub text: String,
    /// Its files.
    pub files: Vec<Attachment>,
    /// The ids of its buttons and selects.
    pub buttons: Vec<String>,
}

impl Attachment {
    /// Whether it may be a record, by its name.
    pub fn is_text(&self) -> bool {
        [".txt", ".json"].iter().any(|ending| self.0.filename.ends_with(ending))
    }
}

/// A button pressed, or a choice made.
#[derive(Clone, Debug)]
pub struct ComponentPress {
    /// The component's own id.
    pub id: String,
    /// What the component is for.
    pub custom_id: CustomId,
    /// What was chosen, from a select.
    pub values: Vec<String>,
    /// Whether the message with the button is seen by the presser alone.
    pub private: bool,
    /// The message.
    pub message: MessageId,
    /// Its text.
    pub content: String,
}

impl GivenOptions {
    /// The name of the option that names a table, the same in all commands.
    pub const TABLE: &str = "table";

    /// Returns the options with these values and nothing else.
    pub fn of(values: Vec<(String, OptionValue)>) -> GivenOptions {
        GivenOptions { values, ..GivenOptions::default() }
    }

    /// Returns the name of the subcommand.
    pub fn subcommand(&self) -> Option<&str> {
        self.subcommand.as_deref()
    }

    /// Returns the bots among the people who are named.
    pub fn bots(&self) -> &[UserId] {
        &self.bots
    }

    /// Returns the attached file.
    pub fn file(&self) -> Option<&Attachment> {
        self.file.as_ref()
    }

    /// Returns the table that is named.
    pub fn table(&self) -> Option<&str> {
        self.text(Self::TABLE)
    }

    /// Returns the text of an option.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.find(name, |value| match value {
            OptionValue::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the number of an option.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.find(name, |value| match value {
            OptionValue::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// Returns whether an option was given as true or false.
    pub fn yes(&self, name: &str) -> Option<bool> {
        self.find(name, |value| match value {
            OptionValue::Yes(yes) => Some(*yes),
            _ => None,
        })
    }

    /// Returns the person of an option.
    pub fn person(&self, name: &str) -> Option<UserId> {
        self.find(name, |value| match value {
            OptionValue::User(person) => Some(*person),
            _ => None,
        })
    }

    fn find<'a, T>(&'a self, name: &str, read: impl Fn(&'a OptionValue) -> Option<T>) -> Option<T> {
        self.values.iter().filter(|(key, _)| key == name).find_map(|(_, value)| read(value))
    }
}

/// A permission that we need somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredPermission {
    bit: Permissions,
    /// The key of its name.
    pub name: &'static str,
    /// The key of what it is for.
    pub why: &'static str,
    /// Whether no game can be played without it.
    pub vital: bool,
}

const VIEW: RequiredPermission = need(Permissions::VIEW_CHANNEL, "permission-view", "why-view", true);
const SEND: RequiredPermission = need(Permissions::SEND_MESSAGES, "permission-send", "why-send", true);
const SEND_IN_THREADS: RequiredPermission =
    need(Permissions::SEND_MESSAGES_IN_THREADS, "permission-threads-send", "why-threads-send", true);
const FILES: RequiredPermission = need(Permissions::ATTACH_FILES, "permission-files", "why-files", true);
const HISTORY: RequiredPermission =
    need(Permissions::READ_MESSAGE_HISTORY, "permission-history", "why-history", true);
const EMBED: RequiredPermission = need(Permissions::EMBED_LINKS, "permission-embed", "why-embed", false);
const MAKE_THREADS: RequiredPermission =
    need(Permissions::CREATE_PUBLIC_THREADS, "permission-threads-make", "why-threads-make", false);

const fn need(bit: Permissions, name: &'static str, why: &'static str, vital: bool) -> RequiredPermission {
    RequiredPermission { bit, name, why, vital }
}

/// All that we need and lack in a channel.
pub fn lacking(place: InteractionChannel) -> Vec<RequiredPermission> {
    let (Some(bits), Some(_)) = (place.may, place.guild) else { return Vec::new() };
    let may = Permissions::from_bits_truncate(bits);
    let needed = if place.thread {
        vec![VIEW, SEND_IN_THREADS, FILES, HISTORY, EMBED]
    } else {
        vec![
            VIEW,
            SEND,
            FILES,
            HISTORY,
            EMBED,
            MAKE_THREADS,
            RequiredPermission { vital: false, ..SEND_IN_THREADS },
        ]
    };
    let all = may.contains(Permissions::ADMINISTRATOR);
    needed.into_iter().filter(|need| !all && !may.contains(need.bit)).collect()
}

/// The permissions without which no game can be played there, by the key of their name; those missing.
pub fn missing(place: InteractionChannel) -> Vec<&'static str> {
    lacking(place).into_iter().filter(|need| need.vital).map(|need| need.name).collect()
}

/// Whether every role may be called there, as far as Discord says; of others only those that all may mention.
pub fn may_call_roles(place: InteractionChannel) -> bool {
    let may = Permissions::from_bits_truncate(place.may.unwrap_or(u64::MAX));
    may.intersects(Permissions::MENTION_EVERYONE | Permissions::ADMINISTRATOR)
}

/// Whether a thread can be made and written in there.
pub fn can_thread(place: InteractionChannel) -> bool {
    let may = Permissions::from_bits_truncate(place.may.unwrap_or(u64::MAX));
    let threads = Permissions::CREATE_PUBLIC_THREADS | Permissions::SEND_MESSAGES_IN_THREADS;
    let can = may.contains(Permissions::ADMINISTRATOR) || may.contains(threads);
    place.guild.is_some() && !place.thread && can
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Permissions = Permissions::VIEW_CHANNEL
        .union(Permissions::SEND_MESSAGES)
        .union(Permissions::ATTACH_FILES)
        .union(Permissions::READ_MESSAGE_HISTORY);

    fn place(may: Permissions) -> InteractionChannel {
        InteractionChannel {
            channel: ChannelId(1),
            guild: Some(GuildId(2)),
            thread: false,
            parent: None,
            may: Some(may.bits()),
            ours: true,
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(missing(place(ALL)).is_empty());
        assert_eq!(missing(place(ALL - Permissions::ATTACH_FILES)), ["permission-files"]);
        assert!(missing(place(Permissions::ADMINISTRATOR)).is_empty());
        assert!(missing(InteractionChannel { guild: None, ..place(Permissions::empty()) }).is_empty());
    }

    #[test]
    fn in_a_thread_another_permission_counts() {
        let thread = InteractionChannel { thread: true, ..place(ALL) };
        assert_eq!(missing(thread), ["permission-threads-send"]);
    }

    #[test]
    fn no_thread_inside_a_thread_nor_in_a_dm_nor_without_leave() {
        let both = Permissions::CREATE_PUBLIC_THREADS | Permissions::SEND_MESSAGES_IN_THREADS;
        assert!(can_thread(place(ALL | both)));
        assert!(!can_thread(place(ALL)));
        assert!(!can_thread(InteractionChannel { thread: true, ..place(ALL | both) }));
        assert!(!can_thread(InteractionChannel { guild: None, ..place(ALL | both) }));
    }
}
