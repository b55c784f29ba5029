//! Teams: a seat that several people play together.
//!
//! **Who.** A team is people by name, everybody with a role, or everybody who can write where the table
//! is ([`TeamMembers`]). Its seat is held by its captain: the host, or the first to join an opposing team
//! ([`ReservedSeat`]). The captain decides everything that is not a move (resigning, offers and answers,
//! proven ends,
//! handing the seat over), so that nobody gives a game away for the others. The table can't know who has a
//! role, or who
//! "everybody" is. Discord's side sees that when a person acts for the team first, and enlists them
//! ([`crate::Event::Enlisted`]): from then on the table knows them like named people. Members except the captain may
//! leave the
//! team, and come back. A member who loses the role is taken out of the team, with their vote, as soon as
//! they act, and
//! before a vote is counted at its deadline: Discord sends nothing about lost roles.
//!
//! **How.** A team plays freely, so that the first legal move of anybody counts, or by vote (`Mode`).
//! By default named people play freely, since they talk to each other; roles and
//! everybody vote, so that one stranger does not play for all.
//!
//! **A vote** is a part of the table ([`TeamVote`]). A legal move that a member plays becomes a
//! proposal, with their vote; everybody has one vote and may move it until the vote closes. It closes
//! - as soon as one proposal has more than half of a team whose size is known, or all of it have voted;
//! - as soon as one has as many votes as the terms ask for, where they do;
//! - at its deadline, counted from the moment at which the team's turn began, and never later than the
//!   clock's. Time in which nobody could move, or in which the game stood still, does not count. If nobody
//!   has proposed anything by then it stays open, the clock runs on, and the first proposal is played.
//!
//! The proposal with most votes is played. Of several with as many each, one is drawn from the table's
//! lots, which are pledged ([`crate::commitment`]), and from the number of the entry with which the vote
//! began: nobody can steer the draw, and [`crate::audit`] makes it again.
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
pub(crate) use vote::{play, vote, vote_is_over, without};

impl Table {
    /// Whether messages of this table may ping a role: only if the host may mention that role themselves.
    pub fn pings_role(&self, role: RoleId) -> bool {
        self.terms().pingable_roles.contains(&role)
    }

    /// The team that plays a seat; `None` if one person does, or the program.
    pub fn team(&self, seat: Seat) -> Option<&Team> {
        let captain = self.occupant(seat).and_then(Occupant::person)?;
        self.sides().iter().find(|team| team.captain == captain)
    }

    /// The team that is to move.
    pub fn team_to_move(&self) -> Option<&Team> {
        self.team(self.to_move()?)
    }

    /// Whether somebody plays a seat: they hold it, or belong to the team that does.
    pub fn plays_for(&self, seat: Seat, who: UserId) -> bool {
        let holds = self.occupant(seat).and_then(Occupant::person) == Some(who);
        holds || self.team(seat).is_some_and(|team| self.is_known_of(team, who))
    }

    /// Whether somebody may say for a seat what is not a move.
    pub fn is_holder_of(&self, seat: Seat, who: UserId) -> bool {
        self.occupant(seat).and_then(Occupant::person) == Some(who)
    }

    /// Everybody who is known to play a seat, its holder first, each once; nobody for the program.
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

    /// Those of them whose votes are waited for: all but a captain who has left for good, though they hold the seat.
    pub(crate) fn voters_of(&self, seat: Seat) -> Vec<UserId> {
        let players = self.players_of(seat);
        let Some(captain) = players.first().copied() else { return players };
        let stays = |who: &UserId| !self.teams().departed.contains(&(captain, *who));
        players.into_iter().filter(stays).collect()
    }

    /// When a person last proposed something or voted here.
    pub(crate) fn voted_at(&self, who: UserId) -> Option<Timestamp> {
        self.teams().acted.iter().find(|(acted, _)| *acted == who).map(|(_, at)| *at)
    }

    /// Who is to move, if it is one person alone.
    pub fn alone_to_move(&self) -> Option<UserId> {
        let seat = self.to_move().filter(|seat| self.team(*seat).is_none())?;
        self.occupant(seat).and_then(Occupant::person)
    }

    /// Everybody who is known to play in a team, with whether it is to move.
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

    /// Refuses people what only the captain of their team may say.
    ///
    /// # Errors
    /// [`OrderError::NotCaptain`].
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
