//! Time controls: the presets, and custom terms as people write them.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::model::millis::whole;

/// A minute of clock time.
pub const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// An hour of clock time.
pub const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// Twenty-four hours of clock time.
pub const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Lower bound of the initial time: a game by messages can't be played faster.
const MIN_FIRST: SignedDuration = SignedDuration::from_mins(1);
/// Upper bound of every time, so that a game with a clock ends.
const MAX_TIME: SignedDuration = SignedDuration::from_hours(100 * 24);

/// The time control that a table was opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockTerms {
    /// Time of every player at the start.
    #[serde(rename = "first_ms", with = "crate::model::millis::duration")]
    pub initial: SignedDuration,
    /// Time added after each turn.
    #[serde(rename = "add_ms", with = "crate::model::millis::duration")]
    pub increment: SignedDuration,
    /// The most time that a seat can hold; at least `initial` and `increment`.
    #[serde(rename = "cap_ms", with = "crate::model::millis::duration")]
    pub cap: SignedDuration,
    /// Whether the game ends by itself when a player runs out of time; otherwise the other players decide.
    #[serde(default)]
    pub hard: bool,
    /// Whether clocks keep running through players' days off.
    #[serde(default)]
    pub no_vacation: bool,
}

/// The named time controls, the fastest first.
pub const PRESETS: [(&str, ClockTerms); 5] = [
    (
        "live",
        ClockTerms {
            hard: true,
            no_vacation: true,
            ..soft(mins(15), SignedDuration::from_secs(20), mins(15))
        },
    ),
    ("fast", soft(hours(24), hours(8), hours(48))),
    ("daily", soft(hours(48), hours(24), hours(96))),
    ("weekly", soft(hours(72), hours(48), hours(168))),
    ("golem", soft(hours(240), hours(36), hours(240))),
];

/// The keyword for a table without a clock.
pub const NONE: &str = "none";

const fn mins(count: i64) -> SignedDuration {
    SignedDuration::from_mins(count)
}

const fn hours(count: i64) -> SignedDuration {
    SignedDuration::from_hours(count)
}

const fn soft(initial: SignedDuration, increment: SignedDuration, cap: SignedDuration) -> ClockTerms {
    ClockTerms { initial, increment, cap, hard: false, no_vacation: false }
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockParseError {
    /// This part is neither a preset nor a length of time.
    #[error("{0:?} is no length of time")]
    NoLength(String),
    /// The initial time is less than a minute.
    #[error("less than a minute")]
    TooShort,
    /// A time is more than a hundred days.
    #[error("more than a hundred days")]
    TooLong,
    /// The cap is below the initial time or the increment.
    #[error("the cap is below the rest")]
    LowCap,
}

impl ClockTerms {
    /// Returns the preset of this name.
    pub fn preset(name: &str) -> Option<ClockTerms> {
        PRESETS.iter().find(|(read_custom, _)| *read_custom == name).map(|(_, terms)| *terms)
    }

    /// Returns the name of the preset with the same times, whatever its other options.
    pub fn name(&self) -> Option<&'static str> {
        let times = |terms: &ClockTerms| (terms.initial, terms.increment, terms.cap);
        PRESETS.iter().find(|(_, terms)| times(terms) == times(self)).map(|(name, _)| *name)
    }

    /// Parses a time control as people write it: `daily`, `3d+12h cap 6d`, `30m hard`, `3d per move`,
    /// `fast no vacation`. Text in brackets is ignored. Returns `None` for a table without a clock.
    ///
    /// # Errors
    /// [`ClockParseError`], with the part that cannot be read.
    pub fn read(text: &str) -> Result<Option<ClockTerms>, ClockParseError> {
        let (text, options) = ClockOptions::split_from(&without_brackets(text));
        if text == NONE {
            return Ok(None);
        }
        let terms = ClockTerms::preset(&text).map_or_else(|| read_custom(&text), Ok)?;
        Ok(Some(options.on(terms)))
    }

    /// Returns whether every move has the same time, whatever was left before.
    pub fn is_per_move(&self) -> bool {
        self.initial == self.increment && self.increment == self.cap
    }

    /// Returns how much time one gift adds: the increment, or a quarter of the initial time
    /// if that is more.
    pub fn gift(&self) -> SignedDuration {
        // In whole milliseconds, as the journal keeps it.
        self.increment.max(SignedDuration::from_millis(whole(self.initial / 4)))
    }
}

/// The options of a time control that a text sets explicitly.
struct ClockOptions {
    hard: Option<bool>,
    no_vacation: Option<bool>,
}

impl ClockOptions {
    /// Splits the option words from the rest of a text.
    fn split_from(text: &str) -> (String, ClockOptions) {
        let mut options = ClockOptions { hard: None, no_vacation: None };
        let mut left = Vec::new();
        let mut words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            match word {
                "hard" | "soft" => options.hard = Some(word == "hard"),
                "no" if words.next_if_eq(&"vacation").is_some() => options.no_vacation = Some(true),
                "vacation" => options.no_vacation = Some(false),
                word => left.push(word),
            }
        }
        (left.join(" "), options)
    }

    fn on(&self, terms: ClockTerms) -> ClockTerms {
        let hard = self.hard.unwrap_or(terms.hard);
        ClockTerms { hard, no_vacation: self.no_vacation.unwrap_or(terms.no_vacation), ..terms }
    }
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let kept = text.chars().filter(|sign| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    });
    kept.collect::<String>().to_lowercase()
}

/// The endings of a fixed time per move.
const PER_MOVE: [&str; 3] = ["per move", "a move", "/move"];

/// Parses `FIRST[+ADD][cap CAP]`, or `TIME per move`. Without a cap, the cap is twice the initial time, or the initial
/// time if there is no increment.
fn read_custom(text: &str) -> Result<ClockTerms, ClockParseError> {
    if let Some(each) = PER_MOVE.iter().find_map(|ending| text.strip_suffix(ending)) {
        let each = parse_length(each)?;
        return checked(soft(each, each, each));
    }
    let (head, cap) = match text.split_once("cap") {
        Some((head, cap)) => (head, Some(parse_length(cap)?)),
        None => (text, None),
    };
    let (first, add) = match head.split_once('+') {
        Some((first, add)) => (first, parse_length(add)?),
        None => (head, SignedDuration::ZERO),
    };
    let initial = parse_length(first)?;
    let usual_cap = if add.is_zero() { initial } else { add.max(2 * initial).min(MAX_TIME) };
    checked(soft(initial, add, cap.unwrap_or(usual_cap)))
}

fn checked(terms: ClockTerms) -> Result<ClockTerms, ClockParseError> {
    let ClockTerms { initial, increment, cap, .. } = terms;
    if initial < MIN_FIRST {
        return Err(ClockParseError::TooShort);
    }
    if initial.max(increment).max(cap) > MAX_TIME {
        return Err(ClockParseError::TooLong);
    }
    if cap < initial.max(increment) { Err(ClockParseError::LowCap) } else { Ok(terms) }
}

/// Parses a duration: numbers with units, such as `1d 12h` or `90 min`.
///
/// # Errors
/// If the text is not a duration, or the duration is longer than a clock may have.
pub fn parse_length(text: &str) -> Result<SignedDuration, ClockParseError> {
    let bad = || ClockParseError::NoLength(text.trim().to_owned());
    let mut rest = text.trim();
    let mut sum = SignedDuration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|sign: char| !sign.is_ascii_digit()).ok_or_else(bad)?;
        let number: i64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = rest[digits..].trim_start();
        let request = rest.find(|sign: char| !sign.is_alphabetic()).unwrap_or(rest.len());
        let unit = unit(&rest[..request]).ok_or_else(bad)?;
        let part = number.checked_mul(whole(unit)).map(SignedDuration::from_millis);
        sum = part.and_then(|part| part.checked_add(sum)).ok_or(ClockParseError::TooLong)?;
        if sum > MAX_TIME {
            return Err(ClockParseError::TooLong);
        }
        rest = rest[request..].trim_start();
    }
    if text.trim().is_empty() { Err(bad()) } else { Ok(sum) }
}

fn unit(unit: &str) -> Option<SignedDuration> {
    Some(match unit {
        "s" | "sec" | "second" | "seconds" => SignedDuration::from_secs(1),
        "m" | "min" | "minute" | "minutes" => MINUTE,
        "h" | "hour" | "hours" => HOUR,
        "d" | "day" | "days" => DAY,
        "w" | "week" | "weeks" => 7 * DAY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ClockTerms {
        ClockTerms::read(text).unwrap().unwrap()
    }

    fn times(text: &str) -> [SignedDuration; 3] {
        let terms = read(text);
        [terms.initial, terms.increment, terms.cap]
    }

    /// The numbers are those of issue 6.
    #[test]
    fn presets_give_what_they_promise() {
        assert_eq!(times("live"), [15 * MINUTE, SignedDuration::from_secs(20), 15 * MINUTE]);
        assert_eq!(times("fast"), [24, 8, 48].map(|hours| hours * HOUR));
        assert_eq!(times("Daily "), [48, 24, 96].map(|hours| hours * HOUR));
        assert_eq!(times("weekly"), [72, 48, 168].map(|hours| hours * HOUR));
        assert_eq!(times("golem"), [240, 36, 240].map(|hours| hours * HOUR));
        assert_eq!(ClockTerms::read("none"), Ok(None));
        assert!(read("live").hard && !read("daily").hard);
        for (name, terms) in PRESETS {
            assert_eq!(terms.name(), Some(name));
            assert_eq!(checked(terms), Ok(terms));
        }
    }

    #[test]
    fn own_clocks_are_read_leniently() {
        assert_eq!(times("3d+12h cap 6d"), [3 * DAY, 12 * HOUR, 6 * DAY]);
        for text in ["3d per move", "3 days a move", "3d/move"] {
            assert_eq!(times(text), [3 * DAY; 3], "{text}");
            assert!(read(text).is_per_move());
        }
        assert!(read("3d per move hard").hard && !read("3d+1d").is_per_move());
        assert_eq!(times(" 1 day 12 hours + 90min, CAP 2 weeks"), [36 * HOUR, 90 * MINUTE, 14 * DAY]);
        assert_eq!(times("10m"), [10 * MINUTE, SignedDuration::ZERO, 10 * MINUTE]);
        assert_eq!(times("10m+5s"), [10 * MINUTE, SignedDuration::from_secs(5), 20 * MINUTE]);
        assert_eq!(read("2d hard").initial, 2 * DAY);
        assert!(read("2d hard").hard && read("daily hard, no vacation").no_vacation);
        assert!(!read("live soft vacation").hard && !read("live soft vacation").no_vacation);
        assert_eq!(read("daily (two days, a day a move)"), read("daily"));
    }

    #[test]
    fn what_is_no_clock_is_named() {
        let error = |text| ClockTerms::read(text).unwrap_err();
        assert_eq!(error("soon"), ClockParseError::NoLength("soon".into()));
        assert_eq!(error("3d+x cap 6d"), ClockParseError::NoLength("x".into()));
        assert_eq!(error("3"), ClockParseError::NoLength("3".into()));
        assert_eq!(error(""), ClockParseError::NoLength(String::new()));
        assert_eq!(error("59s"), ClockParseError::TooShort);
        assert_eq!(error("101d"), ClockParseError::TooLong);
        assert_eq!(error("99999999999999999d"), ClockParseError::TooLong);
        assert_eq!(error("3d cap 2d"), ClockParseError::LowCap);
        // The sum is one that overflows when it is doubled for the cap.
        let parts = ["106751991167d"; 600].join(" ");
        assert_eq!(error(&format!("{parts}+1s")), ClockParseError::TooLong);
    }
}
