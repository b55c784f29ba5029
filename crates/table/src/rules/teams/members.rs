//! The members of teams of a role or of everyone: Discord's side checks them, the table records them.

use super::{Team, TeamMembers};
use crate::Table;
use crate::model::{Actor, Event, OrderError, UserId};
use rookery_core::Seat;

impl Table {
    /// Returns the teams that a person may still join; none for a person who has another seat at the table, or has left
    /// a seat there.
    pub fn open_teams(&self, who: UserId) -> impl Iterator<Item = &Team> {
        let seated = self.seat_of(who).is_some() || self.substituted_seat_of(who).is_some();
        let seats = Seat::all(self.chairs().len()).filter(move |_| !seated);
        let teams = seats.filter_map(|seat| self.team(seat));
        teams.filter(|team| !matches!(team.members, TeamMembers::Named { .. }))
    }
}

/// Adds a member; Discord's side has checked that the person belongs to the team.
pub(crate) fn add_member(
    table: &Table,
    by: Actor,
    person: UserId,
    captain: UserId,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if by != Actor::System || !table.open_teams(person).any(|team| team.captain == captain) {
        return Err(OrderError::NotSeated);
    }
    Ok(vec![Event::Enlisted { captain, person }])
}

/// Returns the captain of the team in which a person plays; `None` if they play alone, or are the captain.
pub(crate) fn captain_of(table: &Table, who: UserId) -> Option<UserId> {
    let seat = table.seat_of(who).filter(|seat| !table.is_holder_of(*seat, who))?;
    table.team(seat).map(|team| team.captain)
}

/// Returns the event with which a person rejoins the team that they left; `None` if they left none.
pub(crate) fn rejoin(table: &Table, who: UserId) -> Option<Event> {
    let (captain, _) = table.teams().departed.iter().find(|(_, person)| *person == who)?;
    table.seat_of(who).is_none().then_some(Event::Enlisted { captain: *captain, person: who })
}
