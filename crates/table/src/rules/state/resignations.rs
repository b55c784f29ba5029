//! The start of a game, and who has resigned: before it started here, according to its first position, or since.

use rookery_core::Seat;

use super::Table;
use super::moves::own_copy;
use super::retired_seats::retired;
use crate::model::Status;

impl Table {
    /// Returns the seats that have resigned, in the order of resigning.
    pub fn resigned(&self) -> &[Seat] {
        &self.resigned
    }

    /// Returns those that resigned before the game started here: nobody plays them.
    pub fn resigned_before_start(&self) -> &[Seat] {
        &self.gone
    }

    pub(super) fn begin(&mut self, line: &str) -> Result<(), String> {
        let game = self.game().ok_or_else(|| format!("no game called {}", self.terms.game))?;
        let play = game.resume(line).map_err(|e| e.to_string())?;
        // Only this event has the first position of an imported game.
        self.gone = retired(play.as_ref());
        self.resigned.clone_from(&self.gone);
        self.play = Some(play.into());
        self.status = Status::Running;
        Ok(())
    }

    pub(super) fn retire(&mut self, seat: Seat) -> Result<(), String> {
        let seat = self.seat(seat)?;
        if !self.resigned.contains(&seat) {
            self.resigned.push(seat);
        }
        self.offer = None;
        // Plans include moves of the resigned seat, which moves no more: their remainder would be played for another
        // seat.
        self.plans.clear();
        if let Some(play) = self.play.as_mut().filter(|play| play.seats() > 2) {
            own_copy(play).retire(seat);
        }
        Ok(())
    }
}
