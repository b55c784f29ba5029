//! A whole game as plain text: headers, moves, result. One form for all games.
//!
//! ```text
//! [Game "amazons"]
//! [Start "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"]
//! [Seat1 "Ada"]
//! [Seat2 "Ben"]
//! [Reason "resigned"]
//!
//! 1. d1-d7/g7 2. g10-g8/d5
//! 1-0
//! ```
//!
//! Headers are written as in PGN: a name of letters and digits, a text in double quotes, `\"` and `\\` for those two
//! characters. `Game` and `Start` are required; `Start` is the first position in the game's own line format, so that a
//! record never depends on how layouts are generated. Moves are numbered by turns taken, one number per turn, since
//! players may be skipped. `seat3-resigns` is between the moves where a seat resigned in a game that went on. The last
//! word is the result: each seat's share, in seat order, `1`, `0` or `1/2` (`1/3`, `1/4`), joined by `-`; or `*` for a
//! game that is not over.

//!
//! [`json`] has the same as JSON, [`abstract_play`] as Abstract Play's game record; [`Record::read_any`] reads any of
//! these.

pub mod abstract_play;
mod any;
mod fault;
pub mod json;

use std::fmt::Write as _;

pub use fault::{BadMove, BadRecord, RecordError};
use rookery_core::{Game, Play, Seat};

/// Column after which a line of moves is broken.
const WIDTH: usize = 78;

/// The content of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Key of the game, such as `amazons`.
    pub game: String,
    /// The first position in the game's own line format.
    pub start: String,
    /// Other headers in order: name (letters and digits) and text.
    pub headers: Vec<(String, String)>,
    /// What happened, in order.
    pub turns: Vec<Turn>,
    /// Seats that won or share the victory; `None` if the game is not over.
    pub winners: Option<Vec<Seat>>,
}

/// An event of a game: a move or a resignation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A move in canonical spelling.
    Move(String),
    /// A seat resigned, and the others went on.
    Resigns(Seat),
}

impl Record {
    /// The record of a game so far. `winners` is set if the game has ended (by its rules or otherwise).
    pub fn of(play: &dyn Play, headers: Vec<(String, String)>, winners: Option<Vec<Seat>>) -> Record {
        let mut turns = Vec::new();
        let retired = play.retired();
        let gave_up = |after: usize| retired.iter().filter(move |(ply, _)| *ply == after);
        let moves = play.record();
        for ply in 0..=moves.len() {
            turns.extend(gave_up(ply).map(|(_, seat)| Turn::Resigns(*seat)));
            turns.extend(moves.get(ply).cloned().map(Turn::Move));
        }
        Record { game: play.info().key.to_owned(), start: play.start_line(), headers, turns, winners }
    }

    /// Replays the record.
    ///
    /// # Errors
    /// If the game does not exist, a move is not legal, or a winner has no seat in the game. The fault of a move gives
    /// its number.
    pub fn replay(&self) -> Result<Box<dyn Play>, BadRecord> {
        self.played_through().map_err(|fault| fault.at(1))
    }

    fn played_through(&self) -> Result<Box<dyn Play>, RecordError> {
        let game = crate::named(&self.game).ok_or_else(|| RecordError::NoGame(self.game.clone()))?;
        let mut play = game.resume(&self.start).map_err(RecordError::Start)?;
        for turn in &self.turns {
            match turn {
                Turn::Resigns(seat) => resign(game, play.as_mut(), *seat)?,
                Turn::Move(text) => {
                    if let Err(wrong) = play.play(text) {
                        return Err(RecordError::Move(BadMove::of(play.as_ref(), text, wrong)));
                    }
                }
            }
        }
        self.check_winners(play.seats())?;
        Ok(play)
    }

    /// Checks that the winners have seats in the game: whatever shows the result looks them up.
    fn check_winners(&self, seats: usize) -> Result<(), RecordError> {
        let winners = self.winners.as_deref().unwrap_or_default();
        match winners.iter().map(|seat| seat.index() + 1).max() {
            Some(most) if most > seats => Err(RecordError::Result { found: result(winners, most), seats }),
            _ => Ok(()),
        }
    }

    /// The record as text, ending with a line break.
    pub fn write(&self, seats: usize) -> String {
        let mut text = String::new();
        header(&mut text, "Game", &self.game);
        header(&mut text, "Start", &self.start);
        self.headers.iter().for_each(|(name, value)| header(&mut text, name, value));
        text.push('\n');
        let mut column = 0;
        for word in self.words(seats) {
            let gap = if column == 0 { "" } else { " " };
            if column + gap.len() + word.len() > WIDTH {
                text.push('\n');
                column = 0;
            } else {
                text.push_str(gap);
                column += gap.len();
            }
            text.push_str(&word);
            column += word.len();
        }
        text.push('\n');
        text
    }

    fn words(&self, seats: usize) -> Vec<String> {
        let mut ply = 0;
        let word = |turn: &Turn| match turn {
            Turn::Resigns(seat) => format!("seat{seat}-resigns"),
            Turn::Move(text) => {
                ply += 1;
                format!("{ply}. {text}")
            }
        };
        let mut words: Vec<String> = self.turns.iter().map(word).collect();
        words.push(self.winners.as_ref().map_or("*".to_owned(), |winners| result(winners, seats)));
        words
    }

    /// Reads a record. Moves are kept as written: [`Record::replay`] checks them.
    ///
    /// # Errors
    /// If a line can't be read; the error gives the first, and what is expected there.
    pub fn read(text: &str) -> Result<Record, BadRecord> {
        let mut headers = Vec::new();
        let mut turns = Vec::new();
        let mut winners = None;
        // The result with its line, to compare with the number of seats when the headers are known.
        let mut ended: Option<(usize, &str)> = None;
        for (number, line) in text.lines().enumerate() {
            let bad = |fault: RecordError| fault.at(number + 1);
            let line = line.trim();
            if line.starts_with('[') {
                headers.push(read_header(line).map_err(bad)?);
                continue;
            }
            for word in line.split_whitespace().filter(|word| !is_number(word)) {
                if ended.is_some() {
                    return Err(bad(RecordError::AfterResult(word.to_owned())));
                }
                match read_word(word).map_err(bad)? {
                    Word::Turn(turn) => turns.push(turn),
                    Word::Result(found) => {
                        winners = found;
                        ended = Some((number + 1, word));
                    }
                }
            }
        }
        let mut take = |name: &'static str| {
            let at = headers.iter().position(|(n, _)| n == name);
            at.map(|at| headers.remove(at).1).ok_or_else(|| RecordError::NoHeader(name).at(1))
        };
        let record = Record { game: take("Game")?, start: take("Start")?, headers, turns, winners };
        match ended {
            Some((line, found)) if record.winners.is_some() => {
                record.check_shares(found.split('-').count(), found).map_err(|fault| fault.at(line))?;
            }
            _ => {}
        }
        Ok(record)
    }

    /// Checks the number of shares in a result. A record with an unknown game or start passes: [`Record::replay`]
    /// reports those.
    fn check_shares(&self, shares: usize, found: &str) -> Result<(), RecordError> {
        let play = crate::named(&self.game).and_then(|game| game.resume(&self.start).ok());
        match play.map(|play| play.seats()) {
            Some(seats) if seats != shares => Err(RecordError::Result { found: found.to_owned(), seats }),
            _ => Ok(()),
        }
    }
}

/// A seat resigns, and the others go on.
fn resign(game: &dyn Game, play: &mut dyn Play, seat: Seat) -> Result<(), RecordError> {
    let gone = play.retired().iter().any(|(_, earlier)| *earlier == seat);
    if gone || seat.index() >= play.seats() || play.seats() == 2 || play.outcome().is_some() {
        return Err(RecordError::CannotResign(seat));
    }
    play.retire(seat);
    // The position also knows the seats that resigned before the record began: it is invalid with no seat left.
    game.resume(&play.line()).map(drop).map_err(|_| RecordError::CannotResign(seat))
}

fn header(text: &mut String, name: &str, value: &str) {
    let value: String = value.chars().filter(|c| !c.is_control()).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

fn result(winners: &[Seat], seats: usize) -> String {
    let share = match winners.len() {
        1 => "1".to_owned(),
        n => format!("1/{n}"),
    };
    let got = Seat::all(seats).map(|seat| if winners.contains(&seat) { share.as_str() } else { "0" });
    got.collect::<Vec<_>>().join("-")
}

fn is_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn read_header(line: &str) -> Result<(String, String), RecordError> {
    let inner = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).ok_or(RecordError::NotAHeader)?;
    let (name, quoted) = inner.split_once(' ').ok_or(RecordError::NotAHeader)?;
    let quoted =
        quoted.trim().strip_prefix('"').and_then(|q| q.strip_suffix('"')).ok_or(RecordError::NotAHeader)?;
    check_header_name(name)?;
    Ok((name.to_owned(), unquote(quoted).ok_or(RecordError::NotAHeader)?))
}

/// Checks that a record in text can hold a header of this name.
fn check_header_name(name: &str) -> Result<(), RecordError> {
    match !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        true => Ok(()),
        false => Err(RecordError::HeaderName(name.to_owned())),
    }
}

fn unquote(quoted: &str) -> Option<String> {
    let mut text = String::new();
    let mut signs = quoted.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => text.push(signs.next().filter(|c| ['\\', '"'].contains(c))?),
            '"' => return None,
            sign => text.push(sign),
        }
    }
    Some(text)
}

enum Word {
    Turn(Turn),
    Result(Option<Vec<Seat>>),
}

fn read_word(word: &str) -> Result<Word, RecordError> {
    if word == "*" {
        return Ok(Word::Result(None));
    }
    if let Some(number) = word.strip_prefix("seat").and_then(|w| w.strip_suffix("-resigns")) {
        let seat = number.parse::<usize>().ok().and_then(|n| Seat::new(n.checked_sub(1)?));
        return seat
            .map(|s| Word::Turn(Turn::Resigns(s)))
            .ok_or_else(|| RecordError::NoSeat(number.to_owned()));
    }
    Ok(match read_result(word) {
        Some(winners) => Word::Result(Some(winners)),
        None if is_like_a_result(word) => {
            return Err(RecordError::Result { found: word.to_owned(), seats: word.split('-').count() });
        }
        None => Word::Turn(Turn::Move(word.to_owned())),
    })
}

/// Whether a word consists of numbers with dashes: no game writes moves like that.
fn is_like_a_result(word: &str) -> bool {
    let is_number = |share: &str| {
        !share.is_empty() && share.chars().all(|sign| sign.is_ascii_digit() || "/½.".contains(sign))
    };
    word.contains('-') && word.split('-').all(is_number)
}

/// The winners of `1-0`, `1/2-1/2`, `0-1/2-1/2` and the like; `None` if the word is not a result.
fn read_result(word: &str) -> Option<Vec<Seat>> {
    let shares: Vec<&str> = word.split('-').collect();
    let known = |share: &&str| ["0", "1", "1/2", "1/3", "1/4"].contains(share);
    if !(2..=4).contains(&shares.len()) || !shares.iter().all(known) {
        return None;
    }
    Some(Seat::all(shares.len()).filter(|seat| shares[seat.index()] != "0").collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    /// Random games of every kind and number of seats, some with resignations, read back to the same position.
    #[test]
    fn records_read_back_to_the_same_game() {
        for game in crate::all() {
            for (round, seats) in (0..3).flat_map(|r| game.info().seats.iter().copied().map(move |s| (r, s)))
            {
                let mut rng = SeededRng::new(round);
                let mut play = game.start(&Setup::new(seats).seeded(round)).unwrap();
                for turn in 0..30 + 40 * round {
                    if turn == 20 && seats > 2 {
                        play.retire(play.turn());
                    }
                    let Some(text) = rng.pick(&play.moves()).cloned() else { break };
                    play.play(&text).unwrap();
                }
                let headers = vec![("Seat1".to_owned(), "A \"quoted\\ name\" שלום".to_owned())];
                let record = Record::of(play.as_ref(), headers, play.outcome().map(|o| o.winners));
                let read = Record::read(&record.write(seats)).unwrap();
                assert_eq!(read, record);
                assert_eq!(read.replay().unwrap().line(), play.line(), "{}", game.info().key);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let read = |text| Record::read(text).unwrap_err();
        assert_eq!(read("[Start \"x\"]\n\n*").fault, RecordError::NoHeader("Game"));
        assert_eq!(read("[Game \"amazons\"]\n[Start x]\n*").line, 2);
        let after = RecordError::AfterResult("a1".to_owned()).at(3);
        assert_eq!(read("[Game \"amazons\"]\n[Start \"x\"]\n1-0 a1"), after);
        let start = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";
        let record =
            Record::read(&format!("[Game \"amazons\"]\n[Start \"{start}\"]\n\n1. d1-d7/g7 2. a1 *")).unwrap();
        let RecordError::Move(bad) = record.replay().err().unwrap().fault else { panic!("a1 is no move") };
        assert_eq!((bad.number, bad.text.as_str()), (2, "a1"));
    }

    /// A seat resigns once, and the last one cannot: a game needs a seat that can win it.
    #[test]
    fn resignations_in_records_are_validated() {
        let replay = |game: &str, seats, resigned: &[usize]| {
            let play = crate::named(game).unwrap().start(&Setup::new(seats)).unwrap();
            let seats = resigned.iter().map(|seat| Seat::new(*seat).unwrap());
            let turns = seats.map(Turn::Resigns).collect();
            Record { turns, ..Record::of(play.as_ref(), Vec::new(), None) }.replay().map(drop)
        };
        let cannot = |seat| Err(RecordError::CannotResign(Seat::new(seat).unwrap()).at(1));
        assert_eq!(replay("penguin_soccer", 4, &[0, 2, 1]), Ok(()));
        assert_eq!(replay("penguin_soccer", 4, &[0, 2, 1, 3]), cannot(3));
        assert_eq!(replay("penguins", 3, &[2, 1]), Ok(()));
        assert_eq!(replay("penguins", 3, &[2, 1, 0]), cannot(0));
        assert_eq!(replay("penguins", 3, &[2, 2]), cannot(2));
        assert_eq!(replay("penguins", 3, &[3]), cannot(3));
        assert_eq!(replay("amoeba", 2, &[0]), cannot(0));
    }

    /// Whatever shows a result looks up the winners' seats.
    #[test]
    fn result_names_the_seats_of_the_game() {
        let start = crate::named("amoeba").unwrap().start(&Setup::new(2)).unwrap().line();
        let fault = |found: &str| RecordError::Result { found: found.to_owned(), seats: 2 };
        for found in ["0-0-1", "1-0-0", "1/2-1/2-0-0", "0-1/3-1/3-1/3"] {
            let text = format!("[Game \"amoeba\"]\n[Start \"{start}\"]\n\n{found}");
            assert_eq!(Record::read(&text), Err(fault(found).at(4)));
        }
        let play = crate::named("amoeba").unwrap().start(&Setup::new(2)).unwrap();
        let third = Record::of(play.as_ref(), Vec::new(), Some(vec![Seat::new(2).unwrap()]));
        assert_eq!(third.replay().err(), Some(fault("0-0-1").at(1)));
        let json = third.to_json(3);
        assert_eq!(Record::from_json(&json), Err(fault("0-0-1").at(1)));
    }

    #[test]
    fn results_of_two_to_four_seats() {
        let seats = |numbers: &[usize]| numbers.iter().map(|n| Seat::new(*n).unwrap()).collect::<Vec<_>>();
        for (text, winners, count) in
            [("1-0", seats(&[0]), 2), ("1/2-1/2", seats(&[0, 1]), 2), ("0-1/2-0-1/2", seats(&[1, 3]), 4)]
        {
            assert_eq!(read_result(text), Some(winners.clone()));
            assert_eq!(result(&winners, count), text);
        }
        assert_eq!(read_result("a1-a2"), None);
    }
}
