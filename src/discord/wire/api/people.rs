//! The names of people.

use std::time::Duration;

use rookery_table::{GuildId, UserId};
use serde_json::Value;
use serenity::all as discord;
use serenity::http::{LightMethod, Request, Route};

use super::Api;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::rest::Rest;

/// The longest wait for a rate limit before a name is left out.
const NAME_WAIT: Duration = Duration::from_secs(2);

impl Api {
    /// Reads the name that Discord shows for a person: on a server their nickname there, if they have one. `None` if
    /// Discord tells no name.
    pub(in crate::discord) async fn name_of(
        &self,
        guild: Option<GuildId>,
        who: UserId,
    ) -> Result<Option<String>, DiscordError> {
        if let Some(guild) = guild {
            let (guild_id, user_id) = (discord::GuildId::new(guild.0), discord::UserId::new(who.0));
            match self.ask(Request::new(Route::GuildMember { guild_id, user_id }, LightMethod::Get)).await {
                Ok(member) => return Ok(name(&member["nick"], &member["user"])),
                // Who left the server keeps the name of their account.
                Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(name(&Value::Null, &user(&self.rest, who).await?))
    }

    /// Returns the name that a person shows, with the one that nobody else has: `Ada (@ada)`.
    pub(in crate::discord) async fn user_name(&self, who: UserId) -> Result<String, DiscordError> {
        let user = user(&self.rest.waiting_at_most(NAME_WAIT), who).await?;
        match (user["global_name"].as_str(), user["username"].as_str()) {
            (Some(shown), Some(own)) => Ok(format!("{shown} (@{own})")),
            (None, Some(own)) => Ok(own.to_owned()),
            _ => Err(DiscordError::internal("a person without a name")),
        }
    }
}

async fn user(rest: &Rest, who: UserId) -> Result<Value, DiscordError> {
    let route = Route::User { user_id: discord::UserId::new(who.0) };
    rest.request_json(Request::new(route, LightMethod::Get)).await
}

fn name(nick: &Value, user: &Value) -> Option<String> {
    let mut names = [nick, &user["global_name"], &user["username"]].into_iter().filter_map(Value::as_str);
    names.find(|name| !name.trim().is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn name_of_a_person_is_the_nickname_before_the_display_name_before_the_user_name() {
        let user = json!({"username": "ada_99", "global_name": "Ada"});
        assert_eq!(name(&json!("Countess"), &user).as_deref(), Some("Countess"));
        assert_eq!(name(&Value::Null, &user).as_deref(), Some("Ada"));
        let plain = json!({"username": "ada_99", "global_name": null});
        assert_eq!(name(&json!(" "), &plain).as_deref(), Some("ada_99"));
        assert_eq!(name(&Value::Null, &json!({})), None);
    }
}
