//! The WebSocket of a page: it sends events and accepts nothing.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use serde_json::json;

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::shared_state::SharedState;
use super::acting_person::person;

/// The most bytes of a message from the page, which has nothing to send.
const MESSAGE_BYTES_MAX: usize = 4_096;

/// `GET /page/ws?as=ID&token=TOKEN`
pub(super) async fn enter(
    State(shared): State<Arc<SharedState>>,
    Query(query): Query<HashMap<String, String>>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let me = person(&shared, query.get("as").and_then(|text| text.parse().ok()))?;
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |socket| async move {
        serve(&shared, socket, me).await;
        // With the last page of a person, the frame in it is gone.
        if !shared.with(|state| state.tabs.is_open(me)) {
            shared.change(|discord_state| discord_state.close_frames(|frame| frame.user == me));
        }
    }))
}

async fn serve(shared: &SharedState, mut socket: WebSocket, me: Id) {
    let (mut frames, online) = shared.with(|state| (state.tabs.open(me), state.sessions.online()));
    let status = json!({"t": "BOT_STATUS", "d": {"online": online}}).to_string();
    if socket.send(Message::text(status)).await.is_err() {
        return;
    }
    let mut closing = std::pin::pin!(shared.closing());
    loop {
        tokio::select! {
            () = &mut closing => return,
            frame = frames.recv() => {
                let Some(frame) = frame else { return };
                if socket.send(Message::text(frame)).await.is_err() {
                    return;
                }
            }
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
        }
    }
}
