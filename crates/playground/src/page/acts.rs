//! What people do at a page.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::super::hub::Hub;
use super::super::id::Id;
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::mentions::read_id;
use super::super::world::model::{Answer, ask};
use super::Me;

/// What an act answers with.
type Done = Result<Json<Value>, Refusal>;

/// `POST /page/users`
pub(super) async fn new_person(State(hub): State<Arc<Hub>>, Json(body): Json<Value>) -> Done {
    let name = body["name"].as_str().map(str::trim).filter(|name| (1..=32).contains(&name.chars().count()));
    let name = name.ok_or_else(|| Refusal::for_human("A name has 1 to 32 characters."))?;
    let shown = hub.change(|world| {
        let id = world.new_member(name);
        world.show_user(id)
    });
    hub.flush().await;
    Ok(Json(shown))
}

/// `POST /page/channels/{channel}/messages`
pub(super) async fn say(
    State(hub): State<Arc<Hub>>,
    me: Me,
    Path(channel): Path<Id>,
    Json(body): Json<Value>,
) -> Done {
    let pings = body["ping"].as_bool().unwrap_or(true);
    let reply_to = read_id(&body["reply_to"]).map(|id| (id, pings));
    let text = body["content"].as_str().unwrap_or_default();
    let shown = hub.change(|world| {
        let id = world.say(me.0, channel, text, reply_to, &[])?;
        Ok(world.show_message(world.message(channel, id)?, true))
    })?;
    hub.flush().await;
    Ok(Json(shown))
}

/// `PATCH /page/channels/{channel}/messages/{message}`
pub(super) async fn edit(
    State(hub): State<Arc<Hub>>,
    me: Me,
    Path((channel, message)): Path<(Id, Id)>,
    Json(body): Json<Value>,
) -> Done {
    let text = body["content"].as_str().unwrap_or_default();
    let shown = hub.change(|world| {
        world.edit_by(me.0, channel, message, text)?;
        Ok(world.show_message(world.message(channel, message)?, true))
    })?;
    hub.flush().await;
    Ok(Json(shown))
}

/// `DELETE /page/channels/{channel}/messages/{message}`
pub(super) async fn delete(
    State(hub): State<Arc<Hub>>,
    me: Me,
    Path((channel, message)): Path<(Id, Id)>,
) -> Result<StatusCode, Refusal> {
    hub.change(|world| world.delete_by(me.0, channel, message))?;
    hub.flush().await;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /page/channels/{channel}/typing`
pub(super) async fn typing(
    State(hub): State<Arc<Hub>>,
    me: Me,
    Path(channel): Path<Id>,
) -> Result<StatusCode, Refusal> {
    hub.change(|world| world.type_by(me.0, channel))?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /page/dms`
pub(super) async fn open_dm(State(hub): State<Arc<Hub>>, me: Me, Json(body): Json<Value>) -> Done {
    let other = read_id(&body["recipient_id"]);
    let shown = hub.change(|world| {
        let known = other.filter(|id| world.users.contains_key(id) && *id != me.0);
        let id = world.open_dm(me.0, known.ok_or_else(Refusal::unknown_user)?);
        Ok(super::shown::show_dm(world, world.channel(id)?, me.0))
    })?;
    hub.flush().await;
    Ok(Json(shown))
}

/// `POST /page/interactions`
pub(super) async fn interact(State(hub): State<Arc<Hub>>, me: Me, Json(body): Json<Value>) -> Done {
    let id = hub.change(|world| ask_by(world, me.0, &body))?;
    hub.expire(id);
    if body["type"] == ask::AUTOCOMPLETE {
        return Ok(Json(json!({"choices": choices(&hub, id).await})));
    }
    Ok(Json(json!({"interaction_id": id})))
}

fn ask_by(world: &mut World, me: Id, body: &Value) -> Result<Id, Refusal> {
    let data = &body["data"];
    let channel = read_id(&body["channel_id"]).ok_or_else(Refusal::unknown_channel);
    match body["type"].as_u64().and_then(|kind| u8::try_from(kind).ok()) {
        Some(ask::COMMAND) => world.command_by(me, channel?, data, false),
        Some(ask::AUTOCOMPLETE) => world.command_by(me, channel?, data, true),
        Some(ask::COMPONENT) => {
            let message = read_id(&body["message_id"]).ok_or_else(Refusal::unknown_message)?;
            world.press_by(me, channel?, message, data)
        }
        Some(ask::MODAL) => {
            let custom_id = data["custom_id"].as_str().unwrap_or_default();
            world.submit_by(me, custom_id, &|input| typed_in(&data["components"], input))
        }
        _ => Err(Refusal::for_human("An interaction has the type 2, 3, 4 or 5.")),
    }
}

/// What was typed into the input with this custom id, wherever in the form it is.
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

/// The choices, once the bot gave them; none when it gave none in 3 seconds.
async fn choices(hub: &Hub, id: Id) -> Vec<Value> {
    let given = |world: &World| match world.interactions.get(&id).map(|it| it.answer.clone()) {
        Some(Answer::None) => None,
        Some(Answer::Choices(list)) => Some(list),
        _ => Some(Vec::new()),
    };
    let waiting = hub.until(|world| given(world));
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap_or_default()
}
