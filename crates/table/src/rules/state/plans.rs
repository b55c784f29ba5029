//! The planned moves of each seat, updated with the game.

use rookery_core::Seat;

use crate::model::Branch;

/// The plans of every seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plans(Vec<(Seat, Vec<Branch>)>);

impl Plans {
    /// Returns the branches of a seat.
    pub fn of(&self, seat: Seat) -> &[Branch] {
        let found = self.0.iter().find(|(whose, _)| *whose == seat);
        found.map_or(&[], |(_, branches)| branches)
    }

    /// Replaces the branches of a seat.
    pub(crate) fn set(&mut self, seat: Seat, branches: Vec<Branch>) {
        self.0.retain(|(whose, _)| *whose != seat);
        if !branches.is_empty() {
            self.0.push((seat, branches));
        }
    }

    /// Drops branches that do not begin with the turn just taken.
    pub(crate) fn advance(&mut self, text: &str) {
        for (_, branches) in &mut self.0 {
            branches.retain_mut(|branch| {
                let goes_on = branch.len() > 1 && branch[0] == text;
                if goes_on {
                    branch.remove(0);
                }
                goes_on
            });
        }
        self.0.retain(|(_, branches)| !branches.is_empty());
    }

    /// Returns the planned move of a seat that is to move.
    pub(crate) fn answer(&self, seat: Seat) -> Option<&str> {
        self.of(seat).first()?.first().map(String::as_str)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
