//! The option of `/play` that shares the asker's seat: `everyone`, `@role vote 6h 5`, `@a @b free`.

use crate::table::Person;
use crate::table::clock::terms::length_ms;
use crate::table::clock::{DAY_MS, MINUTE_MS};
use crate::table::teams::{Crowd, Mode, NAMED_MOST, Team, VOTE_MS};
use crate::words::{Words, person};

use super::super::asked::{Asked, Given};

/// The option.
pub(super) const TEAM: &str = "team";
/// What stands for everybody in the channel.
const EVERYONE: [&str; 4] = ["everyone", "everybody", "@everyone", "@here"];
/// The shortest vote.
const VOTE_LEAST_MS: i64 = MINUTE_MS;
/// The longest one.
const VOTE_MOST_MS: i64 = 30 * DAY_MS;
/// Numbers of votes that can be enough.
const ENOUGH: std::ops::RangeInclusive<u32> = 2..=1_000;

/// The team with which the asker shares their seat, if they wish for one.
///
/// # Errors
/// The sentence that says what is wrong with it.
pub(super) fn wish(words: &Words, asked: &Asked, given: &Given) -> Result<Option<Team>, String> {
    let Some(text) = given.text(TEAM) else { return Ok(None) };
    if asked.place.guild.is_none() || !asked.place.ours || given.text("where") == Some("dm") {
        return Err(words.word("team-dm"));
    }
    if given.yes("rated") {
        return Err(words.word("team-rated"));
    }
    let told = Told::read(words, text)?;
    let crowd = told.crowd(words, asked)?;
    let mode = told.mode(words, &crowd)?;
    Ok(Some(Team { captain: asked.who, crowd, mode }))
}

/// What a text says, word by word.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    everyone: bool,
    roles: Vec<u64>,
    people: Vec<Person>,
    vote: Option<bool>,
    for_ms: Option<i64>,
    enough: Option<u32>,
}

impl Told {
    fn read(words: &Words, text: &str) -> Result<Told, String> {
        let mut told = Told::default();
        // Mentions that are typed without a space between them are two words all the same.
        let text = text.replace('<', " <").replace('>', "> ");
        for word in text.split([' ', ',', '+', '\t']).filter(|word| !word.is_empty()) {
            if !told.take(&word.to_lowercase()) {
                let word = word.replace(['@', '<', '`'], "");
                return Err(words.say("team-unknown", &[("word", word.into())]));
            }
        }
        Ok(told)
    }

    /// Takes one word in; whether it is one of ours.
    fn take(&mut self, word: &str) -> bool {
        if let Some(role) = id(word, "<@&") {
            self.roles.push(role);
        } else if let Some(who) = id(word, "<@!").or_else(|| id(word, "<@")).map(Person) {
            self.people.extend((!self.people.contains(&who)).then_some(who));
        } else if EVERYONE.contains(&word) {
            self.everyone = true;
        } else if let Ok(enough) = word.parse() {
            self.enough = Some(enough);
        } else if let Ok(for_ms) = length_ms(word) {
            self.for_ms = Some(for_ms);
        } else {
            match word {
                "vote" => self.vote = Some(true),
                "free" => self.vote = Some(false),
                _ => return false,
            }
        }
        true
    }

    fn crowd(&self, words: &Words, asked: &Asked) -> Result<Crowd, String> {
        // The role with the server's own number is everybody's.
        let everyone = self.everyone || self.roles.iter().any(|role| Some(*role) == asked.place.guild);
        let roles: Vec<u64> =
            self.roles.iter().copied().filter(|role| Some(*role) != asked.place.guild).collect();
        match (everyone, &roles[..], &self.people[..]) {
            (true, [], []) => Ok(Crowd::Everyone),
            (false, [role], []) => Ok(Crowd::Role { role: *role }),
            (false, [], []) => Err(words.word("team-nobody")),
            (false, [], people) => named(words, asked.who, people),
            _ => Err(words.word("team-mixed")),
        }
    }

    fn mode(&self, words: &Words, crowd: &Crowd) -> Result<Mode, String> {
        let told = self.for_ms.is_some() || self.enough.is_some();
        let usual = if told { Mode::Vote { for_ms: VOTE_MS, enough: None } } else { crowd.usual_mode() };
        let vote = self.vote.unwrap_or(matches!(usual, Mode::Vote { .. }));
        let for_ms = self.for_ms.unwrap_or(VOTE_MS);
        match vote {
            false if told => Err(words.word("team-free")),
            false => Ok(Mode::Free),
            true if for_ms < VOTE_LEAST_MS => {
                Err(words.say("team-short", &[("least", words.length(VOTE_LEAST_MS).into())]))
            }
            true if for_ms > VOTE_MOST_MS => {
                Err(words.say("team-long", &[("most", words.length(VOTE_MOST_MS).into())]))
            }
            true if self.enough.is_some_and(|enough| !ENOUGH.contains(&enough)) => {
                Err(words.word("team-votes"))
            }
            true => Ok(Mode::Vote { for_ms, enough: self.enough }),
        }
    }
}

/// The asker and the people they name.
fn named(words: &Words, captain: Person, others: &[Person]) -> Result<Crowd, String> {
    let others = others.iter().copied().filter(|who| *who != captain);
    let people: Vec<_> = std::iter::once(captain).chain(others).collect();
    match people.len() {
        1 => Err(words.word("team-alone")),
        count if count > NAMED_MOST => Err(words.say("team-large", &[("most", NAMED_MOST.into())])),
        _ => Ok(Crowd::Named { people }),
    }
}

/// The number in a mention.
fn id(word: &str, opens: &str) -> Option<u64> {
    word.strip_prefix(opens)?.strip_suffix('>')?.parse().ok()
}

/// Refuses somebody on both sides.
///
/// # Errors
/// The sentence that names them.
pub(super) fn apart(words: &Words, team: &Team, guests: &[Person]) -> Result<(), String> {
    let both = guests.iter().find(|guest| team.captain == **guest || team.crowd.named().contains(guest));
    match both {
        Some(who) => Err(words.say("team-opponent", &[("who", person(*who).into())])),
        None => Ok(()),
    }
}

/// What could stand in the option, given what is typed.
pub(super) fn complete(words: &Words, typed: &str) -> Vec<String> {
    let typed = typed.trim();
    let known = |typed: &str| Told::read(words, typed).is_ok_and(|told| told != Told::default());
    let whom = if known(typed) { typed } else { EVERYONE[0] };
    let ends = ["", " vote", " free", " vote 1h", " vote 6h", " vote 2d", " vote 12h 5"];
    let found = ends.iter().map(|end| format!("{whom}{end}"));
    found.filter(|text| text.starts_with(&typed.to_lowercase()) || whom == typed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::api::Ticket;
    use super::super::super::asked::{Place, Value};
    use super::*;
    use crate::table::clock::HOUR_MS;

    fn asked() -> Asked {
        let place = Place { channel: 1, guild: Some(2), thread: false, may: None, ours: true };
        Asked {
            ticket: Ticket { id: 1, token: String::new() },
            who: Person(7),
            place,
            locale: None,
            guild_locale: None,
            manages: false,
            roles: Vec::new(),
            writes: true,
        }
    }

    fn read(text: &str) -> Result<(Crowd, Mode), String> {
        let options = vec![(TEAM.to_owned(), Value::Text(text.to_owned()))];
        let given = Given { options, ..Given::default() };
        wish(Words::english(), &asked(), &given).map(|team| team.map(|team| (team.crowd, team.mode)).unwrap())
    }

    fn vote(hours: i64, enough: Option<u32>) -> Mode {
        Mode::Vote { for_ms: hours * HOUR_MS, enough }
    }

    #[test]
    fn everybody_a_role_and_people_are_told_apart() {
        assert_eq!(read("everyone"), Ok((Crowd::Everyone, vote(12, None))));
        assert_eq!(read("@everyone free"), Ok((Crowd::Everyone, Mode::Free)));
        assert_eq!(read("<@&2>"), Ok((Crowd::Everyone, vote(12, None))), "the role of the server itself");
        assert_eq!(read("<@&9> vote 6h 5"), Ok((Crowd::Role { role: 9 }, vote(6, Some(5)))));
        let people = |ids: &[u64]| Crowd::Named { people: ids.iter().copied().map(Person).collect() };
        assert_eq!(read("<@8><@!9> <@8>"), Ok((people(&[7, 8, 9]), Mode::Free)));
        assert_eq!(read("<@8>, <@7> 2h"), Ok((people(&[7, 8]), vote(2, None))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, key) in [
            ("vote", "team-nobody"),
            ("<@7>", "team-alone"),
            ("everyone <@8>", "team-mixed"),
            ("<@&8> <@&9>", "team-mixed"),
            ("everyone free 6h", "team-free"),
            ("everyone vote 1", "team-votes"),
        ] {
            assert_eq!(read(text), Err(Words::english().word(key)), "{text}");
        }
        assert!(read("everyone soon").unwrap_err().contains("“soon”"));
        assert!(read("everyone 5s").unwrap_err().contains("1 minute"));
        assert!(read("everyone 90d").unwrap_err().contains("30 days"));
        let many: String = (10..40).map(|id| format!("<@{id}>")).collect();
        assert!(read(&many).unwrap_err().contains("25"));
    }

    #[test]
    fn what_is_offered_can_be_taken() {
        for typed in ["", "every", "everyone", "<@&9>", "<@8> <@9>"] {
            let offered = complete(Words::english(), typed);
            assert!(!offered.is_empty(), "{typed}");
            offered.iter().for_each(|text| assert!(read(text).is_ok(), "{text}"));
        }
        assert!(complete(Words::english(), "<@8").is_empty());
    }
}
