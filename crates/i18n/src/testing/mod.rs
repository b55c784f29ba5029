//! For tests, behind the feature `testing`: a pseudo-language, and the texts of a game that isn't built in.

mod pseudo_language;

pub use pseudo_language::pseudo_language;

use crate::languages::LANGUAGE_FILES;
use crate::{Languages, Localizer, Sentences};

/// The texts of a game that isn't built in, in English.
#[derive(Clone, Copy, Debug)]
pub struct GameTexts {
    /// The key of the game, such as `amazons`.
    pub key: &'static str,
    /// Its sentences, as a Fluent file.
    pub sentences: &'static str,
    /// Its rules page, Markdown.
    pub rules_page: &'static str,
}

impl Languages {
    /// Adds a language, such as the pseudo-language of tests.
    #[must_use]
    pub fn with_language(mut self, words: &'static Localizer) -> Languages {
        self.0.push(words);
        self
    }

    /// Adds the texts of a game that isn't built in to the default language.
    ///
    /// # Panics
    /// If the sentences are not valid Fluent, or one of them already exists.
    #[must_use]
    pub fn with_game(mut self, game: &GameTexts) -> Languages {
        let mut sentences = Sentences::read(self.0[0].tag(), &LANGUAGE_FILES[0]);
        sentences.add(game.key, game.sentences);
        sentences.pages.push((game.key, game.rules_page));
        self.0[0] = Box::leak(Box::new(Localizer::of(sentences)));
        self
    }
}

impl Sentences {
    /// Transforms every sentence when it is formatted.
    fn transform(&mut self, change: crate::Change) {
        self.bundle.set_transform(Some(change));
        self.change = Some(change);
    }
}
