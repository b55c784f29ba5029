//! Sentences people read, from Fluent files: the one place where data becomes words.
//!
//! [`Words`] holds the sentences of one language; what a refusal, an ending or a board is called is
//! found in `refusals`, `endings` and `boards`. A language is one folder under `locales/`; which there are
//! and whom they suit is in `languages`.

mod boards;
mod cells;
mod clocks;
mod endings;
mod fitting;
mod languages;
mod marked;
mod names;
pub mod pseudo;
mod ratings;
mod records;
mod refusals;
mod sets;
mod setups;
#[cfg(test)]
mod tests;
mod values;

use std::borrow::Cow;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub use boards::Scene;
pub use clocks::{moment, relative};
pub use fitting::clip;
pub use languages::Languages;
pub use names::person;

/// What goes into a sentence, by the name it has there: text or a number.
pub type Arg<'a> = (&'static str, FluentValue<'a>);

/// The sentences of one language.
pub struct Words {
    tag: &'static str,
    bundle: FluentBundle<FluentResource>,
}

impl Words {
    /// The English sentences.
    pub fn english() -> &'static Words {
        Languages::built_in().usual()
    }

    /// # Panics
    /// If a file is no Fluent or a sentence is there twice: both are found by any test that says a word.
    fn read(tag: &'static str, files: &[(&str, &str)]) -> Words {
        let language: LanguageIdentifier = tag.parse().expect("a folder is named after a language");
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // The marks that keep writing directions apart show as boxes on some phones.
        bundle.set_use_isolating(false);
        for (name, text) in files {
            let resource = FluentResource::try_new((*text).to_owned());
            let resource = resource.unwrap_or_else(|(_, errors)| panic!("{tag}/{name}: {errors:?}"));
            bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{tag}/{name}: {errors:?}"));
        }
        Words { tag, bundle }
    }

    /// Changes every sentence on its way out.
    fn transform(&mut self, change: fn(&str) -> Cow<'_, str>) {
        self.bundle.set_transform(Some(change));
    }

    /// Which language this is: `en`.
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// Whether there is a sentence of this key.
    pub fn has(&self, key: &str) -> bool {
        self.bundle.get_message(key).is_some_and(|message| message.value().is_some())
    }

    /// A sentence without anything in it.
    pub fn word(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// A sentence. A key or argument that is missing shows in the text and in the log: people are not
    /// left without an answer for that, and tests fail on it.
    pub fn say(&self, key: &str, args: &[Arg<'_>]) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, language = self.tag, "a sentence is missing");
            let usual = Words::english();
            let other = if self.tag == usual.tag { None } else { Some(usual) };
            return other.map_or_else(|| format!("[{key}]"), |usual| usual.say(key, args));
        };
        let mut found = FluentArgs::with_capacity(args.len());
        args.iter().for_each(|(name, value)| found.set(*name, value.clone()));
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&found), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a sentence lacks something");
        }
        text
    }
}
