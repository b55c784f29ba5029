//! Records in the format of the play site Abstract Play, so that its tools can read this program's games and vice
//! versa.
//!
//! Based on the site's schema "AP Game Record" 1-0-0 (repository `AbstractPlay/recranks`,
//! `src/schemas/gamerecord.json`) and its description (`docs/game-records.md` there). In short: a `header` with
//! `game.name`, `site`, three dates in RFC 3339, `players` in seating order each with a `name` and a whole-number
//! `result` (more is better, equal is shared); `moves` as rounds, each an array with one entry per seat: a text, an
//! object with `move` and `sequence`, or null for a seat that did not move. A seat that resigns or runs out of time has
//! `resign` or `timeout` instead of a move; with two seats that ends the game, and with more seats it does so at the
//! end of the moves. Only finished games have this format. Data that the format has no place for (the game's key, our
//! headers, when seats resigned) goes into `header.rookery`: additional properties are allowed there.
//!
//! The site's code adds `pie-invoked` (newer readers also look for `pied`) and a `score` for each player of a game with
//! points; so does this module.

mod pie;
mod variants;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{BadRecord, Record, RecordError, Turn, check_header_name};
use rookery_core::{Play, Seat};

/// The origin of games, as the format requires it.
const SITE: &str = "Rookery";
/// The header that says how a game ended.
const REASON: &str = "Reason";
/// The header with the number of dropped moves, because our rules end the game earlier.
pub const LEFT_OUT: &str = "LeftOut";
/// The game that may end a move earlier here: the site only checks for a capture by the mover, so after a move that
/// gives the mover's own Kernel away its game ends a move later.
const ENDS_EARLIER: &str = "amoeba";
/// Games with another name on the site: the key here, and the name there.
const NAMES: [(&str, &str); 1] = [("amazons", "Amazons")];

/// Why a record cannot be written in this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AbstractPlayError {
    /// The game is not over, or has no result.
    #[error("only games with a result are kept in this form")]
    Unfinished,
    /// The headers `Started` and `Ended` are missing.
    #[error("the form wants to know when the game began and ended")]
    Undated,
}

/// Data that the format has no place for.
#[derive(Default, Serialize, Deserialize)]
struct RookeryFields {
    game: String,
    headers: Vec<(String, String)>,
    /// The seats that resigned while the others played on: the number of moves before, and the seat from 1.
    resigned: Vec<(usize, u8)>,
    /// Whether the seats swapped sides under the pie rule: players and moves are in the order after the swap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    swapped: bool,
}

impl Record {
    /// The record in Abstract Play's format, indented, ending with a line break. The dates are the headers `Started`,
    /// `Ended` and `Written` (else `Ended`); seats are named by `Seat1` and so on; names of the form `rookery:…` are
    /// the program.
    ///
    /// # Errors
    /// If the format has no place for such a game, or the record cannot be replayed.
    pub fn to_abstract_play(&self) -> Result<String, AbstractPlayError> {
        let play = self.replay().map_err(|_| AbstractPlayError::Unfinished)?;
        let winners = self
            .winners
            .as_ref()
            .filter(|winners| !winners.is_empty())
            .ok_or(AbstractPlayError::Unfinished)?;
        let date = |name| self.header(name).ok_or(AbstractPlayError::Undated);
        let (started, ended) = (date("Started")?, date("Ended")?);
        let swapped = pie::is_swapped(play.as_ref());
        let scores = play.scores();
        let score =
            |seat: Seat| scores.as_ref().and_then(|scores| scores.get(seat.index())).map(|it| it.points);
        let order = pie::order(play.seats(), swapped).into_iter();
        let players: Vec<Value> = order.map(|seat| self.player(seat, winners, score(seat))).collect();
        let mut site = json!({ "name": SITE });
        if let Some(table) = self.header("Table") {
            site["gameid"] = json!(table);
        }
        let header = json!({
            "game": { "name": name(&self.game), "variants": variants::written(&self.game, &self.start) },
            "site": site,
            "date-start": started,
            "date-end": ended,
            "date-generated": self.header("Written").unwrap_or(ended),
            "unrated": self.header("Rated") != Some("yes"),
            "pied": swapped,
            "pie-invoked": swapped,
            "players": players,
            "startingPosition": self.start,
            "rookery": RookeryFields { swapped, ..self.ours() },
        });
        let record = json!({ "header": header, "moves": rounds(play.as_ref()) });
        Ok(serde_json::to_string_pretty(&record).expect("texts and numbers always become JSON") + "\n")
    }

    /// Reads a game in Abstract Play's format, ours or theirs. Without a first position it uses the game's usual start,
    /// which variants do not have. Moves are kept as written: [`Record::replay`] checks them.
    ///
    /// # Errors
    /// If the JSON is not such a record; the error names the line, or the missing part.
    pub fn from_abstract_play(text: &str) -> Result<Record, BadRecord> {
        let form: Form = serde_json::from_str(text).map_err(|e| RecordError::of_json(&e))?;
        let seats = form.header.players.len();
        let ours = form.header.rookery;
        let game = ours.as_ref().map_or_else(|| key(&form.header.game.name), |ours| Some(ours.game.clone()));
        let game = game.ok_or_else(|| RecordError::NoGame(form.header.game.name.clone()).at(1))?;
        let start = match form.header.start {
            Some(start) => start,
            None => variants::start(&game, seats, &form.header.game.variants.unwrap_or_default())?,
        };
        let is_ours = ours.is_some();
        let mut ours = ours.unwrap_or_else(|| RookeryFields {
            headers: named(&form.header.players),
            ..RookeryFields::default()
        });
        ours.headers.iter().try_for_each(|(name, _)| check_header_name(name)).map_err(|fault| fault.at(1))?;
        let best = form.header.players.iter().map(|player| player.result).max();
        let listed = pie::order(seats, ours.swapped).into_iter().zip(&form.header.players);
        let mut winners: Vec<Seat> =
            listed.filter(|(_, player)| Some(player.result) == best).map(|(seat, _)| seat).collect();
        winners.sort_unstable();
        let mut played = in_order(&form.moves);
        if let Some(reason) = pop_final_resignation(&mut played) {
            ours.headers.retain(|(name, _)| name != REASON);
            ours.headers.push((REASON.to_owned(), reason.to_owned()));
        }
        let turns = turns(&played, &ours.resigned)?;
        let turns = if ours.swapped { pie::with_swap(turns) } else { turns };
        let record = Record { game, start, headers: ours.headers, turns, winners: Some(winners) };
        let results =
            || form.header.players.iter().map(|player| player.result.to_string()).collect::<Vec<_>>();
        record.check_shares(seats, &results().join("-")).map_err(|fault| fault.at(1))?;
        Ok(if is_ours { record } else { record.without_moves_after_end() })
    }

    /// The record without moves after the end by our rules, for the game that ends earlier here; the number of dropped
    /// moves is in the header [`LEFT_OUT`].
    fn without_moves_after_end(mut self) -> Record {
        let start = crate::named(&self.game).filter(|_| self.game == ENDS_EARLIER);
        let Some(mut play) = start.and_then(|game| game.resume(&self.start).ok()) else { return self };
        let ends = |turn: &Turn| match turn {
            Turn::Move(text) => play.play(text).is_err() || play.outcome().is_some(),
            Turn::Resigns(_) => true,
        };
        let last = self.turns.iter().position(ends);
        let left_out = last.map_or(0, |last| self.turns.len() - 1 - last);
        if left_out > 0 && play.outcome().is_some() {
            self.turns.truncate(self.turns.len() - left_out);
            self.headers.push((LEFT_OUT.to_owned(), left_out.to_string()));
        }
        self
    }

    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    fn player(&self, seat: Seat, winners: &[Seat], score: Option<u32>) -> Value {
        let name = self.header(&format!("Seat{}", seat.number()));
        let name = name.map_or_else(|| format!("seat {}", seat.number()), str::to_owned);
        let is_ai = name.starts_with("rookery:");
        // Players must have different names, even if a person plays against themselves.
        let mut player = Map::from_iter([
            ("name".to_owned(), json!(name)),
            ("seat".to_owned(), json!(seat.number())),
            ("is_ai".to_owned(), json!(is_ai)),
            ("result".to_owned(), json!(i64::from(winners.contains(&seat)))),
        ]);
        if !is_ai {
            player.insert("userid".to_owned(), json!(name));
        }
        if let Some(score) = score {
            player.insert("score".to_owned(), json!(score));
        }
        Value::Object(player)
    }

    fn ours(&self) -> RookeryFields {
        let mut moves = 0;
        let mut resigned = Vec::new();
        for turn in &self.turns {
            match turn {
                Turn::Move(_) => moves += 1,
                Turn::Resigns(seat) => resigned.push((moves, seat.number())),
            }
        }
        RookeryFields { game: self.game.clone(), headers: self.headers.clone(), resigned, swapped: false }
    }
}

/// The moves as rounds: one entry per seat, null for a seat that did not move.
fn rounds(play: &dyn Play) -> Vec<Vec<Option<String>>> {
    let mut rounds: Vec<Vec<Option<String>>> = Vec::new();
    let mut last = usize::MAX;
    for (at, text) in pie::placed(play) {
        if rounds.is_empty() || at <= last {
            rounds.push(vec![None; play.seats()]);
        }
        if let Some(round) = rounds.last_mut() {
            round[at] = Some(text);
        }
        last = at;
    }
    rounds
}

/// The contents of the rounds in playing order, each with the index of its seat.
fn in_order(rounds: &[Vec<Option<Cell>>]) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for round in rounds {
        let mut played: Vec<(i64, usize, &str)> = Vec::new();
        for (seat, cell) in round.iter().enumerate() {
            let placed = cell.as_ref().map(|cell| cell.placed(seat as i64));
            played.extend(placed.map(|(place, text)| (place, seat, text)));
        }
        played.sort_by_key(|(place, _, _)| *place);
        all.extend(played.into_iter().map(|(_, seat, text)| (seat, text.to_owned())));
    }
    all
}

/// Removes the resignation or timeout that ended the game and returns its reason. The results say who won.
fn pop_final_resignation(played: &mut Vec<(usize, String)>) -> Option<&'static str> {
    let mut reason = None;
    while let Some(last) = played.last().and_then(|(_, text)| resignation_reason(text)) {
        reason = Some(last);
        played.pop();
    }
    reason
}

/// The reason, as in [`REASON`], that an entry instead of a move stands for.
fn resignation_reason(text: &str) -> Option<&'static str> {
    match text.trim() {
        "resign" => Some("resigned"),
        "timeout" => Some("on-time"),
        _ => None,
    }
}

/// The turns, including resignations while others went on: from entries instead of moves, and from `resigned`.
fn turns(played: &[(usize, String)], resigned: &[(usize, u8)]) -> Result<Vec<Turn>, BadRecord> {
    let resigns = |seat: Option<usize>| {
        let number = || seat.map_or_else(|| "0".to_owned(), |seat| (seat + 1).to_string());
        seat.and_then(Seat::new).map(Turn::Resigns).ok_or_else(|| RecordError::NoSeat(number()).at(1))
    };
    let gave_up = |after: usize| {
        let here = resigned.iter().filter(move |(at, _)| *at == after);
        here.map(|(_, number)| resigns(usize::from(*number).checked_sub(1)))
    };
    let (mut turns, mut moves) = (Vec::new(), 0);
    for (seat, text) in played {
        if resignation_reason(text).is_some() {
            turns.push(resigns(Some(*seat))?);
            continue;
        }
        for turn in gave_up(moves) {
            turns.push(turn?);
        }
        turns.push(Turn::Move(text.clone()));
        moves += 1;
    }
    for turn in gave_up(moves) {
        turns.push(turn?);
    }
    Ok(turns)
}

#[derive(Deserialize)]
struct Form {
    header: Header,
    moves: Vec<Vec<Option<Cell>>>,
}

#[derive(Deserialize)]
struct Header {
    game: Named,
    players: Vec<Player>,
    #[serde(rename = "startingPosition")]
    start: Option<String>,
    rookery: Option<RookeryFields>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    /// The display names of the variants.
    variants: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Player {
    name: String,
    result: i64,
}

/// One seat's move in a round.
#[derive(Deserialize)]
#[serde(untagged)]
enum Cell {
    Plain(String),
    Placed {
        #[serde(rename = "move")]
        text: String,
        sequence: Option<i64>,
    },
}

impl Cell {
    /// When in its round it was played, and the move.
    fn placed(&self, seat: i64) -> (i64, &str) {
        match self {
            Cell::Plain(text) => (seat, text),
            Cell::Placed { text, sequence } => (sequence.unwrap_or(seat), text),
        }
    }
}

fn name(key: &str) -> &str {
    let full = || crate::named(key).map_or(key, |game| game.info().name);
    NAMES.iter().find(|(known, _)| *known == key).map_or_else(full, |(_, name)| name)
}

fn key(wanted: &str) -> Option<String> {
    let keys = crate::all().iter().map(|game| game.info().key);
    keys.into_iter().find(|key| name(key).eq_ignore_ascii_case(wanted)).map(str::to_owned)
}

fn named(players: &[Player]) -> Vec<(String, String)> {
    players.iter().zip(1..).map(|(player, number)| (format!("Seat{number}"), player.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    fn record(game: &str, results: &[i64], start: Option<&str>, moves: &Value) -> Record {
        let player = |(seat, result): (usize, &i64)| json!({ "name": format!("p{seat}"), "result": result });
        let players: Vec<Value> = results.iter().enumerate().map(player).collect();
        let mut header = json!({ "game": { "name": game }, "players": players });
        if let Some(start) = start {
            header["startingPosition"] = json!(start);
        }
        Record::from_abstract_play(&json!({ "header": header, "moves": moves }).to_string()).unwrap()
    }

    #[test]
    fn giving_up_and_running_out_of_time_are_no_moves_and_end_the_game() {
        for (word, reason) in [("resign", "resigned"), ("timeout", "on-time")] {
            let moves = json!([["a4-a5/a4", "a7-a6/a7"], [word, null]]);
            let record = record("Amazons", &[0, 1], None, &moves);
            assert_eq!(record.replay().unwrap().ply(), 2, "{word}");
            assert_eq!(record.winners, Some(vec![Seat::SECOND]));
            assert_eq!(record.header("Reason"), Some(reason));
        }
    }

    #[test]
    fn of_more_than_two_the_others_go_on() {
        let game = crate::named("penguins").unwrap();
        let start = game.start(&Setup::new(3)).unwrap();
        let mut play = start.clone_play();
        let mut cells = Vec::new();
        for seat in 0..4 {
            if seat == 1 {
                play.retire(Seat::SECOND);
                cells.push("resign".to_owned());
                continue;
            }
            let first = play.moves().remove(0);
            cells.push(play.play(&first).unwrap());
        }
        let moves = json!([[cells[0], cells[1], cells[2]], [cells[3], null, null]]);
        let record = record(game.info().name, &[1, 0, 0], Some(&start.start_line()), &moves);
        let again = record.replay().unwrap();
        assert_eq!((again.line(), again.retired()), (play.line(), vec![(1, Seat::SECOND)]));
        assert_eq!(record.header("Reason"), None);
    }

    fn with_variants(variants: &Value) -> Result<Record, BadRecord> {
        let header = json!({
            "game": { "name": "Amazons", "variants": variants },
            "players": [{ "name": "a", "result": 1 }, { "name": "b", "result": 0 }],
        });
        Record::from_abstract_play(&json!({ "header": header, "moves": [] }).to_string())
    }

    /// The variants are those of the site's code, as the rules page lists them.
    #[test]
    fn variants_are_read_by_the_names_that_the_site_shows() {
        let start = |variants: Value| with_variants(&variants).unwrap().start;
        let usual = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";
        assert_eq!(start(json!(["Default setup"])), usual);
        assert_eq!(start(json!([])), usual);
        assert_eq!(start(json!(["Cross"])), "3q2q3/10/10/Q8Q/10/10/Q8Q/10/10/3q2q3 w - - 0 1");
        assert_eq!(start(json!(["Scrambled"])), "3q2Q3/10/10/Q8q/10/10/q8Q/10/10/3Q2q3 w - - 0 1");
        let unknown = with_variants(&json!(["Cross", "Tall"])).unwrap_err();
        assert_eq!(unknown.fault, RecordError::Variants("Cross, Tall".to_owned()));
        let soccer = record("Penguin Soccer", &[1, 0], None, &json!([]));
        assert_eq!(soccer.game, "penguin_soccer");
    }

    fn exported(record: &Record) -> Value {
        let dates = [("Started", "2026-01-01T00:00:00Z"), ("Ended", "2026-01-02T00:00:00Z")];
        let dates = dates.map(|(name, date)| (name.to_owned(), date.to_owned()));
        let headers = [record.headers.clone(), dates.to_vec()].concat();
        let text = Record { headers, ..record.clone() }.to_abstract_play().unwrap();
        let again = Record::from_abstract_play(&text).unwrap();
        assert_eq!((&again.turns, &again.winners), (&record.turns, &record.winners), "{text}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_swap_under_the_pie_rule_changes_players_and_is_told_in_the_header() {
        let game = crate::named("amazons").unwrap();
        let mut play = game.start(&Setup::new(2).with("start", "cross").with("pie", "on")).unwrap();
        for text in ["d1-d2/d3", "swap"] {
            let text = if text == "swap" { text.to_owned() } else { play.moves().remove(0) };
            play.play(&text).unwrap();
        }
        let third = play.moves().remove(0);
        play.play(&third).unwrap();
        let names = [("Seat1", "ada"), ("Seat2", "ben")].map(|(key, name)| (key.to_owned(), name.to_owned()));
        let record = Record::of(play.as_ref(), names.to_vec(), Some(vec![Seat::SECOND]));
        let form = exported(&record);
        let header = &form["header"];
        assert_eq!((&header["pied"], &header["game"]["variants"]), (&json!(true), &json!(["Cross"])));
        let players: Vec<_> = header["players"].as_array().unwrap().iter().collect();
        assert_eq!((&players[0]["name"], &players[0]["result"]), (&json!("ben"), &json!(1)));
        assert_eq!((&players[1]["name"], &players[1]["result"]), (&json!("ada"), &json!(0)));
        assert_eq!(form["moves"], json!([[play.record()[0], third]]));
        let plain =
            Record::of(game.start(&Setup::new(2)).unwrap().as_ref(), names.to_vec(), Some(vec![Seat::FIRST]));
        assert_eq!(exported(&plain)["header"]["pied"], json!(false));
    }

    #[test]
    fn players_of_a_game_with_points_have_their_score() {
        let play = crate::named("penguins").unwrap().start(&Setup::new(2)).unwrap();
        let record = Record::of(play.as_ref(), Vec::new(), Some(vec![Seat::FIRST]));
        let form = exported(&record);
        let scores = play.scores().unwrap();
        for (player, score) in form["header"]["players"].as_array().unwrap().iter().zip(scores) {
            assert_eq!(player["score"], json!(score.points));
        }
        assert_eq!(form["header"]["players"].as_array().unwrap().len(), 2);
    }

    /// A game of Amoeba in which the mover gives their own Kernel away; on the site the other side still moves.
    fn given_away() -> (Box<dyn Play>, String) {
        let game = crate::named("amoeba").unwrap();
        for seed in 0..500 {
            let mut rng = SeededRng::new(seed);
            let mut play = game.start(&Setup::new(2)).unwrap();
            while play.outcome().is_none() && play.ply() < 80 {
                let (moves, mover) = (play.moves(), play.turn());
                let loses = |text: &&String| {
                    let mut next = play.clone_play();
                    next.play(text).is_ok()
                        && next.outcome().is_some_and(|end| end.winners == [mover.other()])
                };
                if let Some(text) = moves.iter().find(loses) {
                    return (play.clone_play(), text.clone());
                }
                let text = rng.pick(&moves).unwrap().clone();
                play.play(&text).unwrap();
            }
        }
        panic!("no such move in 500 games")
    }

    #[test]
    fn moves_after_the_end_by_our_rules_are_left_out_and_counted() {
        let (play, last) = given_away();
        let played: Vec<Value> =
            play.record().into_iter().chain([last, "a1-a2".to_owned()]).map(Value::from).collect();
        let rounds: Vec<_> = played.chunks(2).map(<[Value]>::to_vec).collect();
        let winner = play.turn().other();
        let results = Seat::all(2).map(|seat| i64::from(seat == winner)).collect::<Vec<_>>();
        let record = record("Amoeba", &results, None, &json!(rounds));
        assert_eq!(record.header(LEFT_OUT), Some("1"));
        let again = record.replay().unwrap();
        assert_eq!((again.ply(), again.outcome().unwrap().winners), (play.ply() + 1, vec![winner]));
    }
}
