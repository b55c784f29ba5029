//! A setting, and how it is found.

use figment::value::Dict;
use strsim::levenshtein;

use super::keys::KEYS;
use super::value_kind::ValueKind;

/// One setting: its name, default, valid values and description.
#[derive(Debug)]
pub struct Key {
    /// The section, as in `[discord]`.
    pub section: &'static str,
    /// The name within the section.
    pub name: &'static str,
    /// The default, written in TOML.
    pub default: &'static str,
    /// The kind of value that the key accepts.
    pub kind: ValueKind,
    /// An environment variable besides `ROOKERY_<SECTION>__<NAME>`, shared with other programs.
    pub shared_variable: Option<&'static str>,
    /// The description, for the example file.
    pub sentence: &'static str,
}

impl Key {
    /// Returns the setting with this name in this section.
    pub fn find(section: &str, name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }

    /// Returns the key as people write it: `discord.token`.
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// Returns the name of the setting's own environment variable: `ROOKERY_DISCORD__TOKEN`.
    pub fn variable(&self) -> String {
        format!("ROOKERY_{}__{}", self.section, self.name).to_ascii_uppercase()
    }

    /// Returns whether the value must not be printed.
    pub fn is_secret(&self) -> bool {
        matches!(self.kind, ValueKind::Secret)
    }
}

/// Returns the known key most similar to `written`, which is `section.name` or a part of it; `None` if none
/// is similar.
pub(super) fn nearest(written: &str) -> Option<&'static Key> {
    let distance = |key: &&Key| levenshtein(written, &key.dotted()).min(levenshtein(written, key.name) + 1);
    let near = |key: &&Key| distance(key) <= 1 + written.chars().count() / 4;
    KEYS.iter().min_by_key(distance).filter(near)
}

/// Returns all defaults by section.
pub(super) fn defaults(parse: impl Fn(&str) -> Dict) -> Dict {
    let text: String = KEYS.iter().map(|key| format!("{} = {}\n", key.dotted(), key.default)).collect();
    parse(&text)
}
