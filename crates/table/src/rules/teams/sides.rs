//! Several teams at one table: the host leads the first, and the seats of the others are reserved. The first of named
//! people is invited as captain; for a role or everybody the first to join becomes captain.

use super::{ReservedSeat, Team};
use crate::model::{Actor, Event, Occupant, OrderError, Terms, UserId};
use crate::{Table, teams};
use rookery_core::Seat;

impl Table {
    /// Returns the teams that have a captain.
    pub fn sides(&self) -> &[Team] {
        &self.teams().sides
    }

    /// Returns the team that a seat is reserved for, while it has no captain.
    pub fn reserved_seat(&self, seat: Seat) -> Option<&ReservedSeat> {
        let free = self.occupant(seat) == Some(Occupant::Open);
        self.terms()
            .reserved_seats
            .iter()
            .find(|reserved_seat| free && reserved_seat.seat.index() == seat.index())
    }

    /// Returns the seats that are reserved for teams without a captain, in turn order.
    pub fn reserved_seats(&self) -> impl Iterator<Item = &ReservedSeat> {
        Seat::all(self.chairs().len()).filter_map(|seat| self.reserved_seat(seat))
    }

    /// Whether a seat is free for anybody.
    pub fn has_free_seat(&self) -> bool {
        let free =
            |seat: Seat| self.occupant(seat) == Some(Occupant::Open) && self.reserved_seat(seat).is_none();
        Seat::all(self.chairs().len()).any(free)
    }

    /// Returns terms under which the same teams play again, each with its captain.
    #[must_use]
    pub fn rematch_terms(&self) -> Terms {
        Terms {
            teams: self.sides().to_vec(),
            reserved_seats: Vec::new(),
            again: None,
            ..self.terms().clone()
        }
    }
}

/// Removes a member who has lost the team's role.
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
