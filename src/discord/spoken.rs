//! `@bot play amazons 8x8 hard`: what `/play` takes, said in a message.

use crate::games;
use crate::kit::player::Level;
use crate::table::Person;
use crate::words::Words;

use super::asked::{Given, Value};

/// The people that can be named, in the order in which they sit down.
const GUESTS: [&str; 3] = ["opponent", "opponent2", "opponent3"];
/// Words that stand for an option and its value.
const SHORT: [(&str, &str, &str); 13] = [
    ("rated", "rated", "yes"),
    ("casual", "rated", "no"),
    ("me", "first", "me"),
    ("them", "first", "them"),
    ("random", "first", "random"),
    ("pie", "first", "pie"),
    ("thread", "where", "thread"),
    ("here", "where", "here"),
    ("dm", "where", "dm"),
    ("2p", "players", "2"),
    ("3p", "players", "3"),
    ("4p", "players", "4"),
    ("match-me", "ai", "match-me"),
];
/// The option that is said yes or no to.
const RATED: &str = "rated";
/// Options whose values are numbers.
const NUMBERS: [&str; 2] = ["players", "seed"];

/// Reads what follows the word `play`: the game's name first, then people, a level, a size, short words,
/// and `option:value` for everything else.
///
/// # Errors
/// The word that is not understood; the game's, if there is no such game.
pub fn read(words: &Words, text: &str, me: Person) -> Result<Given, String> {
    let (game, rest) = game(words, text)?;
    let mut given = Given { name: "play".to_owned(), ..Given::default() };
    given.options.push(("game".to_owned(), Value::Text(game.to_owned())));
    let mut guests = GUESTS.into_iter();
    for word in rest.split_whitespace() {
        let (name, value) = match mention(word) {
            Some(who) if who == me => ("ai".to_owned(), Value::Text(Level::Medium.key().to_owned())),
            Some(who) => {
                let name = guests.next().ok_or_else(|| word.to_owned())?;
                (name.to_owned(), Value::Person(who))
            }
            None => option(word).ok_or_else(|| word.to_owned())?,
        };
        given.options.retain(|(known, _)| *known != name);
        given.options.push((name, value));
    }
    Ok(given)
}

/// The game that a text begins with, by its key or one of its names, and what follows.
fn game<'a>(words: &Words, text: &'a str) -> Result<(&'static str, &'a str), String> {
    let lower = text.to_lowercase();
    let mut found: Option<(&'static str, usize)> = None;
    for key in games::ALL.iter().map(|game| game.about().key) {
        let names = [key.to_owned(), key.replace('_', " "), words.game_short(key), words.game(key)];
        for name in names.map(|name| name.to_lowercase()) {
            let whole =
                lower.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            if whole && found.is_none_or(|(_, length)| length < name.len()) {
                found = Some((key, name.len()));
            }
        }
    }
    let first = || text.split_whitespace().next().unwrap_or_default().to_owned();
    let (key, length) = found.ok_or_else(first)?;
    text.get(length..).map(|rest| (key, rest)).ok_or_else(first)
}

fn mention(word: &str) -> Option<Person> {
    let id = word.strip_prefix("<@")?.trim_start_matches('!').strip_suffix('>')?;
    id.parse().ok().map(Person)
}

fn option(word: &str) -> Option<(String, Value)> {
    let lower = word.to_lowercase();
    if let Some((_, name, value)) = SHORT.iter().find(|(short, ..)| *short == lower) {
        return valued(name, value);
    }
    if let Some(level) = Level::named(&lower) {
        return valued("ai", level.key());
    }
    if lower.split_once('x').is_some_and(|(w, h)| w.parse::<u8>().is_ok() && h.parse::<u8>().is_ok()) {
        return valued("size", &lower);
    }
    let (name, value) = word.split_once([':', '='])?;
    valued(&name.to_lowercase(), value)
}

fn valued(name: &str, value: &str) -> Option<(String, Value)> {
    let value = match name {
        RATED => Value::Yes(value.eq_ignore_ascii_case("yes")),
        _ if NUMBERS.contains(&name) => Value::Number(value.parse().ok()?),
        _ => Value::Text(value.to_owned()),
    };
    (!name.is_empty()).then(|| (name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Vec<(String, String)> {
        let given = read(Words::english(), text, Person(7)).unwrap();
        let shown = |value: Value| match value {
            Value::Text(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Person(who) => format!("@{}", who.0),
            Value::Yes(yes) => yes.to_string(),
        };
        given.options.into_iter().map(|(name, value)| (name, shown(value))).collect()
    }

    fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
        wanted.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn a_game_is_found_by_any_of_its_names() {
        assert_eq!(options("Amazon Penguins"), pairs(&[("game", "amazon_penguins")]));
        assert_eq!(options("amazons"), pairs(&[("game", "amazons")]));
        assert_eq!(options("penguin_soccer 4p"), pairs(&[("game", "penguin_soccer"), ("players", "4")]));
        assert_eq!(read(Words::english(), "chess now", Person(7)).unwrap_err(), "chess");
    }

    #[test]
    fn the_rest_says_who_and_how() {
        let wanted =
            [("game", "amazons"), ("size", "8x8"), ("opponent", "@5"), ("first", "them"), ("rated", "true")];
        assert_eq!(options("amazons 8X8 <@5> them rated"), pairs(&wanted));
        let wanted = [("game", "amazons"), ("ai", "hard"), ("start", "cross"), ("seed", "12")];
        assert_eq!(options("amazons <@!7> hard start:cross seed=12"), pairs(&wanted));
        assert_eq!(options("amazons match-me"), pairs(&[("game", "amazons"), ("ai", "match-me")]));
        assert_eq!(read(Words::english(), "amazons please", Person(7)).unwrap_err(), "please");
    }
}
