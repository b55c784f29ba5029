//! Setup errors and the terms of a game in words.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rookery_core::Requirement;
use rookery_core::rules::{AllowedValues, GameInfo, PositionParseError, SetupError};
use rookery_table::Terms;
use rookery_table::teams::{TeamMembers, TeamMode};

use super::{Arg, Localizer, quoted};

impl Localizer {
    /// Explains why a game cannot start under these terms.
    pub fn setup(&self, error: &SetupError) -> String {
        match error {
            SetupError::Seats { seats, allowed } => {
                self.bad_seat_count(i64::try_from(*seats).unwrap_or(i64::MAX), allowed)
            }
            SetupError::UnknownOption { key } => {
                self.say("setup-unknown", &[("option", quoted(&self.option_name(key)).into())])
            }
            SetupError::BadValue { key, value, allowed } => {
                let option = self.option_name(key);
                let args = [
                    ("option", option.into()),
                    ("value", quoted(value).into()),
                    ("allowed", self.allowed(allowed).into()),
                ];
                self.say("setup-value", &args)
            }
            SetupError::Conflict { rule, about } => self.rule(rule, about, None),
            SetupError::NoLayouts => self.word("setup-no-layouts"),
            SetupError::BadLayout(bad) => self.bad_line(bad),
        }
    }

    /// Describes the allowed values of an option.
    fn allowed(&self, allowed: &AllowedValues) -> String {
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let range = |range: &RangeInclusive<u32>| -> [Arg<'static>; 2] {
            [("least", (*range.start()).into()), ("most", (*range.end()).into())]
        };
        match allowed {
            AllowedValues::OneOf(words) => {
                self.say("setup-takes-one", &[("words", self.either(&owned(words)).into())])
            }
            AllowedValues::Number(numbers) => self.say("setup-takes-number", &range(numbers)),
            AllowedValues::Size { sides, offered } => {
                let [least, most] = range(sides);
                let offered = ("offered", self.either(&owned(offered)).into());
                self.say("setup-takes-size", &[least, most, offered])
            }
            AllowedValues::Text => self.word("setup-takes-squares"),
        }
    }

    /// Says that a game does not support this number of players; the request may hold any number.
    pub fn bad_seat_count(&self, seats: i64, allowed: &[usize]) -> String {
        let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        let args = [("seats", seats.to_string().into()), ("allowed", self.either(&allowed).into())];
        self.say("setup-seats", &args)
    }

    /// Explains where a position in text form cannot be read.
    pub fn bad_line(&self, bad: &PositionParseError) -> String {
        self.say("setup-line", &[("at", (bad.at + 1).into()), ("wanted", self.need(&bad.wanted).into())])
    }

    /// Describes what a position in text form requires; `$a` to `$d` are the arguments of the sentence.
    pub(super) fn need(&self, need: &Requirement) -> String {
        let names = ["a", "b", "c", "d"].into_iter().zip(need.args());
        // Numbers stay numbers, so that a language can select a plural form.
        let value = |text: &String| text.parse::<u32>().map_or_else(|_| text.clone().into(), Into::into);
        let args: Vec<Arg<'_>> = names.map(|(name, text)| (name, value(text))).collect();
        self.say(&format!("need-{}", need.key()), &args)
    }

    /// Lists the options that differ from the default: "size 8x8, start cross"; empty if none does.
    pub fn options(&self, about: &GameInfo, options: &BTreeMap<String, String>) -> String {
        let is_usual =
            |key: &str, value: &str| about.options.iter().any(|o| o.key == key && o.default == value);
        let given = options.iter().filter(|(key, value)| !is_usual(key, value));
        let told = given.map(|(key, value)| format!("{} {value}", self.option_name(key)));
        told.collect::<Vec<_>>().join(", ")
    }

    /// Returns the localized name of a `/play` option.
    pub fn option_name(&self, key: &str) -> String {
        let name = format!("name-option-{key}");
        if self.has(&name) { self.word(&name) } else { key.to_owned() }
    }

    /// Formats the terms of a table in one line, with its time control complete enough to play the same game
    /// again: rated, set, options that differ from the default, layout, teams.
    pub fn terms(&self, about: &GameInfo, terms: &Terms) -> String {
        let from = terms.from.as_ref().map(|_| self.word("terms-from"));
        let layout = (about.has_layout && from.is_none()).then(|| match terms.layout {
            Some(_) => self.word("terms-tiles"),
            None if terms.secret_commitment().is_some() => self.word("terms-drawn"),
            None => self.say("terms-seed", &[("seed", terms.seed.to_string().into())]),
        });
        let options = Some(self.options(about, &terms.options)).filter(|options| !options.is_empty());
        let rated = terms.rated.then(|| self.word("terms-rated"));
        let several = terms.sides().count() > 1;
        let teams = terms.sides().map(|(members, mode)| self.team_terms(several.then_some(members), mode));
        let set = terms.set.map(|set| self.say("terms-set", &[("number", set.number().into())]));
        rated
            .into_iter()
            .chain(set)
            .chain(from)
            .chain(options)
            .chain(layout)
            .chain(teams)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Describes how a team decides; names the team if there are several.
    fn team_terms(&self, members: Option<&TeamMembers>, mode: TeamMode) -> String {
        let how = match mode {
            TeamMode::Free => self.word("terms-team-free"),
            TeamMode::Vote { length, enough } => {
                let args =
                    [("time", self.length(length).into()), ("enough", enough.unwrap_or_default().into())];
                self.say("terms-team-vote", &args)
            }
        };
        match members {
            Some(members) => {
                self.say("terms-team-of", &[("who", self.members(members, None).into()), ("how", how.into())])
            }
            None => how,
        }
    }
}
