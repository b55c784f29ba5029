//! Who sits where at a table that waits, and how many seats are free.

use rookery_core::{Play, Seat};
use rookery_table::{Occupant, Table};

use super::Localizer;

impl Localizer {
    /// How many seats a table that waits has, how many of them are free, and who holds the others on which side.
    /// `None` where two are challenged by name: the line above says that.
    pub fn seats(&self, table: &Table) -> Option<String> {
        let count = table.chairs().len();
        let is_free = |seat: Seat| is_open(table, seat) && table.reserved_seat(seat).is_none();
        let free = Seat::all(count).filter(|seat| is_free(*seat)).count();
        if free == 0 && count <= 2 {
            return None;
        }
        // Before the start nobody has swapped, but a position that was brought along may have it behind it.
        let play = table.game().and_then(|game| table.terms().begin(game, count).ok());
        let taken = Seat::all(count).filter(|seat| !is_free(*seat));
        let taken: Vec<_> = taken.map(|seat| self.taken(table, play.as_deref(), seat)).collect();
        let args = [("count", count.into()), ("free", free.into()), ("taken", self.join(&taken).into())];
        Some(self.say("announce-seats", &args))
    }

    /// Whoever holds a seat, with their side; of who has not answered yet, or of a team that nobody leads yet,
    /// that they are asked.
    fn taken(&self, table: &Table, play: Option<&dyn Play>, seat: Seat) -> String {
        let who = self.holder(table, seat);
        let who = play.map_or_else(|| who.clone(), |play| self.on_side(play, seat, who.clone()));
        let asked = matches!(table.occupant(seat), Some(Occupant::Invited { .. })) || is_open(table, seat);
        if asked { self.say("seat-asked", &[("who", who.into())]) } else { who }
    }
}

fn is_open(table: &Table, seat: Seat) -> bool {
    table.occupant(seat) == Some(Occupant::Open)
}
