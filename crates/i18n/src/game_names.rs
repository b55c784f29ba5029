//! Games by the names that people type, also misspelt ones.

use strsim::damerau_levenshtein;

use super::{Localizer, quoted};

/// The shortest name in which one wrong letter is corrected without asking.
const MIN_CORRECTED_CHARS: usize = 5;
/// The letters of a name for each one that may be wrong.
const CHARS_PER_SLIP: usize = 6;

impl Localizer {
    /// Returns the key of the game whose name differs from the typed one by at most one letter (wrong, missing, added
    /// or swapped with its neighbour) in six, if only one game has such a name. Hyphens and the like don't count.
    pub fn corrected_game(&self, typed: &str) -> Option<&'static str> {
        let typed = plain(typed);
        let length = typed.chars().count();
        if length < MIN_CORRECTED_CHARS {
            return None;
        }
        let most = (length / CHARS_PER_SLIP).max(1);
        let distances: Vec<_> = game_keys().map(|key| (self.distance_to_name(key, &typed), key)).collect();
        let (least, nearest) = *distances.iter().min().filter(|(distance, _)| *distance <= most)?;
        let ties = distances.iter().filter(|(distance, _)| *distance == least).count();
        (ties == 1).then_some(nearest)
    }

    /// Explains that there is no game of this name, and suggests the one with the most similar name or whose name
    /// contains the typed text.
    pub fn no_such_game(&self, typed: &str) -> String {
        let name = ("name", quoted(typed).into());
        match self.similar_game(typed) {
            Some(key) => self.say("refused-no-game-nearest", &[name, ("nearest", self.game(key).into())]),
            None => self.say("refused-no-game", &[name]),
        }
    }

    fn similar_game(&self, typed: &str) -> Option<&'static str> {
        let typed = plain(typed);
        let length = typed.chars().count();
        let distance = |key: &&'static str| {
            let names = self.game_names(key).map(|name| plain(&name));
            if length >= 3 && names.iter().any(|name| name.contains(&typed)) {
                return (0, 0);
            }
            // A single word of a name is a weaker hint than the whole name.
            let words = names.iter().flat_map(|name| name.split(' '));
            let of_word = words.map(|word| damerau_levenshtein(word, &typed) + 1).min().unwrap_or(usize::MAX);
            let shortest = names.iter().map(String::len).min().unwrap_or_default();
            (self.distance_to_name(key, &typed).min(of_word), shortest)
        };
        game_keys().min_by_key(distance).filter(|key| distance(key).0 <= length.div_ceil(3))
    }

    fn distance_to_name(&self, key: &str, typed: &str) -> usize {
        let names = self.game_names(key).map(|name| plain(&name));
        names.iter().map(|name| damerau_levenshtein(name, typed)).min().unwrap_or(usize::MAX)
    }

    /// All names of a game, in lower case: its key, the key with spaces, the short and the full name.
    pub fn game_names(&self, key: &str) -> [String; 4] {
        let names = [key.to_owned(), key.replace('_', " "), self.game_short(key), self.game(key)];
        names.map(|name| name.to_lowercase())
    }
}

/// Lower case, without hyphens and other signs, with one space between words.
fn plain(name: &str) -> String {
    let spaced = name.to_lowercase().replace('_', " ");
    let kept = spaced.chars().filter(|sign| sign.is_alphanumeric() || *sign == ' ');
    // A sign between spaces leaves two.
    kept.collect::<String>().replace("  ", " ").trim().to_owned()
}

fn game_keys() -> impl Iterator<Item = &'static str> {
    rookery_games::all().iter().map(|game| game.info().key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_letter_is_corrected() {
        let words = Localizer::english();
        for (typed, game) in [
            ("amazon", "amazons"),
            ("Amzaons", "amazons"),
            ("penguin", "penguins"),
            ("ameoba", "amoeba"),
            ("penguin socer", "penguin_soccer"),
            ("paper penguins", "paper_penguins"),
            ("amazn pengins", "amazon_penguins"),
            ("pengin socer", "penguin_soccer"),
            ("paper pengiuns", "paper_penguins"),
        ] {
            assert_eq!(words.corrected_game(typed), Some(game), "{typed}");
        }
        for typed in ["chess", "paper", "pen", "go", ""] {
            assert_eq!(words.corrected_game(typed), None, "{typed}");
        }
    }

    #[test]
    fn unknown_game_is_answered_with_a_similar_one() {
        let words = Localizer::english();
        let paper = words.no_such_game("paper");
        assert!(paper.contains("paper") && paper.contains("Did you mean Paper Pen-guins"), "{paper}");
        assert!(words.no_such_game("soccer").contains("Did you mean Penguin Soccer"));
        assert!(words.no_such_game("hey thats my fish").contains("Did you mean Penguins (Hey!"));
        assert!(words.no_such_game("amazn").contains("Did you mean Game of the Amazons"));
        assert!(words.no_such_game("papper").contains("Did you mean Paper Pen-guins"));
        assert!(words.no_such_game("pengin").contains("Did you mean Penguins (Hey!"));
        let chess = words.no_such_game("chess");
        assert!(
            chess.contains("chess") && !chess.contains("Did you mean") && chess.contains("/help"),
            "{chess}"
        );
    }
}
