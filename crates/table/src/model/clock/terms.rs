//! Time controls: the presets, and custom terms as people write them.

use serde::{Deserialize, Serialize};

/// Milliseconds in a minute.
pub const MINUTE_MS: i64 = 60_000;
/// Milliseconds in an hour.
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
/// Milliseconds in a day.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// The shortest initial time: a game played by messages needs at least a minute.
const MIN_FIRST_MS: i64 = MINUTE_MS;
/// The longest value of any time: a clock exists so that a game ends.
const MAX_MS: i64 = 100 * DAY_MS;

/// The time control that a table was opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockTerms {
    /// The initial time of every seat, in milliseconds.
    pub first_ms: i64,
    /// The increment after each turn, in milliseconds.
    pub add_ms: i64,
    /// The most time that a seat can hold, in milliseconds; at least `first_ms` and `add_ms`.
    pub cap_ms: i64,
    /// Whether the game ends by itself when a player runs out of time; otherwise the other players decide.
    #[serde(default)]
    pub hard: bool,
    /// Whether clocks keep running through players' days off.
    #[serde(default)]
    pub no_vacation: bool,
}

/// The named time controls, the fastest first.
pub const PRESETS: [(&str, ClockTerms); 5] = [
    ("live", ClockTerms { hard: true, no_vacation: true, ..soft(15 * MINUTE_MS, 20_000, 15 * MINUTE_MS) }),
    ("fast", soft(24 * HOUR_MS, 8 * HOUR_MS, 48 * HOUR_MS)),
    ("daily", soft(48 * HOUR_MS, 24 * HOUR_MS, 96 * HOUR_MS)),
    ("weekly", soft(72 * HOUR_MS, 48 * HOUR_MS, 168 * HOUR_MS)),
    ("golem", soft(10 * DAY_MS, 36 * HOUR_MS, 10 * DAY_MS)),
];

/// The keyword for a table without a clock.
pub const NONE: &str = "none";

const fn soft(first_ms: i64, add_ms: i64, cap_ms: i64) -> ClockTerms {
    ClockTerms { first_ms, add_ms, cap_ms, hard: false, no_vacation: false }
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
        let times = |terms: &ClockTerms| (terms.first_ms, terms.add_ms, terms.cap_ms);
        PRESETS.iter().find(|(_, terms)| times(terms) == times(self)).map(|(name, _)| *name)
    }

    /// Parses a time control as people write it: `daily`, `3d+12h cap 6d`, `30m hard`, `fast no vacation`.
    /// Text in brackets is ignored. Returns `None` for a table without a clock.
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

    /// Returns how much time one gift adds, in milliseconds: the increment, or a quarter of the initial time
    /// if that is more.
    pub fn gift_ms(&self) -> i64 {
        self.add_ms.max(self.first_ms / 4)
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

/// Parses `FIRST[+ADD][cap CAP]`. Without a cap, the cap is twice the initial time, or the initial time if
/// there is no increment.
fn read_custom(text: &str) -> Result<ClockTerms, ClockParseError> {
    let (head, cap) = match text.split_once("cap") {
        Some((head, cap)) => (head, Some(length_ms(cap)?)),
        None => (text, None),
    };
    let (first, add) = match head.split_once('+') {
        Some((first, add)) => (first, length_ms(add)?),
        None => (head, 0),
    };
    let first_ms = length_ms(first)?;
    let usual_cap = if add == 0 { first_ms } else { add.max(2 * first_ms).min(MAX_MS) };
    checked(soft(first_ms, add, cap.unwrap_or(usual_cap)))
}

fn checked(terms: ClockTerms) -> Result<ClockTerms, ClockParseError> {
    let ClockTerms { first_ms, add_ms, cap_ms, .. } = terms;
    if first_ms < MIN_FIRST_MS {
        return Err(ClockParseError::TooShort);
    }
    if first_ms.max(add_ms).max(cap_ms) > MAX_MS {
        return Err(ClockParseError::TooLong);
    }
    if cap_ms < first_ms.max(add_ms) { Err(ClockParseError::LowCap) } else { Ok(terms) }
}

/// Parses a length of time into milliseconds: numbers with units, such as `1d 12h` or `90 min`.
///
/// # Errors
/// If the text is not a length of time, or the sum overflows.
pub fn length_ms(text: &str) -> Result<i64, ClockParseError> {
    let bad = || ClockParseError::NoLength(text.trim().to_owned());
    let mut rest = text.trim();
    let mut sum_ms = 0_i64;
    while !rest.is_empty() {
        let digits = rest.find(|sign: char| !sign.is_ascii_digit()).ok_or_else(bad)?;
        let number: i64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = rest[digits..].trim_start();
        let request = rest.find(|sign: char| !sign.is_alphabetic()).unwrap_or(rest.len());
        let part_ms = number.checked_mul(unit_ms(&rest[..request]).ok_or_else(bad)?);
        sum_ms = part_ms.and_then(|part_ms| part_ms.checked_add(sum_ms)).ok_or(ClockParseError::TooLong)?;
        rest = rest[request..].trim_start();
    }
    if text.trim().is_empty() { Err(bad()) } else { Ok(sum_ms) }
}

fn unit_ms(unit: &str) -> Option<i64> {
    Some(match unit {
        "s" | "sec" | "second" | "seconds" => 1_000,
        "m" | "min" | "minute" | "minutes" => MINUTE_MS,
        "h" | "hour" | "hours" => HOUR_MS,
        "d" | "day" | "days" => DAY_MS,
        "w" | "week" | "weeks" => 7 * DAY_MS,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ClockTerms {
        ClockTerms::read(text).unwrap().unwrap()
    }

    fn times(text: &str) -> [i64; 3] {
        let terms = read(text);
        [terms.first_ms, terms.add_ms, terms.cap_ms]
    }

    /// The numbers are those of issue 6.
    #[test]
    fn presets_give_what_they_promise() {
        assert_eq!(times("live"), [900_000, 20_000, 900_000]);
        assert_eq!(times("fast"), [24, 8, 48].map(|hours| hours * HOUR_MS));
        assert_eq!(times("Daily "), [48, 24, 96].map(|hours| hours * HOUR_MS));
        assert_eq!(times("weekly"), [72, 48, 168].map(|hours| hours * HOUR_MS));
        assert_eq!(times("golem"), [240, 36, 240].map(|hours| hours * HOUR_MS));
        assert_eq!(ClockTerms::read("none"), Ok(None));
        assert!(read("live").hard && !read("daily").hard);
        for (name, terms) in PRESETS {
            assert_eq!(terms.name(), Some(name));
            assert_eq!(checked(terms), Ok(terms));
        }
    }

    #[test]
    fn own_clocks_are_read_leniently() {
        assert_eq!(times("3d+12h cap 6d"), [3 * DAY_MS, 12 * HOUR_MS, 6 * DAY_MS]);
        assert_eq!(
            times(" 1 day 12 hours + 90min, CAP 2 weeks"),
            [36 * HOUR_MS, 90 * MINUTE_MS, 14 * DAY_MS]
        );
        assert_eq!(times("10m"), [10 * MINUTE_MS, 0, 10 * MINUTE_MS]);
        assert_eq!(times("10m+5s"), [10 * MINUTE_MS, 5_000, 20 * MINUTE_MS]);
        assert_eq!(read("2d hard").first_ms, 2 * DAY_MS);
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
    }
}
