//! What people read sounds like a native speaker: phrases of a translation have a better wording, a message is
//! a whole sentence, and sentences of several messages are not joined by a space.

use std::fs;

use crate::source_code::{root, rust_files};

/// Phrases that must not occur in `locales/en`, each with what to write in its place.
const TRANSLATED: &[(&str, &str)] = &[
    ("whoever", "the person who; anyone who"),
    ("somebody who", "someone who; a player who"),
    ("somebody", "someone; another player"),
    ("anybody", "anyone"),
    ("everybody", "everyone"),
    ("of which", "two sentences"),
    ("with which", "two sentences"),
    ("that is what", "say it directly"),
    ("so many", "a number, or \"that many\""),
    ("stands still", "is paused"),
    ("stand still", "be paused"),
    ("is told", "hears; gets a message"),
    ("tell you when", "let you know when"),
    ("gives the game up", "resigns"),
    ("give up table", "resign from"),
    ("given up", "resigned"),
    ("gave up", "resigned"),
    ("sits down", "joins"),
    ("you sit at", "you've joined"),
    ("the free seats?", "Play against the bot"),
    ("no seat at this table", "you aren't playing in this game"),
    ("brought along", "imported"),
    ("stands in for", "plays for"),
    ("called off", "cancelled"),
    ("among yours", "you're watching"),
    ("you watch no", "you're not watching a"),
    ("would play", "I'd play"),
    ("turned down the", "declined the"),
    ("runs out in", "expires in"),
    ("takes the game up", "resumes the game"),
    ("took back to here", "took back a move"),
    ("share the victory", "a draw between"),
    ("as it would be", "here's how it will look"),
    ("so far; choose", "a whole question: Queen on d1: choose her square"),
    ("your move as", "your move (White)"),
    ("does not know such", "can't be offered in this game"),
    ("nothing can be counted", "too early to count"),
    ("nothing is shared any more", "the areas are separate now"),
    ("as usual here", "server default"),
    ("whose turn comes", "the next player"),
    ("what is somebody's", "territory"),
    ("days off", "vacation"),
    ("i am back", "I'm back"),
    ("i do not keep", "I don't store"),
    ("slanting", "diagonal"),
    ("turn round", "flip"),
    ("whom", "who"),
    ("one in 3 is listed", "every third"),
    ("all that i need", "all permissions are fine"),
    ("but not what is asked", "say what is missing"),
    ("is to move", "White to move"),
    ("a piece of", "White's piece"),
    ("i do not", "I don't"),
    ("you have not", "you haven't"),
    ("it is your turn", "it's your turn"),
    ("there is no", "there's no"),
];

/// Words that no message begins with, and words that none ends with: one that does is half of a sentence.
const STARTS: [&str; 6] = ["and", "or", "but", "of", "than", "which"];
const ENDS: [&str; 10] = ["and", "or", "but", "of", "with", "by", "the", "a", "than", "which"];

/// Joins by spaces in code that makes sentences, with what they join. Sentences are joined by line breaks, or
/// are one message.
const JOINS: &[(&str, &str)] = &[
    ("crates/i18n/src/boards.rs", "sentences of a picture's description, which is one paragraph; cells"),
    ("crates/i18n/src/cells.rs", "names of cells"),
    ("crates/i18n/src/clocks.rs", "units of a duration: 2 days 3 hours"),
    ("crates/i18n/src/picture_marks.rs", "sentences of a picture's description, which is one paragraph"),
    ("crates/i18n/src/tests.rs", "words of a position"),
    ("crates/i18n/src/truncation.rs", "sentences of a picture's description, which is one paragraph"),
    ("src/discord/handlers/components.rs", "values of a menu"),
    ("src/discord/view/panel.rs", "parts of a move"),
    ("src/discord/view/review.rs", "sentences of a picture's description, which is one paragraph"),
    ("src/discord/view/viewer.rs", "moves"),
];

/// Returns the files with sentences: their names and contents.
fn sentences() -> Vec<(String, String)> {
    let folders = ["locales/en", "locales/en/rules"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    files
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// Returns what readers see of a file: lower case, without comments, keys and the names of values.
fn prose(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# ") && *line != "#");
    let shown = lines.map(|line| line.split_once(" = ").map_or(line, |(_, value)| value));
    // Sentences may be broken anywhere, so a phrase is sought over the ends of lines.
    shown.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ").to_lowercase()
}

fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + phrase.len()..].chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

#[test]
fn phrases_are_found_in_prose_alone() {
    let file = "# Whoever reads this\nwhoever = Anyone may\n    join.\nnext = Two chairs\n";
    let prose = prose(file);
    assert!(has_phrase(&prose, "anyone may join") && !has_phrase(&prose, "whoever"), "{prose}");
    assert!(!has_phrase(&prose, "hairs"), "whole words");
}

#[test]
fn sentences_do_not_read_like_a_translation() {
    let mut found = Vec::new();
    for (name, text) in sentences() {
        let prose = prose(&text);
        let met = TRANSLATED.iter().filter(|(phrase, _)| has_phrase(&prose, phrase));
        found.extend(met.map(|(phrase, better)| format!("{name}: \"{phrase}\"; better: {better}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

/// Returns each message of a file: its key and its text with line breaks.
fn messages(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(" =").filter(|(key, _)| !key.is_empty() && !key.contains(' ')) {
            Some((key, value)) => found.push((key.to_owned(), value.trim().to_owned())),
            None => found.last_mut().into_iter().for_each(|(_, said)| *said += &format!("\n{}", line.trim())),
        }
    }
    found
}

#[test]
fn no_message_is_half_of_a_sentence() {
    let mut found = Vec::new();
    for (name, text) in sentences().into_iter().filter(|(name, _)| name.ends_with(".ftl")) {
        for (key, said) in messages(&text) {
            let words: Vec<_> = said.split_whitespace().collect();
            let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
            let cut = said.starts_with([',', ';', ')']) || said.ends_with([',', '(']);
            let halved = STARTS.contains(first) || ENDS.contains(last);
            if cut || halved && words.len() > 1 {
                found.push(format!("{name}: {key} = {said}"));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn sentences_are_not_joined_by_a_space() {
    let mut found = Vec::new();
    let folders = ["src/discord", "crates/i18n/src"].map(|folder| root().join(folder));
    for path in folders.iter().flat_map(|folder| rust_files(folder)) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let joins = fs::read_to_string(&path).unwrap().contains(".join(\" \")");
        if joins && !JOINS.iter().any(|(file, _)| *file == name) {
            found.push(name);
        }
    }
    assert_eq!(found, Vec::<String>::new(), "use a line break, or one message");
    for (file, what) in JOINS {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(".join(\" \")"), "{file} no longer joins {what}");
    }
}
