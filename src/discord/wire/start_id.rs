//! The custom ids of the buttons and selects with which a game is started: on the welcome message, in the
//! panel of `/play`, and in the panel of a game's further options.

use rookery_core::player::Level;

/// Precedes the other fields.
const START: &str = "go";
/// Separates the fields of an id.
const FIELD: char = ':';

/// Where a panel of options leads back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPurpose {
    /// A game against the bot.
    Bot,
    /// A challenge to a person.
    Person,
    /// The choice between the two, and a game that anyone can join.
    Opponent,
    /// A game against the bot, whose level is asked for after the game. Only in buttons of earlier versions.
    BotOptions,
    /// A game against the bot at a level that was chosen, whose options are chosen first.
    BotAt(Level),
    /// A lesson.
    Lesson,
}

impl StartPurpose {
    const WORDS: [(StartPurpose, &'static str); 5 + Level::ALL.len()] = [
        (StartPurpose::Bot, "bot"),
        (StartPurpose::Person, "ask"),
        (StartPurpose::Opponent, "who"),
        (StartPurpose::BotOptions, "tune"),
        (StartPurpose::Lesson, "learn"),
        (StartPurpose::BotAt(Level::Random), "tune-random"),
        (StartPurpose::BotAt(Level::Beginner), "tune-beginner"),
        (StartPurpose::BotAt(Level::Easy), "tune-easy"),
        (StartPurpose::BotAt(Level::Medium), "tune-medium"),
        (StartPurpose::BotAt(Level::Hard), "tune-hard"),
        (StartPurpose::BotAt(Level::Expert), "tune-expert"),
    ];

    fn word(self) -> &'static str {
        StartPurpose::WORDS.iter().find(|(purpose, _)| *purpose == self).map_or("", |(_, word)| word)
    }

    fn named(word: &str) -> Option<StartPurpose> {
        StartPurpose::WORDS.iter().find(|(_, known)| *known == word).map(|(purpose, _)| *purpose)
    }
}

/// A step on the way to a game. Ids carry everything that the next step needs, so that a panel works after a
/// restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartId {
    /// Show the panel with which everything begins: `go:panel`.
    Panel,
    /// List the running games: `go:watch`.
    Watch,
    /// Ask for the game: `go:bot`, `go:ask`, `go:tune-hard`, `go:learn`; `go:tune` in earlier versions.
    Games(StartPurpose),
    /// Change the level in the panel that asks for the game against the bot: `go:level`, a select of levels.
    GamesLevel,
    /// Go on with a game: `go:bot:amazons` asks for the level, `go:ask:amazons` for the person,
    /// `go:who:amazons` for the kind of opponent, `go:tune-hard:amazons` for the options, `go:learn:amazons` begins the
    /// lesson.
    Game(StartPurpose, String),
    /// Play the bot at a level: `go:play:amazons:easy`.
    Level(String, String),
    /// Challenge the chosen person: `go:with:amazons`, a select of people.
    Challenge(String),
    /// Open a game that anyone can join: `go:open:amazons`.
    Open(String),
    /// Show the further options of a game: `go:more:amazons:bot`.
    Options(String, StartPurpose),
    /// Choose the option to change: `go:pick:amazons:bot`, a select of options.
    Pick(String, StartPurpose),
    /// Set an option to the chosen or typed value: `go:set:amazons:bot:size`.
    Set(String, StartPurpose, String),
    /// Set all options back: `go:reset:amazons:bot`.
    Reset(String, StartPurpose),
}

impl StartId {
    /// Returns the custom id, at most 100 characters.
    pub fn id(&self) -> String {
        let fields: Vec<&str> = match self {
            StartId::Panel => vec!["panel"],
            StartId::Watch => vec!["watch"],
            StartId::Games(purpose) => vec![purpose.word()],
            StartId::GamesLevel => vec!["level"],
            StartId::Game(purpose, game) => vec![purpose.word(), game],
            StartId::Level(game, level) => vec!["play", game, level],
            StartId::Challenge(game) => vec!["with", game],
            StartId::Open(game) => vec!["open", game],
            StartId::Options(game, back) => vec!["more", game, back.word()],
            StartId::Pick(game, back) => vec!["pick", game, back.word()],
            StartId::Set(game, back, option) => vec!["set", game, back.word(), option],
            StartId::Reset(game, back) => vec!["reset", game, back.word()],
        };
        fields.into_iter().fold(START.to_owned(), |id, field| format!("{id}{FIELD}{field}"))
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<StartId> {
        let fields: Vec<&str> = id.strip_prefix(START)?.strip_prefix(FIELD)?.split(FIELD).collect();
        let back = |word: &str| StartPurpose::named(word);
        Some(match fields[..] {
            ["panel"] => StartId::Panel,
            ["watch"] => StartId::Watch,
            ["level"] => StartId::GamesLevel,
            ["play", game, level] => StartId::Level(game.to_owned(), level.to_owned()),
            ["with", game] => StartId::Challenge(game.to_owned()),
            ["open", game] => StartId::Open(game.to_owned()),
            ["more", game, word] => StartId::Options(game.to_owned(), back(word)?),
            ["pick", game, word] => StartId::Pick(game.to_owned(), back(word)?),
            ["set", game, word, option] => StartId::Set(game.to_owned(), back(word)?, option.to_owned()),
            ["reset", game, word] => StartId::Reset(game.to_owned(), back(word)?),
            [word] => StartId::Games(StartPurpose::named(word)?),
            [word, game] => StartId::Game(StartPurpose::named(word)?, game.to_owned()),
            _ => return None,
        })
    }

    /// Returns whether the press opens a table.
    pub fn opens_table(&self) -> bool {
        matches!(self, StartId::Level(..) | StartId::Challenge(_) | StartId::Open(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

    #[test]
    fn start_id_is_read_back_and_nothing_else_is() {
        let game = || "amazon_penguins".to_owned();
        for (purpose, _) in StartPurpose::WORDS {
            let ids = [
                StartId::Panel,
                StartId::Watch,
                StartId::GamesLevel,
                StartId::Games(purpose),
                StartId::Game(purpose, game()),
                StartId::Level(game(), "beginner".to_owned()),
                StartId::Challenge(game()),
                StartId::Open(game()),
                StartId::Options(game(), purpose),
                StartId::Pick(game(), purpose),
                StartId::Set(game(), purpose, "repetition".to_owned()),
                StartId::Reset(game(), purpose),
            ];
            for id in ids {
                assert!(id.id().len() <= MAX_CUSTOM_ID_CHARS);
                assert_eq!(StartId::read(&id.id()), Some(id));
            }
        }
        for wrong in ["go", "go:", "go:nothing", "go:more:amazons:x", "go:play:amazons", "1:K7Q2:0:join"] {
            assert_eq!(StartId::read(wrong), None, "{wrong}");
        }
    }
}
