//! Parses interactions and messages from the JSON of their events. Only fields that an answer needs are
//! required; any other field that Discord omits, renames or sends with another type reads as absent.

use serde_json::{Value as Json, json};
use serenity::all::Permissions;

use crate::discord::wire::api::InteractionToken;
use crate::discord::wire::custom_id::CustomId;
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::interaction::{
    Attachment, CommandInput, ComponentPress, FocusedOption, GivenOptions, Interaction, InteractionChannel,
    OptionValue, TargetMessage,
};
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::outgoing_message::PRIVATE_FLAG;
use rookery_table::{GuildId, MessageId, RoleId, TableId, UserId};

/// Types of command options, by Discord's numbers.
mod option_type {
    pub(in crate::discord) const SUB_COMMAND: u64 = 1;
    pub(in crate::discord) const STRING: u64 = 3;
    pub(in crate::discord) const INTEGER: u64 = 4;
    pub(in crate::discord) const BOOLEAN: u64 = 5;
    pub(in crate::discord) const USER: u64 = 6;
    pub(in crate::discord) const ATTACHMENT: u64 = 11;
}

/// The types of messages that people write: an ordinary one, and a reply.
const USER_MESSAGE_TYPES: [u64; 2] = [0, 19];
/// The types of channels that are threads.
const THREADS: [u64; 3] = [10, 11, 12];

/// A required field that an event lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is missing")]
pub(in crate::discord) struct Missing(pub(in crate::discord) &'static str);

/// The kind of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum Kind {
    Command,
    Autocomplete,
    /// A press, a choice, or a form that was sent.
    Component,
    /// A kind that the bot never requests.
    Other,
}

/// Returns the kind of an interaction; without a type, it is inferred from the data.
pub(in crate::discord) fn kind(from: &Json) -> Kind {
    let (fields, data) = (Fields(from), Fields(&from["data"]));
    match fields.number("type") {
        Some(2) => Kind::Command,
        Some(3 | 5) => Kind::Component,
        Some(4) => Kind::Autocomplete,
        Some(_) => Kind::Other,
        None if data.text("custom_id").is_some() => Kind::Component,
        None if data.text("name").is_none() => Kind::Other,
        None if focused(data).is_some() => Kind::Autocomplete,
        None => Kind::Command,
    }
}

/// Reads the credentials for answering an interaction.
pub(in crate::discord) fn token(from: &Json) -> Result<InteractionToken, Missing> {
    let fields = Fields(from);
    let id = fields.id("id").ok_or(Missing("id"))?;
    Ok(InteractionToken { id, token: fields.string("token").ok_or(Missing("token"))? })
}

/// Returns the server of an event, if it has one.
pub(in crate::discord) fn guild(from: &Json) -> Option<GuildId> {
    let fields = Fields(from);
    fields.id("guild_id").or_else(|| fields.object("guild").id("id"))
}

/// Returns the server of an event, `None` in a direct message. An event with a member but without a server is
/// an error, so that it is not treated as a direct message.
fn guild_if_any(from: Fields<'_>) -> Result<Option<GuildId>, Missing> {
    match guild(from.0) {
        None if from.has_object("member") => Err(Missing("guild_id")),
        guild => Ok(guild),
    }
}

/// Reads a command or an autocomplete request.
pub(in crate::discord) fn command(from: &Json) -> Result<(Interaction, CommandInput), Missing> {
    let data = Fields(&from["data"]);
    let (part, options) = parts(data);
    let resolved = data.object("resolved");
    let input = CommandInput {
        name: data.string("name").ok_or(Missing("data.name"))?,
        focus: focused(data)
            .and_then(|option| Some(FocusedOption { name: option.string("name")?, typed: typed(option) })),
        options: GivenOptions {
            subcommand: part,
            values: options.iter().filter_map(|option| value(*option, resolved)).collect(),
            file: resolved.entries("attachments").find_map(|(_, file)| attachment(file)),
            bots: bots(resolved),
        },
        target: menu_target_user(data),
        message: target(data),
    };
    Ok((interaction(from)?, input))
}

/// Returns the bots among the people of an interaction.
fn bots(resolved: Fields<'_>) -> Vec<UserId> {
    let bots = resolved.entries("users").filter(|(_, user)| user.flag("bot"));
    let mut bots: Vec<UserId> = bots.filter_map(|(id, _)| id.parse().ok()).map(UserId).collect();
    bots.sort_unstable();
    bots
}

/// Reads the press of a button, the choice in a select, or a form that was sent.
pub(in crate::discord) fn press(from: &Json) -> Result<(Interaction, ComponentPress), Missing> {
    let (data, message) = (Fields(&from["data"]), Fields(&from["message"]));
    let id = data.string("custom_id").ok_or(Missing("data.custom_id"))?;
    let pressed = ComponentPress {
        custom_id: CustomId::read(&id),
        id,
        values: data.strings("values").into_iter().chain(form_texts(data)).collect(),
        bots: bots(data.object("resolved")),
        private: message.number("flags").is_some_and(|flags| flags & PRIVATE_FLAG != 0),
        // No message has id 0: requests about it fail, but the press still gets an answer.
        message: message.id("id").unwrap_or(MessageId(0)),
        content: message.string("content").unwrap_or_default(),
    };
    Ok((interaction(from)?, pressed))
}

/// Returns the texts typed in a form, whether its fields are in rows or below labels.
fn form_texts(data: Fields<'_>) -> impl Iterator<Item = String> {
    let parts = data.list("components");
    let fields = parts.flat_map(|part| part.list("components").chain([part.object("component")]));
    fields.filter_map(|field| field.string("value"))
}

/// Reads the person, the channel and the credentials of an interaction.
fn interaction(from: &Json) -> Result<Interaction, Missing> {
    let fields = Fields(from);
    let member = fields.has_object("member").then(|| fields.object("member"));
    let user = member.map(|member| member.object("user")).and_then(|user| user.id("id"));
    let user = user.or_else(|| fields.object("user").id("id")).ok_or(Missing("user.id"))?;
    let may = member.and_then(|member| member.number("permissions")).map(Permissions::from_bits_truncate);
    let place = place(fields)?;
    Ok(Interaction {
        token: token(from)?,
        who: UserId(user),
        place,
        locale: fields.string("locale"),
        guild_locale: fields.string("guild_locale"),
        manages: may
            .is_some_and(|may| may.intersects(Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR)),
        administers: may.is_some_and(|may| may.contains(Permissions::ADMINISTRATOR)),
        roles: member.and_then(known_roles),
        // An interaction without member data comes from a direct message, in which everybody may write.
        writes: may.is_none_or(|may| writes(may, place.thread)),
        // An interaction contains the member's permissions in its channel; a server's owner has all of them.
        mentions_all: may
            .is_some_and(|may| may.intersects(Permissions::MENTION_EVERYONE | Permissions::ADMINISTRATOR)),
    })
}

/// Whether the permissions allow writing there: channels and their threads have one each.
fn writes(may: Permissions, in_thread: bool) -> bool {
    let send = if in_thread { Permissions::SEND_MESSAGES_IN_THREADS } else { Permissions::SEND_MESSAGES };
    may.intersects(send | Permissions::ADMINISTRATOR)
}

fn place(from: Fields<'_>) -> Result<InteractionChannel, Missing> {
    let (channel, message) = (from.object("channel"), from.object("message"));
    let id = from.id("channel_id").or_else(|| channel.id("id")).or_else(|| message.id("channel_id"));
    let id = id.ok_or(Missing("channel_id"))?;
    let is_thread = channel.number("type").is_some_and(|kind| THREADS.contains(&kind))
        || channel.has_object("thread_metadata");
    Ok(InteractionChannel {
        channel: id,
        guild: guild_if_any(from)?,
        thread: is_thread,
        // A thread without a parent in its data counts as its own parent.
        parent: is_thread.then(|| channel.id("parent_id").unwrap_or(id)),
        may: from.number("app_permissions"),
        ours: is_ours(from),
    })
}

/// Whether the bot is in the server, or the channel is its own direct message. An event without that
/// information counts as such.
fn is_ours(from: Fields<'_>) -> bool {
    const BOT_DM: u64 = 1;
    const PRIVATE_CHANNEL: u64 = 2;
    let mut owners = from.entries("authorizing_integration_owners").map(|(owner, _)| owner).peekable();
    match from.number("context") {
        Some(BOT_DM) => true,
        Some(PRIVATE_CHANNEL) => false,
        _ => owners.peek().is_none() || owners.any(|owner| owner == "0"),
    }
}

/// Returns the sub-command that was used, and its options.
fn parts(data: Fields<'_>) -> (Option<String>, Vec<Fields<'_>>) {
    let options: Vec<_> = data.list("options").collect();
    match &options[..] {
        [part] if is_part(*part) => (part.string("name"), part.list("options").collect()),
        _ => (None, options),
    }
}

fn is_part(option: Fields<'_>) -> bool {
    match option.number("type") {
        Some(kind) => kind == option_type::SUB_COMMAND,
        None => option.0["options"].is_array() && option.0["value"].is_null(),
    }
}

/// Returns the option that is being typed.
fn focused(data: Fields<'_>) -> Option<Fields<'_>> {
    parts(data).1.into_iter().find(|option| option.flag("focused"))
}

fn typed(option: Fields<'_>) -> String {
    match &option.0["value"] {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

/// Reads the name and the value of an option; `None` without a name or a value, and for a file, which is among
/// the attachments.
fn value(option: Fields<'_>, resolved: Fields<'_>) -> Option<(String, OptionValue)> {
    let (name, input) = (option.string("name")?, &option.0["value"]);
    let person = || input.as_str().is_some_and(|id| resolved.object("users").has_object(id));
    let file = || attachment(resolved.object("attachments").object(input.as_str()?));
    let kind = option.number("type").unwrap_or(match input {
        Json::Bool(_) => option_type::BOOLEAN,
        Json::Number(_) => option_type::INTEGER,
        _ if person() => option_type::USER,
        _ => option_type::STRING,
    });
    let value = match kind {
        _ if option.flag("focused") => Some(OptionValue::Text(typed(option))),
        _ if input.is_null() => return None,
        option_type::STRING => input.as_str().map(|text| OptionValue::Text(text.to_owned())),
        option_type::INTEGER => input.as_i64().map(OptionValue::Number),
        option_type::BOOLEAN => input.as_bool().map(OptionValue::Yes),
        option_type::USER => option.id("value").map(|id| OptionValue::User(UserId(id))),
        option_type::ATTACHMENT if file().is_some() => return None,
        _ => None,
    };
    Some((name, value.unwrap_or(OptionValue::Unreadable)))
}

/// Returns the target of a user menu command.
fn menu_target_user(data: Fields<'_>) -> Option<UserId> {
    const USER_MENU: u64 = 2;
    let id: u64 = data.id("target_id")?;
    let known = || data.object("resolved").object("users").has_object(&id.to_string());
    data.number("type").map_or_else(known, |kind| kind == USER_MENU).then_some(UserId(id))
}

/// Returns the target of a message menu command.
fn target(data: Fields<'_>) -> Option<TargetMessage> {
    let id: MessageId = data.id("target_id")?;
    let messages = data.object("resolved").object("messages");
    let message = messages.has_object(&id.to_string()).then(|| messages.object(&id.to_string()))?;
    let mut buttons = Vec::new();
    custom_ids(&message.0["components"], &mut buttons);
    Some(TargetMessage {
        message: id,
        text: message.string("content").unwrap_or_default(),
        files: message.list("attachments").filter_map(attachment).collect(),
        buttons,
    })
}

/// Collects the custom ids of buttons and selects at any depth.
fn custom_ids(components: &Json, ids: &mut Vec<String>) {
    for component in components.as_array().into_iter().flatten() {
        ids.extend(component["custom_id"].as_str().map(str::to_owned));
        custom_ids(&component["components"], ids);
    }
}

/// Reads an attachment, if it has a URL.
fn attachment(file: Fields<'_>) -> Option<Attachment> {
    let url = file.text("url")?;
    let last = url.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
    let name = file.text("filename").or(last).unwrap_or_default();
    let size = file.number("size").unwrap_or(0);
    let plain = json!({ "id": "1", "filename": name, "size": size, "url": url, "proxy_url": url });
    serde_json::from_value::<serenity::all::Attachment>(plain).ok().map(Attachment)
}

/// Whether a person wrote the message: not a system message, a bot's or a webhook's. The bot's own messages
/// are excluded even if the field that marks bots is missing.
pub(in crate::discord) fn is_written(from: &Json, me: UserId) -> bool {
    let (fields, author) = (Fields(from), Fields(&from["author"]));
    let written = fields.number("type").is_none_or(|kind| USER_MESSAGE_TYPES.contains(&kind));
    let ours = author.id("id") == Some(me);
    written && !ours && !author.flag("bot") && fields.id::<u64>("webhook_id").is_none()
}

/// Reads a message; `own_role` is the bot's own role on the server.
pub(in crate::discord) fn message(
    from: &Json,
    me: UserId,
    own_role: Option<RoleId>,
) -> Result<IncomingMessage, Missing> {
    let fields = Fields(from);
    let text = fields.string("content").unwrap_or_default();
    let bots = fields.list("mentions").filter(|user| user.flag("bot")).filter_map(|user| user.id("id"));
    let roles = fields.ids("mention_roles");
    let reference = fields.object("message_reference").id("message_id");
    let answered = fields.object("referenced_message");
    let replies_to_bot = answered.object("author").id("id") == Some(me);
    Ok(IncomingMessage {
        id: fields.id("id").ok_or(Missing("id"))?,
        channel: fields.id("channel_id").ok_or(Missing("channel_id"))?,
        guild: guild_if_any(fields)?,
        who: fields.object("author").id("id").ok_or(Missing("author.id"))?,
        roles: known_roles(fields.object("member")),
        mentions_bot: mentions_bot(fields, &text, me),
        // A member without the permission to mention the role can still write the mention.
        mentions_role: own_role
            .filter(|role| roles.contains(role) || text.contains(&rookery_i18n::role(*role))),
        answers: reference.or(answered.id("id")),
        answers_table: replies_to_bot.then(|| table_of_buttons(answered)).flatten(),
        bots: bots.filter(|bot| *bot != me).collect(),
        replies_to_bot,
        text,
        ..IncomingMessage::default()
    })
}

/// Returns the table of the first button of a message that belongs to one.
fn table_of_buttons(message: Fields<'_>) -> Option<TableId> {
    let ids = message.list("components").flat_map(|row| row.list("components"));
    let mut ids = ids.filter_map(|part| part.text("custom_id"));
    ids.find_map(|id| CustomId::read(id).at_table().map(|press| press.table))
}

/// Whether a message mentions the bot; if the list of mentions is missing, by its text.
fn mentions_bot(from: Fields<'_>, text: &str, me: UserId) -> bool {
    if from.0["mentions"].is_array() {
        return from.list("mentions").any(|user| user.id("id") == Some(me));
    }
    [format!("<@{}>", me.0), format!("<@!{}>", me.0)].iter().any(|name| text.contains(name.as_str()))
}

/// Returns a member's roles; `None` if they are missing, which differs from having none.
fn known_roles(member: Fields<'_>) -> Option<Vec<RoleId>> {
    member.0["roles"].is_array().then(|| member.ids("roles"))
}

#[cfg(test)]
mod tests;
