//! The parts of a JSON value, by JSON pointer (RFC 6901).

use serde_json::Value;

/// Removes the value at a JSON pointer, if there is one.
pub fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return };
    match value.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(key)),
        Some(Value::Array(items)) => {
            if let Some(index) = key.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}

/// Returns JSON pointers to every part of a value, inner ones first, without the value itself.
pub fn pointers(value: &Value) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(items) => {
            (0..).zip(items).map(|(at, part): (usize, _)| (at.to_string(), part)).collect()
        }
        _ => Vec::new(),
    };
    let within = |(key, part): (String, &Value)| {
        let inner = pointers(part).into_iter().map(|inner| format!("/{key}{inner}"));
        inner.chain([format!("/{key}")]).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(within).collect()
}
