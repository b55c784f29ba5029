//! The state of a table's teams beyond its terms: members, and the open vote.

use super::team_vote::{ClosedVote, TeamVote, VoteResult};
use crate::model::records::Entry;
use crate::model::team::Team;
use crate::model::{Event, Terms, UserId};
use jiff::Timestamp;
use rookery_core::Seat;

/// The state of a table's teams beyond its terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teams {
    /// The teams that have a captain.
    pub(in crate::rules) sides: Vec<Team>,
    /// The people who joined, each with the team's captain.
    pub(in crate::rules) enlisted: Vec<(UserId, UserId)>,
    /// The people who left, each with the team's captain.
    pub(in crate::rules) departed: Vec<(UserId, UserId)>,
    /// When each member last proposed or voted.
    pub(in crate::rules) acted: Vec<(UserId, Timestamp)>,
    pub(in crate::rules) team_vote: Option<TeamVote>,
    /// The vote that closed last.
    pub(in crate::rules) closed: Option<ClosedVote>,
    pub(in crate::rules) vote_results: Vec<VoteResult>,
}

impl Teams {
    /// Returns the state before anybody joined: the teams that have a captain.
    pub(crate) fn of(terms: &Terms) -> Teams {
        Teams { sides: terms.teams.clone(), ..Teams::default() }
    }

    /// Records that a person takes a seat; if it is reserved for a team, they become its captain.
    pub(crate) fn take_seat(&mut self, terms: &Terms, seat: Seat, captain: UserId) {
        let Some(reserved_seat) =
            terms.reserved_seats.iter().find(|reserved_seat| reserved_seat.seat == seat)
        else {
            return;
        };
        self.sides.retain(|team| team.captain != captain);
        self.sides.push(Team { captain, members: reserved_seat.members.clone(), mode: reserved_seat.mode });
    }

    /// Records that a seat reserved for a team is free again.
    pub(crate) fn vacate_seat(&mut self, terms: &Terms, seat: Seat, captain: Option<UserId>) {
        if terms.reserved_seats.iter().any(|reserved_seat| reserved_seat.seat == seat) {
            self.sides.retain(|team| Some(team.captain) != captain);
        }
    }

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
                // In a team without votes a proposal only records who moved.
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

    /// Updates the vote after an entry; `turn` is the ply of a voting team's turn, if it is one.
    pub(crate) fn hold(&mut self, entry: &Entry, turn: Option<usize>, is_suspended: bool) {
        if matches!(entry.event, Event::Elected { .. }) {
            // The winning move follows at once.
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
            team_vote.run(entry, is_suspended);
        }
    }

    /// Drops the results of votes on turns that were taken back.
    pub(crate) fn take_back(&mut self, ply: usize) {
        self.vote_results.retain(|vote_result| vote_result.turn <= ply);
    }
}

/// Whether the event may change the legal moves or the seat to move.
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
