//! The gateway's address, the bot itself, people, DMs.

use serde_json::{Value, json};

use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::mentions::read_id;
use super::call::{Call, Reply};

/// `GET /gateway`
pub(super) fn gateway(world: &mut World, _: &Call) -> Result<Reply, Refusal> {
    Ok(Reply::Json(json!({"url": world.gateway_url()})))
}

/// `GET /gateway/bot`
pub(super) fn gateway_bot(world: &mut World, _: &Call) -> Result<Reply, Refusal> {
    let limit = json!({"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1});
    Ok(Reply::Json(
        json!({"url": world.gateway_url(), "shards": world.rules.shards, "session_start_limit": limit}),
    ))
}

/// `GET` and `PATCH /users/@me`; nothing of the bot's own can be changed here.
pub(super) fn me(world: &mut World, _: &Call) -> Result<Reply, Refusal> {
    Ok(Reply::Json(world.show_me()))
}

/// `GET /users/@me/guilds`
pub(super) fn my_guilds(world: &mut World, _: &Call) -> Result<Reply, Refusal> {
    let mine = world.guilds.values().filter(|guild| guild.members.contains_key(&world.bot_id));
    let shown = mine.map(|guild| {
        let may = super::super::permissions::in_guild(guild, world.bot_id);
        json!({"id": guild.id, "name": guild.name, "icon": null, "banner": null, "owner": false,
            "permissions": may.to_string(), "features": []})
    });
    Ok(Reply::Json(shown.collect()))
}

/// `POST /users/@me/channels`: opens (or finds) the DM with a person.
pub(super) fn open_dm(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let known = read_id(&call.body["recipient_id"]).filter(|id| world.users.contains_key(id));
    let user = known.filter(|id| *id != world.bot_id);
    let user = user.ok_or_else(|| Refusal::new(400, 50033, "Invalid Recipient(s)"))?;
    let id = world.open_dm(world.bot_id, user);
    let channel = world.channel(id)?;
    Ok(Reply::Json(world.show_channel(channel)))
}

/// `GET /users/{user}`
pub(super) fn user(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let id = call.id("user")?;
    if !world.users.contains_key(&id) {
        return Err(Refusal::unknown_user());
    }
    Ok(Reply::Json(world.show_user(id)))
}

/// `GET` and `PATCH /applications/@me`, and the older `/oauth2/applications/@me`.
pub(super) fn application(world: &mut World, _: &Call) -> Result<Reply, Refusal> {
    let bot = world.show_user(world.bot_id);
    let owner = world.users.values().find(|user| !user.bot).map(|user| world.show_user(user.id));
    let installs = json!({"0": {"oauth2_install_params":
        {"scopes": ["bot", "applications.commands"], "permissions": "309237763072"}},
        "1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}});
    Ok(Reply::Json(json!({"id": world.bot_id, "name": bot["global_name"], "icon": null, "description": "",
        "bot": bot, "bot_public": true, "bot_require_code_grant": false, "owner": owner, "summary": "",
        "verify_key": "0".repeat(64), "team": null, "flags": world.application_flags(), "rpc_origins": [],
        "integration_types_config": installs, "approximate_guild_count": world.guilds.len(),
        "approximate_user_install_count": 0})))
}

impl World {
    /// Where the gateway is.
    pub(crate) fn gateway_url(&self) -> String {
        format!("{}/gateway", self.base_url.replacen("http", "ws", 1))
    }

    /// The bot as it sees itself.
    pub(crate) fn show_me(&self) -> Value {
        let mut shown = self.show_user(self.bot_id);
        shown["verified"] = json!(true);
        shown["mfa_enabled"] = json!(true);
        shown["locale"] = json!("en-US");
        shown["flags"] = json!(0);
        shown["email"] = Value::Null;
        shown
    }

    /// Which privileged intents the portal's switches allow (below 100 servers: the "limited" flags).
    pub(crate) fn application_flags(&self) -> u64 {
        const MEMBERS_LIMITED: u64 = 1 << 15;
        const MESSAGE_CONTENT_LIMITED: u64 = 1 << 19;
        u64::from(self.rules.guild_members) * MEMBERS_LIMITED
            + u64::from(self.rules.message_content) * MESSAGE_CONTENT_LIMITED
    }
}
