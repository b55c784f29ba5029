//! The request for a new table, however it is asked for: by `/play`, in a message, from a person's menu or after a
//! lesson.

use std::collections::BTreeMap;

use rookery_table::UserId;

use crate::discord::wire::interaction::OptionValue;

/// The options that name people, in the order in which they sit down.
pub(in crate::discord) const GUESTS: [&str; 3] = ["opponent", "opponent2", "opponent3"];
/// The option that says how strong the program is to play.
pub(in crate::discord) const AI: &str = "ai";
/// The option that says which seats the program holds.
pub(in crate::discord) const AI_SEATS: &str = "ai_seats";
/// The option that names teams.
pub(in crate::discord) const TEAM: &str = "team";
/// The option that names a clock.
pub(in crate::discord) const CLOCK: &str = "clock";
/// The option that makes a set of games.
pub(in crate::discord) const SET: &str = "set";

/// A table that somebody wants to open. What is left out is chosen by the game, the server and the bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::discord) struct OpenTable {
    /// The game's key.
    pub(in crate::discord) game: String,
    /// The people to challenge, in the order of their seats.
    pub(in crate::discord) guests: Vec<UserId>,
    /// Which of all people named are bots.
    pub(in crate::discord) bots: Vec<UserId>,
    /// The number of players.
    pub(in crate::discord) players: Option<i64>,
    /// The key of the program's level, or `match-me`.
    pub(in crate::discord) ai: Option<String>,
    /// The seats of the program, as typed.
    pub(in crate::discord) ai_seats: Option<String>,
    /// Who begins: `me`, `them`, `random` or `pie`.
    pub(in crate::discord) first: Option<String>,
    /// Where it is played: `thread`, `here` or `dm`.
    pub(in crate::discord) place: Option<String>,
    /// The teams, as typed.
    pub(in crate::discord) team: Option<String>,
    /// Whether it counts for ratings.
    pub(in crate::discord) rated: bool,
    /// The clock, as typed.
    pub(in crate::discord) clock: Option<String>,
    /// Whether it is the first game of a set: `one` or `two` games.
    pub(in crate::discord) set: Option<String>,
    /// The seed of all chance.
    pub(in crate::discord) seed: Option<i64>,
    /// The key of what becomes of a proven end.
    pub(in crate::discord) settle: Option<String>,
    /// The game's own options, by key.
    pub(in crate::discord) options: BTreeMap<String, String>,
}

impl OpenTable {
    /// Reads the options of `/play`, which `play.rs` declares; of an option that is given twice the last counts.
    pub(in crate::discord) fn read(given: &[(String, OptionValue)]) -> OpenTable {
        let mut request = OpenTable::default();
        let mut guests = [None; GUESTS.len()];
        for (name, value) in given {
            match value {
                OptionValue::Text(text) => request.set_text(name, text),
                OptionValue::Number(number) if name == "players" => request.players = Some(*number),
                OptionValue::Number(number) if name == "seed" => request.seed = Some(*number),
                OptionValue::Yes(yes) if name == "rated" => request.rated = *yes,
                OptionValue::User(who) => {
                    if let Some(seat) = GUESTS.iter().position(|guest| guest == name) {
                        guests[seat] = Some(*who);
                    }
                }
                OptionValue::Number(_) | OptionValue::Yes(_) => {}
            }
        }
        OpenTable { guests: guests.into_iter().flatten().collect(), ..request }
    }

    fn set_text(&mut self, name: &str, text: &str) {
        let place = match name {
            "game" => {
                text.clone_into(&mut self.game);
                return;
            }
            AI => &mut self.ai,
            AI_SEATS => &mut self.ai_seats,
            "first" => &mut self.first,
            "where" => &mut self.place,
            TEAM => &mut self.team,
            CLOCK => &mut self.clock,
            SET => &mut self.set,
            "settle" => &mut self.settle,
            _ => {
                if is_option_of_a_game(name) {
                    self.options.insert(name.to_owned(), text.trim().to_owned());
                }
                return;
            }
        };
        *place = Some(text.to_owned());
    }
}

fn is_option_of_a_game(name: &str) -> bool {
    rookery_games::all().iter().flat_map(|game| game.info().options).any(|option| option.key == name)
}
