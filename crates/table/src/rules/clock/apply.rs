//! How the events of a table change its clock.

use rookery_core::Seat;

use super::{Clock, TimeOff};
use crate::model::records::Entry;
use crate::model::{Event, Occupant};

impl Clock {
    /// Deducts the time that has run until an entry.
    pub(crate) fn run_until(&mut self, entry: &Entry) {
        match &entry.event {
            Event::Lost { spans } => self.run_to_except(entry.at, spans),
            _ => self.run_to(entry.at),
        }
    }

    /// Applies an event, after [`Clock::run_until`] its entry.
    pub(crate) fn apply(&mut self, chairs: &[Occupant], event: &Event) {
        let seat = |seat: &Seat| Some(*seat).filter(|seat| seat.index() < chairs.len());
        match event {
            Event::Moved { seat: mover, .. } => {
                // In older journals a move is the only sign that a pause in a frozen game has ended.
                self.pause(false);
                seat(mover).into_iter().for_each(|mover| self.add(mover));
            }
            Event::TimeGiven { seat: to, more, .. } => {
                seat(to).into_iter().for_each(|to| self.give(to, *more));
            }
            Event::Rested { person, rest } => {
                let held =
                    Seat::all(chairs.len()).filter(|seat| chairs[seat.index()].person() == Some(*person));
                held.for_each(|seat| self.set_time_off(seat, *rest));
            }
            // A new player doesn't inherit the days off of the previous one.
            Event::Seated { seat: taken, .. } => {
                seat(taken).into_iter().for_each(|taken| self.set_time_off(taken, TimeOff::default()));
            }
            Event::Undone { from, ply, .. } => self.take_back(from.saturating_sub(*ply)),
            Event::Paused { .. } => self.pause(true),
            Event::Resumed { .. } | Event::PauseOver => self.pause(false),
            Event::Frozen => self.freeze(true),
            Event::Thawed => self.freeze(false),
            Event::Warned { warning, .. } => self.warn(*warning),
            Event::TimeUp { .. } => self.flag(),
            _ => {}
        }
    }
}
