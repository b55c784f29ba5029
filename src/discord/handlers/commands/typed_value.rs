//! Values of options of `/play` that are written in a message or typed in a form.

use std::collections::BTreeMap;

use rookery_i18n::{Arg, Localizer, quoted};
use serde_json::Value as Json;

use super::open_table::OpenTable;
use super::options::{CommandOptions, OptionKind};
use super::play_input::GAME;
use crate::discord::wire::interaction::{GivenOptions, OptionValue};

/// The words for yes, beginning with the one that is shown.
const YES_WORDS: [&str; 3] = ["yes", "true", "on"];
/// The words for no, beginning with the one that is shown.
const NO_WORDS: [&str; 3] = ["no", "false", "off"];

/// Returns the request for a game with these options, whose values are written as text.
///
/// # Errors
/// The sentence about a value that is not valid.
pub(in crate::discord) fn request(
    words: &Localizer,
    game: &str,
    chosen: &BTreeMap<String, String>,
) -> Result<OpenTable, String> {
    let options = OpenTable::register(words);
    let mut given = vec![(GAME.to_owned(), OptionValue::Text(game.to_owned()))];
    for (key, value) in chosen {
        given.push((key.clone(), typed_value(words, &options, key, value)?));
    }
    OpenTable::read(&GivenOptions::of(given)).map_err(|error| error.sentence(words))
}

/// Whether an option takes a value that is written as text.
pub(super) fn is_valid(words: &Localizer, key: &str, value: &str) -> bool {
    typed_value(words, &OpenTable::register(words), key, value).is_ok()
}

/// Converts a typed value to the type that `/play` expects, and validates it, because Discord does not.
pub(in crate::discord) fn typed_value(
    words: &Localizer,
    options: &[Json],
    name: &str,
    value: &str,
) -> Result<OptionValue, String> {
    let names = || options.iter().filter_map(|option| option["name"].as_str());
    let Some(option) = options.iter().find(|option| option["name"] == name) else {
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(
            words.say("spoken-no-option", &[("option", quoted(name).into()), ("known", known.into())])
        );
    };
    let args = || -> [Arg<'_>; 2] { [("option", name.to_owned().into()), ("value", quoted(value).into())] };
    let refused = |allowed: String| {
        let [option, value] = args();
        words.say("spoken-no-value", &[option, value, ("allowed", allowed.into())])
    };
    let lower = value.to_lowercase();
    match OptionKind::of(option) {
        Some(OptionKind::User) => Err(words.say("spoken-nobody", &args())),
        Some(OptionKind::Yes) if YES_WORDS.contains(&lower.as_str()) => Ok(OptionValue::Yes(true)),
        Some(OptionKind::Yes) if NO_WORDS.contains(&lower.as_str()) => Ok(OptionValue::Yes(false)),
        Some(OptionKind::Yes) => {
            Err(refused(words.either(&[YES_WORDS[0].to_owned(), NO_WORDS[0].to_owned()])))
        }
        Some(OptionKind::Number) => number(option, value).ok_or_else(|| refused(numbers(words, option))),
        _ => choice(option, value, &lower).map_err(|all| refused(words.either(&all))),
    }
}

fn number(option: &Json, value: &str) -> Option<OptionValue> {
    let number: i64 = value.parse().ok()?;
    let least = option["min_value"].as_i64().is_none_or(|least| number >= least);
    let most = option["max_value"].as_i64().is_none_or(|most| number <= most);
    (least && most).then_some(OptionValue::Number(number))
}

/// Describes the range of a numeric option.
fn numbers(words: &Localizer, option: &Json) -> String {
    let least = ("least", option["min_value"].as_i64().unwrap_or_default().into());
    match option["max_value"].as_i64() {
        Some(most) => words.say("spoken-range", &[least, ("most", most.into())]),
        None => words.say("spoken-least", &[least]),
    }
}

/// Returns the choice with this value or name; any text if the option has no choices. The error contains all
/// choices.
fn choice(option: &Json, value: &str, lower: &str) -> Result<OptionValue, Vec<String>> {
    let Some(choices) = option["choices"].as_array() else { return Ok(OptionValue::Text(value.to_owned())) };
    let keys = || choices.iter().filter_map(|choice| choice["value"].as_str());
    let is_meant = |choice: &&Json| {
        ["value", "name"]
            .iter()
            .any(|part| choice[part].as_str().is_some_and(|it| it.to_lowercase() == lower))
    };
    let meant = choices.iter().find(is_meant).and_then(|choice| choice["value"].as_str());
    meant.map(|key| OptionValue::Text(key.to_owned())).ok_or_else(|| keys().map(str::to_owned).collect())
}
