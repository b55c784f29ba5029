//! The requests with which people act on the page.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::message::FILE_BYTES_MAX;
use super::super::discord_state::DiscordState;
use super::super::discord_state::mentions::read_id;
use super::super::discord_state::model::{Answer, ask};
use super::super::id::Id;
use super::super::shared_state::SharedState;
use super::acting_person::Me;

/// The result of an action.
type Done = Result<Json<Value>, ApiError>;

/// `POST /page/users`
pub(super) async fn new_person(State(shared): State<Arc<SharedState>>, Json(body): Json<Value>) -> Done {
    let name = body["name"].as_str().map(str::trim).filter(|name| (1..=32).contains(&name.chars().count()));
    let name = name.ok_or_else(|| ApiError::for_page("A name must have 1 to 32 characters."))?;
    let shown = shared.change(|discord_state| {
        let id = discord_state.new_member(name);
        discord_state.show_user(id)
    });
    shared.flush().await;
    Ok(Json(shown))
}

/// `POST /page/channels/{channel}/messages`
pub(super) async fn say(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Path(channel): Path<Id>,
    Json(body): Json<Value>,
) -> Done {
    let pings = body["ping"].as_bool().unwrap_or(true);
    let reply_to = read_id(&body["reply_to"]).map(|id| (id, pings));
    let text = body["content"].as_str().unwrap_or_default();
    let files: Vec<Id> = body["files"].as_array().into_iter().flatten().filter_map(read_id).collect();
    let shown = shared.change(|discord_state| {
        let id = discord_state.say(me.0, channel, text, reply_to, &files)?;
        Ok(discord_state.show_message(discord_state.message(channel, id)?, true))
    })?;
    shared.flush().await;
    Ok(Json(shown))
}

/// `POST /page/files?name=…`: a file for a message or a command, as the body.
pub(super) async fn upload(
    State(shared): State<Arc<SharedState>>,
    _: Me,
    Query(query): Query<HashMap<String, String>>,
    body: Bytes,
) -> Done {
    let name = query.get("name").map_or("file", String::as_str);
    if body.is_empty() {
        return Err(ApiError::for_page("That file is empty. Choose another one."));
    }
    if body.len() > FILE_BYTES_MAX {
        return Err(ApiError::for_page(format!(
            "That file is too large: {} MB is the limit. Choose a smaller one.",
            FILE_BYTES_MAX >> 20
        )));
    }
    let file = shared.change(|discord_state| discord_state.upload(name, &body));
    shared.flush().await;
    Ok(Json(json!({"id": file.id, "filename": file.filename, "size": file.size})))
}

/// `PATCH /page/channels/{channel}/messages/{message}`
pub(super) async fn edit(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Path((channel, message)): Path<(Id, Id)>,
    Json(body): Json<Value>,
) -> Done {
    let text = body["content"].as_str().unwrap_or_default();
    let shown = shared.change(|discord_state| {
        discord_state.edit_by(me.0, channel, message, text)?;
        Ok(discord_state.show_message(discord_state.message(channel, message)?, true))
    })?;
    shared.flush().await;
    Ok(Json(shown))
}

/// `DELETE /page/channels/{channel}/messages/{message}`
pub(super) async fn delete(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Path((channel, message)): Path<(Id, Id)>,
) -> Result<StatusCode, ApiError> {
    shared.change(|discord_state| discord_state.delete_by(me.0, channel, message))?;
    shared.flush().await;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /page/channels/{channel}/typing`
pub(super) async fn typing(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Path(channel): Path<Id>,
) -> Result<StatusCode, ApiError> {
    shared.change(|discord_state| discord_state.type_by(me.0, channel))?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /page/dms`
pub(super) async fn open_dm(State(shared): State<Arc<SharedState>>, me: Me, Json(body): Json<Value>) -> Done {
    let other = read_id(&body["recipient_id"]);
    let shown = shared.change(|discord_state| {
        let known = other.filter(|id| discord_state.users.contains_key(id) && *id != me.0);
        let id = discord_state.open_dm(me.0, known.ok_or_else(ApiError::unknown_user)?);
        Ok(super::views::show_dm(discord_state, discord_state.channel(id)?, me.0))
    })?;
    shared.flush().await;
    Ok(Json(shown))
}

/// `POST /page/interactions`
pub(super) async fn interact(
    State(shared): State<Arc<SharedState>>,
    me: Me,
    Json(body): Json<Value>,
) -> Done {
    let id = shared.change(|discord_state| ask_by(discord_state, me.0, &body))?;
    shared.expire(id);
    if body["type"] == ask::AUTOCOMPLETE {
        return Ok(Json(json!({"choices": choices(&shared, id).await})));
    }
    Ok(Json(json!({"interaction_id": id})))
}

fn ask_by(discord_state: &mut DiscordState, me: Id, body: &Value) -> Result<Id, ApiError> {
    let data = &body["data"];
    let channel = read_id(&body["channel_id"]).ok_or_else(ApiError::unknown_channel);
    match body["type"].as_u64().and_then(|kind| u8::try_from(kind).ok()) {
        Some(ask::COMMAND) => discord_state.command_by(me, channel?, data, false),
        Some(ask::AUTOCOMPLETE) => discord_state.command_by(me, channel?, data, true),
        Some(ask::COMPONENT) => {
            let message = read_id(&body["message_id"]).ok_or_else(ApiError::unknown_message)?;
            discord_state.press_by(me, channel?, message, data)
        }
        Some(ask::MODAL) => {
            let custom_id = data["custom_id"].as_str().unwrap_or_default();
            discord_state.submit_by(me, custom_id, &|input| typed_in(&data["components"], input))
        }
        _ => Err(ApiError::for_page("An interaction's type must be 2, 3, 4 or 5.")),
    }
}

/// Returns the text typed into the input with this custom id, at any depth of the modal.
fn typed_in(components: &Value, custom_id: &str) -> Option<String> {
    components.as_array()?.iter().find_map(|one| {
        if one["custom_id"] == custom_id {
            return one["value"].as_str().map(str::to_owned);
        }
        let single = json!([one["component"]]);
        let inside = typed_in(&one["components"], custom_id);
        inside.or_else(|| if one["component"].is_null() { None } else { typed_in(&single, custom_id) })
    })
}

/// Waits for the choices of the bot; none if it sends none within 3 seconds.
async fn choices(shared: &SharedState, id: Id) -> Vec<Value> {
    let given = |discord_state: &DiscordState| match discord_state
        .interactions
        .get(&id)
        .map(|it| it.answer.clone())
    {
        Some(Answer::None) => None,
        Some(Answer::Choices(list)) => Some(list),
        _ => Some(Vec::new()),
    };
    let waiting = shared.until(|discord_state| given(discord_state));
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap_or_default()
}
