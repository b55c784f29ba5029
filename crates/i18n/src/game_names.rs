//! Games by the names that people type, also misspelt ones.

use strsim::damerau_levenshtein;

use super::{Localizer, quoted};

/// The shortest name in which one wrong letter is corrected without asking.
const MIN_CORRECTED_CHARS: usize = 5;

impl Localizer {
    /// Returns the key of the game whose name differs from the typed one by at most one letter (wrong, missing, added
    /// or swapped with its neighbour), if only one game has such a name.
    pub fn corrected_game(&self, typed: &str) -> Option<&'static str> {
        let typed = typed.to_lowercase();
        if typed.chars().count() < MIN_CORRECTED_CHARS {
            return None;
        }
        let is_near =
            |key: &&str| self.game_names(key).iter().any(|name| damerau_levenshtein(name, &typed) <= 1);
        let mut near = game_keys().filter(is_near);
        near.next().filter(|_| near.next().is_none())
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
        let typed = typed.to_lowercase();
        let length = typed.chars().count();
        let distance = |key: &&str| {
            let names = self.game_names(key);
            let is_part = names.iter().any(|name| letters(name).contains(&letters(&typed)));
            let similar =
                names.iter().map(|name| damerau_levenshtein(name, &typed)).min().unwrap_or(usize::MAX);
            if length >= 3 && is_part { 0 } else { similar }
        };
        game_keys().min_by_key(distance).filter(|key| distance(key) <= length / 3)
    }

    /// All names of a game, in lower case: its key, the key with spaces, the short and the full name.
    pub fn game_names(&self, key: &str) -> [String; 4] {
        let names = [key.to_owned(), key.replace('_', " "), self.game_short(key), self.game(key)];
        names.map(|name| name.to_lowercase())
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect()
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
        let chess = words.no_such_game("chess");
        assert!(
            chess.contains("chess") && !chess.contains("Did you mean") && chess.contains("/help"),
            "{chess}"
        );
    }
}
