//! The moves that each seat has planned, kept up to date with the game.

use rookery_core::Seat;

use crate::model::Branch;

/// What every seat has planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plans(Vec<(Seat, Vec<Branch>)>);

impl Plans {
    /// What a seat has planned.
    pub fn of(&self, seat: Seat) -> &[Branch] {
        let found = self.0.iter().find(|(whose, _)| *whose == seat);
        found.map_or(&[], |(_, branches)| branches)
    }

    /// Replaces what a seat has planned.
    pub(crate) fn set(&mut self, seat: Seat, branches: Vec<Branch>) {
        self.0.retain(|(whose, _)| *whose != seat);
        if !branches.is_empty() {
            self.0.push((seat, branches));
        }
    }

    /// A turn was taken: what began otherwise is over.
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

    /// What a seat that is to move has decided to play.
    pub(crate) fn answer(&self, seat: Seat) -> Option<&str> {
        self.of(seat).first()?.first().map(String::as_str)
    }

    /// Nothing is planned any more.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
