//! The options of `/play` that are about time.

use serde_json::Value;

use crate::table::clock::ClockTerms;
use crate::words::Words;

use super::super::asked::Given;
use super::{Kind, chosen, completed, option};

/// The option that names a clock.
pub(super) const CLOCK: &str = "clock";
/// The option that says what happens when time is up.
const TIME_UP: &str = "time_up";
/// What can be added to a clock that is typed.
const MANNERS: [&str; 3] = ["", " hard", " no vacation"];

/// The options, as Discord wants them.
pub(super) fn options(words: &Words) -> [Value; 2] {
    let ends = ["soft", "hard"].map(|key| (words.word(&format!("choice-{key}")), key.to_owned()));
    [
        completed(option(words, Kind::Text, CLOCK, "command-play-clock")),
        chosen(option(words, Kind::Text, TIME_UP, "command-play-time_up"), ends),
    ]
}

/// The clock that somebody wishes for, or else the usual one of the server.
///
/// # Errors
/// A sentence on what is wrong with it.
pub(super) fn wish(words: &Words, given: &Given, usual: Option<&str>) -> Result<Option<ClockTerms>, String> {
    let Some(text) = given.text(CLOCK).or(usual) else { return Ok(None) };
    let clock = ClockTerms::read(text).map_err(|bad| words.bad_clock(&bad))?;
    let hard = given.text(TIME_UP).map(|end| end == "hard");
    Ok(clock.map(|clock| ClockTerms { hard: hard.unwrap_or(clock.hard), ..clock }))
}

/// Clocks that begin with what is typed; what is typed itself where it is one.
pub(super) fn complete(words: &Words, typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    let mut found: Vec<_> = words.presets().into_iter().filter(|shown| shown.starts_with(&typed)).collect();
    if found.is_empty() && ClockTerms::read(&typed).is_ok() {
        found.extend(MANNERS.map(|manner| format!("{typed}{manner}")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_come_first_and_own_clocks_when_they_can_be_read() {
        let words = Words::english();
        assert_eq!(complete(words, "").len(), 6);
        let daily = complete(words, "DA");
        assert!(daily.len() == 1 && daily[0].starts_with("daily (2 days"), "{daily:?}");
        assert_eq!(complete(words, "3d+12h"), ["3d+12h", "3d+12h hard", "3d+12h no vacation"]);
        assert_eq!(complete(words, "3d+"), Vec::<String>::new());
    }
}
