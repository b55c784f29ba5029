//! Records in every format, and imports of them.

use std::fs;
use std::path::Path;

use rookery_core::Play;
use rookery_games::record::Record;
use rookery_i18n::Localizer;

use super::{Target, assert_answer, positions_in_games, text};

pub(super) const TARGET: Target = Target { name: "records", check, seeds, words };

/// Records with more turns than this are read and not replayed, as for an import.
const MAX_TURNS: usize = 2_000;

/// The most turns, and the most legal moves at the end, of a game that is a seed. A check replays a record several times
/// and each turn lists the legal moves.
const SEED_TURNS: usize = 12;
const SEED_MOVES: usize = 400;

fn check(bytes: &[u8]) {
    let text = text(bytes);
    for game in [None, Some("amazons")] {
        match Record::read_any(&text, game) {
            Ok(record) => check_record(&record, &text),
            Err(bad) => {
                assert!(bad.line <= 1 + text.len(), "line {} of {text:?}", bad.line);
                assert_answer(&Localizer::english().bad_record(&bad), &text);
            }
        }
    }
    // What a command of the command line reads.
    drop(Record::read(&text).map(|record| check_record(&record, &text)));
}

fn check_record(record: &Record, text: &str) {
    assert!(record.turns.len() <= text.len(), "more turns than bytes in {text:?}");
    if record.turns.len() > MAX_TURNS {
        return;
    }
    match record.replay() {
        Ok(play) => check_game(record, play.as_ref()),
        Err(bad) => assert_answer(&Localizer::english().bad_record(&bad), text),
    }
}

/// Checks that the game of a record is written as records that read as the same game.
fn check_game(read: &Record, play: &dyn Play) {
    let seats = play.seats();
    let is_plain = |(_, text): &&(String, String)| !text.contains(char::is_control);
    let headers: Vec<_> = read.headers.iter().filter(is_plain).cloned().collect();
    let record = Record::of(play, headers, read.winners.clone());
    assert_eq!(Record::read(&record.write(seats)).as_ref(), Ok(&record));
    assert_eq!(Record::from_json(&record.to_json(seats)).as_ref(), Ok(&record));
    if let Ok(form) = record.to_abstract_play() {
        let again = Record::from_abstract_play(&form).unwrap_or_else(|bad| panic!("{bad}: {form}"));
        assert_eq!(again.winners, record.winners, "{form}");
        let replayed = again.replay().unwrap_or_else(|bad| panic!("{bad}: {form}"));
        assert_eq!(replayed.line(), play.line(), "{form}");
    }
    assert_eq!(record.replay().map(|again| again.line()), Ok(play.line()));
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = released();
    for play in positions_in_games() {
        seeds.push(format!("{} {}", play.info().key, play.line()).into_bytes());
        if play.ply() <= SEED_TURNS && play.moves().len() <= SEED_MOVES {
            let dates = ["Started", "Ended"].map(|name| (name.to_owned(), "2026-01-02T03:04:05Z".to_owned()));
            let record = Record::of(play.as_ref(), dates.to_vec(), Some(vec![play.turn()]));
            seeds.push(record.write(play.seats()).into_bytes());
            let json = record.to_json(play.seats());
            seeds.push(json.replace("\"Started\"", "\"\"").into_bytes());
            seeds.push(json.into_bytes());
            seeds.extend(record.to_abstract_play().ok().map(String::into_bytes));
        }
    }
    seeds.retain(|seed| seed.len() <= 4_096);
    seeds
}

/// The records that released versions have written.
fn released() -> Vec<Vec<u8>> {
    // The fuzzers' package is a folder of the program's.
    let above = [env!("CARGO_MANIFEST_DIR"), concat!(env!("CARGO_MANIFEST_DIR"), "/..")];
    let mut folders = above.iter().map(|root| Path::new(root).join("tests/data/released/0.1.0/records"));
    let files = folders.find_map(|folder| fs::read_dir(folder).ok()).expect("the folder of released records");
    let files = files.map(|file| file.expect("a file").path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a record")).collect()
}

fn words() -> Vec<String> {
    let words = "[Game [Start [Seat1 [Reason [LeftOut \" \"] amazons penguins amazon_penguins paper_penguins penguin_soccer \
        amoeba 1. 2. 1-0 0-1 1/2-1/2 0-0-1 1/3-1/3-1/3 1/4-1/4-1/4-1/4 0-0 * seat1-resigns seat4-resigns seat9-resigns \
        {\"format\":\"rookery-record-1\", \"game\": \"start\": \"seats\": \"headers\":[] \"turns\":[{\"move\": \
        {\"resigns\":1}] \"result\":[\"1\",\"0\"] {\"header\":{ \"players\":[ \"result\": \"name\": \"moves\":[[ null \
        \"sequence\": \"startingPosition\": \"variants\": \"rookery\":{ \"resigned\":[[0,1]] \"swapped\":true swap resign \
        timeout -9223372036854775808 18446744073709551615 ```";
    words.split_whitespace().map(str::to_owned).collect()
}
