//! Commands: the person's input is matched to the command's definition, as in Discord's client.

use serde_json::{Map, Value, json};

use super::super::api_error::ApiError;
use super::super::check::command::{ENTRY_POINT, kind_of, option};
use super::super::discord_state::DiscordState;
use super::super::discord_state::interactions::NewInteraction;
use super::super::discord_state::mentions::read_id;
use super::super::discord_state::model::{Channel, ask};
use super::super::id::Id;
use super::super::permissions::USE_APPLICATION_COMMANDS;

impl DiscordState {
    /// `user` uses a command in `channel`: `data` is Discord's (`name` or `id`, `type`, `options`,
    /// `target_id`). With `completing`, asks for autocomplete choices instead.
    pub(crate) fn command_by(
        &mut self,
        user: Id,
        channel: Id,
        data: &Value,
        completing: bool,
    ) -> Result<Id, ApiError> {
        self.command_with(user, channel, data, (completing, &[]))
    }

    /// As [`Self::command_by`]; a client with the command's definition of an earlier version sends `former` options
    /// as well, which the present definition lacks.
    pub(crate) fn command_with(
        &mut self,
        user: Id,
        channel: Id,
        data: &Value,
        (completing, former): (bool, &[Value]),
    ) -> Result<Id, ApiError> {
        self.refuse_bot(user)?;
        let place = self.channel_for(user, channel)?.clone();
        if self.permissions_in(user, &place) & USE_APPLICATION_COMMANDS == 0 {
            return Err(ApiError::for_page(
                "You can't use commands here, because you don't have the permission.",
            ));
        }
        let command = self.find_command(data, place.guild_id)?;
        self.refuse_command(user, &place, &command)?;
        let kind = kind_of(&command);
        let mut sent = json!({"id": command["id"], "name": command["name"], "type": kind});
        if kind == ENTRY_POINT && command["handler"] != 1 {
            return Err(ApiError::for_page(
                "The playground opens an activity only if the bot answers its command.",
            ));
        }
        let mut resolved = Resolved::default();
        if kind == 1 {
            sent["options"] =
                self.read_options(&command, &data["options"], &mut resolved, &place, completing)?;
            sent["options"].as_array_mut().into_iter().for_each(|options| options.extend_from_slice(former));
        } else if kind != ENTRY_POINT {
            sent["target_id"] = self.read_target(user, &place, kind, &data["target_id"], &mut resolved)?;
        }
        if !resolved.0.is_empty() {
            sent["resolved"] = Value::Object(resolved.0);
        }
        self.ask(NewInteraction {
            kind: if completing { ask::AUTOCOMPLETE } else { ask::COMMAND },
            command_kind: u8::try_from(kind).unwrap_or(1),
            name: command["name"].as_str().unwrap_or_default().to_owned(),
            user,
            channel,
            message: None,
            opened_by: None,
            data: sent,
        })
    }

    fn find_command(&self, data: &Value, guild: Option<Id>) -> Result<Value, ApiError> {
        let same = |command: &&Value| match read_id(&data["id"]) {
            Some(id) => read_id(&command["id"]) == Some(id),
            None => command["name"] == data["name"] && kind_of(command) == kind_of(data),
        };
        let is_here = |command: &&Value| {
            let own = &command["guild_id"];
            own.is_null() || guild.is_some_and(|guild| *own == json!(guild))
        };
        let found = self.commands.values().filter(is_here).find(same);
        found.cloned().ok_or_else(|| {
            ApiError::for_page(format!(
                "There's no command {}. Reload the page to see the commands.",
                data["name"].as_str().unwrap_or("?")
            ))
        })
    }

    /// Refuses a command that its contexts, installation or permissions do not allow here.
    fn refuse_command(&self, user: Id, place: &Channel, command: &Value) -> Result<(), ApiError> {
        let has = |key: &str, number: u64| {
            command[key].as_array().is_none_or(|list| list.iter().any(|it| it == number))
        };
        if !has("contexts", self.context(place)) {
            return Err(ApiError::for_page("This command can't be used here. Try it in another channel."));
        }
        if !self.bot_is_in(place) && !has("integration_types", 1) {
            return Err(ApiError::for_page("This app isn't installed here."));
        }
        let wanted = &command["default_member_permissions"];
        // Discord's documentation says text, its OpenAPI schema says number: Discord accepts both.
        let wanted = wanted.as_u64().or_else(|| wanted.as_str().and_then(|it| it.parse().ok()));
        let may = self.permissions_in(user, place);
        let shown = self.rules.shown_to_all.iter().any(|name| command["name"] == name.as_str());
        match wanted {
            Some(wanted) if !shown && place.guild_id.is_some() && may & wanted != wanted => {
                Err(ApiError::for_page("You don't have permission to use this command."))
            }
            _ => Ok(()),
        }
    }

    /// Reads a menu command's target: a person, or a message of this channel.
    fn read_target(
        &self,
        user: Id,
        place: &Channel,
        kind: u64,
        target: &Value,
        resolved: &mut Resolved,
    ) -> Result<Value, ApiError> {
        let id = read_id(target)
            .ok_or_else(|| ApiError::for_page("Choose the person or message that the command is for."))?;
        if kind == 2 {
            self.resolve_user(id, place, resolved)?;
        } else {
            let message = self.message(place.id, id)?;
            self.seen_by(user, message)?;
            resolved.add("messages", id, self.show_message(message, true));
        }
        Ok(json!(id))
    }

    /// Reads the options of one level, and of the levels below through sub-commands.
    fn read_options(
        &self,
        definition: &Value,
        given: &Value,
        resolved: &mut Resolved,
        place: &Channel,
        completing: bool,
    ) -> Result<Value, ApiError> {
        let given = given.as_array().map_or(&[][..], Vec::as_slice);
        let known = definition["options"].as_array().map_or(&[][..], Vec::as_slice);
        let mut read = Vec::new();
        for one in given {
            let known = known
                .iter()
                .find(|it| it["name"] == one["name"])
                .ok_or_else(|| ApiError::for_page(format!("There's no option {}.", one["name"])))?;
            let mut sent = json!({"name": known["name"], "type": known["type"]});
            if is_nested(known) {
                sent["options"] = self.read_options(known, &one["options"], resolved, place, completing)?;
            } else if completing {
                sent["value"] = one["value"].clone();
                if one["focused"] == true {
                    sent["focused"] = json!(true);
                    // A value that is still being typed is text, whatever the option's type.
                    sent["value"] = json!(as_text(&one["value"]));
                }
            } else {
                sent["value"] = self.read_value(known, &one["value"], resolved, place)?;
            }
            read.push(sent);
        }
        if !completing {
            refuse_missing(known, given)?;
        }
        Ok(Value::Array(read))
    }

    fn read_value(
        &self,
        known: &Value,
        value: &Value,
        resolved: &mut Resolved,
        place: &Channel,
    ) -> Result<Value, ApiError> {
        match known["type"].as_u64().unwrap_or(0) {
            option::USER | option::MENTIONABLE => {
                let id = read_id(value).ok_or_else(|| wrong(known, "choose a person"))?;
                self.resolve_user(id, place, resolved)?;
                Ok(json!(id))
            }
            option::CHANNEL => {
                let id = read_id(value).ok_or_else(|| wrong(known, "choose a channel"))?;
                resolved.add("channels", id, self.show_channel(self.channel(id)?));
                Ok(json!(id))
            }
            option::ROLE => {
                self.resolve_role(value, place, resolved).ok_or_else(|| wrong(known, "choose a role"))
            }
            option::ATTACHMENT => {
                let file = read_id(value).and_then(|id| self.command_uploads.get(&id));
                let file = file.ok_or_else(|| wrong(known, "attach a file"))?;
                resolved.add("attachments", file.id, self.show_file(place.id, file, true));
                Ok(json!(file.id))
            }
            _ => refuse_plain(known, value).map(|()| value.clone()),
        }
    }

    fn resolve_user(&self, id: Id, place: &Channel, resolved: &mut Resolved) -> Result<(), ApiError> {
        if !self.users.contains_key(&id) {
            return Err(ApiError::unknown_user());
        }
        resolved.add("users", id, self.show_user(id));
        let guild = place.guild_id.and_then(|guild| self.guilds.get(&guild));
        if let Some(member) = guild.and_then(|guild| guild.members.get(&id)) {
            let mut shown = self.show_bare_member(member);
            shown["permissions"] = json!(self.permissions_in(id, place).to_string());
            resolved.add("members", id, shown);
        }
        Ok(())
    }

    fn resolve_role(&self, value: &Value, place: &Channel, resolved: &mut Resolved) -> Option<Value> {
        let id = read_id(value)?;
        let guild = place.guild_id.and_then(|guild| self.guilds.get(&guild))?;
        let role = guild.roles.iter().find(|role| role.id == id)?;
        resolved.add("roles", id, super::super::discord_state::payloads::show_role(role));
        Some(json!(id))
    }
}

/// The payload's `resolved`: the objects that ids in the options refer to.
#[derive(Default)]
pub(crate) struct Resolved(pub(crate) Map<String, Value>);

impl Resolved {
    pub(crate) fn add(&mut self, kind: &str, id: Id, shown: Value) {
        self.0.entry(kind).or_insert_with(|| json!({}))[id.to_string()] = shown;
    }
}

fn is_nested(known: &Value) -> bool {
    matches!(known["type"].as_u64(), Some(option::SUB_COMMAND | option::SUB_COMMAND_GROUP))
}

fn wrong(known: &Value, what: &str) -> ApiError {
    ApiError::for_page(format!("Option {}: {what}.", known["name"].as_str().unwrap_or_default()))
}

/// Refuses a text, number or boolean that does not fit the option.
fn refuse_plain(known: &Value, value: &Value) -> Result<(), ApiError> {
    let wrong = |what| Err(wrong(known, what));
    match known["type"].as_u64().unwrap_or(0) {
        option::STRING => {
            let Some(text) = value.as_str() else { return wrong("enter text") };
            let least = known["min_length"].as_u64().unwrap_or(0);
            let most = known["max_length"].as_u64().unwrap_or(6_000);
            if !(least..=most).contains(&(text.chars().count() as u64)) {
                return wrong("the text is too short or too long");
            }
        }
        option::INTEGER if value.as_i64().is_none() => return wrong("enter a whole number"),
        option::NUMBER if value.as_f64().is_none() => return wrong("enter a number"),
        option::BOOLEAN if !value.is_boolean() => return wrong("choose true or false"),
        option::INTEGER | option::NUMBER if !within(known, value) => return wrong("out of range"),
        _ => {}
    }
    let choices = known["choices"].as_array().filter(|list| !list.is_empty());
    match choices.is_some_and(|list| list.iter().all(|it| it["value"] != *value)) {
        true => wrong("choose one of the choices"),
        false => Ok(()),
    }
}

fn refuse_missing(known: &[Value], given: &[Value]) -> Result<(), ApiError> {
    let is_given = |known: &Value| given.iter().any(|it| it["name"] == known["name"]);
    if let Some(missing) = known.iter().find(|it| it["required"] == true && !is_given(it)) {
        return Err(ApiError::for_page(format!("The option {} is required.", missing["name"])));
    }
    if known.iter().any(is_nested) && given.len() != 1 {
        return Err(ApiError::for_page("Choose one subcommand."));
    }
    Ok(())
}

fn within(known: &Value, value: &Value) -> bool {
    let number = value.as_f64().unwrap_or(f64::NAN);
    let low = known["min_value"].as_f64().unwrap_or(f64::MIN);
    let high = known["max_value"].as_f64().unwrap_or(f64::MAX);
    (low..=high).contains(&number)
}

fn as_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}
