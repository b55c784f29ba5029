//! Interactions as the handlers use them. `payload` reads them.

use serenity::all::Permissions;

use crate::discord::wire::api::InteractionToken;
use crate::discord::wire::custom_id::CustomId;
use rookery_table::{ChannelId, GuildId, MessageId, RoleId, SourceId, UserId};

/// The data that commands, completions and component presses have in common.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// The credentials for the answer.
    pub token: InteractionToken,
    /// The person who used the command or component.
    pub who: UserId,
    /// The channel and its permissions.
    pub place: InteractionChannel,
    /// The language of the person's client, such as `de` or `en-US`.
    pub locale: Option<String>,
    /// The language of the server.
    pub guild_locale: Option<String>,
    /// Whether the person may manage the server.
    pub manages: bool,
    /// Whether the person is an administrator of the server.
    pub administers: bool,
    /// The person's roles on the server; `None` if Discord does not send them.
    pub roles: Option<Vec<RoleId>>,
    /// Whether the person may write in the channel.
    pub writes: bool,
    /// Whether the person may mention every role in the channel, mentionable or not; `false` if Discord does
    /// not send the permissions.
    pub mentions_all: bool,
}

/// A person who asks for something, with the facts that the answer depends on: by an interaction or on a web page.
#[derive(Clone, Copy, Debug)]
pub struct Requester<'a> {
    /// The person.
    pub who: UserId,
    /// Where they ask.
    pub place: InteractionChannel,
    /// Their roles on the server; `None` if unknown.
    pub roles: Option<&'a [RoleId]>,
    /// Whether they may write there.
    pub writes: bool,
    /// Whether they may mention every role there.
    pub mentions_all: bool,
    /// What identifies the request if it comes twice.
    pub source: SourceId,
}

impl<'a> From<&'a Interaction> for Requester<'a> {
    fn from(interaction: &'a Interaction) -> Requester<'a> {
        Requester {
            who: interaction.who,
            place: interaction.place,
            roles: interaction.roles.as_deref(),
            writes: interaction.writes,
            mentions_all: interaction.mentions_all,
            source: interaction.token.id,
        }
    }
}

/// The channel of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InteractionChannel {
    /// The channel, thread or DM.
    pub channel: ChannelId,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
    /// Whether the channel is a thread.
    pub thread: bool,
    /// The parent channel of a thread.
    pub parent: Option<ChannelId>,
    /// The bot's permissions in the channel as Discord's bits; `None` if Discord does not send them.
    pub may: Option<u64>,
    /// Whether the bot itself is there and can post, rather than being only installed by the person.
    pub ours: bool,
}

/// A command with its options.
#[derive(Clone, Debug, Default)]
pub struct CommandInput {
    /// The command's name as registered.
    pub name: String,
    /// The options with the values that the person gave.
    pub options: GivenOptions,
    /// The option that is being typed, for completion.
    pub focus: Option<FocusedOption>,
    /// The target of a user menu command.
    pub target: Option<UserId>,
    /// The target of a message menu command.
    pub message: Option<TargetMessage>,
}

impl CommandInput {
    /// Whether the target of a user menu command is a bot.
    pub fn targets_bot(&self) -> bool {
        self.target.is_some_and(|target| self.options.bots.contains(&target))
    }
}

/// The option that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FocusedOption {
    /// The option's name as registered.
    pub name: String,
    /// The text typed so far.
    pub typed: String,
}

/// The options of a command as Discord sends them.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    pub(in crate::discord) subcommand: Option<String>,
    pub(in crate::discord) values: Vec<(String, OptionValue)>,
    pub(in crate::discord) file: Option<Attachment>,
    /// The bots among the users in the options.
    pub(in crate::discord) bots: Vec<UserId>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// The value of a text option.
    Text(String),
    /// The value of an integer option.
    Number(i64),
    /// The value of a user option.
    User(UserId),
    /// The value of a boolean option.
    Yes(bool),
    /// A value that doesn't fit the option's type, or a type that this version doesn't know.
    Unreadable,
}

/// How the names of pictures end. Not all of these formats are read.
const PICTURE_ENDINGS: [&str; 9] =
    [".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".heif", ".avif", ".bmp"];

/// A file attached to a message or command; it is downloaded only when needed.
#[derive(Clone, Debug)]
pub struct Attachment(pub(in crate::discord) serenity::all::Attachment);

/// The target of a message menu command.
#[derive(Clone, Debug, Default)]
pub struct TargetMessage {
    /// The id of the message.
    pub message: MessageId,
    /// The text of the message.
    pub text: String,
    /// The files attached to the message.
    pub files: Vec<Attachment>,
    /// The custom ids of its buttons and selects.
    pub buttons: Vec<String>,
}

impl Attachment {
    /// Returns whether the name ends like that of a record (`.txt` or `.json`).
    pub fn is_text(&self) -> bool {
        [".txt", ".json"].iter().any(|ending| self.0.filename.ends_with(ending))
    }

    /// Returns whether it's a picture, by its type or by the end of its name; also one in a format that can't be read.
    pub fn is_picture(&self) -> bool {
        let name = self.0.filename.to_ascii_lowercase();
        self.0.content_type.as_ref().is_some_and(|kind| kind.starts_with("image/"))
            || PICTURE_ENDINGS.iter().any(|ending| name.ends_with(ending))
    }
}

/// A press of a button, a choice in a select, or a form that was sent.
#[derive(Clone, Debug)]
pub struct ComponentPress {
    /// The custom id as text.
    pub id: String,
    /// The parsed custom id.
    pub custom_id: CustomId,
    /// The chosen values of a select, or the texts of a form.
    pub values: Vec<String>,
    /// The bots among the chosen people.
    pub bots: Vec<UserId>,
    /// Whether the message with the component is ephemeral.
    pub private: bool,
    /// The message with the component.
    pub message: MessageId,
    /// The text of the message with the component.
    pub content: String,
}

impl GivenOptions {
    /// The name of the option for a table, the same in all commands.
    pub const TABLE: &str = "table";

    /// Returns the options with these values and nothing else.
    pub fn of(values: Vec<(String, OptionValue)>) -> GivenOptions {
        GivenOptions { values, ..GivenOptions::default() }
    }

    /// Returns the name of the subcommand.
    pub fn subcommand(&self) -> Option<&str> {
        self.subcommand.as_deref()
    }

    /// Returns the bots among the users in the options.
    pub fn bots(&self) -> &[UserId] {
        &self.bots
    }

    /// Returns the attached file.
    pub fn file(&self) -> Option<&Attachment> {
        self.file.as_ref()
    }

    /// Returns the value of an option, if it was given.
    pub fn value(&self, name: &str) -> Option<&OptionValue> {
        self.values.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the options without this one.
    #[must_use]
    pub fn without(mut self, name: &str) -> GivenOptions {
        self.values.retain(|(key, _)| key != name);
        self
    }
}

/// A permission that the bot needs in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredPermission {
    bit: Permissions,
    /// The locale key of its name.
    pub name: &'static str,
    /// The locale key of the reason.
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

/// Returns the permissions that the bot lacks in a channel; none outside a server or if they are unknown.
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

/// Returns the permissions that the bot lacks in a server's channel where it has these.
pub fn lacking_in_channel(
    channel: ChannelId,
    guild: GuildId,
    thread: bool,
    may: u64,
) -> Vec<RequiredPermission> {
    let guild = Some(guild);
    lacking(InteractionChannel { channel, guild, thread, parent: None, may: Some(may), ours: true })
}

/// Returns the locale keys of the missing permissions without which no game can be played there.
pub fn missing(place: InteractionChannel) -> Vec<&'static str> {
    lacking(place).into_iter().filter(|need| need.vital).map(|need| need.name).collect()
}

/// Returns whether the bot may mention every role there, or this is unknown; otherwise it may mention only
/// the mentionable ones.
pub fn may_mention_all_roles(place: InteractionChannel) -> bool {
    let may = Permissions::from_bits_truncate(place.may.unwrap_or(u64::MAX));
    may.intersects(Permissions::MENTION_EVERYONE | Permissions::ADMINISTRATOR)
}

/// Returns whether the bot can create a thread there and write in it.
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
