//! The team option of `/play`, with which several people share the asker's seat or another one: `everyone`,
//! `@role vote 6h 5`, `@a @b free vs everyone`.

use jiff::SignedDuration;
use rookery_core::{MAX_SEATS, Seat};
use rookery_i18n::{Localizer, person, quoted};
use rookery_table::clock::ClockParseError;
use rookery_table::clock::terms::parse_length;
use rookery_table::teams::{MAX_NAMED_MEMBERS, ReservedSeat, Team, TeamMembers, TeamMode, VOTE_TIME};
use rookery_table::{Occupant, RoleId, UserId};

use super::open_table::{OpenTable, PlayPlace};
use crate::discord::wire::interaction::Interaction;

/// The words for everyone in the channel.
const EVERYONE: [&str; 4] = ["everyone", "everybody", "@everyone", "@here"];
/// The words between opposing teams.
pub(in crate::discord) const AGAINST: [&str; 4] = ["vs", "vs.", "against", "v"];
/// The shortest duration of a vote.
const MIN_VOTE: SignedDuration = SignedDuration::from_mins(1);
/// The longest duration of a vote.
const MAX_VOTE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The allowed numbers of votes that decide early.
const ENOUGH: std::ops::RangeInclusive<u32> = 2..=1_000;

/// The requested teams of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TeamSetup {
    /// The team that shares the asker's seat.
    pub own: Team,
    /// The opposing teams, in turn order.
    pub others: Vec<OpposingTeam>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpposingTeam {
    /// The captain: the first of named people. `None` for a role or everyone: the first to join becomes
    /// captain.
    captain: Option<UserId>,
    members: TeamMembers,
    mode: TeamMode,
}

/// Reads the requested teams, if there are any.
///
/// # Errors
/// If the teams are not possible; the sentence says why.
pub(super) fn parse_teams(
    words: &Localizer,
    interaction: &Interaction,
    request: &OpenTable,
) -> Result<Option<TeamSetup>, String> {
    let Some(text) = request.team.as_deref() else { return Ok(None) };
    let with_us_alone = interaction.place.guild.is_none() && interaction.place.ours;
    if with_us_alone || request.place == Some(PlayPlace::Dm) {
        return Err(words.word("team-dm"));
    }
    if request.rated {
        return Err(words.word("team-rated"));
    }
    let drafts = TeamDraft::read_all(words, text)?;
    let [first, rest @ ..] = &drafts[..] else { return Err(words.word("team-nobody")) };
    let members = first.members(words, interaction, Some(interaction.who))?;
    let mode = first.mode(words, &members)?;
    let other = |draft: &TeamDraft| {
        let members = draft.members(words, interaction, None)?;
        let captain = members.named().first().copied();
        Ok(OpposingTeam { captain, mode: draft.mode(words, &members)?, members })
    };
    let others = rest.iter().map(other).collect::<Result<_, String>>()?;
    Ok(Some(TeamSetup { own: Team { captain: interaction.who, members, mode }, others }))
}

impl TeamSetup {
    /// Whether the only team is everyone.
    pub(super) fn is_everyone_alone(&self) -> bool {
        self.own.members == TeamMembers::Everyone && self.others.is_empty()
    }

    /// Returns the occupants of the other teams' seats until the teams are complete.
    pub(super) fn kept(&self) -> Vec<Occupant> {
        let kept = |other: &OpposingTeam| match other.captain {
            Some(person) => Occupant::Invited { person },
            None => Occupant::Open,
        };
        self.others.iter().map(kept).collect()
    }

    /// Assigns the reserved seats to the other teams: returns the teams with a captain, the asker's first,
    /// and the seats that wait for one.
    pub(super) fn seated(self, seats: &[Seat]) -> (Vec<Team>, Vec<ReservedSeat>) {
        let (mut teams, mut reserved_seats) = (vec![self.own], Vec::new());
        for (OpposingTeam { captain, members, mode }, seat) in self.others.into_iter().zip(seats) {
            match captain {
                Some(captain) => teams.push(Team { captain, members, mode }),
                None => reserved_seats.push(ReservedSeat { seat: *seat, members, mode }),
            }
        }
        (teams, reserved_seats)
    }

    pub(super) fn all_members(&self) -> impl Iterator<Item = &TeamMembers> {
        std::iter::once(&self.own.members).chain(self.others.iter().map(|other| &other.members))
    }

    fn people(&self) -> Vec<UserId> {
        let named = self.others.iter().flat_map(|other| other.members.named());
        let own = self.own.members.named().iter().filter(|who| **who != self.own.captain);
        std::iter::once(self.own.captain).chain(own.copied()).chain(named.copied()).collect()
    }
}

/// The parts of a team's text, read word by word.
#[derive(Debug, Default, PartialEq, Eq)]
struct TeamDraft {
    everyone: bool,
    roles: Vec<RoleId>,
    people: Vec<UserId>,
    vote: Option<bool>,
    length: Option<SignedDuration>,
    enough: Option<u32>,
}

impl TeamDraft {
    /// Reads the teams, separated by a word such as `vs`. If only one of them states how it decides, this
    /// applies to all.
    fn read_all(words: &Localizer, text: &str) -> Result<Vec<TeamDraft>, String> {
        let mut all = vec![TeamDraft::default()];
        // Mentions typed without a space between them are separate words.
        let text = text.replace('<', " <").replace('>', "> ");
        for word in text.split([' ', ',', '+', '\t']).filter(|word| !word.is_empty()) {
            let plain = word.to_lowercase();
            if AGAINST.contains(&plain.as_str()) {
                all.push(TeamDraft::default());
            } else if !all.last_mut().is_some_and(|draft| draft.read_word(&plain)) {
                return Err(words.say("team-unknown", &[("word", quoted(word).into())]));
            }
        }
        if all.len() > MAX_SEATS {
            return Err(words.say("team-many", &[("most", MAX_SEATS.into())]));
        }
        TeamDraft::share(&mut all);
        Ok(all)
    }

    fn share(all: &mut [TeamDraft]) {
        let decides =
            |draft: &&TeamDraft| draft.vote.is_some() || draft.length.is_some() || draft.enough.is_some();
        let [only] = all.iter().filter(decides).collect::<Vec<_>>()[..] else { return };
        let (vote, length, enough) = (only.vote, only.length, only.enough);
        for draft in all {
            (draft.vote, draft.length, draft.enough) = (vote, length, enough);
        }
    }

    /// Reads one word; returns whether it is known.
    fn read_word(&mut self, word: &str) -> bool {
        if let Some(role) = id(word, "<@&") {
            self.roles.push(RoleId(role));
        } else if let Some(who) = id(word, "<@!").or_else(|| id(word, "<@")).map(UserId) {
            self.people.extend((!self.people.contains(&who)).then_some(who));
        } else if EVERYONE.contains(&word) {
            self.everyone = true;
        } else if let Ok(enough) = word.parse() {
            self.enough = Some(enough);
        } else {
            match (word, parse_length(word)) {
                (_, Ok(length)) => self.length = Some(length),
                // It is refused as too long, not as an unknown word.
                (_, Err(ClockParseError::TooLong)) => self.length = Some(SignedDuration::MAX),
                ("vote", _) => self.vote = Some(true),
                ("free", _) => self.vote = Some(false),
                _ => return false,
            }
        }
        true
    }

    /// Returns the members of the team; among named people the captain comes first, if known.
    fn members(
        &self,
        words: &Localizer,
        interaction: &Interaction,
        captain: Option<UserId>,
    ) -> Result<TeamMembers, String> {
        // The role with the server's id is `@everyone`.
        let is_everyone = |role: RoleId| interaction.place.guild.is_some_and(|guild| guild.0 == role.0);
        let everyone = self.everyone || self.roles.iter().any(|role| is_everyone(*role));
        let roles: Vec<RoleId> = self.roles.iter().copied().filter(|role| !is_everyone(*role)).collect();
        match (everyone, &roles[..], &self.people[..]) {
            (true, [], []) => Ok(TeamMembers::Everyone),
            (false, [role], []) => Ok(TeamMembers::Role { role: *role }),
            (false, [], []) => Err(words.word("team-nobody")),
            (false, [], people) => named(words, captain, people),
            _ => Err(words.word("team-mixed")),
        }
    }

    fn mode(&self, words: &Localizer, members: &TeamMembers) -> Result<TeamMode, String> {
        let has_vote_terms = self.length.is_some() || self.enough.is_some();
        let usual = if has_vote_terms {
            TeamMode::Vote { length: VOTE_TIME, enough: None }
        } else {
            members.usual_mode()
        };
        let vote = self.vote.unwrap_or(matches!(usual, TeamMode::Vote { .. }));
        let length = self.length.unwrap_or(VOTE_TIME);
        match vote {
            false if has_vote_terms => Err(words.word("team-free")),
            false => Ok(TeamMode::Free),
            true if length < MIN_VOTE => {
                Err(words.say("team-short", &[("least", words.length(MIN_VOTE).into())]))
            }
            true if length > MAX_VOTE => {
                Err(words.say("team-long", &[("most", words.length(MAX_VOTE).into())]))
            }
            true if self.enough.is_some_and(|enough| !ENOUGH.contains(&enough)) => {
                Err(words.word("team-votes"))
            }
            true => Ok(TeamMode::Vote { length, enough: self.enough }),
        }
    }
}

/// Returns the captain, if known, and the named people.
fn named(words: &Localizer, captain: Option<UserId>, others: &[UserId]) -> Result<TeamMembers, String> {
    let others = others.iter().copied().filter(|who| Some(*who) != captain);
    let people: Vec<_> = captain.into_iter().chain(others).collect();
    match people.len() {
        1 if captain.is_some() => Err(words.word("team-alone")),
        count if count > MAX_NAMED_MEMBERS => {
            Err(words.say("team-large", &[("most", MAX_NAMED_MEMBERS.into())]))
        }
        _ => Ok(TeamMembers::Named { people }),
    }
}

/// Returns the id in a mention.
fn id(word: &str, opens: &str) -> Option<u64> {
    word.strip_prefix(opens)?.strip_suffix('>')?.parse().ok()
}

/// Refuses people who are on two sides.
///
/// # Errors
/// If there are any; the sentence names them.
pub(super) fn check_disjoint(words: &Localizer, sides: &TeamSetup, guests: &[UserId]) -> Result<(), String> {
    let all: Vec<UserId> = sides.people().into_iter().chain(guests.iter().copied()).collect();
    let twice = all.iter().enumerate().find(|(i, who)| all[..*i].contains(who));
    if let Some((_, who)) = twice {
        return Err(words.say("team-opponent", &[("who", person(*who).into())]));
    }
    let all_members: Vec<&TeamMembers> = sides.all_members().collect();
    let same = all_members.iter().enumerate().any(|(i, members)| all_members[..i].contains(members));
    if same { Err(words.word("team-same")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use rookery_table::{ChannelId, GuildId, SourceId};

    use super::*;
    use crate::discord::wire::api::InteractionToken;
    use crate::discord::wire::interaction::InteractionChannel;

    fn asked() -> Interaction {
        let place = InteractionChannel {
            channel: ChannelId(1),
            guild: Some(GuildId(2)),
            thread: false,
            parent: None,
            may: None,
            ours: true,
        };
        Interaction {
            token: InteractionToken { id: SourceId(1), token: String::new() },
            who: UserId(7),
            place,
            locale: None,
            guild_locale: None,
            manages: false,
            administers: false,
            roles: Some(Vec::new()),
            writes: true,
            mentions_all: false,
        }
    }

    fn read_all(text: &str) -> Result<TeamSetup, String> {
        let request = OpenTable { team: Some(text.to_owned()), ..OpenTable::default() };
        let sides = parse_teams(Localizer::english(), &asked(), &request)?.unwrap();
        check_disjoint(Localizer::english(), &sides, &[])?;
        Ok(sides)
    }

    /// Returns the asker's team, if it is the only one.
    fn read(text: &str) -> Result<(TeamMembers, TeamMode), String> {
        let TeamSetup { own, others } = read_all(text)?;
        assert!(others.is_empty(), "{text}");
        Ok((own.members, own.mode))
    }

    fn people(ids: &[u64]) -> TeamMembers {
        TeamMembers::Named { people: ids.iter().copied().map(UserId).collect() }
    }

    fn vote(hours: i64, enough: Option<u32>) -> TeamMode {
        TeamMode::Vote { length: SignedDuration::from_hours(hours), enough }
    }

    #[test]
    fn everybody_a_role_and_people_are_told_apart() {
        assert_eq!(read("everyone"), Ok((TeamMembers::Everyone, vote(12, None))));
        assert_eq!(read("@everyone free"), Ok((TeamMembers::Everyone, TeamMode::Free)));
        assert_eq!(
            read("<@&2>"),
            Ok((TeamMembers::Everyone, vote(12, None))),
            "the role of the server itself"
        );
        assert_eq!(read("<@&9> vote 6h 5"), Ok((TeamMembers::Role { role: RoleId(9) }, vote(6, Some(5)))));
        assert_eq!(read("<@8><@!9> <@8>"), Ok((people(&[7, 8, 9]), TeamMode::Free)));
        assert_eq!(read("<@8>, <@7> 2h"), Ok((people(&[7, 8]), vote(2, None))));
    }

    #[test]
    fn teams_play_each_other() {
        let sides = read_all("<@&9> vs <@8> <@6> free against everyone").unwrap();
        assert_eq!(
            (&sides.own.members, sides.own.mode),
            (&TeamMembers::Role { role: RoleId(9) }, TeamMode::Free)
        );
        let interaction = Occupant::Invited { person: UserId(8) };
        assert_eq!(sides.kept(), [interaction, Occupant::Open], "the first of those named is asked");
        let (teams, reserved_seats) = sides.seated(&[Seat::new(2).unwrap(), Seat::FIRST]);
        assert_eq!((teams[1].captain, &teams[1].members), (UserId(8), &people(&[8, 6])));
        assert_eq!(
            reserved_seats,
            [ReservedSeat { seat: Seat::FIRST, members: TeamMembers::Everyone, mode: TeamMode::Free }]
        );
        let each = read_all("<@8> free vs <@&9> vote 6h").unwrap();
        assert_eq!((each.own.mode, each.others[0].mode), (TeamMode::Free, vote(6, None)));
        assert_eq!(read_all("<@8> vs <@9>").unwrap().others[0].members, people(&[9]), "one person, by name");
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
            ("everyone vs", "team-nobody"),
            ("<@&9> vs <@&9>", "team-same"),
            ("everyone vs <@&2>", "team-same"),
        ] {
            assert_eq!(read_all(text), Err(Localizer::english().word(key)), "{text}");
        }
        assert!(read_all("<@8> vs <@7> <@9>").unwrap_err().contains("<@7>"), "the asker plays already");
        assert!(read_all("<@1> vs <@2> vs <@3> vs <@4> vs <@5>").unwrap_err().contains('4'));
        assert!(read("everyone soon").unwrap_err().contains("`soon`"));
        assert!(read("everyone 5s").unwrap_err().contains("1 minute"));
        for long in ["31d", "101d", "99999999999999999d"] {
            assert!(read(&format!("everyone {long}")).unwrap_err().contains("30 days"), "{long}");
        }
        let many: String = (10..40).map(|id| format!("<@{id}>")).collect();
        assert!(read(&many).unwrap_err().contains("25"));
    }
}
