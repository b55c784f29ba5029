//! Periods of a day and of a week: the offered ones, and their names.

use rookery_i18n::Localizer;
use rookery_table::calendar::{DAY_MIN, Daily, WEEK_MIN, Weekly};

use super::panel::NONE;

/// The hours at which quiet hours may begin, starting in the evening.
const BEGIN_H: [u16; 6] = [19, 20, 21, 22, 23, 0];
/// The hours at which quiet hours may end.
const END_H: [u16; 4] = [6, 7, 8, 9];
/// The offered periods besides single days: Friday evening to Saturday night, and the whole weekend.
const LONG_PERIODS: [Weekly; 2] = [
    Weekly { from_min: 4 * DAY_MIN + 18 * 60, to_min: 5 * DAY_MIN + 20 * 60 },
    Weekly { from_min: 5 * DAY_MIN, to_min: 0 },
];

/// Returns the offered quiet hours, by value and name.
pub(super) fn daily(words: &Localizer) -> Vec<(String, String)> {
    let spans =
        BEGIN_H.iter().flat_map(|from| END_H.map(|to| Daily { from_min: from * 60, to_min: to * 60 }));
    let named =
        spans.map(|span| (format!("{}-{}", span.from_min, span.to_min), daily_name(words, Some(span))));
    std::iter::once((NONE.to_owned(), words.word("value-none"))).chain(named).collect()
}

/// Returns the name of quiet hours.
pub(super) fn daily_name(words: &Localizer, span: Option<Daily>) -> String {
    let Some(span) = span else { return words.word("value-none") };
    words.say("value-span", &[("from", time(span.from_min).into()), ("to", time(span.to_min).into())])
}

/// Returns the offered periods of a week, by value and name.
pub(super) fn weekly(words: &Localizer) -> Vec<(String, String)> {
    let days = (0..7).map(|day| Weekly { from_min: day * DAY_MIN, to_min: (day + 1) * DAY_MIN % WEEK_MIN });
    let spans = days.chain(LONG_PERIODS);
    let named =
        spans.map(|span| (format!("{}-{}", span.from_min, span.to_min), weekly_name(words, Some(span))));
    std::iter::once((NONE.to_owned(), words.word("value-none"))).chain(named).collect()
}

/// Returns the name of a period of a week; a day by its own name.
pub(super) fn weekly_name(words: &Localizer, span: Option<Weekly>) -> String {
    let Some(Weekly { from_min, to_min }) = span else { return words.word("value-none") };
    let day = |minute: u16| words.word(&format!("day-{}", minute / DAY_MIN % 7));
    if from_min.is_multiple_of(DAY_MIN) && (from_min + DAY_MIN) % WEEK_MIN == to_min {
        return day(from_min);
    }
    let end = |minute: u16| format!("{} {}", day(minute), time(minute % DAY_MIN));
    words.say("value-span", &[("from", end(from_min).into()), ("to", end(to_min).into())])
}

/// Parses two numbers of minutes, each below a limit: `1320-420`.
pub(super) fn read(value: &str, below: u16) -> Option<(u16, u16)> {
    let (from, to) = value.split_once('-')?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from < below && to < below).then_some((from, to))
}

/// Formats minutes since midnight: `07:00`.
fn time(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}
