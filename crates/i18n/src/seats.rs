//! The seats of a table that waits for players.

use rookery_core::{Play, Seat};
use rookery_table::{Occupant, Table};

use super::Localizer;

impl Localizer {
    /// Describes how many seats a waiting table has, how many are free, and who holds the others on which
    /// side. `None` for a two-player challenge by name, whose first line already says it.
    pub fn seats(&self, table: &Table) -> Option<String> {
        let count = table.chairs().len();
        let is_free = |seat: Seat| is_open(table, seat) && table.reserved_seat(seat).is_none();
        let free = Seat::all(count).filter(|seat| is_free(*seat)).count();
        if free == 0 && count <= 2 {
            return None;
        }
        // Nobody has swapped before the start, but an imported position may contain a swap.
        let play = table.game().and_then(|game| table.terms().begin(game, count).ok());
        let taken = Seat::all(count).filter(|seat| !is_free(*seat));
        let taken: Vec<_> = taken.map(|seat| self.taken(table, play.as_deref(), seat)).collect();
        let args = [("count", count.into()), ("free", free.into()), ("taken", self.join(&taken).into())];
        Some(self.say("announce-seats", &args))
    }

    /// Names the holder of a seat with the side, and marks an invited player who has not answered or a team
    /// without a first member.
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
