//! The steps of every request: faults, token, rate limits, body, handler; each request is logged.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path, Query, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode, request::Parts};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::super::api_error::ApiError;
use super::super::fault_plan::InjectedFault;
use super::super::id::Id;
use super::super::limits::RateLimitStatus;
use super::super::request_log::Entry;
use super::super::shared_state::SharedState;
use super::call::{Call, Handler, Reply, read_body};

/// The authorization that a route requires.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AccessLevel {
    /// The bot's token in the `Authorization` header.
    Bot,
    /// The bot's token, or the access token of a person who has authorized the application.
    BotOrPerson,
    /// The interaction's token in the path. These routes do not count toward the global limit.
    Token,
}

/// Handles one request through all steps, and logs it.
pub(super) async fn enter(
    shared: Arc<SharedState>,
    template: &'static str,
    access: AccessLevel,
    handler: Handler,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let entry = shared.requests.begin(&parts, template);
    let path = parts.uri.path().to_owned();
    let (fault, latency) = shared
        .with(|state| (state.faults.next_request(&parts.method, template, &path), state.faults.latency));
    if let Some(by) = latency {
        tokio::time::sleep(by).await;
    }
    if let Some(InjectedFault::Slow(by)) = fault {
        tokio::time::sleep(by).await;
    }
    let mut call = match read_call(&mut parts, body).await {
        Ok(call) => call,
        Err(error) => return close(&shared, entry, error.into_response()),
    };
    shared.requests.body(entry, &call.body, &call.files);
    if access == AccessLevel::BotOrPerson {
        call.user = person(&shared, &parts.headers);
    }
    let done = pass(&shared, template, access, handler, &parts, &call, fault);
    // Changes are committed before the bot gets its answer, so that they survive a kill.
    shared.flush().await;
    let (standing, result) = done;
    let mut response = match (result, fault) {
        (Ok(_), Some(InjectedFault::LostAnswer)) => ApiError::new(502, 0, "502: Bad Gateway").into_response(),
        (Ok(reply), _) => into_response(reply),
        (Err(error), _) => error.into_response(),
    };
    if let Some(standing) = standing {
        standing.write(response.headers_mut());
    }
    close(&shared, entry, response)
}

/// Answers an unknown path under `/api`: 404, and logged as such.
pub(super) async fn unknown(shared: Arc<SharedState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let entry = shared.requests.begin(&parts, "(unknown)");
    close(&shared, entry, ApiError::not_found().into_response())
}

fn close(shared: &SharedState, entry: Entry, response: Response) -> Response {
    shared.requests.end(entry, response.status().as_u16());
    shared.wake();
    response
}

fn pass(
    shared: &SharedState,
    template: &'static str,
    access: AccessLevel,
    handler: Handler,
    parts: &Parts,
    call: &Call,
    fault: Option<InjectedFault>,
) -> (Option<RateLimitStatus>, Result<Reply, ApiError>) {
    match fault {
        Some(InjectedFault::Status(status)) => return (None, Err(injected_error(status))),
        Some(InjectedFault::SlowDown(seconds)) => return (None, Err(ApiError::slow_down(seconds, false))),
        _ => {}
    }
    let is_person = call.user.is_some();
    if access != AccessLevel::Token && !is_person && !shared.is_bot(bearer(&parts.headers)) {
        return (None, Err(ApiError::unauthorized()));
    }
    let major = call.path.iter().find(|(name, _)| ["channel", "guild", "token"].contains(&name.as_str()));
    let major = major.map_or("", |(_, id)| id);
    let bucket = format!("{} {template} {major}", parts.method);
    let standing =
        shared.with(|state| state.limits.count(&bucket, access != AccessLevel::Token && !is_person));
    match standing {
        Ok(standing) => (Some(standing), shared.change(|discord_state| handler(discord_state, call))),
        Err(error) => (None, Err(error)),
    }
}

fn injected_error(status: u16) -> ApiError {
    let known = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    ApiError::new(status, 0, format!("{status}: {}", known.canonical_reason().unwrap_or("Error")))
}

/// Returns the token of `Authorization: Bot TOKEN`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bot ")
}

/// Returns the person of `Authorization: Bearer TOKEN`.
fn person(shared: &SharedState, headers: &HeaderMap) -> Option<Id> {
    let token = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
    let now_ms = shared.clock.now_ms();
    shared.with(|state| state.grants.of_token(token, now_ms).and_then(|grant| grant.identified()))
}

async fn read_call(parts: &mut Parts, body: axum::body::Body) -> Result<Call, ApiError> {
    let path = Path::from_request_parts(parts, &()).await.map_err(|_| ApiError::not_found())?.0;
    let query = Query::from_request_parts(parts, &()).await.map_err(|_| ApiError::not_found())?.0;
    let request = Request::from_parts(parts.clone(), body);
    let reading = tokio::time::timeout(Duration::from_secs(30), read_body(request));
    let (body, files) =
        reading.await.unwrap_or_else(|_| Err(ApiError::new(408, 0, "408: Request Timeout")))?;
    Ok(Call { path, query, body, files, user: None })
}

fn into_response(reply: Reply) -> Response {
    match reply {
        Reply::Json(body) => axum::Json::<Value>(body).into_response(),
        Reply::Created(body) => (StatusCode::CREATED, axum::Json::<Value>(body)).into_response(),
        Reply::Nothing => StatusCode::NO_CONTENT.into_response(),
    }
}
