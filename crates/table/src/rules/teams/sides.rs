//! Several teams at one table: the host leads the first, and the seats of the others are reserved. The first
//! of named
//! people is invited as captain; for a role or everybody the first to join becomes captain.

use serde::{Deserialize, Serialize};

use super::{Team, TeamMembers, TeamMode, Teams};
use crate::model::{Actor, Event, Occupant, OrderError, Terms, UserId};
use crate::{Table, teams};
use rookery_core::Seat;

/// A seat that is kept for a team which has no captain yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// The index of the seat.
    pub seat: u8,
    /// Who belongs to it: a role, or everybody.
    #[serde(rename = "crowd")]
    pub members: TeamMembers,
    /// How it decides.
    pub mode: TeamMode,
}

impl Terms {
    /// Whether a seat is for a team.
    pub fn has_teams(&self) -> bool {
        !self.teams.is_empty() || !self.reserved_seats.is_empty()
    }

    /// How the teams decide, with who belongs to each: those with a captain first.
    pub fn sides(&self) -> impl Iterator<Item = (&TeamMembers, TeamMode)> {
        let led = self.teams.iter().map(|team| (&team.members, team.mode));
        led.chain(
            self.reserved_seats.iter().map(|reserved_seat| (&reserved_seat.members, reserved_seat.mode)),
        )
    }

    /// Whether a team votes.
    pub fn has_votes(&self) -> bool {
        self.sides().any(|(_, mode)| matches!(mode, TeamMode::Vote { .. }))
    }
}

impl Teams {
    /// The teams that have a captain.
    pub(crate) fn of(terms: &Terms) -> Teams {
        Teams { sides: terms.teams.clone(), ..Teams::default() }
    }

    /// Somebody sits down on a seat that may be kept for a team: then they lead it.
    pub(crate) fn sit_down(&mut self, terms: &Terms, seat: u8, captain: UserId) {
        let Some(reserved_seat) =
            terms.reserved_seats.iter().find(|reserved_seat| reserved_seat.seat == seat)
        else {
            return;
        };
        self.sides.retain(|team| team.captain != captain);
        self.sides.push(Team { captain, members: reserved_seat.members.clone(), mode: reserved_seat.mode });
    }

    /// Nobody sits on a seat any more that is kept for a team.
    pub(crate) fn stand_up(&mut self, terms: &Terms, seat: u8, captain: Option<UserId>) {
        if terms.reserved_seats.iter().any(|reserved_seat| reserved_seat.seat == seat) {
            self.sides.retain(|team| Some(team.captain) != captain);
        }
    }
}

impl Table {
    /// The teams that have a captain.
    pub fn sides(&self) -> &[Team] {
        &self.teams().sides
    }

    /// Who a seat is kept for, while nobody leads them.
    pub fn reserved_seat(&self, seat: Seat) -> Option<&ReservedSeat> {
        let free = self.occupant(seat) == Some(Occupant::Open);
        self.terms()
            .reserved_seats
            .iter()
            .find(|reserved_seat| free && usize::from(reserved_seat.seat) == seat.index())
    }

    /// The seats that are kept for teams which nobody leads yet, in turn order.
    pub fn reserved_seats(&self) -> impl Iterator<Item = &ReservedSeat> {
        Seat::all(self.chairs().len()).filter_map(|seat| self.reserved_seat(seat))
    }

    /// Whether a seat is free for anybody.
    pub fn has_free_seat(&self) -> bool {
        let free =
            |seat: Seat| self.occupant(seat) == Some(Occupant::Open) && self.reserved_seat(seat).is_none();
        Seat::all(self.chairs().len()).any(free)
    }

    /// Terms under which the same teams play each other again, each with its captain.
    #[must_use]
    pub fn terms_again(&self) -> Terms {
        Terms {
            teams: self.sides().to_vec(),
            reserved_seats: Vec::new(),
            again: None,
            ..self.terms().clone()
        }
    }
}

/// Somebody of whom the house has seen that they have a team's role no more.
pub(crate) fn remove_member(
    table: &Table,
    by: Actor,
    person: UserId,
    captain: UserId,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    let team = table.sides().iter().find(|team| team.captain == captain).ok_or(OrderError::NotSeated)?;
    let known = by == Actor::System && person != captain && table.is_known_of(team, person);
    if known { teams::without(table, captain, person) } else { Err(OrderError::NotSeated) }
}
