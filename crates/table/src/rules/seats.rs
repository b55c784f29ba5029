//! Seats during the game: who still plays, seats handed to the bot and taken back, and games without people.

use rookery_core::player::Level;
use rookery_core::{Play, Seat};

use crate::TableId;
use crate::model::{EndCause, Event, Occupant, OrderError, Status, UserId};
use crate::state::Table;
use crate::teams;

/// The ply at which a game that the bot plays alone is aborted. Most games end long before; Penguin Soccer between
/// equals may never end, and nobody could offer a draw.
const MAX_EXHIBITION_PLIES: usize = 400;

impl Table {
    /// Whether the seat has not resigned.
    pub fn still_plays(&self, seat: Seat) -> bool {
        !self.resigned().contains(&seat)
    }

    /// Returns the seats that have not resigned, in turn order.
    pub fn playing_seats(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.chairs().len()).filter(|seat| self.still_plays(*seat))
    }

    /// Whether the game continues when one more player leaves.
    pub fn others_play_on(&self) -> bool {
        self.playing_seats().count() > 2
    }

    /// Returns the seat that a person still plays, alone or in a team; among several the one to move.
    ///
    /// # Errors
    /// If they have no seat here, or have resigned.
    pub(crate) fn playing_seat_of(&self, who: UserId) -> Result<Seat, OrderError> {
        let seat = self.seat_of(who).ok_or(OrderError::NotSeated)?;
        let any = || self.playing_seats().find(|seat| self.plays_for(*seat, who));
        Some(seat).filter(|seat| self.still_plays(*seat)).or_else(any).ok_or(OrderError::ResignedAlready)
    }

    /// Whether the bot holds a seat.
    pub fn is_program(&self, seat: Seat) -> bool {
        matches!(self.occupant(seat), Some(Occupant::Ai { .. }))
    }

    /// Returns the person who plays if all other seats are the bot's or theirs as well. A team does not count as one
    /// person, nor does a table with a player who may return to their seat.
    pub fn only_person(&self) -> Option<UserId> {
        if self.terms().has_teams() || !self.substitutions().is_empty() {
            return None;
        }
        let mut people = self.chairs().iter().filter_map(|chair| chair.person());
        let first = people.next()?;
        people.all(|who| who == first).then_some(first)
    }

    /// Whether the bot plays alone, for people to watch: it holds all seats, or all that have not resigned.
    pub fn is_exhibition(&self) -> bool {
        // After the end all seats count, including the last one to resign.
        let counts = |seat: &Seat| self.to_move().is_none() || self.still_plays(*seat);
        let mut seats = Seat::all(self.chairs().len()).filter(counts);
        self.play().is_some() && seats.all(|seat| self.is_program(seat))
    }

    /// Returns the end of an exhibition game that has become too long.
    pub(crate) fn end_of_exhibition(&self, play: &dyn Play) -> Option<Event> {
        let enough = self.is_exhibition() && play.ply() >= MAX_EXHIBITION_PLIES;
        enough.then(|| Event::ended(Vec::new(), EndCause::Aborted))
    }

    /// Whether a person may give orders here: they play, may return to their seat, or opened an exhibition game.
    pub fn is_participant(&self, who: UserId) -> bool {
        let seated = self.seat_of(who).is_some() || self.substituted_seat_of(who).is_some();
        seated || (self.is_exhibition() && self.host() == who)
    }

    /// Returns the seat in which the bot substitutes for a person.
    pub fn substituted_seat_of(&self, who: UserId) -> Option<Seat> {
        self.substitutions().iter().find(|(_, person)| *person == who).map(|(seat, _)| *seat)
    }
}

/// Hands a person's seat to the bot. In a game of two no opponent would be left, so there the person must resign.
pub(crate) fn substitute(table: &Table, who: UserId, level: Level) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if let Some(captain) = teams::captain_of(table, who) {
        return teams::without(table, captain, who);
    }
    let seat = table.playing_seat_of(who)?;
    if table.chairs().len() < 3 {
        return Err(OrderError::OnlyTwo);
    }
    // The losing player could leave the loss to the bot.
    if table.is_rated() {
        return Err(OrderError::Rated);
    }
    Ok(vec![Event::Seated { seat, occupant: Occupant::Ai { level } }])
}

/// Gives the seat back to the person for whom the bot substitutes.
pub(crate) fn come_back(table: &Table, who: UserId) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if let Some(back) = teams::rejoin(table, who) {
        return Ok(vec![back]);
    }
    let refused = || table.playing_seat_of(who).err().unwrap_or(OrderError::SeatedAlready);
    let seat = table.substituted_seat_of(who).ok_or_else(refused)?;
    Ok(vec![Event::Seated { seat, occupant: Occupant::Human { person: who } }])
}

/// Announces a rematch at another table; `instead_of` is the one announced before.
pub(crate) fn rematch(
    table: &Table,
    next: TableId,
    instead_of: Option<TableId>,
) -> Result<Vec<Event>, OrderError> {
    match table.status() {
        Status::Over(_) if table.rematch() == instead_of => Ok(vec![Event::Rematched { table: next }]),
        Status::Over(_) => Err(OrderError::OfferStands),
        _ => Err(OrderError::NotOver),
    }
}
