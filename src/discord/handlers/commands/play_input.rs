//! The options of `/play` as Discord shows them: those that most games share. All others are chosen in a panel
//! that shows what the game has, or written in a message.

use std::collections::BTreeMap;

use rookery_i18n::Localizer;
use serde_json::{Value, json};

use super::open_table::{GUESTS, OPEN, OpenTable};
use super::options::{CommandOptions, OptionError};
use crate::discord::wire::interaction::{GivenOptions, OptionValue};

/// The option for the game.
pub(super) const GAME: &str = "game";
/// The option for the level of the bot.
pub(super) const LEVEL: &str = "ai";

/// The registered options, in the order in which Discord lists them.
const REGISTERED: [&str; 12] = [
    GAME, GUESTS[0], LEVEL, OPEN, "size", "clock", "rated", "first", "where", "players", GUESTS[1], GUESTS[2],
];

/// The input of `/play`.
#[derive(Clone, Debug)]
pub(in crate::discord) struct PlayInput {
    /// The request for a table, if a game was chosen.
    pub(super) request: Option<OpenTable>,
    /// The first person named.
    pub(super) opponent: Option<(rookery_table::UserId, bool)>,
    /// The values of options other than the game and its players, as a panel stores them.
    pub(super) chosen: BTreeMap<String, String>,
}

impl CommandOptions for PlayInput {
    fn register(words: &Localizer) -> Vec<Value> {
        let all = OpenTable::register(words);
        let of_name = |name: &str| all.iter().find(|option| option["name"] == name).cloned();
        let mut options: Vec<Value> = REGISTERED.into_iter().filter_map(of_name).collect();
        options.iter_mut().for_each(|option| option["required"] = json!(false));
        options
    }

    fn read(given: &GivenOptions) -> Result<PlayInput, OptionError> {
        let request = match given.value(GAME) {
            Some(_) => Some(OpenTable::read(given)?),
            None => None,
        };
        let opponent = match given.value(GUESTS[0]) {
            Some(OptionValue::User(who)) => Some((*who, given.bots().contains(who))),
            _ => None,
        };
        Ok(PlayInput { request, opponent, chosen: chosen(given) })
    }
}

impl PlayInput {
    /// Whether a table can be opened without asking for the opponent.
    pub(in crate::discord) fn names_opponents(&self) -> bool {
        self.request.as_ref().is_some_and(OpenTable::names_opponents)
    }
}

/// Returns the options that a panel can show, with their values as text.
fn chosen(given: &GivenOptions) -> BTreeMap<String, String> {
    let is_other = |name: &str| name != GAME && name != LEVEL && name != OPEN;
    let text = |value: &OptionValue| match value {
        OptionValue::Text(text) => Some(text.trim().to_owned()),
        OptionValue::Number(number) => Some(number.to_string()),
        OptionValue::Yes(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        OptionValue::User(_) | OptionValue::Unreadable => None,
    };
    let named = given.values.iter().filter(|(name, _)| is_other(name));
    named.filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_OPTIONS;

    #[test]
    fn play_registers_what_most_games_share() {
        let options = PlayInput::register(Localizer::english());
        let names: Vec<_> = options.iter().filter_map(|option| option["name"].as_str()).collect();
        assert_eq!(names, REGISTERED, "each is an option of a new table");
        assert!(names.len() <= MAX_OPTIONS / 2);
        for own in ["layout", "pieces", "white", "repetition", "seed", "team", "settle", "ai_seats"] {
            assert!(!names.contains(&own), "{own}");
        }
    }
}
