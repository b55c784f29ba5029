//! The records of a match in a folder: a match that was interrupted goes on from them.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::games::record::{Record, Turn};
use crate::kit::{Play, Seat};
use crate::search::arena::{self, Played, Terms};

/// A folder of records, and whose they are.
pub(super) struct Kept<'a> {
    folder: &'a Path,
    /// The first player and the second.
    names: [&'a str; 2],
}

/// Which game of a match it is, from 1: each opening is played with the first player on either seat.
pub(super) fn number(opening: u64, seat: Seat) -> u64 {
    2 * opening + u64::from(seat.number())
}

impl<'a> Kept<'a> {
    pub(super) fn new(folder: &'a Path, names: [&'a str; 2]) -> Kept<'a> {
        Kept { folder, names }
    }

    /// The games of this match that are here and have an end.
    ///
    /// # Errors
    /// If a record cannot be read, or is that of another match.
    pub(super) fn read(&self, start: &dyn Play, terms: &Terms) -> anyhow::Result<Vec<Played>> {
        let mut known = Vec::new();
        for opening in 0..terms.openings {
            let begun = arena::opening(start, terms, opening);
            for seat in [Seat::FIRST, Seat::SECOND] {
                let path = self.path(opening, seat);
                if !path.exists() {
                    continue;
                }
                let game = self.game(&path, begun.as_ref(), terms, (opening, seat));
                known.extend(game.with_context(|| path.display().to_string())?);
            }
        }
        Ok(known)
    }

    /// Writes the record of a game.
    ///
    /// # Errors
    /// If a file or the folder cannot be written.
    pub(super) fn keep(&self, start: &dyn Play, played: &Played) -> anyhow::Result<()> {
        std::fs::create_dir_all(self.folder)
            .with_context(|| format!("{} cannot be made", self.folder.display()))?;
        let mut play = start.clone_play();
        for text in &played.record {
            play.play(text)?;
        }
        let headers = self.headers(played.seat).map(|(name, text)| (name.to_owned(), text.to_owned()));
        let winners = play.outcome().map(|outcome| outcome.winners);
        let record = Record::of(play.as_ref(), headers.into(), winners);
        let path = self.path(played.opening, played.seat);
        std::fs::write(&path, record.write(2))
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    /// A game from its record; `None` if it has no end: it was given up, and is played again.
    fn game(
        &self,
        path: &Path,
        begun: &dyn Play,
        terms: &Terms,
        (opening, seat): (u64, Seat),
    ) -> anyhow::Result<Option<Played>> {
        let record = Record::read(&std::fs::read_to_string(path)?)?;
        let moves = record.turns.iter().map(|turn| match turn {
            Turn::Move(text) => text.clone(),
            Turn::Resigns(_) => String::new(),
        });
        let moves: Vec<String> = moves.collect();
        let ours = self.headers(seat).iter().all(|(name, text)| {
            record.headers.iter().any(|(other, found)| (other.as_str(), found.as_str()) == (*name, *text))
        });
        let same = ours && record.start == begun.start_line() && moves.starts_with(&begun.record());
        ensure!(same, "this is a record of another match; name another folder, or the same players and seed");
        let ended = record.replay()?.outcome();
        let share = match ended {
            Some(outcome) => Some(outcome.share(seat)),
            None => (moves.len() >= terms.most_plies).then_some(0.5),
        };
        Ok(share.map(|share| Played { opening, seat, share, record: moves }))
    }

    fn headers(&self, seat: Seat) -> [(&'static str, &'a str); 2] {
        let [a, b] = self.names;
        let [first, second] = if seat == Seat::FIRST { [a, b] } else { [b, a] };
        [("Seat1", first), ("Seat2", second)]
    }

    fn path(&self, opening: u64, seat: Seat) -> PathBuf {
        self.folder.join(format!("{:04}.txt", number(opening, seat)))
    }
}
