//! The pie rule in words: the offer to swap sides, and who plays which side after a swap.

use rookery_core::{IllegalMove, MoveError, Pie, Play, Seat};
use rookery_table::Table;

use super::Localizer;

/// The key of Amoeba's error for a stack that the other side controls.
const NOT_CONTROLLED: &str = "amoeba-not-controlled";

impl Localizer {
    /// Describes the pie rule's state under a board: that the player to move may swap sides, or right after a
    /// swap who plays which side.
    pub fn pie(&self, table: &Table) -> Option<String> {
        let (play, turn) = (table.play().filter(|play| play.seats() == 2)?, table.to_move()?);
        let of = |seat: Seat| [self.holder(table, seat), self.side(play, seat)];
        let [[who, own], [other, others]] = [turn, turn.other()].map(of);
        if play.record().last().is_some_and(|text| text == Pie::SWAP) {
            let args = [
                ("who", who.into()),
                ("own", own.into()),
                ("other", other.into()),
                ("others", others.into()),
            ];
            return Some(self.say("pie-swapped", &args));
        }
        let open = may_swap(play) && !table.is_program(turn);
        open.then(|| self.say("pie-open", &[("who", who.into()), ("side", others.into())]))
    }

    /// Explains why a move was not played. Adds the player's side if sides were swapped and the move is for a
    /// piece of the other side.
    pub(super) fn not_played(&self, wrong: &MoveError, play: Option<&dyn Play>) -> String {
        let told = self.move_error(wrong, play);
        match play.filter(|play| is_swapped(*play) && is_of_another(wrong)) {
            Some(play) => {
                let side = self.side(play, play.turn());
                format!("{told}\n{}", self.say("refusal-swapped", &[("side", side.into())]))
            }
            None => told,
        }
    }
}

/// Whether the player to move may swap sides.
pub fn may_swap(play: &dyn Play) -> bool {
    let knows = || play.info().options.iter().any(|option| option.key == Pie::OPTION.key);
    // Later plies need not list all moves to find out: the swap is legal only in the first plies.
    play.ply() <= 1 && knows() && play.read(Pie::SWAP).is_ok()
}

fn is_swapped(play: &dyn Play) -> bool {
    play.seats() == 2 && play.side(Seat::FIRST) != Seat::FIRST.index()
}

/// Whether the piece to move belongs to another player.
fn is_of_another(wrong: &MoveError) -> bool {
    match wrong {
        MoveError::Illegal(IllegalMove::NotYours { .. }) => true,
        MoveError::Illegal(IllegalMove::Rule { rule, .. }) => *rule == NOT_CONTROLLED,
        _ => false,
    }
}
