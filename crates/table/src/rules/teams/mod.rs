//! Teams: a seat that several people play together.
//!
//! **Members.** A team consists of named people, of everybody with a role, or of everybody who can write in the table's
//! channel ([`TeamMembers`]). Its captain holds the seat: the host, or the first to join an opposing team
//! ([`ReservedSeat`]). The captain decides everything other than moves (resigning, offers and answers, proven results,
//! handing the seat over), so that nobody gives a game away for the others. The table can't know who has a role or can
//! read a channel. Discord's side checks that when a person first acts for the team, and adds them
//! ([`crate::Event::Enlisted`]): from then on they are members like named people. Members except the captain may leave
//! the team and rejoin it. A member who loses the role is removed with their vote as soon as they act, and before a
//! vote is counted at its deadline, because Discord sends nothing about lost roles.
//!
//! **Modes.** A team plays freely, so that the first legal move of any member counts, or votes
//! ([`TeamMode`]). By default named people play freely, since they talk to each other;
//! roles and everyone vote, so that one stranger does not play for all.
//!
//! **A vote** is a part of the table ([`TeamVote`]). A member's legal move becomes a proposal with their vote; every
//! member has one vote and may change it until the vote closes. It closes
//! - as soon as one proposal has more than half of a team of known size, or all members have voted;
//! - as soon as one proposal has the number of votes that the terms require, if they do;
//! - at its deadline, counted from the start of the team's turn, and never later than the clock's. Outages, pauses and
//!   freezes do not count. If there is no proposal by then the vote stays open, the clock runs on, and the first
//!   proposal is played.
//!
//! The proposal with the most votes is played. A tie is decided by a draw from the table's committed seed
//! ([`crate::commitment`]) and the number of the entry with which the vote began: nobody can influence the draw, and
//! [`crate::audit`] repeats it.
//!
//! Games with a team are never rated.

mod members;
mod sides;
mod vote;

use crate::Table;
use crate::model::records::Member;
use crate::model::{Occupant, Order, OrderError, RoleId, UserId};
use jiff::Timestamp;
use rookery_core::Seat;

pub use crate::model::team::{MAX_NAMED_MEMBERS, ReservedSeat, Team, TeamMembers, TeamMode, VOTE_TIME};
pub use crate::state::team_vote::{ClosedVote, MAX_PROPOSALS, Proposal, TeamVote, VoteResult, draw};
pub(crate) use members::{add_member, captain_of, rejoin};
pub(crate) use sides::remove_member;
pub use vote::EarlyEnd;
pub(crate) use vote::{play, vote, vote_is_over, without};

impl Table {
    /// Whether messages of this table may ping a role: only if the host may mention that role.
    pub fn pings_role(&self, role: RoleId) -> bool {
        self.terms().pingable_roles.contains(&role)
    }

    /// Returns the team that plays a seat; `None` for a single person or the bot.
    pub fn team(&self, seat: Seat) -> Option<&Team> {
        let captain = self.occupant(seat).and_then(Occupant::person)?;
        self.sides().iter().find(|team| team.captain == captain)
    }

    /// Returns the team that is to move.
    pub fn team_to_move(&self) -> Option<&Team> {
        self.team(self.to_move()?)
    }

    /// Whether a person plays a seat: they hold it, or belong to its team.
    pub fn plays_for(&self, seat: Seat, who: UserId) -> bool {
        let holds = self.occupant(seat).and_then(Occupant::person) == Some(who);
        holds || self.team(seat).is_some_and(|team| self.is_known_of(team, who))
    }

    /// Whether a person may give a seat's orders other than moves.
    pub fn is_holder_of(&self, seat: Seat, who: UserId) -> bool {
        self.occupant(seat).and_then(Occupant::person) == Some(who)
    }

    /// Returns everybody who is known to play a seat, its holder first, each once; nobody for the bot.
    pub fn players_of(&self, seat: Seat) -> Vec<UserId> {
        let Some(holder) = self.occupant(seat).and_then(Occupant::person) else { return Vec::new() };
        let mut people = vec![holder];
        let Some(team) = self.team(seat) else { return people };
        let enlisted = self.teams().enlisted.iter().filter(|(captain, _)| *captain == team.captain);
        let all = team.members.named().iter().copied().chain(enlisted.map(|(_, who)| *who));
        for who in all {
            if !people.contains(&who) && self.is_known_of(team, who) {
                people.push(who);
            }
        }
        people
    }

    /// Returns those of them who are expected to vote: all but a captain who has left for good but still holds the
    /// seat.
    pub(crate) fn voters_of(&self, seat: Seat) -> Vec<UserId> {
        let players = self.players_of(seat);
        let Some(captain) = players.first().copied() else { return players };
        let stays = |who: &UserId| !self.teams().departed.contains(&(captain, *who));
        players.into_iter().filter(stays).collect()
    }

    /// Returns when a person last proposed or voted here.
    pub(crate) fn voted_at(&self, who: UserId) -> Option<Timestamp> {
        self.teams().acted.iter().find(|(acted, _)| *acted == who).map(|(_, at)| *at)
    }

    /// Returns the person to move, if it is a single one.
    pub fn alone_to_move(&self) -> Option<UserId> {
        let seat = self.to_move().filter(|seat| self.team(*seat).is_none())?;
        self.occupant(seat).and_then(Occupant::person)
    }

    /// Returns everybody who is known to play in a team, with whether it is to move.
    pub(crate) fn members(&self) -> Vec<Member> {
        let teams = Seat::all(self.chairs().len()).filter(|seat| self.team(*seat).is_some());
        let of = |seat: Seat| {
            let waits = self.to_move() == Some(seat);
            self.players_of(seat).into_iter().map(move |person| Member { person, waits })
        };
        teams.flat_map(of).collect()
    }

    fn is_known_of(&self, team: &Team, who: UserId) -> bool {
        let teams = self.teams();
        let known = team.members.named().contains(&who) || teams.enlisted.contains(&(team.captain, who));
        known && !teams.departed.contains(&(team.captain, who))
    }

    /// Refuses orders that only the captain of a team may give.
    ///
    /// # Errors
    /// [`OrderError::NotCaptain`] for any other member.
    pub(crate) fn check_captain(&self, who: UserId, order: &Order) -> Result<(), OrderError> {
        let needs_captain = matches!(
            order,
            Order::Resign
                | Order::Offer(_)
                | Order::Answer { .. }
                | Order::Accept { .. }
                | Order::Claim
                | Order::GiveTime
                | Order::SeatProgram { .. }
        );
        let seat = self.seat_of(who).filter(|seat| needs_captain && !self.is_holder_of(*seat, who));
        match seat.and_then(|seat| self.team(seat)) {
            Some(team) => Err(OrderError::NotCaptain { captain: team.captain }),
            None => Ok(()),
        }
    }
}
