//! Comments are plain technical English. Sentences that begin with these words usually have to be read twice.

use std::fs;

use crate::source_code::{root, rust_files};

const WORDS: [&str; 6] = ["whoever", "somebody who", "so many", "is told", "of ourselves", "of which"];

/// Returns the comment of a line in lower case; empty if there is none. A `//` within a string counts as one.
fn comment(line: &str) -> String {
    line.split_once("//").map_or_else(String::new, |(_, comment)| comment.to_lowercase())
}

fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + word.len()..].chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

#[test]
fn comment_words_are_found_whole() {
    assert!(has_word(&comment("let a = 1; // So many bits"), "so many"));
    assert!(!has_word(&comment("// also many bits, insofar"), "so many"));
    assert!(!has_word(&comment("let text = \"whoever\";"), "whoever"));
}

#[test]
fn comments_are_plain_english() {
    let folders = ["crates", "src", "tests", "benches", "examples"].map(|folder| root().join(folder));
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| rust_files(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate().filter(|_| !path.ends_with("comment_style.rs")) {
            let comment = comment(line);
            let met = WORDS.iter().filter(|word| has_word(&comment, word));
            let name = path.strip_prefix(root()).unwrap().display();
            found.extend(met.map(|word| format!("{name}:{}: \"{word}\"", number + 1)));
        }
    }
    assert!(found.is_empty(), "say it in plain English:\n{}", found.join("\n"));
}
