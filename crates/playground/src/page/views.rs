//! The data that a page shows: people, the state as one person sees it, messages, files.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::discord_state::model::{Channel, Guild, kind};
use super::super::discord_state::payloads::{show_role, show_user};
use super::super::id::Id;
use super::super::shared_state::SharedState;
use super::acting_person::Me;

/// `GET /page/users`
pub(super) async fn users(State(shared): State<Arc<SharedState>>) -> Json<Value> {
    Json(
        shared.look(|discord_state| {
            discord_state.users.values().filter(|user| !user.bot).map(show_user).collect()
        }),
    )
}

/// `GET /page/state`
pub(super) async fn state(State(shared): State<Arc<SharedState>>, me: Me) -> Json<Value> {
    let online = shared.with(|state| state.sessions.online());
    Json(shared.look(|discord_state| {
        let mine = discord_state.guilds.values().filter(|guild| guild.members.contains_key(&me.0));
        let dms = discord_state.visible_channels(me.0).filter(|it| it.kind == kind::DM);
        json!({"me": discord_state.show_user(me.0),
            "users": discord_state.users.values().map(show_user).collect::<Vec<_>>(),
            "guilds": mine.map(|guild| show_guild(discord_state, guild, me.0)).collect::<Vec<_>>(),
            "dms": dms.map(|it| show_dm(discord_state, it, me.0)).collect::<Vec<_>>(),
            "commands": discord_state.commands.values().collect::<Vec<_>>(), "bot_online": online})
    }))
}

fn show_guild(discord_state: &DiscordState, guild: &Guild, me: Id) -> Value {
    let here = discord_state.visible_channels(me).filter(|it| it.guild_id == Some(guild.id));
    let (threads, mut channels): (Vec<_>, Vec<_>) = here.partition(|it| it.thread.is_some());
    channels.sort_by_key(|it| it.position);
    let show =
        |list: Vec<&Channel>| list.into_iter().map(|it| discord_state.show_channel(it)).collect::<Vec<_>>();
    json!({"id": guild.id, "name": guild.name, "icon": null, "owner_id": guild.owner_id,
        "channels": show(channels), "threads": show(threads),
        "members": guild.members.values().map(|it| discord_state.show_member(it)).collect::<Vec<_>>(),
        "roles": guild.roles.iter().map(show_role).collect::<Vec<_>>()})
}

/// Returns a DM with only the other side as its recipient.
pub(super) fn show_dm(discord_state: &DiscordState, channel: &Channel, me: Id) -> Value {
    let mut shown = discord_state.show_channel(channel);
    let others = channel.recipients.iter().filter(|id| **id != me);
    shown["recipients"] = others.map(|id| discord_state.show_user(*id)).collect();
    shown
}

/// `GET /page/channels/{channel}/messages`
pub(super) async fn messages(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Path(channel): Path<Id>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Json<Value>, ApiError> {
    let before = query.get("before").and_then(|text| text.parse().ok());
    let limit = query.get("limit").and_then(|text| text.parse().ok()).unwrap_or(50).min(100);
    shared.look(|discord_state| {
        let seen = discord_state.seen_in(me.0, channel, before, limit)?;
        Ok(Json(seen.into_iter().map(|it| discord_state.show_message(it, true)).collect()))
    })
}

/// `GET /page/files/{channel}/{file}/{name}`: a file's bytes with the content type stored in its message.
pub(super) async fn file(
    State(shared): State<Arc<SharedState>>,
    Path((channel, file, _)): Path<(Id, Id, String)>,
) -> Result<Response, ApiError> {
    let kind = shared.look(|discord_state| {
        let posted = discord_state.messages_in(channel).flat_map(|it| &it.attachments);
        let mut files = posted.chain(discord_state.command_uploads.values());
        files.find(|it| it.id == file).map(|it| it.content_type.clone())
    });
    let (Some(kind), Some(bytes)) = (kind, shared.file(file).await) else {
        return Err(ApiError::not_found());
    };
    Ok((
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=31536000".to_owned())],
        bytes.to_vec(),
    )
        .into_response())
}

impl SharedState {
    /// Returns a file's bytes from memory or from the database.
    pub(crate) async fn file(&self, id: Id) -> Option<Arc<[u8]>> {
        if let Some(bytes) = self.look(|discord_state| discord_state.files.get(&id).cloned()) {
            return Some(bytes);
        }
        self.flush().await;
        self.keep.as_ref()?.file(id).await
    }
}
