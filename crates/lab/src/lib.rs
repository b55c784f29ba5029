//! Command line tools besides running the bot: inspecting positions, counting moves, drawing pictures for inspection,
//! measuring the players.

mod arena;
mod bench;
mod book;
mod fit;
mod gallery;
mod ladder;
mod memory;
mod perft;
mod play_match;
mod recorded;
mod sheet;
mod show;
pub mod signature;
mod ugi;
use rookery_core::rules::{PositionParseError, Setup, SetupError};
use rookery_core::{Game, Play};
use rookery_i18n::Localizer;

use arena::MatchSettings;

pub use bench::{bench, bench_depth, bench_levels};
pub use book::{BookOptions, book};
pub use fit::fit;
pub use gallery::gallery;
pub use ladder::{LadderOptions, ladder};
pub use perft::perft;
pub use play_match::{MatchOptions, play_match};
pub use recorded::{Part, Recorded, card, contact, replay};
pub use sheet::sheet;
pub use show::show;
pub use ugi::ugi;

/// A game and one of its positions, as given on the command line.
#[derive(Clone, Debug)]
pub struct PositionQuery<'a> {
    /// Key of the game, such as `amazons`.
    pub game: &'a str,
    /// A position line, which may begin with the key of the game; the start if `None`.
    pub position: Option<&'a str>,
    /// Options of the start, `key` and `value`, including `seats` and `seed`, which are numbers.
    pub options: &'a [(String, String)],
}

/// The errors of a tool's input.
#[derive(Debug, thiserror::Error)]
pub enum PositionQueryError {
    /// There is no such game.
    #[error("There's no game called `{game}`. The games are: {}", known.join(", "))]
    NoSuchGame {
        /// The given name.
        game: String,
        /// The known games.
        known: Vec<&'static str>,
    },
    /// The position cannot be read.
    #[error("--position: {why}")]
    Position {
        /// The error's position, and what is expected there.
        why: String,
    },
    /// The position begins with the key of another game.
    #[error("--position is one of {position}, but the game is {game}. Name the same game")]
    OtherGame {
        /// The key before the position.
        position: &'static str,
        /// The game that was asked for.
        game: &'static str,
    },
    /// The options are not valid for the game.
    #[error("{why}. The options of {game} are: {}", known.join(", "))]
    Options {
        /// Key of the game.
        game: &'static str,
        /// The error, as a sentence.
        why: String,
        /// The known options.
        known: Vec<&'static str>,
    },
    /// A position and start options were both given.
    #[error(
        "--position and --option can't be combined: a position includes its setup. Leave one of them out"
    )]
    Both,
}

impl PositionQuery<'_> {
    /// The game at the requested position.
    ///
    /// # Errors
    /// [`PositionQueryError`], with the possible values.
    pub fn find(&self) -> Result<Box<dyn Play>, PositionQueryError> {
        let game = named(self.game)?;
        match self.position {
            Some(_) if !self.options.is_empty() => Err(PositionQueryError::Both),
            Some(line) => {
                let (key, line) = split_key(line);
                if let Some(position) = key.filter(|key| *key != game.info().key) {
                    return Err(PositionQueryError::OtherGame { position, game: game.info().key });
                }
                let bad = |bad: PositionParseError| PositionQueryError::Position {
                    why: Localizer::english().bad_line(&bad),
                };
                game.resume(line).map_err(bad)
            }
            None => self.setup(game).and_then(|setup| game.start(&setup).map_err(|e| bad_setup(game, &e))),
        }
    }

    fn setup(&self, game: &'static dyn Game) -> Result<Setup, PositionQueryError> {
        let mut setup = Setup::new(game.info().fewest());
        for (key, value) in self.options {
            let no_number = |_| wrong(game, format!("`{key}` must be a whole number, not `{value}`"));
            match key.as_str() {
                "seats" => setup.seats = value.parse().map_err(no_number)?,
                "seed" => setup.seed = value.parse().map_err(no_number)?,
                "layout-text" => setup.layout = Some(value.clone()),
                _ => setup = setup.with(key, value),
            }
        }
        Ok(setup)
    }
}

/// The key of the game before a position line, as the bot shows it after an import, and the line without it.
fn split_key(line: &str) -> (Option<&'static str>, &str) {
    let split = line.trim_start().split_once(char::is_whitespace);
    let named = split.and_then(|(key, rest)| Some((rookery_games::named(key)?.info().key, rest)));
    named.map_or((None, line), |(key, rest)| (Some(key), rest.trim_start()))
}

/// The key of the game with which a position line begins.
#[must_use]
pub fn key_before(line: &str) -> Option<&'static str> {
    split_key(line).0
}

/// The game with this name; the error lists the known ones.
fn named(game: &str) -> Result<&'static dyn Game, PositionQueryError> {
    rookery_games::named(game).ok_or_else(|| PositionQueryError::NoSuchGame {
        game: game.to_owned(),
        known: rookery_games::all().iter().map(|game| game.info().key).collect(),
    })
}

/// The first position of an opening in a match, with its own layout and this number of seats.
fn opened(game: &dyn Game, terms: &MatchSettings, opening: u64) -> Box<dyn Play> {
    let setup = Setup::new(terms.seats).seeded(terms.layout(opening));
    game.start(&setup).expect("a game starts without options with as many seats as it has")
}

fn bad_setup(game: &'static dyn Game, error: &SetupError) -> PositionQueryError {
    let why = match error {
        SetupError::BadLayout(bad) => Localizer::english().bad_line(bad),
        error => error.to_string(),
    };
    wrong(game, why)
}

fn wrong(game: &'static dyn Game, why: String) -> PositionQueryError {
    let about = game.info();
    let mut known: Vec<_> = about.options.iter().map(|option| option.key).collect();
    known.extend(["seats", "seed"]);
    known.extend(about.has_layout.then_some("layout-text"));
    PositionQueryError::Options { game: about.key, why, known }
}
