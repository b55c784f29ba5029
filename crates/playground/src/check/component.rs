//! Buttons and selects: rows, counts, labels, custom ids.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Complaints;

/// Component types, by Discord's numbers.
pub(crate) mod kind {
    pub(crate) const ROW: u64 = 1;
    pub(crate) const BUTTON: u64 = 2;
    pub(crate) const STRING_SELECT: u64 = 3;
    pub(crate) const TEXT_INPUT: u64 = 4;
    pub(crate) const USER_SELECT: u64 = 5;
    pub(crate) const CHANNEL_SELECT: u64 = 8;
    pub(crate) const LABEL: u64 = 18;
}

/// The most components of a message with the components v2 flag, nested ones included.
const V2_MAX: usize = 40;

/// Checks a message's `components`: 5 rows of 5 buttons or 1 select, with custom ids that are unique in the
/// message.
pub(crate) fn check(wrong: &mut Complaints, components: &Value, is_v2: bool) {
    let mut seen = BTreeSet::new();
    if is_v2 {
        if count(components) > V2_MAX {
            wrong.add("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "Too many components (40).");
        }
        return check_ids_deep(wrong, components, &mut seen);
    }
    for (n, row) in wrong.list("components", components, 0, 5).iter().enumerate() {
        check_row(wrong, &format!("components.{n}"), row, &mut seen);
    }
}

fn check_row(wrong: &mut Complaints, at: &str, row: &Value, seen: &mut BTreeSet<String>) {
    if row["type"] != kind::ROW {
        let message = "Value of field \"type\" must be one of (1,).";
        return wrong.add(format!("{at}.type"), "UNION_TYPE_CHOICES", message);
    }
    let inside = wrong.list(&format!("{at}.components"), &row["components"], 1, 5);
    if inside.len() > 1 && inside.iter().any(|it| it["type"] != kind::BUTTON) {
        let message = "The specified component exceeds the maximum width";
        wrong.add(format!("{at}.components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
    }
    for (n, component) in inside.iter().enumerate() {
        let at = format!("{at}.components.{n}");
        match component["type"].as_u64() {
            Some(kind::BUTTON) => check_button(wrong, &at, component, seen),
            Some(kind::STRING_SELECT) => check_select(wrong, &at, component, seen),
            Some(kind::USER_SELECT..=kind::CHANNEL_SELECT) => check_picker(wrong, &at, component, seen),
            _ => {
                let message = "Value of field \"type\" must be one of (2, 3, 5, 6, 7, 8).";
                wrong.add(format!("{at}.type"), "UNION_TYPE_CHOICES", message);
            }
        }
    }
}

fn check_button(wrong: &mut Complaints, at: &str, button: &Value, seen: &mut BTreeSet<String>) {
    const LINK: i64 = 5;
    const PREMIUM: i64 = 6;
    wrong.number(&format!("{at}.style"), &button["style"], 1, PREMIUM, true);
    wrong.text(&format!("{at}.label"), &button["label"], 0, 80, false);
    wrong.boolean(&format!("{at}.disabled"), &button["disabled"]);
    match button["style"].as_i64() {
        Some(PREMIUM) => return,
        Some(LINK) => {
            wrong.text(&format!("{at}.url"), &button["url"], 1, 512, true);
            if !button["custom_id"].is_null() {
                let message = "A custom id and url cannot both be specified";
                wrong.add(at, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message);
            }
        }
        _ => check_custom_id(wrong, at, button, seen),
    }
    let nothing_shown = button["label"].as_str().is_none_or(str::is_empty) && button["emoji"].is_null();
    if nothing_shown {
        wrong.add(at, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or emoji is required");
    }
}

fn check_select(wrong: &mut Complaints, at: &str, select: &Value, seen: &mut BTreeSet<String>) {
    check_picker(wrong, at, select, seen);
    let options = wrong.list(&format!("{at}.options"), &select["options"], 1, 25);
    let mut values = BTreeSet::new();
    for (n, option) in options.iter().enumerate() {
        let at = format!("{at}.options.{n}");
        wrong.text(&format!("{at}.label"), &option["label"], 1, 100, true);
        wrong.text(&format!("{at}.value"), &option["value"], 1, 100, true);
        wrong.text(&format!("{at}.description"), &option["description"], 0, 100, false);
        if option["value"].as_str().is_some_and(|value| !values.insert(value)) {
            let message = "The specified option value is already used";
            wrong.add(format!("{at}.value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message);
        }
    }
    let max = select["max_values"].as_u64().unwrap_or(1);
    if !options.is_empty() && usize::try_from(max).is_ok_and(|max| max > options.len()) {
        let message = format!("int value should be less than or equal to {}.", options.len());
        wrong.add(format!("{at}.max_values"), "NUMBER_TYPE_MAX", message);
    }
}

/// Checks the fields that all kinds of select share.
fn check_picker(wrong: &mut Complaints, at: &str, select: &Value, seen: &mut BTreeSet<String>) {
    check_custom_id(wrong, at, select, seen);
    wrong.text(&format!("{at}.placeholder"), &select["placeholder"], 0, 150, false);
    wrong.number(&format!("{at}.min_values"), &select["min_values"], 0, 25, false);
    wrong.number(&format!("{at}.max_values"), &select["max_values"], 1, 25, false);
    if select["min_values"].as_u64().unwrap_or(1) > select["max_values"].as_u64().unwrap_or(1) {
        let message = "min_values must not be greater than max_values";
        wrong.add(format!("{at}.min_values"), "SELECT_COMPONENT_MIN_GREATER_THAN_MAX", message);
    }
}

/// Checks a custom id: 1 to 100 characters, used once.
pub(crate) fn check_custom_id(
    wrong: &mut Complaints,
    at: &str,
    component: &Value,
    seen: &mut BTreeSet<String>,
) {
    let at = format!("{at}.custom_id");
    wrong.text(&at, &component["custom_id"], 1, 100, true);
    let duplicate = component["custom_id"].as_str().is_some_and(|id| !seen.insert(id.to_owned()));
    if duplicate {
        let message = "Component custom id cannot be duplicated";
        wrong.add(at, "COMPONENT_CUSTOM_ID_DUPLICATED", message);
    }
}

/// Counts components, nested ones included.
fn count(components: &Value) -> usize {
    let list = components.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().map(|it| 1 + count(&it["components"]) + usize::from(!it["accessory"].is_null())).sum()
}

fn check_ids_deep(wrong: &mut Complaints, components: &Value, seen: &mut BTreeSet<String>) {
    for component in components.as_array().map_or(&[][..], Vec::as_slice) {
        for one in [component, &component["accessory"]] {
            if one.get("custom_id").is_some() {
                check_custom_id(wrong, "components", one, seen);
            }
        }
        check_ids_deep(wrong, &component["components"], seen);
    }
}
