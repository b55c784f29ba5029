//! The HTML of the frame inside Discord.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use rookery_i18n::Localizer;
use serde_json::json;

use super::super::discord_sign_in::FramePlace;
use super::super::play::page::{denied, document};
use super::super::script_data::{data_block, sentences};
use super::super::state::Web;

/// The policy of the shell: as that of the pages, which it shows in a frame of its own.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; \
     connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The sentences that the script shows; it knows them without `frame-`.
const SCRIPT_WORDS: [&str; 16] = [
    "frame-connecting",
    "frame-no-discord",
    "frame-signing-in",
    "frame-cancelled",
    "frame-refused",
    "frame-opening",
    "frame-lost",
    "frame-no-cookies",
    "frame-not-opened",
    "frame-closed",
    "frame-closed-why",
    "frame-again",
    "frame-browser",
    "frame-leave",
    "frame-here",
    "frame-more",
];

/// What the script fills in.
const GAPS: [(&str, &[&str]); 3] =
    [("frame-here", &["names"]), ("frame-more", &["count"]), ("frame-closed-why", &["why"])];

/// Serves the shell.
pub(super) fn shell(web: &Web, place: &FramePlace) -> Response {
    let words = web.words;
    let said = sentences(words, "frame-", &SCRIPT_WORDS, &GAPS);
    let data = json!({ "application": place.application, "parents": place.parents, "site": web.address,
        "words": said });
    let body = html! {
        div.shell {
            p #here.quiet role="status" hidden {}
            iframe #inner title=(words.word("web-front")) hidden {}
            // The page in the inner frame has a heading and a main part of its own.
            main #status.note {
                h1.hidden { (words.word("web-front")) }
                p #said role="status" { (words.word("frame-connecting")) }
                p #buttons {}
            }
        }
        noscript { p { (words.word("page-needs-script")) } }
        (data_block(&data))
    };
    let page = document(words, &words.word("web-front"), Some("frame.js"), &body).into_string();
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, page).into_response()
}

/// Renders the page of a session that has ended, with the mark that the shell looks for.
pub(super) fn signed_out(words: &Localizer) -> Markup {
    let page = denied(words, &words.word("frame-signed-out"), false);
    html! { (page) template #signed-out {} }
}
