//! The gateway's address, the bot itself, people, and DMs.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::discord_state::mentions::read_id;
use super::call::{Call, Reply};

/// `GET /gateway`
pub(super) fn gateway(discord_state: &mut DiscordState, _: &Call) -> Result<Reply, ApiError> {
    Ok(Reply::Json(json!({"url": discord_state.gateway_url()})))
}

/// `GET /gateway/bot`
pub(super) fn gateway_bot(discord_state: &mut DiscordState, _: &Call) -> Result<Reply, ApiError> {
    let limit = json!({"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1});
    Ok(Reply::Json(
        json!({"url": discord_state.gateway_url(), "shards": discord_state.rules.shards, "session_start_limit": limit}),
    ))
}

/// `GET` and `PATCH /users/@me`; changes are ignored. With a person's access token it shows the person.
pub(super) fn me(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    if let Some(user) = call.user {
        return Ok(Reply::Json(discord_state.show_user(user)));
    }
    Ok(Reply::Json(discord_state.show_me()))
}

/// `GET /users/@me/guilds`
pub(super) fn my_guilds(discord_state: &mut DiscordState, _: &Call) -> Result<Reply, ApiError> {
    let mine =
        discord_state.guilds.values().filter(|guild| guild.members.contains_key(&discord_state.bot_id));
    let shown = mine.map(|guild| {
        let may = super::super::permissions::in_guild(guild, discord_state.bot_id);
        json!({"id": guild.id, "name": guild.name, "icon": null, "banner": null, "owner": false,
            "permissions": may.to_string(), "features": []})
    });
    Ok(Reply::Json(shown.collect()))
}

/// `POST /users/@me/channels`: returns the DM with a person, and opens it if needed.
pub(super) fn open_dm(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let known = read_id(&call.body["recipient_id"]).filter(|id| discord_state.users.contains_key(id));
    let user = known.filter(|id| *id != discord_state.bot_id);
    let user = user.ok_or_else(|| ApiError::new(400, 50033, "Invalid Recipient(s)"))?;
    let id = discord_state.open_dm(discord_state.bot_id, user);
    let channel = discord_state.channel(id)?;
    Ok(Reply::Json(discord_state.show_channel(channel)))
}

/// `GET /users/{user}`
pub(super) fn user(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let id = call.id("user")?;
    if !discord_state.users.contains_key(&id) {
        return Err(ApiError::unknown_user());
    }
    Ok(Reply::Json(discord_state.show_user(id)))
}

/// `GET` and `PATCH /applications/@me`, and the older `/oauth2/applications/@me`.
pub(super) fn application(discord_state: &mut DiscordState, _: &Call) -> Result<Reply, ApiError> {
    let bot = discord_state.show_user(discord_state.bot_id);
    let owner =
        discord_state.users.values().find(|user| !user.bot).map(|user| discord_state.show_user(user.id));
    let installs = json!({"0": {"oauth2_install_params":
        {"scopes": ["bot", "applications.commands"], "permissions": "309237763072"}},
        "1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}});
    Ok(Reply::Json(
        json!({"id": discord_state.bot_id, "name": bot["global_name"], "icon": null, "description": "",
        "bot": bot, "bot_public": true, "bot_require_code_grant": false, "owner": owner, "summary": "",
        "verify_key": "0".repeat(64), "team": null, "flags": discord_state.application_flags(), "rpc_origins": [],
        "integration_types_config": installs, "approximate_guild_count": discord_state.guilds.len(),
        "approximate_user_install_count": 0, "redirect_uris": discord_state.rules.redirects}),
    ))
}

impl DiscordState {
    /// Returns the WebSocket address of the gateway.
    pub(crate) fn gateway_url(&self) -> String {
        format!("{}/gateway", self.base_url.replacen("http", "ws", 1))
    }

    /// Returns the bot as it sees itself.
    pub(crate) fn show_me(&self) -> Value {
        let mut shown = self.show_user(self.bot_id);
        shown["verified"] = json!(true);
        shown["mfa_enabled"] = json!(true);
        shown["locale"] = json!("en-US");
        shown["flags"] = json!(0);
        shown["email"] = Value::Null;
        shown
    }

    /// Returns the flags of the portal's switches: Activities, and the privileged intents that it allows (below 100 servers
    /// the "limited" flags).
    pub(crate) fn application_flags(&self) -> u64 {
        const MEMBERS_LIMITED: u64 = 1 << 15;
        const EMBEDDED: u64 = 1 << 17;
        const MESSAGE_CONTENT_LIMITED: u64 = 1 << 19;
        u64::from(self.activities.pages.is_some()) * EMBEDDED
            + u64::from(self.rules.guild_members) * MEMBERS_LIMITED
            + u64::from(self.rules.message_content) * MESSAGE_CONTENT_LIMITED
    }
}
