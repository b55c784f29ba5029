//! The door: faults, token, limits, the body; then the handler; all of it recorded.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path, Query, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode, request::Parts};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::super::faults::Fault;
use super::super::hub::Hub;
use super::super::limits::Standing;
use super::super::record::Entry;
use super::super::refusal::Refusal;
use super::Door;
use super::call::{Call, Handler, Reply, read_body};

/// Takes one request through.
pub(super) async fn enter(
    hub: Arc<Hub>,
    template: &'static str,
    door: Door,
    handler: Handler,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let entry = hub.requests.begin(&parts, template);
    let path = parts.uri.path().to_owned();
    let fault = hub.with(|state| state.faults.next_request(&parts.method, template, &path));
    if let Some(Fault::Slow(by)) = fault {
        tokio::time::sleep(by).await;
    }
    let call = match read_call(&mut parts, body).await {
        Ok(call) => call,
        Err(refusal) => return close(&hub, entry, refusal.into_response()),
    };
    hub.requests.body(entry, &call);
    let done = pass(&hub, template, door, handler, &parts, &call, fault);
    // What the bot is told was done is done: it outlives a killed process.
    hub.flush().await;
    let (standing, result) = done;
    let mut response = match (result, fault) {
        (Ok(_), Some(Fault::LostAnswer)) => Refusal::new(502, 0, "502: Bad Gateway").into_response(),
        (Ok(reply), _) => into_response(reply),
        (Err(refusal), _) => refusal.into_response(),
    };
    if let Some(standing) = standing {
        standing.write(response.headers_mut());
    }
    close(&hub, entry, response)
}

/// Anything under `/api` that is no route: 404, and recorded as such.
pub(super) async fn unknown(hub: Arc<Hub>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let entry = hub.requests.begin(&parts, "(unknown)");
    close(&hub, entry, Refusal::not_found().into_response())
}

fn close(hub: &Hub, entry: Entry, response: Response) -> Response {
    hub.requests.end(entry, response.status().as_u16());
    hub.wake();
    response
}

fn pass(
    hub: &Hub,
    template: &'static str,
    door: Door,
    handler: Handler,
    parts: &Parts,
    call: &Call,
    fault: Option<Fault>,
) -> (Option<Standing>, Result<Reply, Refusal>) {
    match fault {
        Some(Fault::Status(status)) => return (None, Err(broken(status))),
        Some(Fault::SlowDown(seconds)) => return (None, Err(Refusal::slow_down(seconds, false))),
        _ => {}
    }
    if door == Door::Bot && !hub.is_bot(bearer(&parts.headers)) {
        return (None, Err(Refusal::unauthorized()));
    }
    let major = call.path.iter().find(|(name, _)| ["channel", "guild", "token"].contains(&name.as_str()));
    let major = major.map_or("", |(_, id)| id);
    let bucket = format!("{} {template} {major}", parts.method);
    let standing = hub.with(|state| state.limits.count(&bucket, door == Door::Bot));
    match standing {
        Ok(standing) => (Some(standing), hub.change(|world| handler(world, call))),
        Err(refusal) => (None, Err(refusal)),
    }
}

fn broken(status: u16) -> Refusal {
    let known = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Refusal::new(status, 0, format!("{status}: {}", known.canonical_reason().unwrap_or("Error")))
}

/// The token of `Authorization: Bot TOKEN`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bot ")
}

async fn read_call(parts: &mut Parts, body: axum::body::Body) -> Result<Call, Refusal> {
    let path = Path::from_request_parts(parts, &()).await.map_err(|_| Refusal::not_found())?.0;
    let query = Query::from_request_parts(parts, &()).await.map_err(|_| Refusal::not_found())?.0;
    let request = Request::from_parts(parts.clone(), body);
    let reading = tokio::time::timeout(Duration::from_secs(30), read_body(request));
    let (body, files) =
        reading.await.unwrap_or_else(|_| Err(Refusal::new(408, 0, "408: Request Timeout")))?;
    Ok(Call { path, query, body, files })
}

fn into_response(reply: Reply) -> Response {
    match reply {
        Reply::Json(body) => axum::Json::<Value>(body).into_response(),
        Reply::Created(body) => (StatusCode::CREATED, axum::Json::<Value>(body)).into_response(),
        Reply::Nothing => StatusCode::NO_CONTENT.into_response(),
    }
}
