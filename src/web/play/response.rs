//! Responses of the pages for playing.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use rookery_i18n::Localizer;
use rookery_table::ports::StoreError;
use serde_json::json;

use super::super::discord_side::Refusal;
use super::page;
use super::sentence::plain;
use crate::drawing::DrawError;

/// The policy of these pages: nothing from elsewhere, and no script or style within the page.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// After how many seconds a page that can't be shown now is loaded again.
const RELOAD_SECONDS: u16 = 5;

/// Responds with a page that runs only the site's own files.
pub(in crate::web) fn html_response(markup: Markup) -> Response {
    html_response_with(StatusCode::OK, markup)
}

/// Responds with it and a status.
pub(in crate::web) fn html_response_with(status: StatusCode, markup: Markup) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (status, headers, markup.into_string()).into_response()
}

/// Marks a page that nobody sees without signing in.
#[derive(Clone, Copy)]
pub(in crate::web) struct SignedOutPage;

/// Why a request for playing is refused.
#[derive(Debug)]
pub(super) enum Denied {
    /// Nobody is signed in, or the session was revoked.
    SignedOut,
    /// The request comes from another site.
    OtherSite,
    /// The person has signed in again since the page was opened, or someone else has.
    OtherSession,
    /// The page is of another person than the one who is signed in now, who has this name.
    OtherPerson(String),
    /// The request makes no sense.
    Malformed,
    /// The bot refuses it.
    Refused(Refusal),
    /// It can't be done now, as the sentence with this key says; the same request may be sent again.
    Later(&'static str),
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Denied {
        Denied::Refused(refusal)
    }
}

impl From<StoreError> for Denied {
    fn from(error: StoreError) -> Denied {
        tracing::warn!(%error, "could not look up a signed-in browser");
        Denied::Later("denied-journal")
    }
}

impl From<DrawError> for Denied {
    fn from(error: DrawError) -> Denied {
        if error == DrawError::TooMany {
            return Denied::Later("too-many-pictures");
        }
        tracing::error!(%error, "a page could not be made");
        Denied::Later("denied-fault")
    }
}

impl Denied {
    /// Returns the refusal with a sentence of the bot.
    pub(super) fn refused(text: String) -> Denied {
        Denied::Refused(Refusal::Refused(text))
    }

    fn parts(self, words: &Localizer) -> (StatusCode, String) {
        let say = |key| words.word(key);
        match self {
            Denied::SignedOut => (StatusCode::UNAUTHORIZED, say("page-signed-out")),
            Denied::OtherSite => (StatusCode::FORBIDDEN, say("page-other-site")),
            Denied::OtherSession => (StatusCode::FORBIDDEN, say("page-other-session")),
            Denied::OtherPerson(name) => {
                let args = [("name", name.into())];
                (StatusCode::FORBIDDEN, words.say("page-other-person", &args))
            }
            Denied::Malformed => (StatusCode::BAD_REQUEST, say("page-out-of-date")),
            Denied::Refused(Refusal::NoTable(text)) => (StatusCode::NOT_FOUND, text),
            Denied::Refused(Refusal::Refused(text)) => (StatusCode::CONFLICT, text),
            Denied::Refused(Refusal::Failed(text)) => (StatusCode::SERVICE_UNAVAILABLE, text),
            Denied::Later(key) => (StatusCode::SERVICE_UNAVAILABLE, say(key)),
        }
    }

    /// Responds to a page's own request: with a sentence.
    pub(super) fn into_json(self, words: &Localizer) -> Response {
        let (status, said) = self.parts(words);
        (status, Json(json!({ "said": plain(&said, &|_| None) }))).into_response()
    }

    /// Responds to a person who opens a page.
    pub(super) fn into_page(self, words: &Localizer) -> Response {
        let (status, said) = self.parts(words);
        let said = plain(&said, &|_| None);
        let leads_on = status != StatusCode::UNAUTHORIZED;
        let mut response = html_response_with(status, page::denied(words, &said, leads_on));
        if status == StatusCode::UNAUTHORIZED {
            response.extensions_mut().insert(SignedOutPage);
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::REFRESH, RELOAD_SECONDS.into());
        }
        response
    }
}
