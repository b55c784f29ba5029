//! What a page gives to its script: data, and sentences in the person's language.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use rookery_i18n::Localizer;
use serde_json::Value;

/// The names of what a script fills in, by the key of the sentence.
pub(super) type Gaps = [(&'static str, &'static [&'static str])];

/// Returns the sentences with these keys, by their keys without the prefix that all of them have. What the script fills in
/// stays in braces, such as `{move}`.
pub(super) fn sentences(
    words: &Localizer,
    prefix: &str,
    keys: &[&'static str],
    gaps: &Gaps,
) -> BTreeMap<&'static str, String> {
    let sentence = |key: &'static str| {
        let names = gaps.iter().find(|(of, _)| *of == key).map_or(&[][..], |(_, names)| names);
        let args: Vec<_> = names.iter().map(|name| (*name, format!("{{{name}}}").into())).collect();
        (key.strip_prefix(prefix).unwrap_or(key), words.say(key, &args))
    };
    keys.iter().copied().map(sentence).collect()
}

/// Renders the block of data that the script reads; nothing runs it.
pub(super) fn data_block(data: &Value) -> Markup {
    html! { script #data type="application/json" { (PreEscaped(data.to_string().replace('<', "\\u003c"))) } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn gaps_stay_in_braces() {
        let said = sentences(
            Localizer::english(),
            "page-",
            &["page-confirm", "page-play"],
            &[("page-confirm", &["move"])],
        );
        assert_eq!(said.get("confirm").map(String::as_str), Some("Play {move}?"));
        assert_eq!(said.get("play").map(String::as_str), Some("Play move"));
    }

    #[test]
    fn data_ends_no_element_of_the_page() {
        let block = data_block(&json!({ "a": "</script><b>" })).into_string();
        assert_eq!(block.matches('<').count(), 2, "its own two tags: {block}");
    }
}
