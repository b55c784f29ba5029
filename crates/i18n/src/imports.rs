//! Errors of imported records and positions in words.
use rookery_games::record::{BadMove, BadRecord, RecordError};

use super::{Arg, Localizer, quoted};

impl Localizer {
    /// Explains why a text is not a record, where, and what to do next.
    pub fn bad_record(&self, bad: &BadRecord) -> String {
        // Most imports have one line or are wrong as a whole; a line number would not help there.
        let key = if bad.line > 1 { "import-bad-line" } else { "import-bad" };
        self.say(key, &[("line", bad.line.into()), ("why", self.fault(&bad.fault).into())])
    }

    fn fault(&self, fault: &RecordError) -> String {
        match fault {
            RecordError::Empty => self.word("fault-empty"),
            RecordError::Unknown => self.word("fault-unknown"),
            RecordError::Several(games) => {
                let games: Vec<_> = games.iter().map(|key| self.game(key)).collect();
                self.say("fault-several", &[("games", self.either(&games).into())])
            }
            RecordError::NoGame(name) => self.no_such_game(name),
            RecordError::Start(bad) => self.bad_line(bad),
            RecordError::NoStart => self.word("fault-no-start"),
            RecordError::Variants(names) => self.on("fault-variants", names),
            RecordError::TooLong { most } => self.say("fault-too-long", &[("most", (*most).into())]),
            RecordError::CannotResign(seat) => {
                self.say("fault-cannot-resign", &[("found", seat.to_string().into())])
            }
            RecordError::NoSeat(number) => self.on("fault-no-seat", number),
            RecordError::Move(bad) => self.bad_move(bad),
            RecordError::AfterResult(found) => self.on("fault-after-result", found),
            RecordError::Result { found, seats } => {
                let args: [Arg<'_>; 2] = [("found", quoted(found).into()), ("seats", (*seats).into())];
                self.say("fault-result", &args)
            }
            RecordError::NoHeader(name) => self.on("fault-no-header", name),
            RecordError::NotAHeader => self.word("fault-not-a-header"),
            RecordError::HeaderName(name) => self.on("fault-header-name", name),
            RecordError::NotJson { column } => self.say("fault-not-json", &[("at", (*column).into())]),
            RecordError::UnknownField(field) => self.on("fault-json-unknown", field),
            RecordError::OtherJson { part: Some(part) } => self.on("fault-json-part", part),
            RecordError::OtherJson { part: None } => self.word("fault-json-other"),
            RecordError::Format { found, wanted } => {
                self.say("fault-format", &[("found", quoted(found).into()), ("wanted", (*wanted).into())])
            }
        }
    }

    /// Formats a sentence about a quoted part of the text.
    fn on(&self, key: &str, found: &str) -> String {
        self.say(key, &[("found", quoted(found).into())])
    }

    fn bad_move(&self, bad: &BadMove) -> String {
        let play = rookery_games::named(bad.game).and_then(|game| game.resume(&bad.position).ok());
        let why = self.move_error(&bad.wrong, play.as_deref());
        let args = [("number", bad.number.into()), ("move", quoted(&bad.text).into()), ("why", why.into())];
        self.say("fault-move", &args)
    }
}
