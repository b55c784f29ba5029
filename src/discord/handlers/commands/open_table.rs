//! The request for a new table, whatever its source: `/play`, a message, the user menu or a lesson.

use std::collections::BTreeMap;

use rookery_core::player::Level;
use rookery_core::rules::{AllowedValues, OptionSpec};
use rookery_i18n::Localizer;
use rookery_table::{SettlementPolicy, UserId};
use serde_json::{Value, json};

use super::option_types::{Choice, CompletedText, GameKey, NumberFrom};
use super::options::{
    CommandOptions, OptionError, OptionField, OptionKind, OptionType, command_options, describe_number,
    number_in, option_choices,
};
use crate::discord::wire::interaction::{GivenOptions, OptionValue};

/// The options that name people, in the order of their seats.
pub(in crate::discord) const GUESTS: [&str; 3] = ["opponent", "opponent2", "opponent3"];
/// The option for the number of bots, or for their seats.
pub(in crate::discord) const AI_SEATS: &str = "ai_seats";
/// The option for the number of players.
pub(super) const PLAYERS: &str = "players";
/// The option for teams.
const TEAM: &str = "team";
/// The option for a game that anyone can join.
pub(super) const OPEN: &str = "open";
/// The option for the clock.
pub(super) const CLOCK: &str = "clock";
/// The option of games in which the second player may swap sides. It is chosen as a way to begin.
pub(super) const PIE: &str = "pie";

/// The request for a new table. The game, the server and the bot have defaults for what is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::discord) struct OpenTable {
    /// The game's key, such as `amazons`.
    pub(in crate::discord) game: String,
    /// The people to challenge, in the order of their seats.
    pub(in crate::discord) guests: Vec<UserId>,
    /// The bots among all people named.
    pub(in crate::discord) bots: Vec<UserId>,
    pub(in crate::discord) players: Option<i64>,
    /// The level of the bot, if it plays.
    pub(in crate::discord) ai: Option<AiStrength>,
    /// The number of bots or their seats, as typed.
    pub(in crate::discord) ai_seats: Option<String>,
    /// Whether anyone may join.
    pub(in crate::discord) open: bool,
    pub(in crate::discord) first: Option<FirstPlayer>,
    pub(in crate::discord) place: Option<PlayPlace>,
    /// The teams, as typed.
    pub(in crate::discord) team: Option<String>,
    pub(in crate::discord) rated: bool,
    /// The clock, as typed.
    pub(in crate::discord) clock: Option<String>,
    /// The number of games in the set.
    pub(in crate::discord) set: Option<SetLength>,
    /// The seed of all random choices.
    pub(in crate::discord) seed: Option<i64>,
    /// What happens when the result is proven.
    pub(in crate::discord) settle: Option<SettlementPolicy>,
    /// The game's own options, by key.
    pub(in crate::discord) options: BTreeMap<String, String>,
}

option_choices! {
    /// The player who moves first.
    pub(in crate::discord) enum FirstPlayer {
        Me = "me", "choice-me";
        Them = "them", "choice-them";
        Random = "random", "choice-random";
        Pie = "pie", "choice-pie";
    }
}

option_choices! {
    /// The kind of channel in which the game is played.
    pub(in crate::discord) enum PlayPlace {
        Thread = "thread", "where-thread";
        Here = "here", "where-here";
        Dm = "dm", "where-dm";
    }
}

option_choices! {
    /// The number of games in a set.
    pub(in crate::discord) enum SetLength {
        One = "one", "choice-set-one";
        Two = "two", "choice-set-two";
    }
}

/// The strength of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum AiStrength {
    /// The level whose rating is nearest to the person's.
    MatchMe,
    Level(Level),
}

impl Choice for AiStrength {
    fn all() -> Vec<AiStrength> {
        [AiStrength::MatchMe].into_iter().chain(Level::ALL.map(AiStrength::Level)).collect()
    }

    fn key(self) -> &'static str {
        match self {
            AiStrength::MatchMe => "match-me",
            AiStrength::Level(level) => level.key(),
        }
    }

    fn label(self, words: &Localizer) -> String {
        match self {
            AiStrength::MatchMe => words.word("choice-match-me"),
            AiStrength::Level(level) => words.level(level),
        }
    }
}

impl Choice for SettlementPolicy {
    fn all() -> Vec<SettlementPolicy> {
        SettlementPolicy::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.word(&format!("choice-settle-{}", self.key()))
    }
}

/// The number of players, from two to the most that a game has seats for.
#[derive(Clone, Copy, Debug)]
struct PlayerCount(i64);

impl PlayerCount {
    const LEAST: i64 = 2;

    fn most() -> i64 {
        let seats = rookery_games::all().iter().flat_map(|game| game.info().seats).copied().max();
        seats.and_then(|seats| i64::try_from(seats).ok()).unwrap_or(PlayerCount::LEAST)
    }
}

impl OptionType for PlayerCount {
    const KIND: OptionKind = OptionKind::Number;

    fn restrict(option: &mut Value, _words: &Localizer) {
        (option["min_value"], option["max_value"]) = (json!(PlayerCount::LEAST), json!(PlayerCount::most()));
    }

    fn describe_valid(words: &Localizer) -> String {
        describe_number(words, PlayerCount::LEAST, Some(PlayerCount::most()))
    }

    fn from_value(value: &OptionValue) -> Option<PlayerCount> {
        number_in(value, PlayerCount::LEAST..=PlayerCount::most()).map(PlayerCount)
    }
}

command_options! {
    /// The options for the game, the players and the place.
    struct WhoPlays {
        game: GameKey = "game", "command-play-game";
        opponent: Option<UserId> = GUESTS[0], "command-play-opponent";
        ai: Option<AiStrength> = "ai", "command-play-ai";
        first: Option<FirstPlayer> = "first", "command-play-first";
        place: Option<PlayPlace> = "where", "command-play-where";
        ai_seats: Option<CompletedText> = AI_SEATS, "command-play-ai-seats";
        open: Option<bool> = OPEN, "command-play-open";
        team: Option<CompletedText> = TEAM, "command-play-team";
    }
}

command_options! {
    /// More players, for games of three and four.
    struct MorePlayers {
        opponent2: Option<UserId> = GUESTS[1], "command-play-opponent2";
        opponent3: Option<UserId> = GUESTS[2], "command-play-opponent3";
        players: Option<PlayerCount> = PLAYERS, "command-play-players";
    }
}

command_options! {
    /// The options for rating, time and the end of the game.
    struct GameTerms {
        rated: Option<bool> = "rated", "command-play-rated";
        clock: Option<CompletedText> = CLOCK, "command-play-clock";
        set: Option<SetLength> = "set", "command-play-set";
        seed: Option<NumberFrom<0>> = "seed", "command-play-seed";
        settle: Option<SettlementPolicy> = "settle", "command-play-settle";
    }
}

impl OpenTable {
    /// Whether the request says who is to play besides the host.
    pub(super) fn names_opponents(&self) -> bool {
        let bots = self.ai.is_some() || self.ai_seats.is_some();
        bots || self.open || self.team.is_some() || !self.guests.is_empty()
    }
}

/// All options: those of `/play`, and those that are written in a message or chosen in a panel.
impl CommandOptions for OpenTable {
    fn register(words: &Localizer) -> Vec<Value> {
        let register = |key: &str| {
            <Option<CompletedText> as OptionField>::register(words, key, &format!("option-{key}"))
        };
        let own = own_options().into_keys().filter(|key| *key != PIE).map(register);
        let mut options = WhoPlays::register(words);
        options.extend(own);
        options.extend(MorePlayers::register(words));
        options.extend(GameTerms::register(words));
        options
    }

    fn read(given: &GivenOptions) -> Result<OpenTable, OptionError> {
        let (who, more, terms) = (WhoPlays::read(given)?, MorePlayers::read(given)?, GameTerms::read(given)?);
        let mut own = BTreeMap::new();
        for key in own_options().into_keys() {
            if let Some(CompletedText(text)) = <CompletedText as OptionType>::read(given, key)? {
                own.insert(key.to_owned(), text.trim().to_owned());
            }
        }
        let text = |text: CompletedText| text.0;
        Ok(OpenTable {
            game: who.game.0,
            guests: [who.opponent, more.opponent2, more.opponent3].into_iter().flatten().collect(),
            bots: given.bots().to_vec(),
            players: more.players.map(|count| count.0),
            ai: who.ai,
            ai_seats: who.ai_seats.map(text),
            open: who.open.unwrap_or(false),
            first: who.first,
            place: who.place,
            team: who.team.map(text),
            rated: terms.rated.unwrap_or(false),
            clock: terms.clock.map(text),
            set: terms.set,
            seed: terms.seed.map(|seed| seed.0),
            settle: terms.settle,
            options: own,
        })
    }
}

/// Returns every option of every game once, with the games that have it.
pub(super) fn own_options() -> BTreeMap<&'static str, Vec<&'static OptionSpec>> {
    let mut found: BTreeMap<&str, Vec<&OptionSpec>> = BTreeMap::new();
    for spec in rookery_games::all().iter().flat_map(|game| game.info().options) {
        found.entry(spec.key).or_default().push(spec);
    }
    found
}

/// Returns the values that a menu offers; none for a free text.
pub(super) fn offered(allowed: &AllowedValues) -> Vec<String> {
    match allowed {
        AllowedValues::OneOf(words) => words.iter().map(ToString::to_string).collect(),
        AllowedValues::Number(range) => range.clone().take(25).map(|n| n.to_string()).collect(),
        AllowedValues::Size { offered, .. } => offered.iter().map(ToString::to_string).collect(),
        AllowedValues::Text => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(option: &str, value: OptionValue) -> String {
        let game = ("game".to_owned(), OptionValue::Text("amazons".to_owned()));
        let read = OpenTable::read(&GivenOptions::of(vec![game, (option.to_owned(), value)]));
        read.unwrap_err().sentence(Localizer::english())
    }

    #[test]
    fn player_counts_and_own_options_are_checked() {
        for count in [-3, 1, 5] {
            let told = refused("players", OptionValue::Number(count));
            assert!(told.contains("players") && told.contains("from 2 to 4"), "{told}");
        }
        let told = refused("size", OptionValue::Number(8));
        assert!(told.contains("size"), "{told}");
    }
}
