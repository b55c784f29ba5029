//! A table's clock: how much time each player has left. It is computed from the moments of the events only, so that
//! replaying a journal gives the same clock.
//!
//! [`terms`] holds the time control, [`time_off`] the periods in which a clock is stopped although it is the player's
//! turn, and
//! `due` the next trigger.

mod apply;
mod events;
#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;

pub use crate::model::clock::{
    ClockParseError, ClockTerms, DAY, HOUR, MINUTE, TimeOff, TimeSpan, Warning, WeeklyWindow, terms, time_off,
};
use crate::model::millis::after;
pub use events::ClockEvent;

/// The least time that a player has after an undo.
const MIN_AFTER_UNDO: SignedDuration = SignedDuration::from_mins(5);

/// Nobody loses on time sooner than this after the start.
pub const GRACE: SignedDuration = SignedDuration::from_mins(10);

/// The clock of a started game. Only the time of the seat to move runs; the bot has no clock, so no time runs during
/// its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    terms: ClockTerms,
    /// The time left of each seat at `at`; never below 0.
    left: Vec<SignedDuration>,
    time_offs: Vec<TimeOff>,
    /// The time added by each turn, and the seat that got it.
    added: Vec<(Seat, SignedDuration)>,
    /// The seat whose time runs.
    mover: Option<Seat>,
    /// Until when the time is deducted.
    at: Timestamp,
    started_at: Timestamp,
    /// Since when the game is paused by agreement.
    paused_since: Option<Timestamp>,
    /// Whether the clock is stopped because the server cannot be reached.
    frozen: bool,
    /// The last reminder in this turn, sent or skipped.
    warned: Option<Warning>,
    /// When the time-out was recorded, if the other players decide about it.
    timed_out_since: Option<Timestamp>,
}

impl Clock {
    /// Creates a clock for this number of seats at a moment. It is stopped until the first mover is set.
    pub fn new(terms: ClockTerms, seats: usize, at: Timestamp) -> Clock {
        Clock {
            terms,
            left: vec![terms.initial; seats],
            time_offs: vec![TimeOff::default(); seats],
            added: Vec::new(),
            mover: None,
            at,
            started_at: at,
            paused_since: None,
            frozen: false,
            warned: None,
            timed_out_since: None,
        }
    }

    /// Returns the time control.
    pub fn terms(&self) -> &ClockTerms {
        &self.terms
    }

    /// Returns the seat whose time runs, or would run if the game were not paused or frozen.
    pub fn mover(&self) -> Option<Seat> {
        self.mover
    }

    /// Whether the game is paused by agreement.
    pub fn is_paused(&self) -> bool {
        self.paused_since.is_some()
    }

    /// Whether no time runs, for any reason.
    pub fn is_stopped(&self) -> bool {
        self.frozen || self.is_paused()
    }

    /// Whether any player's clock may be stopped for time off.
    pub fn has_time_off(&self) -> bool {
        self.time_offs.iter().any(|rest| *rest != TimeOff::default())
    }

    /// Returns when a seat's clock is stopped although it is the player's turn.
    pub fn rest(&self, seat: Seat) -> TimeOff {
        self.time_offs.get(seat.index()).copied().unwrap_or_default()
    }

    /// Returns the time that a seat has left at a moment not before the latest event; never below 0.
    pub fn left(&self, seat: Seat, now: Timestamp) -> SignedDuration {
        let left = self.left.get(seat.index()).copied().unwrap_or_default();
        if self.mover != Some(seat) || self.is_stopped() {
            return left;
        }
        (left - self.running_time(seat, TimeSpan { from: self.at, until: now })).max(SignedDuration::ZERO)
    }

    /// Returns when the mover may lose on time if nothing happens; `None` while no time runs.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.runs_out().map(|runs_out| runs_out.max(self.started_at + GRACE))
    }

    /// Returns when the mover's time reaches 0 if nothing happens; it counts only from [`GRACE`] after the start.
    pub fn runs_out(&self) -> Option<Timestamp> {
        let seat = self.mover.filter(|_| !self.is_stopped())?;
        Some(self.rest(seat).after(self.at, self.left[seat.index()]))
    }

    /// Whether the mover has run out of time.
    pub fn is_out_of_time(&self, now: Timestamp) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }

    /// Whether the time-out was announced and the other players decide about it.
    pub fn is_flagged(&self) -> bool {
        self.timed_out_since.is_some()
    }

    /// Returns until when the mover's clock is stopped at a moment, for days off or a weekly window.
    pub fn rests_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.rest(self.mover?).until(now)
    }

    fn running_time(&self, seat: Seat, span: TimeSpan) -> SignedDuration {
        self.rest(seat).running_time(span)
    }
}

/// Changes of a clock. Every event first advances it to its moment with `Clock::run_to`.
impl Clock {
    /// Deducts the time that has run until a moment.
    pub(crate) fn run_to(&mut self, at: Timestamp) {
        if let Some(seat) = self.mover {
            self.left[seat.index()] = self.left(seat, at);
        }
        self.at = at;
    }

    /// Deducts the time that has run until a moment, without the outages `lost`, which do not overlap.
    pub(crate) fn run_to_except(&mut self, at: Timestamp, lost: &[TimeSpan]) {
        let since = TimeSpan { from: self.at, until: at };
        let lost: Vec<TimeSpan> = lost.iter().filter_map(|lost| lost.intersection(since)).collect();
        if let Some(seat) = self.mover.filter(|_| !self.is_stopped()) {
            let rest = self.rest(seat);
            self.left[seat.index()] +=
                lost.iter().map(|lost| rest.running_time(*lost)).sum::<SignedDuration>();
        }
        let whole: SignedDuration = lost.iter().map(|lost| lost.until.duration_since(lost.from)).sum();
        self.timed_out_since = self.timed_out_since.map(|timed_out_since| after(timed_out_since, whole));
        self.run_to(at);
    }

    /// Adds the increment after a turn.
    pub(crate) fn add(&mut self, seat: Seat) {
        let had = self.left[seat.index()];
        self.give(seat, self.terms.increment);
        self.added.push((seat, self.left[seat.index()] - had));
    }

    /// Removes what the undone turns had added.
    pub(crate) fn take_back(&mut self, turns: usize) {
        for (seat, added) in self.added.split_off(self.added.len().saturating_sub(turns)) {
            let left = &mut self.left[seat.index()];
            *left = (*left - added).max(MIN_AFTER_UNDO.min(*left));
        }
        self.begin_turn();
    }

    /// Adds time to a seat, up to the cap.
    pub(crate) fn give(&mut self, seat: Seat, more: SignedDuration) {
        if let Some(left) = self.left.get_mut(seat.index()) {
            *left = (*left + more).min(self.terms.cap);
        }
        self.begin_turn();
    }

    /// Sets the seat whose time runs: none on the bot's turn and when the game is over.
    pub(crate) fn set_mover(&mut self, mover: Option<Seat>) {
        if self.mover != mover {
            self.mover = mover;
            self.begin_turn();
        }
    }

    /// Pauses the game by agreement, or resumes it.
    pub(crate) fn pause(&mut self, paused: bool) {
        self.paused_since = paused.then_some(self.at);
    }

    /// Stops the clock while the server cannot be reached; a pause by agreement continues.
    pub(crate) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Sets when a seat's clock is stopped, from now on.
    pub(crate) fn set_time_off(&mut self, seat: Seat, rest: TimeOff) {
        if let Some(own) = self.time_offs.get_mut(seat.index()) {
            *own = rest;
        }
    }

    /// Records that a reminder was sent to the mover.
    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warned = Some(warning);
    }

    /// Records that the mover ran out of time and the others decide.
    pub(crate) fn flag(&mut self) {
        self.timed_out_since = Some(self.at);
    }
}
