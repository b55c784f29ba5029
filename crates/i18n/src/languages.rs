//! The supported languages, and the choice of the language of an answer.

use std::sync::LazyLock;

use super::Localizer;

/// The files of one language.
pub(crate) struct LanguageFiles {
    /// The folder's name, which is Discord's name of the language or its part before the hyphen: `en`, `de`,
    /// `pt-BR`.
    pub(super) tag: &'static str,
    /// The name (for error messages) and the text of each file.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The rules page of each game, by the game's key: Markdown.
    pub(super) pages: &'static [(&'static str, &'static str)],
}

/// Every folder under `locales/`, with the files and the pages of rules that each must have.
macro_rules! folders {
    ($($tag:literal),+ $(,)?) => {
        &[$(folders!(@folder $tag "boards.ftl" "clocks.ftl" "commands.ftl" "games.ftl" "help.ftl" "learning.ftl" "lessons.ftl" "moderation.ftl" "names.ftl" "operators.ftl" "privacy.ftl" "records.ftl" "refusals.ftl" "results.ftl" "settings.ftl" "steps.ftl" "tables.ftl" "teams.ftl" "web.ftl" "welcome.ftl";
            "amazon_penguins" "amazons" "amoeba" "paper_penguins" "penguin_soccer" "penguins")),+]
    };
    (@folder $tag:literal $($file:literal)+; $($game:literal)+) => {
        LanguageFiles {
            tag: $tag,
            files: &[$(($file, include_str!(concat!("../../../locales/", $tag, "/", $file)))),+],
            pages: &[$(($game, include_str!(concat!("../../../locales/", $tag, "/rules/", $game, ".md")))),+],
        }
    };
}

/// A new language is a folder under `locales/` and its name here. The first is the fallback for missing
/// sentences.
pub(crate) const LANGUAGE_FILES: &[LanguageFiles] = folders!["en"];

/// Discord's names of its client languages. <https://docs.discord.com/developers/reference#locales>
const DISCORD_LOCALES: [&str; 31] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl",
    "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja",
    "zh-TW",
];

/// The languages that the bot supports, the default first.
#[derive(Clone)]
pub struct Languages(pub(crate) Vec<&'static Localizer>);

impl Languages {
    /// Returns the languages under `locales/`.
    pub fn built_in() -> Languages {
        static ALL: LazyLock<Vec<Localizer>> = LazyLock::new(|| {
            LANGUAGE_FILES.iter().map(|folder| Localizer::read(folder.tag, folder)).collect()
        });
        Languages(ALL.iter().collect())
    }

    /// Returns the default language.
    pub fn default_language(&self) -> &'static Localizer {
        self.0[0]
    }

    /// Returns all languages, the default first.
    pub fn all(&self) -> &[&'static Localizer] {
        &self.0
    }

    /// Finds the language that a client or a person names (`de`, `en-GB`), exactly or else by its part before
    /// the hyphen; `None` if the bot does not support it.
    pub fn find(&self, name: &str) -> Option<&'static Localizer> {
        let exact = self.0.iter().find(|words| words.tag() == name);
        let same_language = || self.0.iter().find(|words| language(words.tag()) == language(name));
        exact.or_else(same_language).copied()
    }

    /// Returns the first supported language of these wishes, or else the default.
    pub fn best<'a>(&self, wishes: impl IntoIterator<Item = Option<&'a str>>) -> &'static Localizer {
        wishes
            .into_iter()
            .flatten()
            .find_map(|name| self.find(name))
            .unwrap_or_else(|| self.default_language())
    }

    /// Returns Discord's names of the client languages that this language serves.
    pub fn clients(&self, words: &Localizer) -> Vec<&'static str> {
        let reads = |name: &&str| self.find(name).is_some_and(|found| found.tag() == words.tag());
        DISCORD_LOCALES.into_iter().filter(reads).collect()
    }
}

/// Returns the language of a name, without its region.
fn language(name: &str) -> &str {
    name.split(['-', '_']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::pseudo_language;

    #[test]
    fn a_client_is_answered_in_its_language_or_in_the_usual_one() {
        let all = Languages::built_in().with_language(pseudo_language("sv-SE"));
        assert_eq!(all.find("en-GB").map(Localizer::tag), Some("en"));
        assert_eq!(all.find("sv").map(Localizer::tag), Some("sv-SE"));
        assert_eq!(all.find("ja").map(Localizer::tag), None);
        assert_eq!(all.best([None, Some("ja"), Some("sv-SE"), Some("en")]).tag(), "sv-SE");
        assert_eq!(all.best([Some("ja")]).tag(), "en");
        assert_eq!(all.clients(all.default_language()), ["en-GB", "en-US"]);
    }

    #[test]
    fn every_folder_is_a_language_and_every_language_a_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
        let names = |path: &std::path::Path| {
            let entries = std::fs::read_dir(path).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let mut tags: Vec<_> = LANGUAGE_FILES.iter().map(|folder| folder.tag).collect();
        tags.sort_unstable();
        assert_eq!(names(&folder), tags);
        for language in LANGUAGE_FILES {
            let mut files: Vec<_> = language.files.iter().map(|(name, _)| (*name).to_owned()).collect();
            files.push("rules".to_owned());
            files.sort();
            assert_eq!(names(&folder.join(language.tag)), files, "the files of {}", language.tag);
            let pages: Vec<_> = language.pages.iter().map(|(game, _)| format!("{game}.md")).collect();
            assert_eq!(
                names(&folder.join(language.tag).join("rules")),
                pages,
                "the rules of {}",
                language.tag
            );
        }
    }
}
