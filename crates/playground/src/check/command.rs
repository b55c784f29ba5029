//! Application commands: names, descriptions, options, and the counts over all of them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::api_error::ApiError;
use super::Complaints;

/// The most slash commands of an application. The most commands of each menu type is 5 (Discord's
/// documentation of 2025: 15).
const SLASH_MAX: usize = 100;
const MENUS_MAX: usize = 15;
/// The most characters of one command: names, descriptions and values, each in its longest language.
const CHARACTERS_MAX: usize = 8_000;

/// The type of the command that opens the application's Activity; there is one at most.
pub(crate) const ENTRY_POINT: u64 = 4;

/// Option types, by Discord's numbers.
pub(crate) mod option {
    pub(crate) const SUB_COMMAND: u64 = 1;
    pub(crate) const SUB_COMMAND_GROUP: u64 = 2;
    pub(crate) const STRING: u64 = 3;
    pub(crate) const INTEGER: u64 = 4;
    pub(crate) const BOOLEAN: u64 = 5;
    pub(crate) const USER: u64 = 6;
    pub(crate) const CHANNEL: u64 = 7;
    pub(crate) const ROLE: u64 = 8;
    pub(crate) const MENTIONABLE: u64 = 9;
    pub(crate) const NUMBER: u64 = 10;
    pub(crate) const ATTACHMENT: u64 = 11;
}

/// Checks the commands of a bulk overwrite.
pub(crate) fn check_all(commands: &[Value]) -> Result<(), ApiError> {
    let mut wrong = Complaints::default();
    let mut seen = BTreeSet::new();
    for (n, command) in commands.iter().enumerate() {
        check(&mut wrong, &format!("{n}."), command);
        let key = (kind_of(command), command["name"].as_str().unwrap_or_default());
        if !seen.insert(key) {
            let message = "Application command names must be unique";
            wrong.add(format!("{n}.name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message);
        }
    }
    for (kind, max) in [(1, SLASH_MAX), (2, MENUS_MAX), (3, MENUS_MAX), (ENTRY_POINT, 1)] {
        if commands.iter().filter(|command| kind_of(command) == kind).count() > max {
            return Err(ApiError::new(
                400,
                30032,
                format!("Maximum number of application commands reached ({max})."),
            ));
        }
    }
    wrong.finish()
}

/// Checks a single command.
pub(crate) fn check_one(command: &Value) -> Result<(), ApiError> {
    let mut wrong = Complaints::default();
    check(&mut wrong, "", command);
    wrong.finish()
}

/// Returns a command's type: 1 slash, 2 on a person, 3 on a message, 4 the entry point of the Activity.
pub(crate) fn kind_of(command: &Value) -> u64 {
    command["type"].as_u64().unwrap_or(1)
}

fn check(wrong: &mut Complaints, at: &str, command: &Value) {
    wrong.number(&format!("{at}type"), &command["type"], 1, 4, false);
    if kind_of(command) == 1 {
        check_name(wrong, at, command);
        wrong.text(&format!("{at}description"), &command["description"], 1, 100, true);
        check_localized(wrong, &format!("{at}description_localizations"), command, false);
        check_options(wrong, at, &command["options"], 0);
    } else if kind_of(command) == ENTRY_POINT {
        check_entry_point(wrong, at, command);
    } else {
        wrong.text(&format!("{at}name"), &command["name"], 1, 32, true);
        if command["description"].as_str().is_some_and(|text| !text.is_empty()) {
            let message = "Context menu commands cannot have description";
            wrong.add(format!("{at}description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message);
        }
        if command["options"].as_array().is_some_and(|list| !list.is_empty()) {
            let message = "Context menu commands cannot have options";
            wrong.add(format!("{at}options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", message);
        }
    }
    for list in ["contexts", "integration_types"] {
        let max = if list == "contexts" { 2 } else { 1 };
        for (n, number) in wrong.list(&format!("{at}{list}"), &command[list], 0, 3).iter().enumerate() {
            wrong.number(&format!("{at}{list}.{n}"), number, 0, max, true);
        }
    }
    if characters(command) > CHARACTERS_MAX {
        let message = format!("Command exceeds maximum size ({CHARACTERS_MAX})");
        wrong.add(at.trim_end_matches('.'), "APPLICATION_COMMAND_TOO_LARGE", message);
    }
}

/// Checks the command that opens the Activity: it has a handler (1 the application, 2 Discord) and no options.
fn check_entry_point(wrong: &mut Complaints, at: &str, command: &Value) {
    wrong.text(&format!("{at}name"), &command["name"], 1, 32, true);
    wrong.text(&format!("{at}description"), &command["description"], 0, 100, false);
    check_localized(wrong, &format!("{at}description_localizations"), command, false);
    wrong.number(&format!("{at}handler"), &command["handler"], 1, 2, true);
    if command["options"].as_array().is_some_and(|list| !list.is_empty()) {
        let message = "Entry point commands cannot have options";
        wrong.add(format!("{at}options"), "APPLICATION_COMMAND_ENTRY_POINT_OPTIONS", message);
    }
}

fn check_name(wrong: &mut Complaints, at: &str, named: &Value) {
    let path = format!("{at}name");
    wrong.text(&path, &named["name"], 1, 32, true);
    if named["name"].as_str().is_some_and(|name| !is_name(name)) {
        wrong.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    }
    check_localized(wrong, &format!("{at}name_localizations"), named, true);
}

/// Whether a name matches `^[-_'\p{L}\p{N}]{1,32}$` and is lower case. (Discord also accepts the combining
/// marks of Devanagari and Thai.)
fn is_name(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_alphanumeric() || "-_'".contains(c));
    letters && name.to_lowercase() == name
}

fn check_localized(wrong: &mut Complaints, at: &str, described: &Value, is_a_name: bool) {
    let key = at.rsplit('.').next().unwrap_or(at);
    let Some(map) = described[key].as_object() else { return };
    for (locale, text) in map {
        let at = format!("{at}.{locale}");
        if !LOCALES.contains(&locale.as_str()) {
            wrong.add(&at, "ENUM_TYPE_COERCE", format!("Value \"{locale}\" is not a valid locale."));
        }
        wrong.text(&at, text, 1, if is_a_name { 32 } else { 100 }, true);
        if is_a_name && text.as_str().is_some_and(|name| !is_name(name)) {
            wrong.add(&at, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
        }
    }
}

fn check_options(wrong: &mut Complaints, at: &str, options: &Value, depth: u8) {
    let list = wrong.list(&format!("{at}options"), options, 0, 25);
    let (mut names, mut optional_before) = (BTreeSet::new(), false);
    for (n, one) in list.iter().enumerate() {
        let path = format!("{at}options.{n}");
        check_option(wrong, &format!("{path}."), one, depth);
        if one["name"].as_str().is_some_and(|name| !names.insert(name)) {
            let message = "Option name already used";
            wrong.add(format!("{path}.name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message);
        }
        let required = one["required"].as_bool().unwrap_or(false);
        if required && optional_before {
            let message = "Required options must be placed before non-required options";
            wrong.add(path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
        }
        optional_before |= !required;
    }
    let nested = list.iter().filter(|one| is_nested(one)).count();
    if nested != 0 && nested != list.len() {
        let message =
            "Sub-command and sub-command group option types are mutually exclusive to all other types";
        wrong.add(format!("{at}options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
}

fn is_nested(one: &Value) -> bool {
    matches!(one["type"].as_u64(), Some(option::SUB_COMMAND | option::SUB_COMMAND_GROUP))
}

fn check_option(wrong: &mut Complaints, at: &str, one: &Value, depth: u8) {
    wrong.number(&format!("{at}type"), &one["type"], 1, 11, true);
    check_name(wrong, at, one);
    wrong.text(&format!("{at}description"), &one["description"], 1, 100, true);
    check_localized(wrong, &format!("{at}description_localizations"), one, false);
    match one["type"].as_u64() {
        Some(option::SUB_COMMAND_GROUP) if depth > 0 => {
            wrong.add(format!("{at}type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep");
        }
        Some(option::SUB_COMMAND | option::SUB_COMMAND_GROUP) if depth < 2 => {
            check_options(wrong, at, &one["options"], depth + 1);
        }
        _ => check_choices(wrong, at, one),
    }
}

fn check_choices(wrong: &mut Complaints, at: &str, one: &Value) {
    let choices = wrong.list(&format!("{at}choices"), &one["choices"], 0, 25);
    let completes = one["autocomplete"].as_bool().unwrap_or(false);
    if completes && !choices.is_empty() {
        let message = "Autocomplete may not be set to true if choices are present";
        wrong.add(format!("{at}autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message);
    }
    let kind = one["type"].as_u64();
    let may_choose = matches!(kind, Some(option::STRING | option::INTEGER | option::NUMBER));
    if !may_choose && (completes || !choices.is_empty()) {
        let message = "This option type has neither choices nor autocomplete";
        wrong.add(format!("{at}type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
    for (n, choice) in choices.iter().enumerate() {
        wrong.text(&format!("{at}choices.{n}.name"), &choice["name"], 1, 100, true);
        let fits = match kind {
            Some(option::STRING) => choice["value"].is_string(),
            Some(option::INTEGER) => choice["value"].is_i64(),
            _ => choice["value"].is_number(),
        };
        if !fits {
            wrong.add(format!("{at}choices.{n}.value"), "UNION_TYPE_CHOICES", "Value does not fit the type");
        } else if kind == Some(option::STRING) {
            wrong.text(&format!("{at}choices.{n}.value"), &choice["value"], 1, 100, true);
        }
    }
}

/// Counts the characters of the names, descriptions and values of a command and everything within it.
fn characters(one: &Value) -> usize {
    let of = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    let longest = |key: &str| {
        let map = one[format!("{key}_localizations")].as_object();
        map.into_iter().flatten().map(|(_, text)| of(text)).fold(of(&one[key]), usize::max)
    };
    let inside = one["options"].as_array().into_iter().flatten().map(characters);
    let choices =
        one["choices"].as_array().into_iter().flatten().map(|it| of(&it["name"]) + of(&it["value"]));
    longest("name") + longest("description") + inside.sum::<usize>() + choices.sum::<usize>()
}

/// The locales of Discord (documentation, "Locales").
const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl",
    "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja",
    "zh-TW", "ko",
];
