//! What a page shows: people, the state as one person sees it, messages, files.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::hub::Hub;
use super::super::id::Id;
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::model::{Channel, Guild, kind};
use super::super::world::show::{show_role, show_user};
use super::Me;

/// `GET /page/users`
pub(super) async fn users(State(hub): State<Arc<Hub>>) -> Json<Value> {
    Json(hub.look(|world| world.users.values().filter(|user| !user.bot).map(show_user).collect()))
}

/// `GET /page/state`
pub(super) async fn state(State(hub): State<Arc<Hub>>, me: Me) -> Json<Value> {
    let online = hub.with(|state| state.sessions.online());
    Json(hub.look(|world| {
        let mine = world.guilds.values().filter(|guild| guild.members.contains_key(&me.0));
        let dms = world.places_of(me.0).filter(|it| it.kind == kind::DM);
        json!({"me": world.show_user(me.0),
            "users": world.users.values().map(show_user).collect::<Vec<_>>(),
            "guilds": mine.map(|guild| show_guild(world, guild, me.0)).collect::<Vec<_>>(),
            "dms": dms.map(|it| show_dm(world, it, me.0)).collect::<Vec<_>>(),
            "commands": world.commands.values().collect::<Vec<_>>(), "bot_online": online})
    }))
}

fn show_guild(world: &World, guild: &Guild, me: Id) -> Value {
    let here = world.places_of(me).filter(|it| it.guild_id == Some(guild.id));
    let (threads, mut channels): (Vec<_>, Vec<_>) = here.partition(|it| it.thread.is_some());
    channels.sort_by_key(|it| it.position);
    let show = |list: Vec<&Channel>| list.into_iter().map(|it| world.show_channel(it)).collect::<Vec<_>>();
    json!({"id": guild.id, "name": guild.name, "icon": null, "owner_id": guild.owner_id,
        "channels": show(channels), "threads": show(threads),
        "members": guild.members.values().map(|it| world.show_member(it)).collect::<Vec<_>>(),
        "roles": guild.roles.iter().map(show_role).collect::<Vec<_>>()})
}

/// A DM with the other side as its recipient.
pub(super) fn show_dm(world: &World, channel: &Channel, me: Id) -> Value {
    let mut shown = world.show_channel(channel);
    let others = channel.recipients.iter().filter(|id| **id != me);
    shown["recipients"] = others.map(|id| world.show_user(*id)).collect();
    shown
}

/// `GET /page/channels/{channel}/messages`
pub(super) async fn messages(
    State(hub): State<Arc<Hub>>,
    me: Me,
    Path(channel): Path<Id>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Json<Value>, Refusal> {
    let before = query.get("before").and_then(|text| text.parse().ok());
    let limit = query.get("limit").and_then(|text| text.parse().ok()).unwrap_or(50).min(100);
    hub.look(|world| {
        let seen = world.seen_in(me.0, channel, before, limit)?;
        Ok(Json(seen.into_iter().map(|it| world.show_message(it, true)).collect()))
    })
}

/// `GET /page/files/{channel}/{file}/{name}`: a file's bytes, as the message that holds it says they are.
pub(super) async fn file(
    State(hub): State<Arc<Hub>>,
    Path((channel, file, _)): Path<(Id, Id, String)>,
) -> Result<Response, Refusal> {
    let kind = hub.look(|world| {
        let posted = world.messages_in(channel).flat_map(|it| &it.attachments);
        let mut files = posted.chain(world.brought.values());
        files.find(|it| it.id == file).map(|it| it.content_type.clone())
    });
    let (Some(kind), Some(bytes)) = (kind, hub.file(file).await) else { return Err(Refusal::not_found()) };
    Ok((
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=31536000".to_owned())],
        bytes.to_vec(),
    )
        .into_response())
}

impl Hub {
    /// A file's bytes, from memory or from the disk.
    pub(crate) async fn file(&self, id: Id) -> Option<Arc<[u8]>> {
        if let Some(bytes) = self.look(|world| world.files.get(&id).cloned()) {
            return Some(bytes);
        }
        self.flush().await;
        self.keep.as_ref()?.file(id).await
    }
}
