//! The sentences that people read, from Fluent files: the one place where data becomes text.
//!
//! [`Localizer`] holds the sentences of one language; `errors`, `results`, `boards` and the other modules add
//! the methods that format their data. A language is one folder under `locales/`; `languages` lists and
//! chooses them.

mod boards;
mod cells;
mod clocks;
mod errors;
mod game_names;
mod imports;
mod languages;
mod names;
mod picture_marks;
mod pie_rule;
mod position_editor;
mod quotas;
mod ratings;
mod records;
mod results;
mod seats;
mod sets;
mod setups;
mod territory;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod truncation;
mod values;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub use boards::BoardView;
pub use cells::{CellDescription, line};
pub use clocks::{moment, relative};
pub use languages::Languages;
pub use names::{person, role};
pub use picture_marks::arrow;
pub use pie_rule::may_swap;
pub use results::{GameResult, Naming, last_resigned, result_lists_players};
pub use truncation::{clip, escaped, quoted};

/// An argument of a sentence: its name in the Fluent file, and a text or a number.
pub type Arg<'a> = (&'static str, FluentValue<'a>);

/// The sentences of one language, for the readers of pictures in one theme.
pub struct Localizer {
    sentences: Arc<Sentences>,
    /// The theme whose colours name the sides; `None` for the games' own names of them.
    theme: Option<&'static str>,
    /// The same language for the themes of all games, filled when one is first needed. They live as long as the process,
    /// as every language does.
    themed: Arc<OnceLock<Vec<Localizer>>>,
}

/// The texts of one language.
struct Sentences {
    tag: &'static str,
    bundle: FluentBundle<FluentResource>,
    /// The rules of each game, by its key.
    pages: Vec<(&'static str, &'static str)>,
    /// The transformation of every formatted sentence, in a pseudo-language.
    change: Option<Change>,
}

type Change = fn(&str) -> Cow<'_, str>;

impl Localizer {
    /// Says how to reach the operator of the bot.
    pub fn contact(&self, contact: &str) -> String {
        self.say("contact", &[("contact", contact.into())])
    }

    /// Returns the English sentences.
    pub fn english() -> &'static Localizer {
        Languages::built_in().default_language()
    }

    /// # Panics
    /// If a file is not valid Fluent or defines a sentence twice. Any test that formats a sentence finds
    /// both.
    fn read(tag: &'static str, folder: &languages::LanguageFiles) -> Localizer {
        Localizer::of(Sentences::read(tag, folder))
    }

    fn of(sentences: Sentences) -> Localizer {
        Localizer { sentences: Arc::new(sentences), theme: None, themed: Arc::default() }
    }

    /// Returns the same language for readers of pictures in this theme: its sides are called by the colours that they
    /// have in the pictures. A game without such a theme is drawn, and its sides named, in the game's first one.
    pub fn in_theme(&self, theme: &str) -> &Localizer {
        let in_theme = |theme| Localizer {
            sentences: self.sentences.clone(),
            theme: Some(theme),
            themed: self.themed.clone(),
        };
        let themed = self.themed.get_or_init(|| {
            let themes = rookery_games::all().iter().flat_map(|game| game.themes());
            let names: BTreeSet<_> = themes.map(|theme| theme.name).collect();
            names.into_iter().chain([""]).map(in_theme).collect()
        });
        let no_theme = themed.last().unwrap_or(self);
        themed.iter().find(|words| words.theme == Some(theme)).unwrap_or(no_theme)
    }

    /// Returns the rules page of a game in Markdown: goal, board, move, end, notation. Empty for an unknown
    /// game.
    pub fn rules_page(&self, game: &str) -> String {
        let page = self.sentences.pages.iter().find(|(key, _)| *key == game).map_or("", |(_, page)| page);
        let Some(change) = self.sentences.change else { return page.to_owned() };
        // Code spans hold moves, which are the same in every language.
        let spans = page.split('`').enumerate();
        let changed: Vec<_> =
            spans.map(|(i, text)| if i % 2 == 0 { change(text) } else { Cow::Borrowed(text) }).collect();
        changed.join("`")
    }

    /// Returns the folder's name: `en`.
    pub fn tag(&self) -> &'static str {
        self.sentences.tag
    }

    /// Whether this language has a sentence for the key.
    pub fn has(&self, key: &str) -> bool {
        self.sentences.bundle.get_message(key).is_some_and(|message| message.value().is_some())
    }

    /// Formats a sentence without arguments.
    pub fn word(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// Formats a sentence. A missing key falls back to the default language, then to the key itself; a
    /// missing argument shows as its name. Both are logged, and tests fail on them, but the person still gets
    /// an answer.
    pub fn say(&self, key: &str, args: &[Arg<'_>]) -> String {
        let Some(pattern) = self.sentences.bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, language = self.tag(), "a sentence is missing");
            let usual = Localizer::english();
            let other = if self.tag() == usual.tag() { None } else { Some(usual) };
            return other.map_or_else(|| format!("[{key}]"), |usual| usual.say(key, args));
        };
        let mut found = FluentArgs::with_capacity(args.len());
        args.iter().for_each(|(name, value)| found.set(*name, value.clone()));
        let mut errors = Vec::new();
        let text = self.sentences.bundle.format_pattern(pattern, Some(&found), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a sentence lacks something");
        }
        text
    }
}

impl Sentences {
    fn read(tag: &'static str, folder: &languages::LanguageFiles) -> Sentences {
        let language: LanguageIdentifier = tag.parse().expect("a folder is named after a language");
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Some phones show the bidirectional isolation marks as boxes.
        bundle.set_use_isolating(false);
        let mut sentences = Sentences { tag, bundle, pages: folder.pages.to_vec(), change: None };
        folder.files.iter().for_each(|(name, text)| sentences.add(name, text));
        sentences
    }

    /// # Panics
    /// If the text is not valid Fluent, or defines a sentence that already exists.
    fn add(&mut self, file: &str, text: &str) {
        let resource = FluentResource::try_new(text.to_owned());
        let resource = resource.unwrap_or_else(|(_, errors)| panic!("{}/{file}: {errors:?}", self.tag));
        self.bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{}/{file}: {errors:?}", self.tag));
    }
}
