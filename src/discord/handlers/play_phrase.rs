//! `@bot play amazons 8x8 hard`: the options of `/play`, written in a message.

use rookery_core::player::Level;
use rookery_i18n::{Localizer, quoted};
use rookery_table::UserId;

use crate::discord::handlers::commands::{
    self, AI_SEATS, CommandOptions, GUESTS, OpenTable, PlayInput, typed_value,
};
use crate::discord::wire::interaction::{GivenOptions, OptionValue};

/// Words that stand for an option with a value.
const SHORTHANDS: [(&str, &str, &str); 15] = [
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
    ("open", "open", "yes"),
    ("anyone", "open", "yes"),
];
/// Words besides [`commands::AGAINST`] that precede an opponent, who may then be named without a mention.
const OPPONENT_WORDS: [&str; 2] = ["with", "and"];
/// Words for the option that takes a number of bots, besides its own name; also after a number, as in `2 bots`.
const BOT_COUNT_WORDS: [&str; 8] =
    ["bot", "bots", "ai-seats", "aiseats", "ais", "opponents", "computers", "computer"];
/// Words for the bot itself as the opponent.
const BOT_WORDS: [&str; 3] = ["me", "you", "yourself"];
/// The options that say who plays.
const SAYS_WHO: [&str; 7] = ["ai", AI_SEATS, "open", "team", GUESTS[0], GUESTS[1], GUESTS[2]];
/// The most words in the name of a game.
const MAX_NAME_WORDS: usize = 3;

/// Returns the sentence that says what is wrong with the text after the word `play`; `None` if it can be read.
pub fn error(words: &Localizer, text: &str, me: UserId) -> Option<String> {
    parse(words, text, me, &[]).err()
}

/// Parses the text after the word `play`: the game's name first, then people, a level, a size, short words,
/// and `option:value` for everything else.
///
/// # Errors
/// The sentence that names the unknown word and the possible ones.
pub(in crate::discord) fn parse(
    words: &Localizer,
    text: &str,
    me: UserId,
    bots: &[UserId],
) -> Result<PlayInput, String> {
    let options = GivenOptions::of(options_of(words, text, me)?);
    PlayInput::read(&GivenOptions { bots: bots.to_vec(), ..options }).map_err(|error| error.sentence(words))
}

/// Returns the options of `/play` that a phrase stands for.
fn options_of(words: &Localizer, text: &str, me: UserId) -> Result<Vec<(String, OptionValue)>, String> {
    if text.is_empty() {
        let games: Vec<_> = rookery_games::all().iter().map(|game| words.game(game.info().key)).collect();
        return Err(words.say("spoken-bare", &[("games", words.join(&games).into())]));
    }
    let unknown = |word: &str| words.say("spoken-unknown", &[("word", quoted(word).into())]);
    let (game, rest) = game(words, text)?;
    let options = OpenTable::register(words);
    let mut given = vec![("game".to_owned(), OptionValue::Text(game.to_owned()))];
    let mut guests = GUESTS.into_iter();
    let mut joined = false;
    let typed = words_of(rest);
    for word in &typed {
        let (word, lower) = (word.as_str(), word.to_lowercase());
        let after_joining = std::mem::replace(&mut joined, precedes_opponent(&lower));
        if joined {
            continue;
        }
        let ours = after_joining && BOT_WORDS.contains(&lower.as_str());
        let (name, value) = match mention(word) {
            who if ours || who == Some(me) => {
                ("ai".to_owned(), OptionValue::Text(Level::Medium.key().to_owned()))
            }
            Some(who) => {
                let name = guests.next().ok_or_else(|| unknown(word))?;
                (name.to_owned(), OptionValue::User(who))
            }
            None => {
                let meant = option(word).or_else(|| after_joining.then(|| named(word)));
                let (name, value) = meant.ok_or_else(|| unknown(word))?;
                let value = typed_value(words, &options, &name, &value)?;
                (name, value)
            }
        };
        given.retain(|(known, _)| *known != name);
        given.push((name, value));
    }
    // `random` is a way to choose who moves first and a level: against nobody yet, it is the level.
    let says_who = given.iter().any(|(name, _)| SAYS_WHO.contains(&name.as_str()));
    let random = Level::Random.key();
    if !says_who && typed.iter().any(|word| word.eq_ignore_ascii_case(random)) {
        given.retain(|(name, _)| name != "first");
        given.push(("ai".to_owned(), OptionValue::Text(random.to_owned())));
    }
    Ok(given)
}

/// Splits the options at spaces: text in quotation marks after an option's name stays together, and a number with
/// the word after it that says what is counted becomes an option.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = false;
    for part in text.split_whitespace() {
        match words.last_mut().filter(|_| quoted) {
            Some(last) => last.extend([" ", part]),
            None => words.push(part.to_owned()),
        }
        let opens = !quoted && part.contains([':', '=']);
        quoted = (opens || quoted) && part.matches('"').count() % 2 == usize::from(opens);
    }
    let mut found: Vec<String> = Vec::new();
    for word in words.iter().map(|word| trim_punctuation(word)).filter(|word| !word.is_empty()) {
        let number = found.last().and_then(|last| last.parse::<u32>().ok());
        match number.filter(|_| counts_bots(&word.to_lowercase())) {
            Some(count) => {
                found.pop();
                found.push(format!("{AI_SEATS}:{count}"));
            }
            None => found.push(word.replace('"', "")),
        }
    }
    found
}

/// Whether a word says that bots are counted.
fn counts_bots(word: &str) -> bool {
    BOT_COUNT_WORDS.contains(&word)
}

/// Whether an opponent follows this word.
fn precedes_opponent(word: &str) -> bool {
    commands::AGAINST.contains(&word) || OPPONENT_WORDS.contains(&word)
}

/// Removes trailing punctuation from a word. Rows of a layout may end in dots of their own.
fn trim_punctuation(word: &str) -> &str {
    let rows = word.to_lowercase().starts_with(commands::LAYOUT);
    word.trim_end_matches(|sign| matches!(sign, ',' | ';' | '!') || (sign == '.' && !rows))
}

/// Returns the game whose key or name is at the start of a text, and the rest of the text.
///
/// # Errors
/// The sentence that names the unknown game and suggests a similar one.
fn game<'a>(words: &Localizer, text: &'a str) -> Result<(&'static str, &'a str), String> {
    let lower = text.to_lowercase();
    let mut found: Option<(&'static str, usize)> = None;
    for key in rookery_games::all().iter().map(|game| game.info().key) {
        for name in words.game_names(key) {
            let whole =
                lower.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            if whole && found.is_none_or(|(_, length)| length < name.len()) {
                found = Some((key, name.len()));
            }
        }
    }
    let exact = found.and_then(|(key, length)| Some((key, text.get(length..)?)));
    let first_word = || text.split_whitespace().next().unwrap_or_default();
    exact.or_else(|| misspelt_game(words, text)).ok_or_else(|| words.no_such_game(first_word()))
}

/// Returns the game whose misspelt name is at the start of a text, and the rest of the text: "penguin socer hard".
fn misspelt_game<'a>(words: &Localizer, text: &'a str) -> Option<(&'static str, &'a str)> {
    let ends = text.char_indices().filter(|(_, sign)| sign.is_whitespace()).map(|(at, _)| at);
    let mut starts: Vec<_> = ends.chain([text.len()]).take(MAX_NAME_WORDS).collect();
    starts.reverse();
    starts.into_iter().find_map(|end| {
        let (name, rest) = text.split_at_checked(end)?;
        Some((words.corrected_game(name)?, rest))
    })
}

/// Returns the option for a person who is named without a mention.
fn named(word: &str) -> (String, String) {
    (GUESTS[0].to_owned(), word.trim_start_matches('@').to_owned())
}

fn mention(word: &str) -> Option<UserId> {
    let id = word.strip_prefix("<@")?.trim_start_matches('!').strip_suffix('>')?;
    id.parse().ok().map(UserId)
}

/// Returns the option that a word stands for, with its value as written.
fn option(word: &str) -> Option<(String, String)> {
    let lower = word.to_lowercase();
    let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
    if let Some((_, name, value)) = SHORTHANDS.iter().find(|(short, ..)| *short == lower) {
        return pair(name, value);
    }
    if let Some(level) = Level::named(&lower) {
        return pair("ai", level.key());
    }
    if lower.split_once('x').is_some_and(|(w, h)| w.parse::<u8>().is_ok() && h.parse::<u8>().is_ok()) {
        return pair("size", &lower);
    }
    let (name, value) = word.split_once([':', '='])?;
    let name = name.to_lowercase();
    // An opponent is a person, so a number of them can only be a number of bots.
    let is_count = counts_bots(&name) || (name == GUESTS[0] && value.parse::<u32>().is_ok());
    let name = if is_count { AI_SEATS } else { &name };
    pair(name, value).filter(|_| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Vec<(String, String)> {
        let given = options_of(Localizer::english(), text, UserId(7)).unwrap();
        let shown = |value: OptionValue| match value {
            OptionValue::Text(text) => text,
            OptionValue::Number(number) => number.to_string(),
            OptionValue::User(who) => format!("@{}", who.0),
            OptionValue::Yes(yes) => yes.to_string(),
            OptionValue::Unreadable => panic!("a phrase has no such value"),
        };
        given.into_iter().map(|(name, value)| (name, shown(value))).collect()
    }

    fn refused(text: &str) -> String {
        parse(Localizer::english(), text, UserId(7), &[]).unwrap_err()
    }

    fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
        wanted.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn a_game_is_found_by_any_of_its_names() {
        assert_eq!(options("Amazon Penguins"), pairs(&[("game", "amazon_penguins")]));
        assert_eq!(options("amazons"), pairs(&[("game", "amazons")]));
        assert_eq!(options("penguin_soccer 4p"), pairs(&[("game", "penguin_soccer"), ("players", "4")]));
        assert_eq!(options("Amazons!"), pairs(&[("game", "amazons")]));
        assert!(refused("chess now").contains("chess"));
        assert_eq!(options("amazon 6x6"), pairs(&[("game", "amazons"), ("size", "6x6")]));
        assert_eq!(options("penguin socer 4p"), pairs(&[("game", "penguin_soccer"), ("players", "4")]));
        assert!(refused("paper 8x8").contains("Did you mean Paper Pen-guins"), "{}", refused("paper 8x8"));
        for game in ["Amoeba", "Penguin Soccer"] {
            assert!(refused("").contains(game), "{}", refused(""));
        }
    }

    #[test]
    fn play_phrase_reads_opponents_and_options() {
        let wanted =
            [("game", "amazons"), ("size", "8x8"), ("opponent", "@5"), ("first", "them"), ("rated", "true")];
        assert_eq!(options("amazons 8X8 <@5> them rated"), pairs(&wanted));
        let wanted = [("game", "amazons"), ("ai", "hard"), ("start", "cross"), ("seed", "12")];
        assert_eq!(options("amazons <@!7> hard start:cross seed=12"), pairs(&wanted));
        assert_eq!(options("amazons match-me"), pairs(&[("game", "amazons"), ("ai", "match-me")]));
        assert!(refused("amazons please").contains("please"));
        assert_eq!(options("amazons random"), pairs(&[("game", "amazons"), ("ai", "random")]));
        let against = pairs(&[("game", "amazons"), ("opponent", "@5"), ("first", "random")]);
        assert_eq!(options("amazons <@5> random"), against);
        let wanted = [("game", "amazons"), ("ai", "hard"), ("size", "8x8"), ("rated", "true")];
        assert_eq!(options("amazons, hard! 8x8. rated:TRUE.,"), pairs(&wanted));
        let wanted = [("game", "penguins"), ("layout", "12./1.."), ("settle", "off")];
        assert_eq!(options("penguins layout:12./1.. settle:off"), pairs(&wanted));
    }

    #[test]
    fn play_phrase_reads_numbers_of_bots() {
        for bots in
            ["ai_seats:2", "ai-seats=2", "bots:2", "opponents:2", "opponent:2", "2 bots", "2 Opponents!"]
        {
            let wanted = pairs(&[("game", "penguins"), ("ai_seats", "2"), ("ai", "easy")]);
            assert_eq!(options(&format!("penguins {bots} easy")), wanted, "{bots}");
        }
        assert_eq!(options("penguins bots:all"), pairs(&[("game", "penguins"), ("ai_seats", "all")]));
        assert!(refused("penguins 2").contains("`2`"));
    }

    #[test]
    fn play_phrase_keeps_quoted_text_together() {
        let wanted = [("game", "amazons"), ("team", "everyone vote 6h"), ("rated", "false")];
        assert_eq!(options("amazons team:\"everyone vote 6h\" casual"), pairs(&wanted));
        let wanted = [("game", "amazons"), ("white", "a4"), ("first", "them")];
        assert_eq!(options("amazons white:\"a4\" them"), pairs(&wanted));
    }

    #[test]
    fn play_phrase_joining_words_announce_an_opponent() {
        let two = pairs(&[("game", "penguins"), ("opponent", "@5"), ("opponent2", "@6"), ("rated", "true")]);
        assert_eq!(options("penguins against <@5> and <@6> rated"), two);
        for against in ["vs.", "v", "with"] {
            let hard = pairs(&[("game", "amazons"), ("ai", "hard")]);
            assert_eq!(options(&format!("amazons {against} hard")), hard, "{against}");
        }
        assert_eq!(options("amazons me"), pairs(&[("game", "amazons"), ("first", "me")]));
        for ours in ["me", "you", "<@7>"] {
            let found = options(&format!("amazons against {ours}"));
            assert_eq!(found, pairs(&[("game", "amazons"), ("ai", "medium")]), "{ours}");
        }
        let told = refused("amoeba against Ben");
        assert!(told.contains("Mention") && told.contains("`Ben`"), "{told}");
    }

    #[test]
    fn play_phrase_errors_list_the_valid_values() {
        for (word, parts) in [
            ("ai:grandmaster", &["grandmaster", "beginner", "match-me"][..]),
            ("opponent:ben", &["ben", "Mention"]),
            ("rated:maybe", &["maybe", "yes or no"]),
            ("foo:bar", &["foo", "opponent", "settle"]),
            ("where:mars", &["mars", "thread, here or dm"]),
            ("first:nobody", &["nobody", "them"]),
            ("set:3", &["3", "one or two"]),
            ("settle:maybe", &["maybe", "auto"]),
            ("seed:-3", &["-3", "0 or more"]),
            ("players:-3", &["-3", "from 2 to 4"]),
            ("players:many", &["many", "from 2 to 4"]),
        ] {
            let told = refused(&format!("amazons {word}"));
            parts.iter().for_each(|part| assert!(told.contains(part), "{word}: {told}"));
        }
    }
}
