//! Validates the bot's requests against Discord's published OpenAPI description.
//!
//! The description is not part of this repository. `ROOKERY_OPENAPI` is its path, or `required`: then the
//! default path must have it. Without the variable a missing file is reported as skipped.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use rookery_playground::testing::request_log::LoggedRequest;
use serde_json::{Value, json};

/// The default path of the description, from this package.
const USUAL_PLACE: &str = "../shared/discord/openapi.json";
/// The variable with another path, or with the requirement that the file exists.
const VARIABLE: &str = "ROOKERY_OPENAPI";
/// The value that only forbids skipping.
const REQUIRED: &str = "required";

/// Returns the validator's errors for a request; empty without the description.
pub(crate) fn complaints(request: &LoggedRequest) -> Vec<String> {
    static HERE: OnceLock<Option<Description>> = OnceLock::new();
    let read = HERE.get_or_init(Description::read);
    read.as_ref().map(|description| description.complaints(request)).unwrap_or_default()
}

struct Description {
    whole: Value,
    /// The validators, compiled once per operation, by method and path template.
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Description {
    fn read() -> Option<Description> {
        let wanted = std::env::var(VARIABLE).ok().filter(|value| !value.is_empty());
        let named = wanted.as_deref().filter(|value| *value != REQUIRED);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(named.unwrap_or(USUAL_PLACE));
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                Some(Description { whole: serde_json::from_str(&text).unwrap(), compiled: Mutex::default() })
            }
            Err(error) => {
                assert!(
                    wanted.is_none(),
                    "{VARIABLE} is set, and {} cannot be read: {error}",
                    path.display()
                );
                // The test harness captures the output of the print macros in tests that pass, so this writes
                // to the stream itself.
                let told = "so what the bot sends is not validated";
                let line = format!("skipped: no {USUAL_PLACE}, {told}; see {VARIABLE}\n");
                std::io::stderr().write_all(line.as_bytes()).unwrap();
                None
            }
        }
    }

    fn complaints(&self, request: &LoggedRequest) -> Vec<String> {
        let Some((template, operation)) = self.operation(request) else {
            return vec![format!("Discord has no {} {}", request.method, request.path)];
        };
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        match (schema.is_null(), request.body.is_null()) {
            (true, true) => Vec::new(),
            (true, false) => vec![format!("{template} takes no body")],
            _ => {
                let validator = self.validator(&format!("{} {template}", request.method), schema);
                let errors = validator.iter_errors(&request.body);
                errors.map(|error| format!("{} at {}", error, error.instance_path())).collect()
            }
        }
    }

    /// Returns the operation for a path: of several matching templates, the one with the most literal
    /// segments.
    fn operation(&self, request: &LoggedRequest) -> Option<(&str, &Value)> {
        let path = request.path.split('?').next().unwrap_or_default();
        let paths = self.whole["paths"].as_object().unwrap();
        let fitting = paths.iter().filter(|(template, _)| fits(template, path));
        let method = request.method.to_lowercase();
        let known = fitting.filter_map(|(template, here)| Some((template.as_str(), here.get(&method)?)));
        known.min_by_key(|(template, _)| template.matches('{').count())
    }

    fn validator(&self, name: &str, schema: &Value) -> Arc<Validator> {
        let mut compiled = self.compiled.lock().unwrap();
        let made = compiled.entry(name.to_owned()).or_insert_with(|| {
            let alone = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "allOf": [schema],
                "components": self.whole["components"],
            });
            Arc::new(jsonschema::validator_for(&alone).unwrap())
        });
        made.clone()
    }
}

fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut found) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == found || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}

#[test]
fn api_schema_rejects_a_body_that_discord_would_refuse() {
    let Some(description) = Description::read() else { return };
    let request = |path: &str, body: Value| LoggedRequest {
        method: "POST".into(),
        route: String::new(),
        path: path.into(),
        body,
        files: Vec::new(),
        at: std::time::Instant::now(),
        status: 0,
    };
    let messages = "/channels/1200000000000000001/messages?wait=true";
    let good = request(messages, json!({"content": "K7Q2", "allowed_mentions": {"parse": []}}));
    assert_eq!(description.complaints(&good), Vec::<String>::new());
    let bad = request(messages, json!({"content": 7}));
    assert_eq!(description.complaints(&bad).len(), 1);
    let long = request(messages, json!({"content": "x".repeat(5_000)}));
    assert_eq!(description.complaints(&long).len(), 1);
    let nowhere = request("/channels/1200000000000000001/boards", json!({}));
    assert_eq!(description.complaints(&nowhere).len(), 1);
}
