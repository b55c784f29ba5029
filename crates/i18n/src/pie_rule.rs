//! The pie rule in words: that sides may be swapped, and who plays which since they were.

use rookery_core::{IllegalMove, MoveError, Pie, Play, Seat};
use rookery_table::Table;

use super::Localizer;

/// The rule of Amoeba about stacks of the other side's.
const NOT_CONTROLLED: &str = "amoeba-not-controlled";

impl Localizer {
    /// What a board has to say of the pie rule: that whoever is to move may take the other side over, or who
    /// plays which side now that it was done.
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

    /// Why a move was not played, for whoever tried it; with their side, if sides were swapped and they reached
    /// for what was theirs before.
    pub(super) fn not_played(&self, wrong: &MoveError, play: Option<&dyn Play>) -> String {
        let told = self.wrong(wrong, play);
        match play.filter(|play| is_swapped(*play) && is_of_another(wrong)) {
            Some(play) => {
                let side = self.side(play, play.turn());
                format!("{told} {}", self.say("refusal-swapped", &[("side", side.into())]))
            }
            None => told,
        }
    }
}

/// Whether whoever is to move may take the other side over.
pub fn may_swap(play: &dyn Play) -> bool {
    let knows = || play.info().options.iter().any(|option| option.key == Pie::OPTION.key);
    // Later it is only looked for at length, among all moves.
    play.ply() <= 1 && knows() && play.read(Pie::SWAP).is_ok()
}

fn is_swapped(play: &dyn Play) -> bool {
    play.seats() == 2 && play.side(Seat::FIRST) != Seat::FIRST.index()
}

/// Whether what was to move is somebody else's.
fn is_of_another(wrong: &MoveError) -> bool {
    match wrong {
        MoveError::Illegal(IllegalMove::NotYours { .. }) => true,
        MoveError::Illegal(IllegalMove::Rule { rule, .. }) => *rule == NOT_CONTROLLED,
        _ => false,
    }
}
