//! A table's clock: how much time everybody has left. Pure arithmetic over the moments at which things
//! happened, so that a journal read again gives the same clock.
//!
//! [`terms`] are what was agreed on, [`time_off`] is when somebody's clock stands though it is their turn,
//! `due` is what comes next of itself.

mod apply;
mod events;
#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;

pub use crate::model::clock::{
    ClockParseError, ClockTerms, DAY, HOUR, MINUTE, TimeOff, TimeSpan, Warning, WeeklyWindow, terms, time_off,
};
pub use events::ClockEvent;

/// A turn that is taken back leaves nobody with less than this because of it.
const MIN_AFTER_UNDO: SignedDuration = SignedDuration::from_mins(5);

/// Nobody loses on time sooner than this after the start.
pub const GRACE: SignedDuration = SignedDuration::from_mins(10);

/// The clock of a table that has begun. Only one seat's time runs, that of the mover; a seat of the
/// program has no time to lose, so that nobody runs while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    terms: ClockTerms,
    /// What each seat had left at `at`; never below 0.
    left: Vec<SignedDuration>,
    rests: Vec<TimeOff>,
    /// What each turn has added, and to whom.
    added: Vec<(Seat, SignedDuration)>,
    /// Whose time runs.
    mover: Option<Seat>,
    /// Until when time is taken off.
    at: Timestamp,
    started_at: Timestamp,
    /// Since when the game stands still by agreement.
    paused_since: Option<Timestamp>,
    /// Whether it stands still because nobody can be reached.
    frozen: bool,
    /// What the mover was told in this turn, or need not be.
    warned: Option<Warning>,
    /// When the mover's time was found to be up, where the others decide.
    up_since: Option<Timestamp>,
}

impl Clock {
    /// A clock for this number of seats, started at a moment. It stands until the
    /// first turn is
    /// set.
    pub fn new(terms: ClockTerms, seats: usize, at: Timestamp) -> Clock {
        Clock {
            terms,
            left: vec![terms.initial; seats],
            rests: vec![TimeOff::default(); seats],
            added: Vec::new(),
            mover: None,
            at,
            started_at: at,
            paused_since: None,
            frozen: false,
            warned: None,
            up_since: None,
        }
    }

    /// What was agreed on.
    pub fn terms(&self) -> &ClockTerms {
        &self.terms
    }

    /// Whose time runs, or would if the game did not stand still.
    pub fn mover(&self) -> Option<Seat> {
        self.mover
    }

    /// Whether the game stands still by agreement.
    pub fn is_paused(&self) -> bool {
        self.paused_since.is_some()
    }

    /// Whether nobody's time runs, for whatever reason.
    pub fn stands(&self) -> bool {
        self.frozen || self.is_paused()
    }

    /// Whether somebody's time may stand though it is their turn.
    pub fn has_time_off(&self) -> bool {
        self.rests.iter().any(|rest| *rest != TimeOff::default())
    }

    /// When somebody's time stands though it is their turn.
    pub fn rest(&self, seat: Seat) -> TimeOff {
        self.rests.get(seat.index()).copied().unwrap_or_default()
    }

    /// What a seat has left at a moment not before the latest event; never below 0.
    pub fn left(&self, seat: Seat, now: Timestamp) -> SignedDuration {
        let left = self.left.get(seat.index()).copied().unwrap_or_default();
        if self.mover != Some(seat) || self.stands() {
            return left;
        }
        (left - self.ran(seat, TimeSpan { from: self.at, until: now })).max(SignedDuration::ZERO)
    }

    /// When the mover's time is up if nothing happens, so that it may be lost; `None` while no time runs.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.runs_out().map(|runs_out| runs_out.max(self.started_at + GRACE))
    }

    /// When the mover has nothing left if nothing happens, which counts from [`GRACE`] after the start on only.
    pub fn runs_out(&self) -> Option<Timestamp> {
        let seat = self.mover.filter(|_| !self.stands())?;
        Some(self.rest(seat).after(self.at, self.left[seat.index()]))
    }

    /// Whether the mover's time is up.
    pub fn is_up(&self, now: Timestamp) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }

    /// Whether the others were told that the mover's time is up, and decide what comes of it.
    pub fn is_flagged(&self) -> bool {
        self.up_since.is_some()
    }

    /// Until when the mover's time stands at a moment, for days off or a weekly window.
    pub fn rests_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.rest(self.mover?).until(now)
    }

    fn ran(&self, seat: Seat, span: TimeSpan) -> SignedDuration {
        self.rest(seat).ran(span)
    }
}

/// What happens to a clock. Every event first brings it to its moment with `Clock::run_to`.
impl Clock {
    /// Takes off what has run until a moment.
    pub(crate) fn run_to(&mut self, at: Timestamp) {
        if let Some(seat) = self.mover {
            self.left[seat.index()] = self.left(seat, at);
        }
        self.at = at;
    }

    /// The same, but for times in which nobody could have moved; they do not overlap.
    pub(crate) fn run_to_except(&mut self, at: Timestamp, lost: &[TimeSpan]) {
        let since = TimeSpan { from: self.at, until: at };
        let lost: Vec<TimeSpan> = lost.iter().filter_map(|lost| lost.meets(since)).collect();
        if let Some(seat) = self.mover.filter(|_| !self.stands()) {
            let rest = self.rest(seat);
            self.left[seat.index()] += lost.iter().map(|lost| rest.ran(*lost)).sum::<SignedDuration>();
        }
        let whole: SignedDuration = lost.iter().map(|lost| lost.until.duration_since(lost.from)).sum();
        self.up_since = self.up_since.map(|up_since| up_since + whole);
        self.run_to(at);
    }

    /// A turn was taken.
    pub(crate) fn add(&mut self, seat: Seat) {
        let had = self.left[seat.index()];
        self.give(seat, self.terms.increment);
        self.added.push((seat, self.left[seat.index()] - had));
    }

    /// Turns were taken back, and with them what they had added.
    pub(crate) fn take_back(&mut self, turns: usize) {
        for (seat, added) in self.added.split_off(self.added.len().saturating_sub(turns)) {
            let left = &mut self.left[seat.index()];
            *left = (*left - added).max(MIN_AFTER_UNDO.min(*left));
        }
        self.begin_turn();
    }

    /// Somebody has more time, though never more than the cap.
    pub(crate) fn give(&mut self, seat: Seat, more: SignedDuration) {
        if let Some(left) = self.left.get_mut(seat.index()) {
            *left = (*left + more).min(self.terms.cap);
        }
        self.begin_turn();
    }

    /// Whose time runs from now on: nobody's while the program thinks, and when the game is over.
    pub(crate) fn set_mover(&mut self, mover: Option<Seat>) {
        if self.mover != mover {
            self.mover = mover;
            self.begin_turn();
        }
    }

    /// The game stands still by agreement, or goes on.
    pub(crate) fn pause(&mut self, paused: bool) {
        self.paused_since = paused.then_some(self.at);
    }

    /// Nobody can be reached, or everybody again; a pause that was agreed on goes on meanwhile.
    pub(crate) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// When a seat's time stands, from now on.
    pub(crate) fn set_time_off(&mut self, seat: Seat, rest: TimeOff) {
        if let Some(own) = self.rests.get_mut(seat.index()) {
            *own = rest;
        }
    }

    /// The mover was told how little is left.
    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warned = Some(warning);
    }

    /// The mover's time is up, and the others decide.
    pub(crate) fn flag(&mut self) {
        self.up_since = Some(self.at);
    }
}
