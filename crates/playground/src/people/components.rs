//! Buttons and selects, checked against the message that shows them.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::component::kind;
use super::super::discord_state::DiscordState;
use super::super::discord_state::interactions::NewInteraction;
use super::super::discord_state::mentions::read_id;
use super::super::discord_state::model::ask;
use super::super::id::Id;
use super::commands::Resolved;

impl DiscordState {
    /// `user` presses a button or chooses in a select: `data` is Discord's (`custom_id`, `values`).
    pub(crate) fn press_by(
        &mut self,
        user: Id,
        channel: Id,
        message: Id,
        data: &Value,
    ) -> Result<Id, ApiError> {
        self.refuse_bot(user)?;
        self.channel_for(user, channel)?;
        let found = self.message(channel, message)?;
        self.seen_by(user, found)?;
        let custom_id = data["custom_id"].as_str().unwrap_or_default();
        let component = find(&found.components, custom_id)
            .ok_or_else(|| ApiError::for_page("That button or menu is gone."))?
            .clone();
        if component["disabled"] == true {
            return Err(ApiError::for_page("That button or menu is disabled."));
        }
        let sent = self.press_data(channel, custom_id, &component, &data["values"])?;
        self.ask(NewInteraction {
            kind: ask::COMPONENT,
            command_kind: 0,
            name: custom_id.to_owned(),
            user,
            channel,
            message: Some(message),
            opened_by: None,
            data: sent,
        })
    }

    /// Refuses bots, which can use no commands and press no buttons.
    pub(crate) fn refuse_bot(&self, user: Id) -> Result<(), ApiError> {
        let is_bot = self.users.get(&user).is_some_and(|known| known.bot);
        if is_bot { Err(ApiError::for_page("Bots cannot use this endpoint")) } else { Ok(()) }
    }

    fn press_data(
        &self,
        channel: Id,
        custom_id: &str,
        component: &Value,
        values: &Value,
    ) -> Result<Value, ApiError> {
        let kind = component["type"].as_u64().unwrap_or(0);
        let mut sent = json!({"custom_id": custom_id, "component_type": kind, "id": 1});
        if kind == kind::BUTTON {
            return Ok(sent);
        }
        let values = values.as_array().cloned().unwrap_or_default();
        let (min, max) = (component["min_values"].as_u64(), component["max_values"].as_u64());
        if !(min.unwrap_or(1)..=max.unwrap_or(1)).contains(&(values.len() as u64)) {
            return Err(ApiError::for_page("You've chosen too few or too many."));
        }
        let mut resolved = Resolved::default();
        for value in &values {
            self.read_choice(channel, component, value, &mut resolved)?;
        }
        sent["values"] = Value::Array(values);
        if !resolved.0.is_empty() {
            sent["resolved"] = Value::Object(resolved.0);
        }
        Ok(sent)
    }

    fn read_choice(
        &self,
        channel: Id,
        component: &Value,
        value: &Value,
        resolved: &mut Resolved,
    ) -> Result<(), ApiError> {
        let not_there = || ApiError::for_page("That isn't one of the choices.");
        if component["type"] == kind::STRING_SELECT {
            let mut options = component["options"].as_array().into_iter().flatten();
            return options.any(|it| it["value"] == *value).then_some(()).ok_or_else(not_there);
        }
        let id = read_id(value).ok_or_else(not_there)?;
        if component["type"] == kind::USER_SELECT {
            resolved.add("users", id, self.show_user(id));
            let guild = self.channel(channel)?.guild_id.and_then(|guild| self.guilds.get(&guild));
            if let Some(member) = guild.and_then(|guild| guild.members.get(&id)) {
                resolved.add("members", id, self.show_bare_member(member));
            }
        } else if component["type"] == kind::CHANNEL_SELECT {
            resolved.add("channels", id, self.show_channel(self.channel(id)?));
        }
        Ok(())
    }
}

/// Returns the component with this custom id, at any depth.
pub(crate) fn find<'a>(components: &'a [Value], custom_id: &str) -> Option<&'a Value> {
    components.iter().find_map(|one| {
        if one["custom_id"] == custom_id {
            return Some(one);
        }
        let accessory = std::slice::from_ref(&one["accessory"]);
        let inside = one["components"].as_array().and_then(|list| find(list, custom_id));
        inside.or_else(|| if one["accessory"].is_null() { None } else { find(accessory, custom_id) })
    })
}
