//! Responses of the pages for playing, and the files that they load.

use axum::Json;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use rookery_i18n::Localizer;
use rookery_table::ports::StoreError;
use serde_json::json;

use super::super::players::Refusal;
use super::super::response::PageNotFound;
use super::page;

/// The policy of these pages: nothing from elsewhere, and no script or style within the page.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// How long browsers keep a file whose address changes with its content.
const KEPT: &str = "public, max-age=31536000, immutable";

/// The files that the pages load: name, type and content.
const FILES: [(&str, &str, &str); 5] = [
    ("play.css", "text/css; charset=utf-8", include_str!("play.css")),
    ("play.js", SCRIPT, include_str!("play.js")),
    ("board.js", SCRIPT, include_str!("board.js")),
    ("moves.js", SCRIPT, include_str!("moves.js")),
    ("sign-in.js", SCRIPT, include_str!("sign-in.js")),
];
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Returns the address of a file. All change with the program, because the modules load each other.
pub(in crate::web) fn file_address(name: &str) -> String {
    format!("/play/files/{}/{name}", version())
}

/// A digest of all files.
fn version() -> &'static str {
    static VERSION: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        let all: String = FILES.iter().map(|(_, _, content)| *content).collect();
        rookery_table::digest::sha256_hex(&all)[..16].to_owned()
    });
    &VERSION
}

/// Serves a file.
pub(in crate::web) async fn file(Path((_, name)): Path<(String, String)>) -> Result<Response, PageNotFound> {
    let (_, kind, content) = FILES.iter().find(|(known, ..)| *known == name).ok_or(PageNotFound)?;
    Ok(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, KEPT)], *content).into_response())
}

/// Responds with a page that runs only the site's own files.
pub(in crate::web) fn own_page(markup: Markup) -> Response {
    own_page_with(StatusCode::OK, markup)
}

/// Responds with such a page and a status.
pub(in crate::web) fn own_page_with(status: StatusCode, markup: Markup) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (status, headers, markup.into_string()).into_response()
}

/// Why a request for playing is refused.
pub(super) enum Denied {
    /// Nobody is signed in, or the session was revoked.
    SignedOut,
    /// The request comes from another site.
    OtherSite,
    /// The request makes no sense.
    Malformed,
    /// The bot refuses it.
    Refused(Refusal),
    /// It can't be done now; the same request may be sent again.
    Later(String),
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Denied {
        Denied::Refused(refusal)
    }
}

impl From<StoreError> for Denied {
    fn from(error: StoreError) -> Denied {
        tracing::warn!(%error, "could not look up a signed-in browser");
        Denied::Later(Localizer::english().word("denied-journal"))
    }
}

impl Denied {
    fn parts(self) -> (StatusCode, String) {
        let say = |key| Localizer::english().word(key);
        match self {
            Denied::SignedOut => (StatusCode::UNAUTHORIZED, say("page-signed-out")),
            Denied::OtherSite => (StatusCode::FORBIDDEN, say("page-other-site")),
            Denied::Malformed => (StatusCode::BAD_REQUEST, say("old-button")),
            Denied::Refused(Refusal::NoTable(text)) => (StatusCode::NOT_FOUND, text),
            Denied::Refused(Refusal::Refused(text)) => (StatusCode::CONFLICT, text),
            Denied::Refused(Refusal::Failed(text)) | Denied::Later(text) => {
                (StatusCode::SERVICE_UNAVAILABLE, text)
            }
        }
    }

    /// Responds to a page's own request: with a sentence.
    pub(super) fn into_json(self) -> Response {
        let (status, said) = self.parts();
        (status, Json(json!({ "said": super::sentence::plain(&said, &|_| None) }))).into_response()
    }

    /// Responds to a person who opens a page.
    pub(super) fn into_page(self) -> Response {
        let (status, said) = self.parts();
        let said = super::sentence::plain(&said, &|_| None);
        own_page_with(status, page::denied(Localizer::english(), &said))
    }
}
