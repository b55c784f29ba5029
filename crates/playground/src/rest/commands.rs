//! Application commands: bulk overwrite and single requests; those of one server can only be listed and overwritten.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::command as check;
use super::super::discord_state::{DiscordState, Key};
use super::super::id::Id;
use super::call::{Call, Reply};

/// `GET /applications/{application}/commands`
pub(super) fn list(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    Ok(list_in(discord_state, call, None))
}

/// `GET /applications/{application}/guilds/{guild}/commands`
pub(super) fn list_of_guild(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    let guild = own_guild(discord_state, call)?;
    Ok(list_in(discord_state, call, Some(guild)))
}

fn list_in(discord_state: &DiscordState, call: &Call, guild: Option<Id>) -> Reply {
    let with_languages = call.query.get("with_localizations").is_some_and(|it| it == "true");
    let listed = discord_state.commands.values().filter(|it| is_in(it, guild));
    Reply::Json(listed.map(|it| if with_languages { it.clone() } else { plain(it) }).collect())
}

/// `PUT /applications/{application}/commands`: deletes what is not in the list; ids are kept by name.
pub(super) fn overwrite(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    overwrite_in(discord_state, call, None)
}

/// `PUT /applications/{application}/guilds/{guild}/commands`: the same for the commands of one server.
pub(super) fn overwrite_of_guild(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    let guild = own_guild(discord_state, call)?;
    overwrite_in(discord_state, call, Some(guild))
}

fn overwrite_in(discord_state: &mut DiscordState, call: &Call, guild: Option<Id>) -> Result<Reply, ApiError> {
    let Some(list) = call.body.as_array() else {
        let error =
            json!({"code": "LIST_TYPE_CONVERT", "message": "Only iterables may be used in a ListType"});
        return Err(ApiError::invalid_form(json!({"_errors": [error]})));
    };
    check::check_all(list)?;
    let (before, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
        std::mem::take(&mut discord_state.commands).into_iter().partition(|(_, it)| is_in(it, guild));
    discord_state.commands = others;
    before.keys().for_each(|id| discord_state.touch(Key::Command(*id)));
    let mut shown = Vec::new();
    for command in list {
        let same = before.iter().find(|(_, old)| is_same(old, command));
        let id = same.map_or_else(|| discord_state.new_id(), |(id, _)| *id);
        shown.push(discord_state.keep_command((id, guild), command, same.map(|(_, old)| old)));
    }
    tell(discord_state);
    Ok(Reply::Json(Value::Array(shown)))
}

/// `POST /applications/{application}/commands`: creates a command or replaces the one with the same name.
pub(super) fn create(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    check::check_one(&call.body)?;
    let mut global = discord_state.commands.iter().filter(|(_, it)| is_in(it, None));
    let same = global.find(|(_, old)| is_same(old, &call.body));
    let (id, old) = match same.map(|(id, old)| (*id, old.clone())) {
        Some((id, old)) => (id, Some(old)),
        None => (discord_state.new_id(), None),
    };
    let mut all: Vec<Value> = discord_state
        .commands
        .values()
        .filter(|it| is_in(it, None) && it["id"] != json!(id))
        .cloned()
        .collect();
    all.push(call.body.clone());
    check::check_all(&all)?;
    let shown = discord_state.keep_command((id, None), &call.body, old.as_ref());
    tell(discord_state);
    Ok(if old.is_some() { Reply::Json(shown) } else { Reply::Created(shown) })
}

/// `GET /applications/{application}/commands/{command}`
pub(super) fn get(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    Ok(Reply::Json(global_command(discord_state, call)?))
}

/// `PATCH /applications/{application}/commands/{command}`
pub(super) fn edit(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    let id = call.id("command")?;
    let old = global_command(discord_state, call)?;
    let mut changed = old.clone();
    for (key, value) in call.body.as_object().into_iter().flatten() {
        changed[key] = value.clone();
    }
    check::check_one(&changed)?;
    let shown = discord_state.keep_command((id, None), &changed, Some(&old));
    tell(discord_state);
    Ok(Reply::Json(shown))
}

/// `DELETE /applications/{application}/commands/{command}`
pub(super) fn delete(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    own(discord_state, call)?;
    let id = call.id("command")?;
    global_command(discord_state, call)?;
    discord_state.commands.remove(&id);
    discord_state.touch(Key::Command(id));
    tell(discord_state);
    Ok(Reply::Nothing)
}

fn own(discord_state: &DiscordState, call: &Call) -> Result<(), ApiError> {
    if call.id("application")? == discord_state.bot_id {
        Ok(())
    } else {
        Err(ApiError::unknown_application())
    }
}

/// Returns the server of the path, if the bot is in it.
fn own_guild(discord_state: &DiscordState, call: &Call) -> Result<Id, ApiError> {
    let guild = call.id("guild")?;
    let is_there = |id: Id| {
        discord_state.guilds.get(&id).is_some_and(|it| it.members.contains_key(&discord_state.bot_id))
    };
    if is_there(guild) { Ok(guild) } else { Err(ApiError::missing_access()) }
}

/// Whether a command belongs to a server, or with `None` is a global one.
fn is_in(command: &Value, guild: Option<Id>) -> bool {
    guild.map_or(command["guild_id"].is_null(), |guild| command["guild_id"] == json!(guild))
}

fn global_command(discord_state: &DiscordState, call: &Call) -> Result<Value, ApiError> {
    let found = discord_state.commands.get(&call.id("command")?).filter(|it| is_in(it, None));
    found.cloned().ok_or_else(ApiError::unknown_command)
}

fn is_same(old: &Value, new: &Value) -> bool {
    old["name"] == new["name"] && check::kind_of(old) == check::kind_of(new)
}

fn tell(discord_state: &mut DiscordState) {
    let commands: Vec<Value> = discord_state.commands.values().cloned().collect();
    discord_state.send_to_people(None, "COMMANDS_UPDATE", json!({"commands": commands}));
}

/// Returns a command without its localizations, at every depth.
fn plain(command: &Value) -> Value {
    let mut shown = command.clone();
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|key, _| !key.ends_with("_localizations"));
        for inside in ["options", "choices"] {
            if let Some(list) = fields.get_mut(inside).and_then(Value::as_array_mut) {
                list.iter_mut().for_each(|one| *one = plain(one));
            }
        }
    }
    shown
}

impl DiscordState {
    /// Stores a command, which may belong to a server, with the fields that Discord adds; it gets a new version if it
    /// differs from the old one.
    fn keep_command(&mut self, (id, guild): (Id, Option<Id>), body: &Value, old: Option<&Value>) -> Value {
        let mut kept = json!({"id": id, "application_id": self.bot_id, "type": check::kind_of(body),
            "description": "", "options": [], "default_member_permissions": null, "dm_permission": true,
            "nsfw": false, "contexts": null, "integration_types": [0],
            "name_localizations": null, "description_localizations": null});
        for (key, value) in body.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            kept[key] = value.clone();
        }
        kept["id"] = json!(id);
        if let Some(guild) = guild {
            kept["guild_id"] = json!(guild);
        }
        kept["version"] = old.map_or(Value::Null, |old| old["version"].clone());
        if old != Some(&kept) {
            kept["version"] = json!(self.new_id());
        }
        self.commands.insert(id, kept.clone());
        self.touch(Key::Command(id));
        kept
    }
}
