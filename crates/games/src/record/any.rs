//! Reads a record in any format, or a position line.

use rookery_core::rules::{PositionParseError, Setup};
use rookery_core::{Game, Play};

use super::{BadRecord, Record, RecordError, is_number};

impl Record {
    /// Reads a record in any supported format, or a position: the game's key and its line (`amazons 3q2q3/… w - - 0
    /// 1`), or the moves of a game for two that always begins in the same way. `game` is the key of the game if the text
    /// does not name one; if neither does, the text must be readable by exactly one game.
    ///
    /// # Errors
    /// If the text can't be read; the error is that of the format it seems to have.
    pub fn read_any(text: &str, game: Option<&str>) -> Result<Record, BadRecord> {
        let text = text.trim().trim_matches('`').trim();
        match text.chars().next() {
            None => Err(RecordError::Empty.at(1)),
            Some('{') if is_abstract_play(text) => Record::from_abstract_play(text),
            Some('{') => Record::from_json(text),
            Some('[') => Record::read(&in_lines(text)),
            Some(_) => moves(text, game).unwrap_or_else(|| position(text, game)),
        }
    }
}

fn is_abstract_play(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok_and(|form| form.get("header").is_some())
}

/// Puts a line break after every header, since text typed into Discord may have lost them. A bracket inside a name does
/// not end a header.
fn in_lines(text: &str) -> String {
    let (mut lines, mut quoted) = (String::new(), false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        lines.push(sign);
        match sign {
            '\\' if quoted => lines.extend(signs.next()),
            '"' => quoted = !quoted,
            '\n' => quoted = false,
            ']' if !quoted => {
                let blank = signs.next_if_eq(&' ').is_some();
                if blank || signs.peek() == Some(&'[') {
                    lines.push('\n');
                }
            }
            _ => {}
        }
    }
    lines
}

fn position(text: &str, game: Option<&str>) -> Result<Record, BadRecord> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let named = |key: &str, line: &str| Record {
        game: key.to_owned(),
        start: line.trim().to_owned(),
        headers: Vec::new(),
        turns: Vec::new(),
        winners: None,
    };
    if let Some(game) = crate::named(first) {
        // Positions of errors count from the beginning of the whole text.
        let skipped = text.chars().count() - rest.trim_start().chars().count();
        let from_there = |bad: PositionParseError| {
            RecordError::Start(PositionParseError::new(bad.at + skipped, bad.wanted)).at(1)
        };
        return game.resume(rest.trim()).map(|_| named(first, rest)).map_err(from_there);
    }
    if let Some(game) = game {
        return Ok(named(game, text));
    }
    let keys = crate::all().iter().filter(|game| game.resume(text).is_ok()).map(|game| game.info().key);
    match keys.collect::<Vec<_>>().as_slice() {
        [only] => Ok(named(only, text)),
        [] => Err(RecordError::Unknown.at(1)),
        several => Err(RecordError::Several(several.to_vec()).at(1)),
    }
}

/// Reads moves without headers, as people write them: those of a game that always begins in the same way. `None` if the text
/// doesn't begin with a first move of such a game, or with anything like a move if the game is named.
fn moves(text: &str, game: Option<&str>) -> Option<Result<Record, BadRecord>> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (game, list) = if crate::named(first).is_some() { (Some(first), rest) } else { (game, text) };
    let opening = list.split_whitespace().find(|word| !is_number(word))?;
    // Lines are counted from the beginning of the whole text.
    let before = text[..text.len() - list.len()].matches('\n').count();
    if let Some(named) = game.filter(|_| is_like_a_move(opening)).and_then(crate::named) {
        let Some(start) = fixed_start(named) else { return Some(Err(RecordError::NoStart.at(1))) };
        return Some(listed(named.info().key, start.as_ref(), list, before));
    }
    let begins = |(_, play): &(&str, Box<dyn Play>)| play.clone_play().play(opening).is_ok();
    let candidates = crate::all().iter().filter(|known| game.is_none_or(|game| known.info().key == game));
    let begun = candidates.filter_map(|game| Some((game.info().key, fixed_start(*game)?))).filter(begins);
    match begun.collect::<Vec<_>>().as_slice() {
        [] => None,
        [(key, start)] => Some(listed(key, start.as_ref(), list, before)),
        several => Some(Err(RecordError::Several(several.iter().map(|(key, _)| *key).collect()).at(1))),
    }
}

/// Whether a word begins with a cell and a sign that leads to another one, as most moves do.
fn is_like_a_move(word: &str) -> bool {
    let rest = word.strip_prefix(|sign: char| sign.is_ascii_lowercase()).unwrap_or_default();
    let after = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
    after.len() < rest.len() && after.starts_with(['-', '>'])
}

/// The start of a game for two if it is always the same.
fn fixed_start(game: &dyn Game) -> Option<Box<dyn Play>> {
    let start = |seed| game.start(&Setup::new(2).seeded(seed)).ok();
    let (one, other) = (start(1)?, start(2)?);
    (one.line() == other.line()).then_some(one)
}

/// The record with these moves, which are below `before` lines of the text.
fn listed(key: &str, start: &dyn Play, text: &str, before: usize) -> Result<Record, BadRecord> {
    let headers = format!("[Game \"{key}\"]\n[Start \"{}\"]\n", start.line());
    let added = headers.lines().count();
    let in_the_text = |bad: BadRecord| bad.fault.at(bad.line.saturating_sub(added).max(1) + before);
    Record::read(&format!("{headers}{text}")).map_err(in_the_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1";

    #[test]
    fn a_position_is_read_with_its_game_or_without() {
        let wanted = Record::read_any(&format!("amazons {LINE}"), None).unwrap();
        assert_eq!((wanted.game.as_str(), wanted.start.as_str()), ("amazons", LINE));
        assert_eq!(Record::read_any(&format!("```\n{LINE}\n```"), None), Ok(wanted.clone()));
        assert_eq!(Record::read_any(LINE, Some("amazons")), Ok(wanted));
        assert_eq!(Record::read_any("good morning", None), Err(RecordError::Unknown.at(1)));
    }

    #[test]
    fn a_fault_is_counted_from_the_beginning_of_what_was_written() {
        let at = |text: &str, game| {
            let read = Record::read_any(text, game).and_then(|record| record.replay().map(drop));
            match read.unwrap_err().fault {
                RecordError::Start(bad) => bad.at,
                other => panic!("{other:?}"),
            }
        };
        let wrong = "1q2q1/q4z/6/6/Q4Q/1Q2Q1 w - - 0 1";
        let alone = at(wrong, Some("amazons"));
        assert_eq!(at(&format!("amazons  {wrong}"), None), "amazons  ".len() + alone);
    }

    #[test]
    fn what_looks_like_a_result_and_is_none_is_no_move() {
        let text = format!("[Game \"amazons\"]\n[Start \"{LINE}\"]\n\n1. b1-b2/b1 2-0");
        let fault = RecordError::Result { found: "2-0".to_owned(), seats: 2 };
        assert_eq!(Record::read_any(&text, None), Err(fault.at(4)));
    }

    #[test]
    fn a_record_in_one_line_is_read() {
        let text = format!("[Game \"amazons\"] [Start \"{LINE}\"] [Seat1 \"Ada\"] 1. b1-b2/b1 *");
        let record = Record::read_any(&text, None).unwrap();
        assert_eq!(record.turns.len(), 1);
        assert!(record.replay().is_ok());
    }

    /// The opening of a game of the Amazons: the first is a legal move of the standard position, and so on.
    #[test]
    fn moves_alone_are_read_as_a_game_from_the_usual_start() {
        const MOVES: &str = "1. d1-d7/g7\n2. g10-g8/d5 3. g1-g3/c3";
        for (text, game) in [
            (MOVES.to_owned(), None),
            (MOVES.to_owned(), Some("amazons")),
            (format!("amazons {MOVES}"), None),
            ("d1-d7/g7 g10-g8/d5 g1-g3/c3 *".to_owned(), None),
        ] {
            let record = Record::read_any(&text, game).unwrap_or_else(|bad| panic!("{text}: {bad}"));
            assert_eq!((record.game.as_str(), record.turns.len()), ("amazons", 3), "{text}");
            assert!(record.start.starts_with("3q2q3/10/10/q8q/"), "{text}");
            assert_eq!(record.replay().unwrap().ply(), 3, "{text}");
        }
        let won = Record::read_any("d1-d7/g7 1-0", None).unwrap();
        assert_eq!(won.winners, Some(vec![rookery_core::Seat::FIRST]));
        // The second move is wrong: nothing of that is hidden behind the first.
        let wrong =
            Record::read_any("1. d1-d7/g7\n2. g10-a1/d5", None).unwrap().replay().map(drop).unwrap_err();
        assert!(matches!(wrong.fault, RecordError::Move(_)), "{wrong}");
        let after = Record::read_any("1. d1-d7/g7\n1-0 2. g10-g8/d5", None).unwrap_err();
        assert_eq!(after, RecordError::AfterResult("g10-g8/d5".to_owned()).at(2));
        let below = Record::read_any("amazons\nd1-d7/g7\n1-0 g10-g8/d5", None).unwrap_err();
        assert_eq!(below, RecordError::AfterResult("g10-g8/d5".to_owned()).at(3));
    }

    #[test]
    fn moves_of_another_game_or_none_are_no_record() {
        assert_eq!(Record::read_any("hello d1-d7/g7", None), Err(RecordError::Unknown.at(1)));
        assert_eq!(Record::read_any("d1-d7/g7", Some("penguins")), Err(RecordError::NoStart.at(1)));
        let wrong = Record::read_any("1. d1-d1/g7", Some("amazons")).unwrap().replay().map(drop).unwrap_err();
        assert!(matches!(wrong.fault, RecordError::Move(_)), "{wrong}");
        assert!(Record::read_any("d1-d7", None).is_err(), "without its arrow");
    }

    /// Names are free text and may look like the end of a header.
    #[test]
    fn a_header_ends_where_its_quotation_does() {
        let name = "a\"] b \\\"][c] ".to_owned();
        let play = crate::named("amoeba").unwrap().start(&Setup::new(2)).unwrap();
        let record = Record::of(play.as_ref(), vec![("Seat1".to_owned(), name)], None);
        let written = record.write(2);
        assert_eq!(Record::read_any(&written, None), Ok(record.clone()));
        assert_eq!(Record::read_any(&written.replace('\n', " "), None), Ok(record));
    }

    /// A game as Abstract Play would publish it: without our headers, from the standard position.
    #[test]
    fn a_foreign_game_is_read() {
        let text = r#"{"header": {"game": {"name": "Amazons"}, "site": {"name": "Abstract Play"},
            "date-start": "2024-01-01T00:00:00Z", "date-end": "2024-01-02T00:00:00Z",
            "date-generated": "2024-01-02T00:00:00Z",
            "players": [{"name": "a", "result": 0}, {"name": "b", "result": 1}]},
            "moves": [["d1-d7/g7", {"move": "g10-g9/f9"}]]}"#;
        let record = Record::read_any(text, None).unwrap();
        assert_eq!(record.replay().unwrap().ply(), 2);
        assert_eq!(record.winners, Some(vec![rookery_core::Seat::SECOND]));
        assert_eq!(record.header("Seat2"), Some("b"));
        let variant = text.replace(r#""Amazons"}"#, r#""Amazons", "variants": ["Cross", "Tall"]}"#);
        let unknown = Record::read_any(&variant, None).unwrap_err();
        assert_eq!(unknown.fault, RecordError::Variants("Cross, Tall".to_owned()));
        let placed =
            variant.replace("\"players\"", &format!("\"startingPosition\": \"{LINE}\", \"players\""));
        assert_eq!(Record::read_any(&placed, None).unwrap().start, LINE);
        let none = text.replace(r#""Amazons"}"#, r#""Amazons", "variants": []}"#);
        assert_eq!(Record::read_any(&none, None), Ok(record));
    }
}
