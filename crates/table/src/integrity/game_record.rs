//! A table's game as a record: players, moves, times, and the hash that verifies it.

use jiff::Timestamp;

use rookery_core::Seat;
use rookery_games::record::Record;

use crate::hash_chain::HashChain;
use crate::model::{Event, Occupant, Status};
use crate::{Table, TableId};

/// Returns the record of a table's game at `now`; `None` before the game starts. Times are in RFC 3339. People are
/// `discord:` and their id, a team lists all members known to have played, and the program is `rookery:` and its level.
pub fn record(table: &Table, chain: &HashChain, now: Timestamp) -> Option<Record> {
    rookery_tasks::assert_off_async_threads("a record");
    let mut record = public_record(table)?;
    let headers = &mut record.headers;
    headers.extend(times(chain));
    headers.push(("Written".to_owned(), time(now)));
    headers.extend(Seat::all(table.chairs().len()).filter_map(|seat| holder(table, seat)));
    headers.extend(more(table));
    let head = chain.head.clone().map(|seal| ("Seal".to_owned(), seal));
    headers.extend(head);
    Some(record)
}

/// Returns the record with the table's name but without people, times and hashes, for visitors of the web pages.
pub fn public_record(table: &Table) -> Option<Record> {
    let play = table.play()?;
    let winners = match table.status() {
        Status::Over(ending) => seats(&ending.winners),
        _ => None,
    };
    Some(Record::of(play, vec![("Table".to_owned(), table.id().to_string())], winners))
}

/// Returns the file name of a table's record, without extension.
pub fn file_name(id: TableId) -> String {
    format!("rookery-{id}")
}

/// Returns the winners; `None` if the game had no result.
fn seats(winners: &[Seat]) -> Option<Vec<Seat>> {
    (!winners.is_empty()).then(|| winners.to_vec())
}

/// Returns the times of the start and the end.
fn times(chain: &HashChain) -> Vec<(String, String)> {
    let entries = chain.links.iter().filter_map(|link| link.entry().ok());
    let named = entries.filter_map(|entry| match entry.event {
        Event::Started { .. } => Some(("Started".to_owned(), time(entry.at))),
        Event::Ended { .. } => Some(("Ended".to_owned(), time(entry.at))),
        _ => None,
    });
    named.collect()
}

fn holder(table: &Table, seat: Seat) -> Option<(String, String)> {
    let name = match table.occupant(seat)? {
        _ if table.team(seat).is_some() => team(table, seat),
        Occupant::Human { person } | Occupant::Invited { person } if person.is_pseudonym() => return None,
        Occupant::Human { person } | Occupant::Invited { person } => format!("discord:{}", person.0),
        Occupant::Ai { level } => format!("rookery:{}", level.key()),
        Occupant::Open => return None,
    };
    Some((format!("Seat{}", seat.number()), name))
}

/// Lists all members of a team who are known to have played in it.
fn team(table: &Table, seat: Seat) -> String {
    let people = table.players_of(seat).into_iter().filter(|who| !who.is_pseudonym());
    let people: Vec<_> = people.map(|who| format!("discord:{}", who.0)).collect();
    people.join(" ")
}

/// Returns the options, whether the game is rated, how it ended, and the seed once it may be shown.
fn more(table: &Table) -> Vec<(String, String)> {
    let terms = table.terms();
    let header = |name: &str, text: String| (name.to_owned(), text);
    let options: Vec<_> = terms.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut found = Vec::new();
    if !options.is_empty() {
        found.push(header("Options", options.join(" ")));
    }
    found.push(header("Rated", if table.is_rated() { "yes" } else { "no" }.to_owned()));
    let Status::Over(ending) = table.status() else { return found };
    found.push(header("Reason", ending.cause.key().to_owned()));
    found.extend(table.margin().map(|margin| header("Margin", margin.to_string())));
    if let Some(commitment) = terms.secret_commitment() {
        found.push(header("Seed", terms.seed.to_string()));
        found.push(header("Salt", commitment.salt.clone()));
        found.push(header("SeedDigest", commitment.digest.clone()));
    }
    found
}

fn time(at: Timestamp) -> String {
    at.to_string()
}
