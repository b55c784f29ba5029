//! OAuth2: the page that asks a person, and the endpoints with which the application exchanges a code for a token and
//! revokes it.
//!
//! Only what Discord documents is here: the authorization code grant, forms (no JSON), and the client's secret with HTTP
//! Basic or in the form. Requests aren't logged, because they contain secrets.

mod authorization;
pub(crate) mod grants;

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::api_error::ApiError;
use super::fault_plan::InjectedFault;
use super::options::BOT_ID;
use super::shared_state::SharedState;
use grants::TOKEN_SECONDS;

/// The most bytes of a form.
const FORM_BYTES_MAX: usize = 16 * 1_024;

/// The routes of OAuth2.
pub(crate) fn router(shared: &Arc<SharedState>) -> Router {
    Router::new()
        .route("/oauth2/authorize", get(authorization::ask).post(authorization::answer))
        .route("/api/oauth2/token", post(token))
        .route("/api/oauth2/token/revoke", post(revoke))
        .with_state(shared.clone())
}

/// `POST /api/oauth2/token`: exchanges a code.
async fn token(State(shared): State<Arc<SharedState>>, request: Request) -> Response {
    with_form(&shared, "/oauth2/token", request, |form| {
        let text = |name: &str| form.get(name).map(String::as_str);
        if text("grant_type") != Some("authorization_code") {
            return Err(error("unsupported_grant_type"));
        }
        let code = text("code").ok_or_else(|| error("invalid_request"))?;
        let now_ms = shared.clock.now_ms();
        let exchanged = shared.with(|state| state.grants.exchange(code, text("redirect_uri"), now_ms));
        let tokens = exchanged?.ok_or_else(|| error("invalid_grant"))?;
        Ok(json!({"access_token": tokens.access, "token_type": "Bearer", "expires_in": TOKEN_SECONDS,
            "refresh_token": tokens.refresh, "scope": tokens.grant.scopes.join(" ")}))
    })
    .await
}

/// `POST /api/oauth2/token/revoke`: ends the whole grant; an unknown token is no error (RFC 7009, 2.2).
async fn revoke(State(shared): State<Arc<SharedState>>, request: Request) -> Response {
    with_form(&shared, "/oauth2/token/revoke", request, |form| {
        let token = form.get("token").ok_or_else(|| error("invalid_request"))?;
        shared.with(|state| state.grants.revoke(token));
        Ok(json!({}))
    })
    .await
}

/// Answers a form of the application, after the faults that tests set.
async fn with_form(
    shared: &SharedState,
    route: &'static str,
    request: Request,
    work: impl FnOnce(&HashMap<String, String>) -> Result<Value, Refusal>,
) -> Response {
    let fault = shared.with(|state| state.faults.next_request(&Method::POST, route, route));
    match fault {
        Some(InjectedFault::Status(status)) => {
            return ApiError::new(status, 0, format!("{status}")).into_response();
        }
        Some(InjectedFault::SlowDown(seconds)) => return ApiError::slow_down(seconds, false).into_response(),
        Some(InjectedFault::Slow(by)) => tokio::time::sleep(by).await,
        Some(InjectedFault::LostAnswer) | None => {}
    }
    let form = match read_form(shared, request).await {
        Ok(form) => form,
        Err(refused) => return refused.into_response(),
    };
    match work(&form) {
        Ok(_) if fault == Some(InjectedFault::LostAnswer) => {
            ApiError::new(502, 0, "502: Bad Gateway").into_response()
        }
        Ok(body) => Json(body).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// Reads a form of the application and checks its secret.
async fn read_form(shared: &SharedState, request: Request) -> Result<HashMap<String, String>, Refusal> {
    let (parts, body) = request.into_parts();
    let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let kind = header(CONTENT_TYPE).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/x-www-form-urlencoded") {
        return Err(error("invalid_request"));
    }
    if !header(axum::http::header::USER_AGENT).is_some_and(|agent| agent.starts_with("DiscordBot (")) {
        return Err(ApiError::new(403, 0, "error code: 1010").into());
    }
    let bytes: Bytes = axum::body::to_bytes(body, FORM_BYTES_MAX).await.map_err(|_| ApiError::too_large())?;
    let form: HashMap<String, String> = parsed(&bytes).ok_or_else(|| error("invalid_request"))?;
    let client = basic(&parts.headers)
        .or_else(|| Some((form.get("client_id")?.clone(), form.get("client_secret")?.clone())));
    let own = (BOT_ID.to_string(), shared.secrets.client.clone());
    if client != Some(own) {
        return Err(Refusal::Grant(StatusCode::UNAUTHORIZED, "invalid_client"));
    }
    Ok(form)
}

/// Parses a form, which has the syntax of a query.
fn parsed<T: DeserializeOwned>(form: &[u8]) -> Option<T> {
    let address = format!("/?{}", std::str::from_utf8(form).ok()?).parse().ok()?;
    Query::try_from_uri(&address).ok().map(|Query(form)| form)
}

/// Why a form is refused.
enum Refusal {
    /// An error of the token endpoint (RFC 6749, 5.2); Discord doesn't document its own.
    Grant(StatusCode, &'static str),
    /// An error of the API.
    Api(ApiError),
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        Refusal::Api(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Grant(status, code) => (status, Json(json!({"error": code}))).into_response(),
            Refusal::Api(error) => error.into_response(),
        }
    }
}

fn error(code: &'static str) -> Refusal {
    Refusal::Grant(StatusCode::BAD_REQUEST, code)
}

/// Returns the name and the password of HTTP Basic.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let coded = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(decoded(coded)?).ok()?;
    text.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
}

/// Decodes base64 with padding.
fn decoded(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    /// The examples of RFC 4648, 10.
    #[test]
    fn base64_is_decoded() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")]
        {
            assert_eq!(decoded(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decoded("Zm 9"), None);
    }
}
