//! Checks of modals and autocomplete answers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::api_error::ApiError;
use super::Complaints;
use super::component::{check_custom_id, kind};

/// Checks the `data` of a callback that opens a modal: title, and 1 to 5 parts with one text input each.
pub(crate) fn check(data: &Value) -> Result<(), ApiError> {
    let mut wrong = Complaints::default();
    wrong.text("data.title", &data["title"], 1, 45, true);
    wrong.text("data.custom_id", &data["custom_id"], 1, 100, true);
    let mut seen = BTreeSet::new();
    for (n, part) in wrong.list("data.components", &data["components"], 1, 5).iter().enumerate() {
        check_part(&mut wrong, &format!("data.components.{n}"), part, &mut seen);
    }
    wrong.finish()
}

fn check_part(wrong: &mut Complaints, at: &str, part: &Value, seen: &mut BTreeSet<String>) {
    match part["type"].as_u64() {
        Some(kind::ROW) => {
            for (n, input) in
                wrong.list(&format!("{at}.components"), &part["components"], 1, 1).iter().enumerate()
            {
                let at = format!("{at}.components.{n}");
                wrong.text(&format!("{at}.label"), &input["label"], 1, 45, true);
                check_input(wrong, &at, input, seen);
            }
        }
        Some(kind::LABEL) => {
            wrong.text(&format!("{at}.label"), &part["label"], 1, 45, true);
            wrong.text(&format!("{at}.description"), &part["description"], 0, 100, false);
            check_custom_id(wrong, &format!("{at}.component"), &part["component"], seen);
        }
        _ => {
            let message = "Value of field \"type\" must be one of (1, 18).";
            wrong.add(format!("{at}.type"), "UNION_TYPE_CHOICES", message);
        }
    }
}

fn check_input(wrong: &mut Complaints, at: &str, input: &Value, seen: &mut BTreeSet<String>) {
    if input["type"] != kind::TEXT_INPUT {
        let message = "Value of field \"type\" must be one of (4,).";
        return wrong.add(format!("{at}.type"), "UNION_TYPE_CHOICES", message);
    }
    check_custom_id(wrong, at, input, seen);
    wrong.number(&format!("{at}.style"), &input["style"], 1, 2, true);
    wrong.number(&format!("{at}.min_length"), &input["min_length"], 0, 4_000, false);
    wrong.number(&format!("{at}.max_length"), &input["max_length"], 1, 4_000, false);
    wrong.text(&format!("{at}.placeholder"), &input["placeholder"], 0, 100, false);
    wrong.text(&format!("{at}.value"), &input["value"], 0, 4_000, false);
}

/// Checks the `data` of an autocomplete answer: at most 25 choices, each with a name and a value.
pub(crate) fn check_choices(data: &Value) -> Result<(), ApiError> {
    let mut wrong = Complaints::default();
    if data["choices"].is_null() {
        wrong.required("data.choices");
    }
    for (n, choice) in wrong.list("data.choices", &data["choices"], 0, 25).iter().enumerate() {
        let at = format!("data.choices.{n}");
        wrong.text(&format!("{at}.name"), &choice["name"], 1, 100, true);
        match &choice["value"] {
            Value::Number(_) => {}
            value => wrong.text(&format!("{at}.value"), value, 1, 100, true),
        }
    }
    wrong.finish()
}
