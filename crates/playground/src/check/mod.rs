//! Checks of request bodies against Discord's rules. All errors are collected and returned in Discord's
//! nested shape.

pub(crate) mod command;
pub(crate) mod component;
pub(crate) mod message;
pub(crate) mod modal;

use serde_json::{Value, json};

use super::api_error::ApiError;

/// The errors of a body, each with the dotted path of its field.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    list: Vec<(String, &'static str, String)>,
}

impl Complaints {
    /// Adds an error for the field at `path` (such as `embeds.0.title`).
    pub(crate) fn add(&mut self, path: impl Into<String>, code: &'static str, message: impl Into<String>) {
        self.list.push((path.into(), code, message.into()));
    }

    /// Returns 50035 with all errors, or `Ok` if there are none.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.list.is_empty() {
            return Ok(());
        }
        let mut tree = json!({});
        for (path, code, message) in self.list {
            add_to_tree(&mut tree, &path, json!({"code": code, "message": message}));
        }
        Err(ApiError::invalid_form(tree))
    }

    /// Checks a string of `min` to `max` characters, counted as Discord does (Unicode scalars). Absent or
    /// null is valid unless `required`.
    pub(crate) fn text(&mut self, at: &str, value: &Value, min: usize, max: usize, required: bool) {
        let Some(text) = self.present(at, value, required) else { return };
        let Some(text) = text.as_str() else {
            return self.add(at, "STRING_TYPE_CONVERT", "Could not interpret value as string.");
        };
        let length = text.chars().count();
        if length > max {
            self.add(at, "BASE_TYPE_MAX_LENGTH", format!("Must be {max} or fewer in length."));
        } else if length < min {
            let message = format!("Must be between {min} and {max} in length.");
            self.add(at, "BASE_TYPE_BAD_LENGTH", message);
        }
    }

    /// Checks a list of `min` to `max` items and returns it; absent or null reads as an empty list.
    pub(crate) fn list<'a>(&mut self, at: &str, value: &'a Value, min: usize, max: usize) -> &'a [Value] {
        let list = match value {
            Value::Null => &[][..],
            Value::Array(list) => list,
            _ => {
                self.add(at, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
                return &[];
            }
        };
        if list.len() < min || list.len() > max {
            let message = format!("Must be between {min} and {max} in length.");
            self.add(at, "BASE_TYPE_BAD_LENGTH", message);
        }
        list
    }

    /// Checks an integer from `min` to `max`; absent or null is valid unless `required`.
    pub(crate) fn number(&mut self, at: &str, value: &Value, min: i64, max: i64, required: bool) {
        let Some(number) = self.present(at, value, required) else { return };
        match number.as_i64() {
            None => self.add(at, "NUMBER_TYPE_COERCE", format!("Value \"{number}\" is not int.")),
            Some(number) if number < min => {
                self.add(
                    at,
                    "NUMBER_TYPE_MIN",
                    format!("int value should be greater than or equal to {min}."),
                );
            }
            Some(number) if number > max => {
                self.add(at, "NUMBER_TYPE_MAX", format!("int value should be less than or equal to {max}."));
            }
            Some(_) => {}
        }
    }

    /// Checks a boolean; absent or null is valid.
    pub(crate) fn boolean(&mut self, at: &str, value: &Value) {
        if !value.is_null() && !value.is_boolean() {
            self.add(at, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
        }
    }

    /// Adds the error that a field is required.
    pub(crate) fn required(&mut self, at: &str) {
        self.add(at, "BASE_TYPE_REQUIRED", "This field is required");
    }

    fn present<'a>(&mut self, at: &str, value: &'a Value, required: bool) -> Option<&'a Value> {
        if !value.is_null() {
            return Some(value);
        }
        if required {
            self.required(at);
        }
        None
    }
}

/// Adds one error where Discord would: `{"embeds": {"0": {"title": {"_errors": [..]}}}}`.
fn add_to_tree(tree: &mut Value, path: &str, error: Value) {
    let mut place = tree;
    for step in path.split('.').filter(|step| !step.is_empty()) {
        place = &mut place[step];
    }
    match place.get_mut("_errors").and_then(Value::as_array_mut) {
        Some(errors) => errors.push(error),
        None => place["_errors"] = json!([error]),
    }
}
