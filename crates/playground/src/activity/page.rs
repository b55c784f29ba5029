//! What the page needs to answer a frame: who is in its instance, codes for its person, and whose an access token is.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::options::BOT_ID;
use super::super::page::acting_person::Me;
use super::super::shared_state::SharedState;

/// The scopes that a frame can ask for here.
const SCOPES: [&str; 1] = ["identify"];
/// Errors of commands, by Discord's numbers.
const INVALID_CLIENT_ID: u32 = 4_007;
const INVALID_TOKEN: u32 = 4_009;
const OAUTH2_ERROR: u32 = 5_000;

/// The result of a request.
type Done = Result<Json<Value>, ApiError>;

/// The routes, which need the page's token.
pub(crate) fn router() -> Router<Arc<SharedState>> {
    Router::new()
        .route("/page/activity/participants", post(participants))
        .route("/page/activity/authorize", post(authorize))
        .route("/page/activity/authenticate", post(authenticate))
        .route("/page/activity/close", post(close))
}

async fn participants(State(shared): State<Arc<SharedState>>, me: Me, Json(body): Json<Value>) -> Done {
    shared.look(|discord_state| {
        let frame = discord_state.frame_of(me.0, text(&body, "frame_id"))?;
        Ok(Json(json!({"participants": discord_state.participants(&frame.instance)})))
    })
}

async fn close(State(shared): State<Arc<SharedState>>, me: Me, Json(body): Json<Value>) -> Done {
    shared.change(|discord_state| discord_state.close_frame(me.0, text(&body, "frame_id")));
    Ok(Json(json!({})))
}

/// Gives a code to the frame of a person who agrees, now or before; else asks the page to ask them.
async fn authorize(State(shared): State<Arc<SharedState>>, me: Me, Json(body): Json<Value>) -> Done {
    shared.look(|discord_state| discord_state.frame_of(me.0, text(&body, "frame_id")).map(drop))?;
    let args = &body["args"];
    if text(args, "client_id").parse() != Ok(BOT_ID) {
        return Err(ApiError::new(400, INVALID_CLIENT_ID, "Invalid Client ID"));
    }
    let scopes: Vec<String> = args["scope"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|scope| scope.as_str().unwrap_or_default().to_owned())
        .collect();
    let are_known = !scopes.is_empty() && scopes.iter().all(|scope| SCOPES.contains(&scope.as_str()));
    let has_type = ["", "code"].contains(&text(args, "response_type"));
    if !are_known || !has_type || !["", "none", "consent"].contains(&text(args, "prompt")) {
        return Err(ApiError::new(400, OAUTH2_ERROR, "OAuth2 Error: invalid_request"));
    }
    let now_ms = shared.clock.now_ms();
    shared.with(|state| {
        let asks = text(args, "prompt") != "none" || !state.grants.has_consent(me.0, &scopes);
        if asks && body["agreed"] != true {
            return Ok(Json(json!({"asks": true})));
        }
        state.grants.consent(me.0, &scopes);
        let code = state.grants.authorize((me.0, scopes), None, now_ms)?;
        Ok(Json(json!({"code": code})))
    })
}

async fn authenticate(State(shared): State<Arc<SharedState>>, me: Me, Json(body): Json<Value>) -> Done {
    shared.look(|discord_state| discord_state.frame_of(me.0, text(&body, "frame_id")).map(drop))?;
    let (token, now_ms) = (text(&body, "access_token"), shared.clock.now_ms());
    let scopes = shared.with(|state| {
        let grant = state.grants.of_token(token, now_ms).filter(|grant| grant.identified() == Some(me.0));
        grant.map(|grant| grant.scopes().to_vec())
    });
    let scopes = scopes.ok_or_else(|| ApiError::new(400, INVALID_TOKEN, "Invalid OAuth2 token"))?;
    let user = shared.look(|discord_state| discord_state.show_user(me.0));
    Ok(Json(json!({"access_token": token, "user": user, "scopes": scopes,
        "application": {"id": BOT_ID, "name": shared.options.bot_name, "description": "", "icon": null}})))
}

fn text<'a>(body: &'a Value, key: &str) -> &'a str {
    body[key].as_str().unwrap_or_default()
}
