//! The page on which a person allows the application to know who they are. Discord knows who is at the browser; here the
//! person says it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::options::BOT_ID;
use super::super::shared_state::SharedState;
use super::parsed;

/// The scopes that the playground knows.
const SCOPES: [&str; 1] = ["identify"];
/// What is percent-encoded in a value of a query: all but the unreserved characters of RFC 3986 (2.3).
const QUERY_VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// The most characters of a state.
const STATE_MAX: usize = 1_000;

/// The parameters of an authorization.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Authorization {
    #[serde(default)]
    response_type: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    redirect_uri: String,
    /// `consent` or `none`.
    #[serde(default)]
    prompt: String,
    /// The answer of the page's form: a person's id, or empty for *Cancel*.
    #[serde(default)]
    person: String,
}

impl Authorization {
    /// Returns the scopes, or why Discord would show an error instead of the question.
    fn scopes(&self, shared: &SharedState) -> Result<Vec<String>, &'static str> {
        if self.client_id.parse() != Ok(BOT_ID) {
            return Err("Unknown Application");
        }
        if !shared.look(|discord_state| discord_state.rules.redirects.contains(&self.redirect_uri)) {
            return Err("Invalid OAuth2 redirect_uri");
        }
        let scopes: Vec<_> = self.scope.split_whitespace().map(str::to_owned).collect();
        let are_known = scopes.iter().all(|scope| SCOPES.contains(&scope.as_str()));
        match self.response_type.as_str() {
            _ if scopes.is_empty() || !are_known => {
                Err("The requested scope is invalid, unknown, or malformed.")
            }
            _ if !["", "consent", "none"].contains(&self.prompt.as_str()) => {
                Err("prompt must be consent or none")
            }
            _ if self.state.len() > STATE_MAX => Err("state is too long"),
            "code" => Ok(scopes),
            _ => Err("Unsupported response type"),
        }
    }
}

/// `GET /oauth2/authorize`
pub(super) async fn ask(
    State(shared): State<Arc<SharedState>>,
    asked: Result<Query<Authorization>, QueryRejection>,
) -> Response {
    let Ok(Query(asked)) = asked else { return refused("The request can't be read") };
    match asked.scopes(&shared) {
        Ok(_) => page(StatusCode::OK, &question(&shared, &asked), &origin(&asked.redirect_uri)),
        Err(why) => refused(why),
    }
}

/// `POST /oauth2/authorize`: the form of the page.
pub(super) async fn answer(State(shared): State<Arc<SharedState>>, body: Bytes) -> Response {
    let Some(asked) = parsed::<Authorization>(&body) else { return refused("The request can't be read") };
    let scopes = match asked.scopes(&shared) {
        Ok(scopes) => scopes,
        Err(why) => return refused(why),
    };
    let outcome = match asked.person.as_str() {
        "" => Ok("error=access_denied&error_description=The+resource+owner+denied+the+request".to_owned()),
        person => code(&shared, person, scopes, &asked.redirect_uri),
    };
    match outcome {
        Ok(outcome) => {
            let there = format!(
                "{}?{outcome}&state={}",
                asked.redirect_uri,
                utf8_percent_encode(&asked.state, QUERY_VALUE)
            );
            match HeaderValue::from_str(&there) {
                Ok(there) => (StatusCode::FOUND, [(header::LOCATION, there)]).into_response(),
                Err(_) => refused("Invalid OAuth2 redirect_uri"),
            }
        }
        Err(error) => error.into_response(),
    }
}

fn code(shared: &SharedState, person: &str, scopes: Vec<String>, redirect: &str) -> Result<String, ApiError> {
    let known = person
        .parse::<Id>()
        .ok()
        .filter(|id| shared.look(|discord_state| discord_state.users.get(id).is_some_and(|user| !user.bot)));
    let user = known.ok_or_else(ApiError::unknown_user)?;
    let (now_ms, redirect) = (shared.clock.now_ms(), Some(redirect.to_owned()));
    let code = shared.with(|state| state.grants.authorize((user, scopes), redirect, now_ms))?;
    Ok(format!("code={code}"))
}

fn question(shared: &SharedState, asked: &Authorization) -> String {
    let people: Vec<_> = shared.look(|discord_state| {
        let people = discord_state.users.values().filter(|user| !user.bot);
        people.map(|user| (user.id, user.name.clone())).collect()
    });
    let button = |(id, name): &(Id, String)| {
        format!(
            "<button name=\"person\" value=\"{id}\" data-name=\"{0}\">Authorize as {0}</button>",
            escaped(name)
        )
    };
    let fields = [
        ("response_type", &asked.response_type),
        ("client_id", &asked.client_id),
        ("scope", &asked.scope),
        ("state", &asked.state),
        ("redirect_uri", &asked.redirect_uri),
        ("prompt", &asked.prompt),
    ];
    let hidden = |(name, value): &(&str, &String)| {
        format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value))
    };
    format!(
        "<h1>{} wants to access your account</h1><p>This lets it know your name and picture.</p>\
         <form method=\"post\" action=\"/oauth2/authorize\">{}{}<button name=\"person\" value=\"\">Cancel</button></form>",
        escaped(&shared.options.bot_name),
        fields.iter().map(hidden).collect::<String>(),
        people.iter().map(button).collect::<String>(),
    )
}

fn refused(why: &str) -> Response {
    page(StatusCode::BAD_REQUEST, &format!("<h1>Error</h1><p>{}</p>", escaped(why)), "")
}

/// Serves a page whose form may lead to an origin, which `form-action` must name for the redirect.
fn page(status: StatusCode, body: &str, leads_to: &str) -> Response {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' {leads_to}; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    let style = "body{font:16px/1.5 sans-serif;max-width:26rem;margin:10vh auto;padding:1rem;color-scheme:dark light}\
                 button{display:block;width:100%;margin:.5rem 0;padding:.6rem;font:inherit}";
    let text = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Authorize</title><style>{style}</style></head><body>{body}</body></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        // The form's own request must name its origin.
        (header::REFERRER_POLICY, "same-origin".to_owned()),
    ];
    (status, headers, text).into_response()
}

/// Returns the scheme and the host of an address.
fn origin(address: &str) -> String {
    address.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
