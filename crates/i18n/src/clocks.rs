//! Time in words: durations, moments, clocks and time controls.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use rookery_table::Table;
use rookery_table::clock::{Clock, ClockParseError, ClockTerms, DAY, GRACE, HOUR, MINUTE, terms};

use super::names::two_a_line;
use super::{Arg, Localizer, quoted};

/// Names of units by their length in seconds, the longest first.
const UNITS: [(i64, &str); 4] = [
    (DAY.as_secs(), "time-days"),
    (HOUR.as_secs(), "time-hours"),
    (MINUTE.as_secs(), "time-minutes"),
    (1, "time-seconds"),
];

/// Returns the seconds since 1970, rounded down.
fn unix_seconds(at: Timestamp) -> i64 {
    at.as_millisecond().div_euclid(1_000)
}

/// Formats a moment as a Discord timestamp that each client shows relative to now: "in 5 hours".
pub fn relative(at: Timestamp) -> String {
    format!("<t:{}:R>", unix_seconds(at))
}

/// Formats a moment as a Discord timestamp that each client shows as a date and a time.
pub fn moment(at: Timestamp) -> String {
    format!("<t:{}:f>", unix_seconds(at))
}

/// Formats a moment as a Discord timestamp that each client shows as a time of day.
fn time_of_day(at: Timestamp) -> String {
    format!("<t:{}:t>", unix_seconds(at))
}

impl Localizer {
    /// Formats a duration in its two largest units: "2 days 3 hours", "15 minutes".
    pub fn length(&self, length: SignedDuration) -> String {
        let seconds = length.as_secs().max(0);
        let Some(first) = UNITS.iter().position(|(unit, _)| *unit <= seconds) else {
            return self.say("time-seconds", &[("count", 0.into())]);
        };
        let mut rest = seconds;
        let mut parts = Vec::new();
        for (unit, key) in UNITS.iter().skip(first).take(2) {
            let count = rest / unit;
            rest %= unit;
            if count > 0 {
                parts.push(self.say(key, &[("count", count.into())]));
            }
        }
        parts.join(" ")
    }

    /// Describes a time control in a sentence: "Time control: daily (2 days plus 1 day per move, …).".
    pub fn clock_terms(&self, clock: &ClockTerms) -> String {
        self.say("clock-says-terms", &[("clock", self.agreed(clock).into())])
    }

    /// Describes a time control without the words before it.
    fn agreed(&self, clock: &ClockTerms) -> String {
        let mut end = vec![self.word(if clock.hard { "clock-hard" } else { "clock-soft" })];
        let grace = || self.say("clock-grace", &[("grace", self.length(GRACE).into())]);
        end.extend((clock.initial < GRACE).then(grace));
        end.extend(clock.no_vacation.then(|| self.word("clock-no-vacation")));
        let (times, end) = (self.clock_times(clock), end.join("; "));
        match clock.name() {
            Some(name) => {
                let name = self.word(&format!("config-clock-{name}"));
                self.say(
                    "clock-named",
                    &[("name", name.into()), ("times", times.into()), ("end", end.into())],
                )
            }
            None => self.say("clock-own", &[("times", times.into()), ("end", end.into())]),
        }
    }

    /// Describes the times of a time control: the first time, the increment and the cap.
    pub fn clock_times(&self, clock: &ClockTerms) -> String {
        let first = self.length(clock.initial);
        if clock.increment.is_zero() {
            return self.say("clock-times-plain", &[("first", first.into())]);
        }
        if clock.is_per_move() {
            return self.say("clock-times-per-move", &[("time", first.into())]);
        }
        let [add, cap] = [clock.increment, clock.cap].map(|length| self.length(length));
        self.say("clock-times", &[("first", first.into()), ("add", add.into()), ("cap", cap.into())])
    }

    /// Explains why a text is not a time control, and how to write one.
    pub fn bad_clock(&self, bad: &ClockParseError) -> String {
        match bad {
            ClockParseError::NoLength(text) if text.is_empty() => self.word("clock-empty"),
            ClockParseError::NoLength(text) => self.say("clock-unknown", &[("text", quoted(text).into())]),
            ClockParseError::TooShort => self.word("clock-short"),
            ClockParseError::TooLong => self.word("clock-long"),
            ClockParseError::LowCap => self.word("clock-cap"),
        }
    }

    /// Formats the clocks of all players who have one, for a line under a board: the times at the latest
    /// event, and the moment at which the mover's clock ends. `None` for a table without a clock.
    pub fn clocks(&self, table: &Table) -> Option<String> {
        let clock = table.clock()?;
        let one = |seat| self.clock_of(table, clock, seat);
        let all: Vec<_> = timed(table).map(one).collect();
        (!all.is_empty()).then(|| self.say("clock-line", &[("clocks", two_a_line(&all).into())]))
    }

    fn clock_of(&self, table: &Table, clock: &Clock, seat: Seat) -> String {
        let (who, now) = (self.seated(table, seat), table.at());
        let left = clock.left(seat, now);
        let runs = (clock.mover() == Some(seat)).then(|| clock.deadline()).flatten();
        let rests = runs.and_then(|_| clock.rests_until(now));
        match (runs, rests) {
            (Some(up_at), _) if up_at <= now => self.say("clock-up", &[("who", who.into())]),
            (Some(_), Some(until)) => self.say(
                "clock-rests",
                &[("who", who.into()), ("left", self.length(left).into()), ("until", moment(until).into())],
            ),
            (Some(up_at), None) => {
                let end = End { runs_out: clock.runs_out().unwrap_or(up_at), up_at };
                let (who, when) = (("who", who.into()), ("when", relative(end.runs_out).into()));
                match end.at(now) {
                    ClockState::Runs => self.say("clock-runs", &[who, when]),
                    ClockState::RunsInGrace => self.say("clock-runs-grace", &[who, when, end.counts_from()]),
                    ClockState::OutInGrace => self.say("clock-out-grace", &[who, end.counts_from()]),
                }
            }
            (None, _) => self.say("clock-stands", &[("who", who.into()), ("left", self.length(left).into())]),
        }
    }

    /// Describes all clocks at a moment, in sentences.
    pub fn describe_clocks(&self, table: &Table, now: Timestamp) -> String {
        let name = ("table", table.id().to_string().into());
        let Some(clock) = table.clock() else { return self.say("clock-none", &[name]) };
        let mut said: Vec<_> =
            timed(table).map(|seat| self.describe_clock(table, clock, seat, now)).collect();
        said.extend(clock.is_stopped().then(|| self.word("clock-says-paused")));
        let terms = self.clock_terms(clock.terms());
        let end = self.word(match clock.terms().hard {
            true => "clock-says-hard",
            false if table.others_play_on() => "clock-says-soft-many",
            false => "clock-says-soft",
        });
        let terms = format!("{terms}\n{end}");
        self.say("clock-page", &[name, ("clocks", said.join("\n").into()), ("terms", terms.into())])
    }

    fn describe_clock(&self, table: &Table, clock: &Clock, seat: Seat, now: Timestamp) -> String {
        let (who, left) = (("who", self.seated(table, seat).into()), clock.left(seat, now));
        let left = ("left", self.length(left).into());
        let runs = (clock.mover() == Some(seat)).then(|| clock.deadline()).flatten();
        let until = |at| ("until", moment(at).into());
        match (runs, runs.and_then(|_| clock.rests_until(now))) {
            (Some(up_at), _) if up_at <= now => self.say("clock-says-up", &[who]),
            (Some(_), Some(end)) => self.say("clock-says-rests", &[who, left, until(end)]),
            (Some(up_at), None) => {
                let end = End { runs_out: clock.runs_out().unwrap_or(up_at), up_at };
                let (from, when) = (end.counts_from(), ("when", relative(end.runs_out).into()));
                match end.at(now) {
                    ClockState::Runs => self.say("clock-says-runs", &[who, left, until(up_at), when]),
                    ClockState::RunsInGrace => {
                        self.say("clock-says-runs-grace", &[who, left, until(end.runs_out), when, from])
                    }
                    ClockState::OutInGrace => self.say("clock-says-out-grace", &[who, from]),
                }
            }
            (None, _) => self.say("clock-says-stands", &[who, left]),
        }
    }

    /// Lists every preset as it is typed, with its times: "daily (2 days, 1 day more a turn, …)".
    pub fn presets(&self) -> Vec<String> {
        let presets = terms::PRESETS.iter();
        let named = presets.map(|(name, clock)| format!("{name} ({})", self.clock_times(clock)));
        named.chain([terms::NONE.to_owned()]).collect()
    }
}

/// The two ends of a running time: when it is used up, and when the flag falls, which is never in a game's
/// first minutes.
#[derive(Clone, Copy)]
struct End {
    runs_out: Timestamp,
    up_at: Timestamp,
}

/// The state of a running time at a moment.
enum ClockState {
    Runs,
    RunsInGrace,
    OutInGrace,
}

impl End {
    fn at(self, now: Timestamp) -> ClockState {
        match self.runs_out {
            runs_out if runs_out >= self.up_at => ClockState::Runs,
            runs_out if runs_out > now => ClockState::RunsInGrace,
            _ => ClockState::OutInGrace,
        }
    }

    fn counts_from(self) -> Arg<'static> {
        ("from", time_of_day(self.up_at).into())
    }
}

/// Returns the seats that have a clock: those of people who still play.
fn timed(table: &Table) -> impl Iterator<Item = Seat> + '_ {
    let is_person = |seat: &Seat| table.occupant(*seat).is_some_and(|chair| chair.person().is_some());
    table.playing_seats().filter(is_person)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_said_in_two_units() {
        let words = Localizer::english();
        let said = |length| words.length(length);
        assert_eq!(said(DAY + 3 * HOUR + 5 * MINUTE), "1 day 3 hours");
        assert_eq!(said(2 * DAY + 5 * MINUTE), "2 days");
        assert_eq!(said(15 * MINUTE), "15 minutes");
        assert_eq!(said(SignedDuration::from_millis(61_999)), "1 minute 1 second");
        assert_eq!(
            [said(SignedDuration::from_millis(999)), said(SignedDuration::from_millis(-5))],
            ["0 seconds", "0 seconds"]
        );
    }

    #[test]
    fn terms_say_all_that_was_agreed() {
        let words = Localizer::english();
        let live = words.clock_terms(&ClockTerms::preset("live").unwrap());
        let times = "Time control: live (15 minutes plus 20 seconds per move, up to 15 minutes; ";
        assert!(
            live.starts_with(times) && live.contains("loses") && live.ends_with("no vacation)."),
            "{live}"
        );
        let own = words.clock_terms(&ClockTerms::read("30m").unwrap().unwrap());
        assert!(
            own.starts_with("Time control: 30 minutes in total (") && own.contains("others decide"),
            "{own}"
        );
    }

    #[test]
    fn terms_of_a_fixed_time_per_move_are_one_number() {
        let clock = ClockTerms::read("3d per move").unwrap().unwrap();
        let shown = Localizer::english().clock_terms(&clock);
        assert!(shown.contains("3 days per move") && !shown.contains("up to"), "{shown}");
    }

    /// A clock shorter than the ten minutes of grace must say that nobody loses on time within them.
    #[test]
    fn terms_of_a_short_clock_say_when_nobody_loses() {
        let said = |text| Localizer::english().clock_terms(&ClockTerms::read(text).unwrap().unwrap());
        let short = said("1m+5s cap 2m");
        assert!(short.ends_with("others decide; no loss on time in the first 10 minutes)."), "{short}");
        assert!(!said("10m").contains("loss on time"), "{}", said("10m"));
    }

    #[test]
    fn every_preset_can_be_taken_as_it_is_shown() {
        let presets = Localizer::english().presets();
        for (shown, (_, clock)) in presets.iter().zip(terms::PRESETS) {
            assert_eq!(ClockTerms::read(shown), Ok(Some(clock)), "{shown}");
        }
        assert_eq!(ClockTerms::read(presets.last().unwrap()), Ok(None));
    }
}
