//! A table's game as a record: what was played, by whom, when, and what shows that nothing was changed.

use jiff::Timestamp;

use rookery_core::Seat;
use rookery_games::record::Record;

use crate::hash_chain::HashChain;
use crate::model::{Event, Occupant, Status};
use crate::{Table, TableId};

/// The record of a table's game as it is now; `None` before it has begun. `now` is when it is written.
/// Times are in RFC 3339, people are `discord:` and their number, a team
/// all who are known to have played in it; the program is `rookery:` and its level.
pub fn record(table: &Table, chain: &HashChain, now: Timestamp) -> Option<Record> {
    rookery_tasks::computes_here("a record");
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

/// The same with the table's name and without people, times and seals: for visitors.
pub fn public_record(table: &Table) -> Option<Record> {
    let play = table.play()?;
    let winners = match table.status() {
        Status::Over(ending) => seats(&ending.winners),
        _ => None,
    };
    Some(Record::of(play, vec![("Table".to_owned(), table.id().to_string())], winners))
}

/// What a table's record is called as a file, without its ending.
pub fn file_name(id: TableId) -> String {
    format!("rookery-{id}")
}

/// Those who won; `None` if nothing came of the game.
fn seats(winners: &[Seat]) -> Option<Vec<Seat>> {
    (!winners.is_empty()).then(|| winners.to_vec())
}

/// When the game began and ended.
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

/// A team, as all who are known to have played in it.
fn team(table: &Table, seat: Seat) -> String {
    let people = table.players_of(seat).into_iter().filter(|who| !who.is_pseudonym());
    let people: Vec<_> = people.map(|who| format!("discord:{}", who.0)).collect();
    people.join(" ")
}

/// Options, whether it counts, how it ended, and the chance that was settled, once it may be shown.
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
