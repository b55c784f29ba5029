//! Translated names and descriptions of commands for clients in other languages.
//!
//! The same list is built in each language; texts that differ are added to the default one as localizations.

use serde_json::{Value, json};

use rookery_i18n::Localizer;

/// Adds the texts of another language to commands or options, for these client languages.
pub(super) fn add(usual: &mut Value, other: &Value, words: &Localizer, clients: &[&str]) {
    let (Some(usual), Some(other)) = (usual.as_array_mut(), other.as_array()) else { return };
    for (one, other) in usual.iter_mut().zip(other) {
        add_one(one, other, words, clients, "name-command");
    }
}

fn add_one(one: &mut Value, other: &Value, words: &Localizer, clients: &[&str], kind: &str) {
    let key = format!("{kind}-{}", one["name"].as_str().unwrap_or_default());
    if words.has(&key) {
        put(one, "name", &json!(words.word(&key).to_lowercase()), clients);
    }
    if one["description"].is_null() {
        // The name of a menu command is a visible text and is translated as a whole.
        put(one, "name", &other["name"], clients);
    }
    put(one, "description", &other["description"], clients);
    for (choice, other) in pairs(one, other, "choices") {
        put(choice, "name", &other["name"], clients);
    }
    for (option, other) in pairs(one, other, "options") {
        add_one(option, other, words, clients, "name-option");
    }
}

/// Returns the elements of a list, each with its counterpart in the other language.
fn pairs<'a>(
    one: &'a mut Value,
    other: &'a Value,
    list: &str,
) -> impl Iterator<Item = (&'a mut Value, &'a Value)> {
    let own = one.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
    own.zip(other[list].as_array().into_iter().flatten())
}

/// Adds a localization of a field if it differs from the default.
fn put(one: &mut Value, field: &str, text: &Value, clients: &[&str]) {
    if text.is_null() || one[field] == *text {
        return;
    }
    for client in clients {
        one[format!("{field}_localizations")][*client] = text.clone();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::registration;
    use super::*;
    use rookery_i18n::Languages;
    use rookery_i18n::testing::pseudo_language;

    /// Collects all visible texts of a command with their paths.
    fn shown<'a>(part: &'a Value, path: &str, all: &mut Vec<(String, &'a Value)>) {
        let path = format!("{path}/{}", part["name"].as_str().unwrap_or_default());
        all.push((path.clone(), part));
        for list in ["options", "choices"] {
            part[list].as_array().into_iter().flatten().for_each(|inner| shown(inner, &path, all));
        }
    }

    #[test]
    fn every_name_and_description_is_there_in_every_language() {
        let languages = Languages::built_in().with_language(pseudo_language("fi"));
        let all = registration(&languages, true);
        let mut parts = Vec::new();
        all.as_array().unwrap().iter().for_each(|command| shown(command, "", &mut parts));
        assert!(parts.len() > 40, "{}", parts.len());
        let plain = |text: &str| text.chars().any(|c| c.is_ascii_alphabetic());
        for (path, part) in parts {
            let fields =
                if part.get("description").is_some() { &["name", "description"][..] } else { &["name"] };
            // A value that people type is the same in every language.
            let is_value = part["name"] == part["value"];
            for field in fields.iter().filter(|_| !is_value) {
                let text = part[format!("{field}_localizations")]["fi"].as_str();
                let text = text.unwrap_or_else(|| panic!("{path}: no {field}"));
                assert!(!plain(text), "{path}: {text}");
                let most = if *field == "name" && part.get("description").is_some() { 32 } else { 100 };
                assert!((1..=most).contains(&text.chars().count()), "{path}: {text}");
            }
        }
    }

    #[test]
    fn english_names_are_the_ones_that_the_code_knows() {
        let words = Localizer::english();
        let all = registration(&Languages::built_in(), true);
        let mut keys = BTreeSet::new();
        for command in all.as_array().unwrap().iter().filter(|command| command["type"] == 1) {
            keys.insert(("name-command", command["name"].as_str().unwrap()));
            let options = command["options"].as_array().into_iter().flatten();
            keys.extend(options.map(|option| ("name-option", option["name"].as_str().unwrap())));
        }
        for (kind, name) in keys {
            assert_eq!(words.word(&format!("{kind}-{name}")), name.to_lowercase(), "{kind}");
        }
    }
}
