//! The configuration as text: the example file and the settings in force.

use std::fmt::{self, Write};

use figment::value::Value;
use rookery_store::StoreAddress;

use super::ValueKind;
use super::key::Key;
use super::keys::KEYS;
use super::layers::EffectiveConfig;

const HEAD: &str = "\
# Rookery's settings: every key, with its default and an explanation. Copy this file to config.toml
# and remove the # from what you change. Each key can also be set in the environment as
# ROOKERY_<SECTION>__<KEY>, such as ROOKERY_PLAYGROUND__LISTEN; the environment overrides the file.
# `rookery config` prints the current settings. This file is written by `rookery config --example`.
";

/// The longest line of the example file, in characters.
const COLUMNS: usize = 100;

/// Returns the text of `config.example.toml`.
pub fn example() -> String {
    let mut text = HEAD.to_owned();
    for_each_key(&mut text, |text, key| {
        for line in wrapped(key.sentence) {
            writeln!(text, "# {line}")?;
        }
        if let Some(name) = key.shared_variable {
            writeln!(text, "# In the environment, this is also {name}.")?;
        }
        writeln!(text, "# {} = {}", key.name, key.default)
    });
    text
}

impl fmt::Display for EffectiveConfig {
    /// Writes every key with its value in force and the value's source, in TOML; the token is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for_each_key(&mut text, |text, key| {
            let value = self.value(key).map_or_else(String::new, |value| shown(key, &value));
            writeln!(text, "{} = {value}  # {}", key.name, self.origin(key.section, key.name))
        });
        f.write_str(text.trim_start())
    }
}

/// Formats a value in TOML; a secret is masked unless it is empty, and so is the password of a database.
pub(super) fn shown(key: &Key, value: &Value) -> String {
    match value {
        Value::String(_, text) if matches!(key.kind, ValueKind::Store) => {
            match text.parse::<StoreAddress>() {
                Ok(address) => quoted(&address.to_string()),
                Err(_) => "\"***\"".into(),
            }
        }
        Value::String(_, text) if key.is_secret() && !text.is_empty() => "\"***\"".into(),
        Value::String(_, text) => quoted(text),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Dict(..) => "a section".into(),
        Value::Array(..) => "a list".into(),
        Value::Num(_, number) if !key.is_secret() => {
            match (number.to_i128(), number.to_u128(), number.to_f64()) {
                (Some(whole), ..) => whole.to_string(),
                (_, Some(whole), _) => whole.to_string(),
                (.., real) => format!("{:?}", real.unwrap_or(f64::NAN)),
            }
        }
        _ => "of another kind".into(),
    }
}

/// Formats a basic TOML string. JSON's escapes are valid in TOML, which also requires an escape for DEL.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// Writes all keys under their sections' headers.
fn for_each_key(text: &mut String, mut write: impl FnMut(&mut String, &Key) -> fmt::Result) {
    let mut section = "";
    for key in KEYS {
        if key.section != section {
            section = key.section;
            text.push_str(&format!("\n[{section}]\n"));
        }
        write(text, key).expect("writing to a String cannot fail");
    }
}

/// Wraps the sentence into lines of at most [`COLUMNS`] minus the comment mark.
fn wrapped(sentence: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            *line = word.into();
        } else if line.len() + 1 + word.len() + 2 <= COLUMNS {
            *line = format!("{line} {word}");
        } else {
            lines.push(word.into());
        }
    }
    lines
}
