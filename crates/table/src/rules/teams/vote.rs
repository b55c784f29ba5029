//! A team's turn: moves become proposals, votes are cast, the vote closes and its winner is played.

use super::{ClosedVote, MAX_PROPOSALS, TeamMembers, TeamMode, TeamVote, VoteResult};
use crate::Table;
use crate::model::{Event, OrderError, UserId};
use jiff::Timestamp;
use rookery_core::{Play, Seat};

/// What ends a team's vote before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyEnd {
    /// The number of votes with which a move is played at once, if any.
    pub enough: Option<usize>,
    /// The number of people who vote, in a team of known size: the vote ends when all have voted.
    pub voters: Option<usize>,
}

impl Table {
    /// Returns the open vote.
    pub fn team_vote(&self) -> Option<&TeamVote> {
        self.teams().team_vote.as_ref()
    }

    /// Returns the vote that closed last.
    pub fn closed_vote(&self) -> Option<&ClosedVote> {
        self.teams().closed.as_ref()
    }

    /// Returns the result of the vote on the turn of this number, from 1; `None` if there was no vote.
    pub fn vote_result(&self, turn: usize) -> Option<VoteResult> {
        self.teams().vote_results.iter().find(|vote_result| vote_result.turn == turn).copied()
    }

    /// Returns the deadline of the vote; `None` without a vote, and while the game is paused or frozen.
    pub fn vote_closes(&self) -> Option<Timestamp> {
        let team_vote = self.team_vote().filter(|_| !self.is_suspended())?;
        let TeamMode::Vote { length, .. } = self.team_to_move()?.mode else { return None };
        let own = team_vote.since + length;
        let clock = self.clock().and_then(|clock| clock.deadline());
        Some(clock.map_or(own, |clock| own.min(clock)))
    }

    /// Returns what ends the open vote before its time; `None` without a vote.
    pub fn vote_early_end(&self) -> Option<EarlyEnd> {
        let seat = self.to_move().filter(|_| self.team_vote().is_some())?;
        early_end(self, seat, None)
    }

    /// Returns when time ends the vote; `None` while there is no proposal.
    pub(crate) fn vote_due(&self) -> Option<Timestamp> {
        let proposed = self.team_vote().is_some_and(|team_vote| team_vote.votes() > 0);
        self.vote_closes().filter(|_| proposed)
    }
}

/// Plays a team member's legal move in canonical notation, or makes a proposal of it; an existing proposal gets their
/// vote instead.
pub(crate) fn play(
    table: &Table,
    seat: Seat,
    who: UserId,
    text: String,
    now: Timestamp,
) -> Result<Vec<Event>, OrderError> {
    let Some(team_vote) = table.team_vote() else {
        let proposed = Event::Proposed { seat, person: who, text: text.clone() };
        let events = table.resume_event(seat).into_iter().chain([proposed]);
        return Ok(events.chain(table.turn(&text)?).collect());
    };
    if let Some(known) = team_vote.proposals.iter().position(|proposal| proposal.text == text) {
        return cast(table, seat, who, known, now);
    }
    let mut after = team_vote.clone();
    after.propose(who, &text);
    let proposed = Event::Proposed { seat, person: who, text };
    settled(table, seat, &after, proposed, now)
}

/// Votes for a proposal, by its index, of the vote with this number.
pub(crate) fn vote(
    table: &Table,
    who: UserId,
    (number, proposal): (u64, usize),
    now: Timestamp,
) -> Result<Vec<Event>, OrderError> {
    let turn = table.running()?.turn();
    if table.team_vote().is_none_or(|team_vote| team_vote.number != number) {
        return Err(OrderError::NoOpenVote);
    }
    match table.seat_of(who) {
        None => return Err(OrderError::NotSeated),
        Some(seat) if seat != turn => return Err(OrderError::NotYourTurn { whose: turn }),
        Some(_) => {}
    }
    table.has_time(now)?;
    cast(table, turn, who, proposal, now)
}

fn cast(
    table: &Table,
    seat: Seat,
    who: UserId,
    proposal: usize,
    now: Timestamp,
) -> Result<Vec<Event>, OrderError> {
    let team_vote = table
        .team_vote()
        .filter(|team_vote| proposal < team_vote.proposals.len())
        .ok_or(OrderError::NoOpenVote)?;
    if team_vote.choice_of(who) == Some(proposal) {
        return Ok(Vec::new());
    }
    let proposal = proposal as u16;
    let mut after = team_vote.clone();
    after.vote(who, proposal).map_err(|_| OrderError::NoOpenVote)?;
    let voted = Event::Voted { seat, person: who, proposal };
    settled(table, seat, &after, voted, now)
}

/// Returns a proposal or a vote, the resumption of a pause, and the turn if it settles the vote.
fn settled(
    table: &Table,
    seat: Seat,
    after: &TeamVote,
    event: Event,
    now: Timestamp,
) -> Result<Vec<Event>, OrderError> {
    if after.live().count() > MAX_PROPOSALS {
        return Err(OrderError::VoteFull);
    }
    let mut events: Vec<_> = table.resume_event(seat).into_iter().chain([event]).collect();
    if is_settled(table, seat, after, None) || table.vote_closes().is_some_and(|closes| closes <= now) {
        events.extend(close(table, seat, after)?);
    }
    Ok(events)
}

/// Removes a member and their vote from a captain's team, which plays on; the remaining votes may then settle the vote.
pub(crate) fn without(table: &Table, captain: UserId, who: UserId) -> Result<Vec<Event>, OrderError> {
    let mut events = vec![Event::Departed { captain, person: who }];
    let votes = table.team_to_move().is_some_and(|team| team.captain == captain) && !table.is_suspended();
    let Some((seat, team_vote)) = table.to_move().zip(table.team_vote()).filter(|_| votes) else {
        return Ok(events);
    };
    let mut after = team_vote.clone();
    after.withdraw(who);
    if after.votes() > 0 && is_settled(table, seat, &after, Some(who)) {
        events.extend(close(table, seat, &after)?);
    }
    Ok(events)
}

/// Whether the votes settle it, not counting `but`, a member who is leaving.
fn is_settled(table: &Table, seat: Seat, team_vote: &TeamVote, but: Option<UserId>) -> bool {
    let Some(EarlyEnd { enough, voters }) = early_end(table, seat, but) else { return false };
    let most = team_vote.leaders().first().map_or(0, |leader| team_vote.proposals[*leader].voters.len());
    voters.is_some_and(|voters| team_vote.votes() >= voters) || enough.is_some_and(|enough| most >= enough)
}

/// Returns what ends the votes of a seat before their time, not counting `but`. More than half of a team of known size are
/// always enough.
fn early_end(table: &Table, seat: Seat, but: Option<UserId>) -> Option<EarlyEnd> {
    let team = table.team(seat)?;
    let voters = match &team.members {
        TeamMembers::Named { .. } => {
            Some(table.voters_of(seat).into_iter().filter(|who| Some(*who) != but).count())
        }
        TeamMembers::Everyone | TeamMembers::Role { .. } => None,
    };
    let agreed = match team.mode {
        TeamMode::Vote { enough, .. } => enough.map(|enough| enough as usize),
        TeamMode::Free => None,
    };
    let enough = agreed.into_iter().chain(voters.map(|voters| voters / 2 + 1)).min();
    Some(EarlyEnd { enough, voters })
}

/// Closes a vote: returns the winner and all that follows from it.
fn close(table: &Table, seat: Seat, team_vote: &TeamVote) -> Result<Vec<Event>, OrderError> {
    let winner = team_vote.winner(table.terms().draw_seed()).ok_or(OrderError::NoOpenVote)?;
    let tied = team_vote.leaders().len() as u8;
    let elected = Event::Elected { seat, proposal: winner as u16, tied };
    Ok([vec![elected], table.turn(&team_vote.proposals[winner].text)?].concat())
}

/// Returns the events of a vote whose time is over; `None` if it is not.
pub(crate) fn vote_is_over(table: &Table, now: Timestamp) -> Option<Result<Vec<Event>, OrderError>> {
    table.vote_due().filter(|due| *due <= now)?;
    let seat = table.play().map(Play::turn)?;
    Some(close(table, seat, table.team_vote()?))
}
