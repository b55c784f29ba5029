//! Several teams at one table: the host leads the first, and the seats of the others are reserved. The first
//! of named
//! people is invited as captain; for a role or everybody the first to join becomes captain.

use super::{ReservedSeat, Team};
use crate::model::{Actor, Event, Occupant, OrderError, Terms, UserId};
use crate::{Table, teams};
use rookery_core::Seat;

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
            .find(|reserved_seat| free && reserved_seat.seat.index() == seat.index())
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
