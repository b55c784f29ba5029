//! The HTML of the frame inside Discord.

use std::collections::BTreeMap;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use rookery_i18n::Localizer;
use serde_json::json;

use super::super::accounts::FramePlace;
use super::super::play::page::{denied, document};
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

/// Serves the shell.
pub(super) fn shell(web: &Web, place: &FramePlace) -> Response {
    let words = web.words;
    let said = SCRIPT_WORDS.map(|key| (key.trim_start_matches("frame-"), script_word(words, key)));
    let said: BTreeMap<_, _> = said.into_iter().collect();
    let data = json!({ "application": place.application, "parents": place.parents, "site": web.address,
        "words": said });
    let body = html! {
        main.shell {
            p #here.quiet hidden {}
            iframe #inner title=(words.word("web-front")) hidden {}
            div #status.note {
                p #said role="status" { (words.word("frame-connecting")) }
                p #buttons {}
            }
        }
        noscript { p { (words.word("page-needs-script")) } }
        // A data block: the script reads it, nothing runs it.
        script #data type="application/json" { (PreEscaped(data.to_string().replace('<', "\\u003c"))) }
    };
    let page = document(words, &words.word("web-front"), Some("frame.js"), &body).into_string();
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, page).into_response()
}

/// Returns a sentence for the script, which fills in what stands in braces, such as `{names}`.
fn script_word(words: &Localizer, key: &str) -> String {
    let gap = |name: &'static str| (name, format!("{{{name}}}").into());
    match key {
        "frame-here" => words.say(key, &[gap("names")]),
        "frame-more" => words.say(key, &[gap("count")]),
        "frame-closed-why" => words.say(key, &[gap("why")]),
        _ => words.word(key),
    }
}

/// Renders the page of a session that has ended, with the mark that the shell looks for.
pub(super) fn signed_out(words: &Localizer) -> Markup {
    let page = denied(words, &words.word("frame-signed-out"));
    html! { (page) template #signed-out {} }
}
