//! What a table knows of its teams beside its terms: members, and the vote that is held.

use super::team_vote::{ClosedVote, TeamVote, VoteResult};
use crate::model::records::Entry;
use crate::model::team::Team;
use crate::model::{Event, Terms, UserId};
use jiff::Timestamp;
use rookery_core::Seat;

/// What a table knows of its teams beside its terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teams {
    /// Those that have a captain.
    pub(in crate::rules) sides: Vec<Team>,
    /// The people enlisted, each with the team's captain.
    pub(in crate::rules) enlisted: Vec<(UserId, UserId)>,
    /// The people who left, each with the team's captain.
    pub(in crate::rules) departed: Vec<(UserId, UserId)>,
    /// When each of them last proposed or voted.
    pub(in crate::rules) acted: Vec<(UserId, Timestamp)>,
    pub(in crate::rules) team_vote: Option<TeamVote>,
    /// The vote that was over last.
    pub(in crate::rules) closed: Option<ClosedVote>,
    pub(in crate::rules) vote_results: Vec<VoteResult>,
}

impl Teams {
    /// The teams that have a captain.
    pub(crate) fn of(terms: &Terms) -> Teams {
        Teams { sides: terms.teams.clone(), ..Teams::default() }
    }

    /// Somebody sits down on a seat that may be kept for a team: then they lead it.
    pub(crate) fn sit_down(&mut self, terms: &Terms, seat: Seat, captain: UserId) {
        let Some(reserved_seat) =
            terms.reserved_seats.iter().find(|reserved_seat| reserved_seat.seat == seat)
        else {
            return;
        };
        self.sides.retain(|team| team.captain != captain);
        self.sides.push(Team { captain, members: reserved_seat.members.clone(), mode: reserved_seat.mode });
    }

    /// Nobody sits on a seat any more that is kept for a team.
    pub(crate) fn stand_up(&mut self, terms: &Terms, seat: Seat, captain: Option<UserId>) {
        if terms.reserved_seats.iter().any(|reserved_seat| reserved_seat.seat == seat) {
            self.sides.retain(|team| Some(team.captain) != captain);
        }
    }

    /// Takes an event in that concerns teams.
    pub(crate) fn apply(&mut self, event: &Event, at: Timestamp) -> Result<(), String> {
        match event {
            Event::Enlisted { captain, person } => {
                self.departed.retain(|gone| *gone != (*captain, *person));
                self.enlisted.push((*captain, *person));
            }
            Event::Departed { captain, person } => {
                self.enlisted.retain(|known| *known != (*captain, *person));
                self.departed.push((*captain, *person));
                self.team_vote.iter_mut().for_each(|team_vote| team_vote.withdraw(*person));
            }
            Event::Proposed { person, text, .. } => {
                self.note(*person, at);
                // In a team that plays freely a proposal is no vote, and only says whose move it was.
                if let Some(team_vote) = &mut self.team_vote {
                    team_vote.propose(*person, text);
                }
            }
            Event::Voted { person, proposal, .. } => {
                self.note(*person, at);
                self.team_vote.as_mut().ok_or("a vote where none is held")?.vote(*person, *proposal)?;
            }
            Event::Elected { proposal, tied, .. } => {
                let team_vote = self.team_vote.take().ok_or("the end of a vote where none is held")?;
                self.vote_results.push(team_vote.vote_result(*proposal, *tied)?);
                self.closed = Some(ClosedVote { team_vote, elected: *proposal });
            }
            _ => {}
        }
        Ok(())
    }

    fn note(&mut self, who: UserId, at: Timestamp) {
        self.acted.retain(|(other, _)| *other != who);
        self.acted.push((who, at));
    }

    /// Brings the vote up to date after an entry: `turn` is the ply whose turn a voting team has now.
    pub(crate) fn hold(&mut self, entry: &Entry, turn: Option<usize>, stands_still: bool) {
        if matches!(entry.event, Event::Elected { .. }) {
            // The turn follows at once.
            return;
        }
        match (turn, &mut self.team_vote) {
            (None, team_vote) => *team_vote = None,
            (Some(ply), team_vote) if changes_the_board(&entry.event) || team_vote.is_none() => {
                *team_vote = Some(TeamVote::new(entry.sequence, ply, entry.at));
            }
            _ => {}
        }
        if let Some(team_vote) = &mut self.team_vote {
            team_vote.run(entry, stands_still);
        }
    }

    /// Forgets how turns were voted on that were taken back.
    pub(crate) fn take_back(&mut self, ply: usize) {
        self.vote_results.retain(|vote_result| vote_result.turn <= ply);
    }
}

/// Whether what was legal before may be so no longer, or somebody else is to move.
fn changes_the_board(event: &Event) -> bool {
    matches!(
        event,
        Event::Started { .. }
            | Event::Moved { .. }
            | Event::Undone { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
    )
}
