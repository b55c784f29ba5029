//! Seats while the game is on: who still plays, seats handed to the program and taken back, and games in which
//! nobody sits.

use rookery_core::player::Level;
use rookery_core::{Play, Seat};

use crate::TableId;
use crate::model::{EndCause, Event, Occupant, OrderError, Status, UserId};
use crate::state::Table;
use crate::teams;

/// Turns after which a game that the program plays alone is called off. Most games end long before; Penguin
/// Soccer between equals may go on for ever, and nobody would be there to offer a draw.
const MAX_EXHIBITION_PLIES: usize = 400;

impl Table {
    /// Whether nobody has given up for a seat.
    pub fn still_plays(&self, seat: Seat) -> bool {
        !self.resigned().contains(&seat)
    }

    /// The seats for which nobody has given up, in turn order.
    pub fn playing_seats(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.chairs().len()).filter(|seat| self.still_plays(*seat))
    }

    /// Whether the game goes on among the others when one of them is out.
    pub fn others_play_on(&self) -> bool {
        self.playing_seats().count() > 2
    }

    /// The seat that somebody still plays, alone or in a team; the one that is to move if they play several.
    ///
    /// # Errors
    /// If they sit nowhere here, or have given up.
    pub(crate) fn playing_seat_of(&self, who: UserId) -> Result<Seat, OrderError> {
        let seat = self.seat_of(who).ok_or(OrderError::NotSeated)?;
        let any = || self.playing_seats().find(|seat| self.plays_for(*seat, who));
        Some(seat).filter(|seat| self.still_plays(*seat)).or_else(any).ok_or(OrderError::ResignedAlready)
    }

    /// Whether the program sits on a seat.
    pub fn is_program(&self, seat: Seat) -> bool {
        matches!(self.occupant(seat), Some(Occupant::Ai { .. }))
    }

    /// Whether the program plays alone, for people to watch: all seats, or all for which nobody has given up.
    pub fn is_exhibition(&self) -> bool {
        // After the end all seats count, also one that resigned at the last.
        let counts = |seat: &Seat| self.to_move().is_none() || self.still_plays(*seat);
        let mut seats = Seat::all(self.chairs().len()).filter(counts);
        self.play().is_some() && seats.all(|seat| self.is_program(seat))
    }

    /// The end of an exhibition game that is too long, after a number of turns.
    pub(crate) fn end_of_exhibition(&self, play: &dyn Play) -> Option<Event> {
        let enough = self.is_exhibition() && play.ply() >= MAX_EXHIBITION_PLIES;
        enough.then(|| Event::ended(Vec::new(), EndCause::Aborted))
    }

    /// Whether somebody has a say here: they play, may come back to their seat, or opened a game that
    /// the program plays alone.
    pub fn concerns(&self, who: UserId) -> bool {
        let seated = self.seat_of(who).is_some() || self.seat_left_by(who).is_some();
        seated || (self.is_exhibition() && self.host() == who)
    }

    /// The seat in which the program stands in for somebody.
    pub fn seat_left_by(&self, who: UserId) -> Option<Seat> {
        self.away().iter().find(|(_, person)| *person == who).map(|(seat, _)| *seat)
    }
}

/// Somebody hands their seat to the program. In a game of two that would leave nobody to play with:
/// there one resigns.
pub(crate) fn substitute(table: &Table, who: UserId, level: Level) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if let Some(captain) = teams::captain_of(table, who) {
        return teams::without(table, captain, who);
    }
    let seat = table.playing_seat_of(who)?;
    if table.chairs().len() < 3 {
        return Err(OrderError::OnlyTwo);
    }
    // The losing player would leave the loss to the program.
    if table.is_rated() {
        return Err(OrderError::Rated);
    }
    Ok(vec![Event::Seated { seat, occupant: Occupant::Ai { level } }])
}

/// Somebody takes the seat back in which the program stood in for them.
pub(crate) fn come_back(table: &Table, who: UserId) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if let Some(back) = teams::rejoin(table, who) {
        return Ok(vec![back]);
    }
    let refused = || table.playing_seat_of(who).err().unwrap_or(OrderError::SeatedAlready);
    let seat = table.seat_left_by(who).ok_or_else(refused)?;
    Ok(vec![Event::Seated { seat, occupant: Occupant::Human { person: who } }])
}

/// The game is played again at another table; `instead_of` is the one that was announced before.
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
