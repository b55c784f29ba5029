//! Thousands of random games of every kind are written in every record format and read back to the identical
//! game.

use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Game, Play, Seat};
use rookery_games::record::abstract_play::AbstractPlayError;
use rookery_games::record::{Record, json};
use serde_json::Value;
use std::sync::LazyLock;

/// The number of games for each kind and number of seats.
const ROUNDS: u64 = 250;
/// The number of plies after which a game is aborted.
const MAX_PLIES: usize = 90;
/// The number of plies after which a player resigns in games of three or four.
const RETIRES_AFTER: u64 = 12;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(json::SCHEMA).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

/// Plays a random game (the Amazons on a small board); returns its winners, too.
fn played(game: &dyn Game, seats: usize, round: u64) -> (Box<dyn Play>, Vec<Seat>) {
    let mut setup = Setup::new(seats).seeded(round);
    if game.info().key == "amazons" {
        setup = setup.with("size", "6x6");
    }
    let (mut play, mut chance) = (game.start(&setup).unwrap(), SeededRng::new(round));
    while play.outcome().is_none() && play.ply() < MAX_PLIES {
        if seats > 2 && play.ply() as u64 == RETIRES_AFTER + round % 5 && round.is_multiple_of(3) {
            play.retire(play.turn());
            if play.outcome().is_some() {
                break;
            }
        }
        let text = chance.pick(&play.moves()).unwrap().clone();
        play.play(&text).unwrap();
    }
    let winners = play.outcome().map_or_else(|| vec![play.turn()], |outcome| outcome.winners);
    (play, winners)
}

fn record(play: &dyn Play, winners: Option<Vec<Seat>>) -> Record {
    let header = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let mut headers = vec![
        header("Table", "K7Q2"),
        header("Started", "2026-11-20T10:00:00Z"),
        header("Ended", "2026-11-20T11:30:00Z"),
    ];
    headers.extend(Seat::all(play.seats()).map(|seat| header(&format!("Seat{seat}"), "A \"quoted\" שלום")));
    Record::of(play, headers, winners)
}

#[test]
fn records_of_thousands_of_games_read_back_from_every_format() {
    let mut count = 0;
    for game in rookery_games::all() {
        for (seats, round) in game.info().seats.iter().flat_map(|seats| (0..ROUNDS).map(move |r| (*seats, r)))
        {
            let (play, winners) = played(*game, seats, round);
            let name = format!("{} for {seats}, round {round}", game.info().key);
            comes_back(play.as_ref(), &record(play.as_ref(), Some(winners)), &name);
            count += 1;
        }
    }
    assert!(count > 2_000, "only {count} games");
}

fn comes_back(play: &dyn Play, record: &Record, name: &str) {
    let forms = [
        record.write(play.seats()),
        record.to_json(play.seats()),
        record.to_abstract_play().unwrap_or_else(|unfit| panic!("{name}: {unfit}")),
    ];
    for text in &forms {
        let read = Record::read_any(text, None).unwrap_or_else(|bad| panic!("{name}: {bad}\n{text}"));
        assert_eq!(&read, record, "{name}");
        assert_eq!(read.replay().unwrap().line(), play.line(), "{name}");
    }
    let by_schema = SCHEMA.validate(&serde_json::from_str(&forms[1]).unwrap()).map_err(|e| e.to_string());
    assert_eq!(by_schema, Ok(()), "{name}");
    is_a_game_record(&serde_json::from_str(&forms[2]).unwrap(), play, name);
    let position = format!("{} {}", record.game, play.line());
    assert_eq!(Record::read_any(&position, None).unwrap().replay().unwrap().line(), play.line(), "{name}");
}

/// Checks the requirements of Abstract Play's schema description for a record.
fn is_a_game_record(form: &Value, play: &dyn Play, name: &str) {
    let header = &form["header"];
    assert!(header["game"]["name"].is_string() && header["site"]["name"].is_string(), "{name}");
    for date in ["date-start", "date-end", "date-generated"] {
        assert!(header[date].as_str().is_some_and(|date| date.parse::<jiff::Timestamp>().is_ok()), "{name}");
    }
    let players = header["players"].as_array().unwrap();
    assert_eq!(players.len(), play.seats(), "{name}");
    for (at, player) in players.iter().enumerate() {
        assert!(player["name"].is_string() && player["result"].is_i64(), "{name}: {player}");
        assert!(!players[..at].contains(player), "{name}: players must differ");
    }
    let rounds = form["moves"].as_array().unwrap();
    let round_fits = |round: &Value| round.as_array().is_some_and(|round| round.len() <= play.seats());
    assert!(rounds.iter().all(round_fits), "{name}");
    let told: Vec<(usize, &str)> = rounds
        .iter()
        .flat_map(|round| round.as_array().unwrap().iter().enumerate())
        .filter_map(|(seat, cell)| Some((seat, cell.as_str()?)))
        .collect();
    let (moves, movers) = (play.record(), play.movers());
    let wanted: Vec<(usize, &str)> =
        movers.iter().map(|seat| seat.index()).zip(moves.iter().map(String::as_str)).collect();
    assert_eq!(told, wanted, "{name}: each move stands under its seat");
}

#[test]
fn records_of_running_games_use_the_formats_that_allow_them() {
    let (play, _) = played(rookery_games::all()[0], 2, 1);
    let going_on = record(play.as_ref(), None);
    assert_eq!(going_on.to_abstract_play(), Err(AbstractPlayError::Unfinished));
    for text in [going_on.write(2), going_on.to_json(2)] {
        assert_eq!(Record::read_any(&text, None), Ok(going_on.clone()));
    }
    let mut undated = record(play.as_ref(), Some(vec![Seat::FIRST]));
    undated.headers.clear();
    assert_eq!(undated.to_abstract_play(), Err(AbstractPlayError::Undated));
}

#[test]
fn records_schema_rejects_what_is_no_record() {
    let (play, winners) = played(rookery_games::all()[0], 2, 1);
    let good: Value = serde_json::from_str(&record(play.as_ref(), Some(winners)).to_json(2)).unwrap();
    assert!(SCHEMA.is_valid(&good));
    let changes: [(&str, Value); 6] = [
        ("format", "rookery-record-2".into()),
        ("seats", 5.into()),
        ("start", "".into()),
        ("turns", serde_json::json!([{"move": "a1", "resigns": 1}])),
        ("result", serde_json::json!(["2", "0"])),
        ("more", true.into()),
    ];
    for (field, value) in changes {
        let mut wrong = good.clone();
        wrong[field] = value;
        assert!(!SCHEMA.is_valid(&wrong), "{field}");
        assert!(Record::from_json(&wrong.to_string()).is_err() || field == "start", "{field}");
    }
}
