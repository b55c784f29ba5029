//! The seats of a table that waits for players.

use rookery_core::Seat;
use rookery_table::{Occupant, Table};

use super::Localizer;
use super::names::two_a_line;

impl Localizer {
    /// Describes who holds which side at a waiting table, and which are free, two a line. `None` for a two-player
    /// challenge by name, whose first line already says it.
    pub fn seats(&self, table: &Table) -> Option<String> {
        let count = table.chairs().len();
        if count <= 2 && !Seat::all(count).any(|seat| is_free(table, seat)) {
            return None;
        }
        // Nobody has swapped before the start, but an imported position may contain a swap.
        let play = table.game().and_then(|game| table.terms().begin(game, count).ok());
        let one = |seat| {
            let who = self.seat_holder(table, seat);
            match &play {
                Some(play) => self.player_of_side(play.as_ref(), seat, who),
                None => who,
            }
        };
        Some(two_a_line(&Seat::all(count).map(one).collect::<Vec<_>>()))
    }

    /// Names the holder of a seat, and marks an invited player who has not answered or a team without a first
    /// member.
    fn seat_holder(&self, table: &Table, seat: Seat) -> String {
        if is_free(table, seat) {
            return self.word("seat-free");
        }
        let who = self.holder(table, seat);
        let asked = matches!(table.occupant(seat), Some(Occupant::Invited { .. })) || is_open(table, seat);
        if asked { self.say("seat-asked", &[("who", who.into())]) } else { who }
    }
}

fn is_free(table: &Table, seat: Seat) -> bool {
    is_open(table, seat) && table.reserved_seat(seat).is_none()
}

fn is_open(table: &Table, seat: Seat) -> bool {
    table.occupant(seat) == Some(Occupant::Open)
}
