//! Interactions and messages in our own terms: who asks, where, for what.

use serenity::all::{
    ActionRowComponent, Attachment, AuthorizingIntegrationOwner, AuthorizingIntegrationOwners, Button,
    ButtonKind, ChannelType, CommandDataOption, CommandDataOptionValue, CommandInteraction, CommandType,
    ComponentInteraction, ComponentInteractionDataKind, InteractionContext, Member, Message, MessageFlags,
    PartialChannel, Permissions, User,
};

use crate::table::Person;
use crate::words;

use super::api::Ticket;
use super::hear::Heard;

/// Something asked by command, completion or button.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it is answered by.
    pub ticket: Ticket,
    /// Who asks.
    pub who: Person,
    /// Where.
    pub place: Place,
    /// The language of their client, such as `de` or `en-US`.
    pub locale: Option<String>,
    /// The language of the server.
    pub guild_locale: Option<String>,
    /// Whether they may manage the server.
    pub manages: bool,
    /// Their roles on the server.
    pub roles: Vec<u64>,
    /// Whether they may write there.
    pub writes: bool,
}

/// Where something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The channel, thread or DM.
    pub channel: u64,
    /// The server, unless in a DM.
    pub guild: Option<u64>,
    /// Whether that is a thread.
    pub thread: bool,
    /// The channel that a thread hangs under.
    pub parent: Option<u64>,
    /// What we may do there, as Discord's bits; `None` where it does not say.
    pub may: Option<u64>,
    /// Whether we are there ourselves, and not only brought along by the asker: then we can post.
    pub ours: bool,
}

/// A command as it was given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// The part of it that was meant, of a command in parts.
    pub part: Option<String>,
    /// Its options, those given.
    pub options: Vec<(String, Value)>,
    /// The option that is being typed.
    pub focus: Option<(String, String)>,
    /// Which of the people named are bots.
    pub bots: Vec<Person>,
    /// Whom it was used on, from a person's menu.
    pub target: Option<Person>,
    /// The file that was given.
    pub file: Option<Brought>,
    /// The message that it was used on, from its menu.
    pub message: Option<Target>,
}

/// What an option was given as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A person.
    Person(Person),
    /// Yes or no.
    Yes(bool),
}

/// A file that somebody brought along; it is fetched when it is needed.
#[derive(Clone, Debug)]
pub struct Brought(pub(super) Attachment);

/// The message that a command of the menu was used on.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The message.
    pub message: u64,
    /// Its text.
    pub text: String,
    /// Its files.
    pub files: Vec<Brought>,
    /// The ids of its buttons and selects.
    pub buttons: Vec<String>,
}

impl Brought {
    /// Whether it may be a record, by its name.
    pub fn is_text(&self) -> bool {
        [".txt", ".json"].iter().any(|ending| self.0.filename.ends_with(ending))
    }
}

/// A button pressed, or a choice made.
#[derive(Clone, Debug)]
pub struct Pressed {
    /// The component's own id.
    pub id: String,
    /// What was chosen, from a select.
    pub values: Vec<String>,
    /// Whether the message with the button is seen by the presser alone.
    pub private: bool,
    /// The message.
    pub message: u64,
    /// Its text.
    pub content: String,
}

impl Given {
    /// What stands so far in the option that is being typed; nothing, if none is.
    pub fn typed(&self) -> &str {
        self.focus.as_ref().map_or("", |(_, typed)| typed)
    }

    /// An option's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|(key, value)| match value {
            Value::Text(text) if key == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// An option's number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.options.iter().find_map(|(key, value)| match value {
            Value::Number(number) if key == name => Some(*number),
            _ => None,
        })
    }

    /// Whether an option was given as true.
    pub fn yes(&self, name: &str) -> bool {
        self.options.iter().any(|(key, value)| key == name && *value == Value::Yes(true))
    }

    /// An option's person.
    pub fn person(&self, name: &str) -> Option<Person> {
        self.options.iter().find_map(|(key, value)| match value {
            Value::Person(person) if key == name => Some(*person),
            _ => None,
        })
    }
}

/// Who asks, where, and how it is answered. serenity's kinds of interaction have the same fields for that, and no
/// trait.
macro_rules! asked {
    ($from:expr, $member:expr) => {
        Asked {
            ticket: Ticket { id: $from.id.get(), token: $from.token.clone() },
            who: who(&$from.user),
            place: Place {
                channel: $from.channel_id.get(),
                guild: $from.guild_id.map(|guild| guild.get()),
                thread: parent($from.channel.as_ref()).is_some(),
                parent: parent($from.channel.as_ref()),
                may: $from.app_permissions.map(|may| may.bits()),
                ours: is_ours(&$from.authorizing_integration_owners, $from.context),
            },
            locale: Some($from.locale.clone()),
            guild_locale: $from.guild_locale.clone(),
            manages: manages($member),
            roles: roles($member),
            writes: writes($member),
        }
    };
}

/// Reads a command, or one that is being typed.
pub fn command(from: &CommandInteraction) -> (Asked, Given) {
    let asked = asked!(from, from.member.as_deref());
    let (part, options) = parts(&from.data.options);
    let users = from.data.resolved.users.values();
    let mut bots: Vec<_> = users.filter(|user| user.bot).map(who).collect();
    bots.sort_unstable();
    let given = Given {
        name: from.data.name.clone(),
        focus: from.data.autocomplete().map(|option| (option.name.to_owned(), option.value.to_owned())),
        part,
        options: options.iter().filter_map(option).collect(),
        bots,
        target: person_aimed_at(from),
        file: from.data.resolved.attachments.values().next().cloned().map(Brought),
        message: target(from),
    };
    (asked, given)
}

/// Reads a press.
pub fn press(from: &ComponentInteraction) -> (Asked, Pressed) {
    let asked = asked!(from, from.member.as_ref());
    let values = match &from.data.kind {
        ComponentInteractionDataKind::StringSelect { values } => values.clone(),
        ComponentInteractionDataKind::ChannelSelect { values } => {
            values.iter().map(|channel| channel.get().to_string()).collect()
        }
        _ => Vec::new(),
    };
    let private = from.message.flags.is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL));
    let (id, content) = (from.data.custom_id.clone(), from.message.content.clone());
    (asked, Pressed { id, values, private, message: from.message.id.get(), content })
}

/// Whom a command of a person's menu was used on.
fn person_aimed_at(from: &CommandInteraction) -> Option<Person> {
    let id = from.data.target_id.filter(|_| from.data.kind == CommandType::User)?;
    Some(Person(id.get()))
}

fn target(from: &CommandInteraction) -> Option<Target> {
    let id = from.data.target_id?.to_message_id();
    let message = from.data.resolved.messages.get(&id)?;
    let files = message.attachments.iter().cloned().map(Brought).collect();
    let buttons = message.components.iter().flat_map(|row| &row.components).filter_map(custom_id).collect();
    Some(Target { message: id.get(), text: message.content.clone(), files, buttons })
}

/// Reads a message; `own_role` is the role that bears our name on its server.
pub fn message(from: &Message, me: Person, own_role: Option<u64>) -> Heard {
    let answered = from.message_reference.as_ref().and_then(|reference| reference.message_id);
    let bots = from.mentions.iter().filter(|user| user.bot).map(who).filter(|bot| *bot != me);
    let mentions = |role: &u64| from.mention_roles.iter().any(|named| named.get() == *role);
    Heard {
        id: from.id.get(),
        channel: from.channel_id.get(),
        guild: from.guild_id.map(|guild| guild.get()),
        who: from.author.id.get(),
        text: from.content.clone(),
        roles: from.member.iter().flat_map(|member| &member.roles).map(|role| role.get()).collect(),
        mentions_us: from.mentions.iter().any(|user| who(user) == me),
        // Whoever may not call the role writes its mention all the same.
        mentions_role: own_role.filter(|role| mentions(role) || from.content.contains(&words::role(*role))),
        answers: answered.map(|id| id.get()),
        bots: bots.map(|bot| bot.0).collect(),
        answers_us: from.referenced_message.as_ref().is_some_and(|other| who(&other.author) == me),
    }
}

fn custom_id(component: &ActionRowComponent) -> Option<String> {
    match component {
        ActionRowComponent::Button(Button { data: ButtonKind::NonLink { custom_id, .. }, .. }) => {
            Some(custom_id.clone())
        }
        ActionRowComponent::SelectMenu(menu) => menu.custom_id.clone(),
        _ => None,
    }
}

fn manages(member: Option<&Member>) -> bool {
    let may = member.and_then(|member| member.permissions).unwrap_or_default();
    may.intersects(Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR)
}

fn roles(member: Option<&Member>) -> Vec<u64> {
    member.map(|member| member.roles.iter().map(|role| role.get()).collect()).unwrap_or_default()
}

/// Whoever is no member writes in a direct message, where everybody may.
fn writes(member: Option<&Member>) -> bool {
    let writing =
        Permissions::SEND_MESSAGES | Permissions::SEND_MESSAGES_IN_THREADS | Permissions::ADMINISTRATOR;
    member.and_then(|member| member.permissions).is_none_or(|may| may.intersects(writing))
}

fn who(user: &User) -> Person {
    Person(user.id.get())
}

/// The part of a command that was meant, and the options of that.
fn parts(options: &[CommandDataOption]) -> (Option<String>, &[CommandDataOption]) {
    match options {
        [CommandDataOption { name, value: CommandDataOptionValue::SubCommand(inner), .. }] => {
            (Some(name.clone()), inner)
        }
        plain => (None, plain),
    }
}

fn option(option: &CommandDataOption) -> Option<(String, Value)> {
    let value = match &option.value {
        CommandDataOptionValue::String(text) => Value::Text(text.clone()),
        CommandDataOptionValue::Autocomplete { value, .. } => Value::Text(value.clone()),
        CommandDataOptionValue::Integer(number) => Value::Number(*number),
        CommandDataOptionValue::Boolean(yes) => Value::Yes(*yes),
        CommandDataOptionValue::User(user) => Value::Person(Person(user.get())),
        _ => return None,
    };
    Some((option.name.clone(), value))
}

/// Whether a server has us, or it is our own direct message. What says nothing of it is taken for ours.
fn is_ours(owners: &AuthorizingIntegrationOwners, context: Option<InteractionContext>) -> bool {
    let of_server =
        owners.0.iter().any(|owner| matches!(owner, AuthorizingIntegrationOwner::GuildInstall(_)));
    match context {
        Some(InteractionContext::BotDm) => true,
        Some(InteractionContext::PrivateChannel) => false,
        _ => of_server || owners.0.is_empty(),
    }
}

/// The channel that a thread hangs under; `None` of what is no thread.
fn parent(channel: Option<&PartialChannel>) -> Option<u64> {
    let thread = channel.filter(|channel| is_thread(channel.kind))?;
    // One that does not say is its own.
    Some(thread.parent_id.map_or(thread.id.get(), |parent| parent.get()))
}

fn is_thread(kind: ChannelType) -> bool {
    matches!(kind, ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread)
}

/// A permission that we need somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    bit: Permissions,
    /// The key of its name.
    pub name: &'static str,
    /// The key of what it is for.
    pub why: &'static str,
    /// Whether no game can be played without it.
    pub vital: bool,
}

const VIEW: Need = need(Permissions::VIEW_CHANNEL, "permission-view", "why-view", true);
const SEND: Need = need(Permissions::SEND_MESSAGES, "permission-send", "why-send", true);
const SEND_IN_THREADS: Need =
    need(Permissions::SEND_MESSAGES_IN_THREADS, "permission-threads-send", "why-threads-send", true);
const FILES: Need = need(Permissions::ATTACH_FILES, "permission-files", "why-files", true);
const HISTORY: Need = need(Permissions::READ_MESSAGE_HISTORY, "permission-history", "why-history", true);
const EMBED: Need = need(Permissions::EMBED_LINKS, "permission-embed", "why-embed", false);
const MAKE_THREADS: Need =
    need(Permissions::CREATE_PUBLIC_THREADS, "permission-threads-make", "why-threads-make", false);

const fn need(bit: Permissions, name: &'static str, why: &'static str, vital: bool) -> Need {
    Need { bit, name, why, vital }
}

/// All that we need and lack in a channel.
pub fn lacking(place: Place) -> Vec<Need> {
    let (Some(bits), Some(_)) = (place.may, place.guild) else { return Vec::new() };
    let may = Permissions::from_bits_truncate(bits);
    let needed = if place.thread {
        vec![VIEW, SEND_IN_THREADS, FILES, HISTORY, EMBED]
    } else {
        vec![VIEW, SEND, FILES, HISTORY, EMBED, MAKE_THREADS, Need { vital: false, ..SEND_IN_THREADS }]
    };
    let all = may.contains(Permissions::ADMINISTRATOR);
    needed.into_iter().filter(|need| !all && !may.contains(need.bit)).collect()
}

/// The permissions without which no game can be played there, by the key of their name; those missing.
pub fn missing(place: Place) -> Vec<&'static str> {
    lacking(place).into_iter().filter(|need| need.vital).map(|need| need.name).collect()
}

/// Whether every role may be called there, as far as Discord says; of others only those that all may mention.
pub fn may_call_roles(place: Place) -> bool {
    let may = Permissions::from_bits_truncate(place.may.unwrap_or(u64::MAX));
    may.intersects(Permissions::MENTION_EVERYONE | Permissions::ADMINISTRATOR)
}

/// Whether a thread can be made and written in there.
pub fn can_thread(place: Place) -> bool {
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

    fn place(may: Permissions) -> Place {
        Place { channel: 1, guild: Some(2), thread: false, parent: None, may: Some(may.bits()), ours: true }
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(missing(place(ALL)).is_empty());
        assert_eq!(missing(place(ALL - Permissions::ATTACH_FILES)), ["permission-files"]);
        assert!(missing(place(Permissions::ADMINISTRATOR)).is_empty());
        assert!(missing(Place { guild: None, ..place(Permissions::empty()) }).is_empty());
    }

    #[test]
    fn in_a_thread_another_permission_counts() {
        let thread = Place { thread: true, ..place(ALL) };
        assert_eq!(missing(thread), ["permission-threads-send"]);
    }

    #[test]
    fn no_thread_inside_a_thread_nor_in_a_dm_nor_without_leave() {
        let both = Permissions::CREATE_PUBLIC_THREADS | Permissions::SEND_MESSAGES_IN_THREADS;
        assert!(can_thread(place(ALL | both)));
        assert!(!can_thread(place(ALL)));
        assert!(!can_thread(Place { thread: true, ..place(ALL | both) }));
        assert!(!can_thread(Place { guild: None, ..place(ALL | both) }));
    }
}
