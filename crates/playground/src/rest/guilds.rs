//! Servers with their channels, threads, roles and members.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::Complaints;
use super::super::discord_state::DiscordState;
use super::super::discord_state::payloads::show_role;
use super::super::permissions::{self, MANAGE_CHANNELS};
use super::call::{Call, Reply};

/// `GET /guilds/{guild}`
pub(super) fn get(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    let mut shown = discord_state.show_guild(guild);
    if call.query.get("with_counts").is_some_and(|it| it == "true") {
        shown["approximate_member_count"] = json!(guild.members.len());
        shown["approximate_presence_count"] = json!(guild.members.len());
    }
    Ok(Reply::Json(shown))
}

/// `GET /guilds/{guild}/channels`: the channels that the bot sees, without threads.
pub(super) fn channels(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    let here =
        discord_state.channels.values().filter(|it| it.guild_id == Some(guild.id) && it.thread.is_none());
    Ok(Reply::Json(
        here.filter(|it| discord_state.bot_sees(it)).map(|it| discord_state.show_channel(it)).collect(),
    ))
}

/// `POST /guilds/{guild}/channels`: creates a text channel.
pub(super) fn create_channel(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?.clone();
    if permissions::in_guild(&guild, discord_state.bot_id) & MANAGE_CHANNELS == 0 {
        return Err(ApiError::missing_permissions());
    }
    let mut wrong = Complaints::default();
    wrong.text("name", &call.body["name"], 1, 100, true);
    wrong.text("topic", &call.body["topic"], 0, 1_024, false);
    wrong.number("type", &call.body["type"], 0, 0, false);
    wrong.finish()?;
    let id = discord_state.add_channel(guild.id, call.body["name"].as_str().unwrap_or_default());
    Ok(Reply::Created(discord_state.show_channel(discord_state.channel(id)?)))
}

/// `GET /guilds/{guild}/threads/active`
pub(super) fn active_threads(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    let here = discord_state
        .channels
        .values()
        .filter(|it| it.guild_id == Some(guild.id) && discord_state.bot_sees(it));
    let open = here.filter(|it| it.thread.as_ref().is_some_and(|thread| !thread.archived));
    let threads: Vec<Value> = open.map(|it| discord_state.show_channel(it)).collect();
    Ok(Reply::Json(json!({"threads": threads, "members": []})))
}

/// `GET /guilds/{guild}/roles`
pub(super) fn roles(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    Ok(Reply::Json(guild.roles.iter().map(show_role).collect()))
}

/// `GET /guilds/{guild}/members/{user}`
pub(super) fn member(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    let user = call.id("user")?;
    if !discord_state.users.contains_key(&user) {
        return Err(ApiError::unknown_user());
    }
    let member = guild.members.get(&user).ok_or_else(ApiError::unknown_member)?;
    Ok(Reply::Json(discord_state.show_member(member)))
}

/// `GET /guilds/{guild}/members`: requires the Guild Members intent.
pub(super) fn members(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    if !discord_state.rules.guild_members {
        return Err(ApiError::missing_access());
    }
    let after = call.query_id("after").unwrap_or(super::super::id::Id(0));
    let page = guild.members.values().filter(|it| it.user_id > after).take(call.number("limit", 1));
    Ok(Reply::Json(page.map(|it| discord_state.show_member(it)).collect()))
}

/// `GET /guilds/{guild}/members/search`: by a prefix of the name.
pub(super) fn search(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let guild = discord_state.guild_of_bot(call.id("guild")?)?;
    let wanted = call.query.get("query").map(|text| text.to_lowercase()).unwrap_or_default();
    let named = guild.members.values().filter(|it| {
        let user = discord_state.users.get(&it.user_id);
        user.is_some_and(|user| {
            user.username.starts_with(&wanted) || user.name.to_lowercase().starts_with(&wanted)
        })
    });
    Ok(Reply::Json(named.take(call.number("limit", 1)).map(|it| discord_state.show_member(it)).collect()))
}
