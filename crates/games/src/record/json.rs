//! A record as JSON, for programs; `docs/record.schema.json` is its schema.

use serde::{Deserialize, Serialize};

use super::{BadRecord, Record, RecordError, Turn, check_header_name, read_result, result};
use rookery_core::Seat;

/// The identifier of this format. A changed format gets a new one.
pub const FORMAT: &str = "rookery-record-1";

/// The schema of this format (JSON Schema, draft 2020-12).
pub const SCHEMA: &str = include_str!("../../../../docs/record.schema.json");

/// A record in this format, field for field.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    format: String,
    game: String,
    start: String,
    seats: usize,
    #[serde(default)]
    headers: Vec<Header>,
    turns: Vec<Step>,
    /// The result of each seat: `1`, `0`, `1/2`; missing while the game is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    name: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Move(String),
    /// The number of the seat, from 1.
    Resigns(u8),
}

impl Record {
    /// The record as JSON, indented, ending with a line break. `seats` is the number of seats.
    pub fn to_json(&self, seats: usize) -> String {
        let shares = |winners: &Vec<Seat>| result(winners, seats).split('-').map(str::to_owned).collect();
        let header = |(name, text): &(String, String)| Header { name: name.clone(), text: text.clone() };
        let form = Form {
            format: FORMAT.to_owned(),
            game: self.game.clone(),
            start: self.start.clone(),
            seats,
            headers: self.headers.iter().map(header).collect(),
            turns: self.turns.iter().map(Step::of).collect(),
            result: self.winners.as_ref().map(shares),
        };
        let text = serde_json::to_string_pretty(&form).expect("texts and numbers always become JSON");
        text + "\n"
    }

    /// Reads what [`Record::to_json`] writes. Moves are kept as written: [`Record::replay`] checks them.
    ///
    /// # Errors
    /// The line at which the JSON is not a record, and why.
    pub fn from_json(text: &str) -> Result<Record, BadRecord> {
        let form: Form = serde_json::from_str(text).map_err(|e| RecordError::of_json(&e))?;
        if form.format != FORMAT {
            return Err(RecordError::Format { found: form.format, wanted: FORMAT }.at(1));
        }
        let shares = form.result.as_ref().map(|shares| shares.join("-"));
        let winners = match (&form.result, &shares) {
            (Some(each), Some(found)) => {
                let counts = [each.len(), found.split('-').count()];
                let read = read_result(found).filter(|_| counts == [form.seats; 2]);
                let fault = || RecordError::Result { found: found.clone(), seats: form.seats }.at(1);
                Some(read.ok_or_else(fault)?)
            }
            _ => None,
        };
        let turns = form.turns.into_iter().map(Step::turn).collect::<Result<_, _>>()?;
        let headers: Vec<_> = form.headers.into_iter().map(|header| (header.name, header.text)).collect();
        headers.iter().try_for_each(|(name, _)| check_header_name(name)).map_err(|fault| fault.at(1))?;
        let record = Record { game: form.game, start: form.start, headers, turns, winners };
        if let Some(found) = shares {
            record.check_shares(form.seats, &found).map_err(|fault| fault.at(1))?;
        }
        Ok(record)
    }
}

impl Step {
    fn of(turn: &Turn) -> Step {
        match turn {
            Turn::Move(text) => Step::Move(text.clone()),
            Turn::Resigns(seat) => Step::Resigns(seat.number()),
        }
    }

    fn turn(self) -> Result<Turn, BadRecord> {
        match self {
            Step::Move(text) => Ok(Turn::Move(text)),
            Step::Resigns(number) => {
                let seat = usize::from(number).checked_sub(1).and_then(Seat::new);
                seat.map(Turn::Resigns).ok_or_else(|| RecordError::NoSeat(number.to_string()).at(1))
            }
        }
    }
}
