//! The HTML and the sentences of the pages for signing in.

use std::time::Duration;

use axum::http::StatusCode;
use maud::{Markup, html};
use rookery_i18n::Localizer;

use super::discord_sign_in::DiscordSignInError;
use super::play::page::document;

/// The form of a sign-in link.
pub(super) struct SignInForm<'a> {
    /// The address to which the form is sent.
    pub(super) address: &'a str,
    /// The name of the person whose link it is.
    pub(super) name: &'a str,
    /// The name of another person who is signed in with this browser, if any.
    pub(super) other: Option<&'a str>,
}

/// Renders the page of a sign-in link. It says who will be signed in, because a link of another person would let them
/// see what is done with this browser. Its form uses the link up.
pub(super) fn sign_in(words: &Localizer, form: &SignInForm<'_>) -> Markup {
    let named = |key, name: &str| words.say(key, &[("name", name.into())]);
    let body = html! {
        main.note {
            h1 { (words.word("page-sign-in")) }
            @if let Some(other) = form.other { p { (named("page-signed-in-as-other", other)) } }
            @else { p { (words.word("page-sign-in-check")) } }
            form #sign-in method="post" action=(form.address) {
                button.primary { (named("page-sign-in-as", form.name)) }
            }
            @if let Some(other) = form.other { p { a href="/play" { (named("page-stay-signed-in", other)) } } }
        }
    };
    document(words, &words.word("page-sign-in"), None, &body)
}

/// Renders a page that says why somebody isn't signed in; `again` is the address that begins anew.
pub(super) fn not_signed_in(words: &Localizer, why: &str, again: Option<&str>) -> Markup {
    let body = html! {
        main.note {
            h1 { (words.word("page-not-signed-in")) }
            p { (why) }
            @if let Some(again) = again {
                p { a.button #discord href=(again) { (words.word("page-sign-in-discord")) } }
            }
        }
    };
    document(words, &words.word("page-not-signed-in"), None, &body)
}

/// Returns the status and the sentence of an error.
pub(super) fn reason(words: &Localizer, error: DiscordSignInError) -> (StatusCode, String) {
    match error {
        DiscordSignInError::Refused => (StatusCode::BAD_REQUEST, words.word("page-sign-in-refused")),
        DiscordSignInError::Limited(wait) => {
            let why = words.say("page-sign-in-limited", &[("seconds", whole_seconds(wait).into())]);
            (StatusCode::SERVICE_UNAVAILABLE, why)
        }
        DiscordSignInError::Unreachable => {
            (StatusCode::SERVICE_UNAVAILABLE, words.word("page-sign-in-unreachable"))
        }
        DiscordSignInError::Misconfigured => {
            (StatusCode::SERVICE_UNAVAILABLE, words.word("page-sign-in-broken"))
        }
    }
}

/// Returns a time in seconds, rounded up.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
