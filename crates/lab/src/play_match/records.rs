//! The records of a match in one file: an interrupted match continues from them.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, ensure};

use crate::arena::{self, MatchSettings, PlayedGame, Termination};
use rookery_core::{Outcome, Play, Seat};
use rookery_games::record::{Record, Turn};

/// A file of records, and the match that they belong to.
pub(super) struct MatchRecords<'a> {
    file: &'a Path,
    /// The first player and the second.
    names: [&'a str; 2],
    /// The description of the match, which identifies it.
    event: String,
    terms: MatchSettings,
}

/// The header of games that did not end by their rules.
const TERMINATION: &str = "Termination";
const REASON: &str = "Reason";
/// PGN's term for the end of a game that was not played out.
const ADJUDICATION: &str = "adjudication";

/// Why a game was not played out.
fn agreement(terms: &MatchSettings) -> Option<String> {
    terms.agreed.map(|hundredths| format!("both players took it for won by {hundredths} hundredths"))
}

/// The first position of each opening, before its random plies.
pub(super) type Starts<'a> = &'a dyn Fn(u64) -> Box<dyn Play>;

/// The number of a game in the match, from 1: each opening is played with the first player on every seat.
pub(super) fn number(terms: &MatchSettings, opening: u64, seat: Seat) -> u64 {
    terms.seats as u64 * opening + u64::from(seat.number())
}

/// The opening and the first player's seat of a game, by its number.
fn place(terms: &MatchSettings, number: u64) -> Option<(u64, Seat)> {
    let (number, seats) = (number.checked_sub(1)?, terms.seats as u64);
    Some((number / seats, Seat::all(terms.seats).nth((number % seats) as usize)?))
}

impl<'a> MatchRecords<'a> {
    pub(super) fn new(
        file: &'a Path,
        names: [&'a str; 2],
        event: String,
        terms: MatchSettings,
    ) -> MatchRecords<'a> {
        MatchRecords { file, names, event, terms }
    }

    /// The finished games of this match in the file.
    ///
    /// # Errors
    /// If a record cannot be read, or belongs to another match.
    pub(super) fn read(&self, starts: Starts<'_>) -> anyhow::Result<Vec<PlayedGame>> {
        let text = match std::fs::read_to_string(self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.with_context(|| format!("can't read {}", self.file.display()))?,
        };
        let mut known = Vec::new();
        for (line, text) in records(&text) {
            let game = self.game(text, starts);
            known.extend(game.with_context(|| format!("{}, line {line}", self.file.display()))?);
        }
        Ok(known)
    }

    /// Appends the record of a game.
    ///
    /// # Errors
    /// If the file or its folder cannot be written.
    pub(super) fn keep(&self, start: &dyn Play, played: &PlayedGame) -> anyhow::Result<()> {
        let mut play = start.clone_play();
        for text in &played.record {
            play.play(text)?;
        }
        let mut headers = self.headers(played.opening, played.seat);
        if let Some((termination, reason)) = self.termination(played) {
            headers.push((TERMINATION.to_owned(), termination.to_owned()));
            headers.push((REASON.to_owned(), reason));
        }
        let over = play.outcome().map(|outcome| outcome.winners);
        let winners = over.or_else(|| played.winners_off_board(self.terms.seats));
        let record = Record::of(play.as_ref(), headers, winners).write(self.terms.seats) + "\n";
        self.add(&record).with_context(|| format!("can't write {}", self.file.display()))
    }

    fn termination(&self, played: &PlayedGame) -> Option<(&'static str, String)> {
        match played.termination.as_ref()? {
            Termination::Forfeit { why, .. } => Some((why.termination(), why.to_string())),
            Termination::Adjudicated { .. } => Some((ADJUDICATION, agreement(&self.terms)?)),
        }
    }

    fn add(&self, record: &str) -> std::io::Result<()> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        OpenOptions::new().create(true).append(true).open(self.file)?.write_all(record.as_bytes())
    }

    /// A game from its record; `None` if it has no result that is valid under the terms of this match: it was
    /// interrupted, and is played again.
    fn game(&self, text: &str, starts: Starts<'_>) -> anyhow::Result<Option<PlayedGame>> {
        let record = Record::read(text)?;
        let terms = &self.terms;
        let number = record.header("Round").and_then(|number| number.parse().ok());
        let place = number.and_then(|number| place(terms, number));
        let (opening, seat) = place.context(
            "this record needs a header such as [Round \"1\"] with the number of its game in the match",
        )?;
        if opening >= terms.openings {
            return Ok(None);
        }
        let moves = record.turns.iter().map(|turn| match turn {
            Turn::Move(text) => text.clone(),
            Turn::Resigns(_) => String::new(),
        });
        let moves: Vec<String> = moves.collect();
        let headers = self.headers(opening, seat);
        let ours = headers.iter().all(|(name, text)| record.header(name) == Some(text));
        let begun = arena::opening(starts(opening), terms, opening);
        let same = ours && record.start == begun.start_line() && moves.starts_with(&begun.record());
        ensure!(
            same,
            "this record is from another match. Name another file, or use the same players, limits and seed"
        );
        let ended = record.replay()?.outcome();
        let share = match ended {
            Some(outcome) => Some(outcome.share(seat)),
            None if record.header(TERMINATION) == Some(ADJUDICATION)
                && record.header(REASON) != agreement(terms).as_deref() =>
            {
                None
            }
            None if record.header(TERMINATION).is_some() => {
                record.winners.as_deref().map(|winners| Outcome::share_of(winners, seat))
            }
            None => (moves.len() >= terms.max_plies).then_some(terms.fair()),
        };
        Ok(share.map(|share| PlayedGame { opening, seat, share, record: moves, termination: None }))
    }

    /// The PGN headers about the match.
    fn headers(&self, opening: u64, seat: Seat) -> Vec<(String, String)> {
        let round = number(&self.terms, opening, seat).to_string();
        let mut headers = vec![("Event".to_owned(), self.event.clone()), ("Round".to_owned(), round)];
        let [a, b] = self.names;
        headers.extend(Seat::all(self.terms.seats).map(|other| {
            let name = if other == seat { a } else { b };
            (format!("Seat{}", other.number()), name.to_owned())
        }));
        headers
    }
}

/// The records of a file, each with the number of its first line, from 1.
fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = text.match_indices("[Game ").map(|(at, _)| at);
    let begins: Vec<usize> = begins.filter(|at| *at == 0 || text[..*at].ends_with('\n')).collect();
    let ends = begins.iter().copied().skip(1).chain([text.len()]).collect::<Vec<_>>();
    begins.into_iter().zip(ends).map(move |(from, to)| (text[..from].lines().count() + 1, &text[from..to]))
}
