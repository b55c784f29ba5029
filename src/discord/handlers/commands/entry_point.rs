//! The command that opens the Activity. Discord shows it apart from the others, and an application has one at most.

use serde_json::{Value, json};

use rookery_i18n::Localizer;

use super::command::{BY_ANYBODY, EVERYWHERE, describe};

/// Its name, in lower case.
pub(super) const NAME: &str = "launch";

/// Returns its registration.
pub(super) fn registration(words: &Localizer) -> Value {
    const ENTRY_POINT: u8 = 4;
    // The bot answers, instead of Discord: it may refuse a person who is banned.
    const ANSWERED_BY_BOT: u8 = 1;
    json!({
        "name": NAME,
        "description": describe(words, NAME),
        "type": ENTRY_POINT,
        "handler": ANSWERED_BY_BOT,
        "contexts": EVERYWHERE,
        "integration_types": BY_ANYBODY,
    })
}
