//! A team's turn: moves become proposals, votes are cast, the vote closes and its winner is played.

use super::super::Table;
use super::super::ports::Entry;
use super::super::words::{Event, Person, Refused};
use super::ballot::{Ballot, Closed, Election, PROPOSALS_MOST};
use super::{Crowd, Mode, Teams};
use rookery_core::{Play, Seat};

impl Teams {
    /// Brings the vote up to date after an entry: `turn` is the ply whose turn a voting team has now.
    pub(crate) fn hold(&mut self, entry: &Entry, turn: Option<usize>, stands_still: bool) {
        if matches!(entry.event, Event::Elected { .. }) {
            // The turn follows at once.
            return;
        }
        match (turn, &mut self.ballot) {
            (None, ballot) => *ballot = None,
            (Some(ply), ballot) if changes_the_board(&entry.event) || ballot.is_none() => {
                *ballot = Some(Ballot::new(entry.sequence, ply, entry.at_ms));
            }
            _ => {}
        }
        if let Some(ballot) = &mut self.ballot {
            ballot.run(entry, stands_still);
        }
    }

    /// Forgets how turns were voted on that were taken back.
    pub(crate) fn take_back(&mut self, ply: usize) {
        self.elections.retain(|election| election.turn <= ply);
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

impl Table {
    /// The vote that is held.
    pub fn ballot(&self) -> Option<&Ballot> {
        self.teams().ballot.as_ref()
    }

    /// The vote that was over last.
    pub fn closed_ballot(&self) -> Option<&Closed> {
        self.teams().closed.as_ref()
    }

    /// How the turn of this number, from 1, was voted on; `None` if it was not.
    pub fn election(&self, turn: usize) -> Option<Election> {
        self.teams().elections.iter().find(|election| election.turn == turn).copied()
    }

    /// When the vote closes if nobody settles it before, in milliseconds since 1970; `None` where none is
    /// held, or the game stands still.
    pub fn vote_closes_ms(&self) -> Option<i64> {
        let ballot = self.ballot().filter(|_| !self.stands_still())?;
        let Mode::Vote { for_ms, .. } = self.team_to_move()?.mode else { return None };
        let own_ms = ballot.since_ms + for_ms;
        let clock_ms = self.clock().and_then(|clock| clock.deadline_ms());
        Some(clock_ms.map_or(own_ms, |clock_ms| own_ms.min(clock_ms)))
    }

    /// When time alone ends the vote: never while nobody has proposed anything.
    pub(crate) fn vote_due_ms(&self) -> Option<i64> {
        let proposed = self.ballot().is_some_and(|ballot| ballot.votes() > 0);
        self.vote_closes_ms().filter(|_| proposed)
    }
}

/// A legal move that somebody of a team has made, in canonical spelling: played at once, or put to the
/// vote; a move that is proposed already gets their vote.
pub(crate) fn play(
    table: &Table,
    seat: Seat,
    who: Person,
    text: String,
    now_ms: i64,
) -> Result<Vec<Event>, Refused> {
    let Some(ballot) = table.ballot() else {
        let proposed = Event::Proposed { seat: seat.index() as u8, person: who, text: text.clone() };
        let events = table.taken_up(seat).into_iter().chain([proposed]);
        return Ok(events.chain(table.turn(&text)?).collect());
    };
    if let Some(known) = ballot.proposals.iter().position(|proposal| proposal.text == text) {
        return cast(table, seat, who, known, now_ms);
    }
    let mut after = ballot.clone();
    after.propose(who, &text);
    let proposed = Event::Proposed { seat: seat.index() as u8, person: who, text };
    settled(table, seat, &after, proposed, now_ms)
}

/// Somebody is for a proposal, by its index, of the vote of a number.
pub(crate) fn vote(
    table: &Table,
    who: Person,
    (number, proposal): (u64, usize),
    now_ms: i64,
) -> Result<Vec<Event>, Refused> {
    let turn = table.running()?.turn();
    if table.ballot().is_none_or(|ballot| ballot.number != number) {
        return Err(Refused::NoBallot);
    }
    match table.seat_of(who) {
        None => return Err(Refused::NotSeated),
        Some(seat) if seat != turn => return Err(Refused::NotYourTurn { whose: turn.index() as u8 }),
        Some(_) => {}
    }
    table.has_time(now_ms)?;
    cast(table, turn, who, proposal, now_ms)
}

fn cast(table: &Table, seat: Seat, who: Person, proposal: usize, now_ms: i64) -> Result<Vec<Event>, Refused> {
    let ballot =
        table.ballot().filter(|ballot| proposal < ballot.proposals.len()).ok_or(Refused::NoBallot)?;
    if ballot.choice_of(who) == Some(proposal) {
        return Ok(Vec::new());
    }
    let proposal = proposal as u16;
    let mut after = ballot.clone();
    after.vote(who, proposal).map_err(|_| Refused::NoBallot)?;
    let voted = Event::Voted { seat: seat.index() as u8, person: who, proposal };
    settled(table, seat, &after, voted, now_ms)
}

/// A proposal or a vote, what it takes up again, and the turn if it settles the vote.
fn settled(
    table: &Table,
    seat: Seat,
    after: &Ballot,
    event: Event,
    now_ms: i64,
) -> Result<Vec<Event>, Refused> {
    if after.live().count() > PROPOSALS_MOST {
        return Err(Refused::BallotFull);
    }
    let mut events: Vec<_> = table.taken_up(seat).into_iter().chain([event]).collect();
    if is_settled(table, seat, after, None)
        || table.vote_closes_ms().is_some_and(|closes_ms| closes_ms <= now_ms)
    {
        events.extend(close(table, seat, after)?);
    }
    Ok(events)
}

/// Somebody leaves the team of a captain, which goes on without them. Their vote goes with them, and those of
/// all others may be there already.
pub(crate) fn without(table: &Table, captain: Person, who: Person) -> Result<Vec<Event>, Refused> {
    let mut events = vec![Event::Departed { captain, person: who }];
    let votes = table.team_to_move().is_some_and(|team| team.captain == captain) && !table.stands_still();
    let Some((seat, ballot)) = table.to_move().zip(table.ballot()).filter(|_| votes) else {
        return Ok(events);
    };
    let mut after = ballot.clone();
    after.withdraw(who);
    if after.votes() > 0 && is_settled(table, seat, &after, Some(who)) {
        events.extend(close(table, seat, &after)?);
    }
    Ok(events)
}

/// Whether votes alone settle it, of all that a team may have but for whoever leaves it.
fn is_settled(table: &Table, seat: Seat, ballot: &Ballot, but: Option<Person>) -> bool {
    let Some(team) = table.team(seat) else { return false };
    let most = ballot.leaders().first().map_or(0, |leader| ballot.proposals[*leader].voters.len());
    let size = match &team.crowd {
        Crowd::Named { .. } => {
            Some(table.voters_of(seat).into_iter().filter(|who| Some(*who) != but).count())
        }
        Crowd::Everyone | Crowd::Role { .. } => None,
    };
    let enough = match team.mode {
        Mode::Vote { enough, .. } => enough,
        Mode::Free => None,
    };
    size.is_some_and(|size| 2 * most > size || ballot.votes() >= size)
        || enough.is_some_and(|enough| most >= enough as usize)
}

/// The end of a vote: what is played, and all that follows from it.
fn close(table: &Table, seat: Seat, ballot: &Ballot) -> Result<Vec<Event>, Refused> {
    let winner = ballot.winner(table.terms().lots()).ok_or(Refused::NoBallot)?;
    let tied = ballot.leaders().len() as u8;
    let elected = Event::Elected { seat: seat.index() as u8, proposal: winner as u16, tied };
    Ok([vec![elected], table.turn(&ballot.proposals[winner].text)?].concat())
}

/// What becomes of a vote whose time is over; `None` where it is not.
pub(crate) fn vote_is_over(table: &Table, now_ms: i64) -> Option<Result<Vec<Event>, Refused>> {
    table.vote_due_ms().filter(|due_ms| *due_ms <= now_ms)?;
    let seat = table.play().map(Play::turn)?;
    Some(close(table, seat, table.ballot()?))
}
