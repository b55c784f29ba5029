//! A table's clock: how much time everybody has left. Pure arithmetic over the moments at which things
//! happened, so that a journal read again gives the same clock.
//!
//! [`terms`] are what was agreed on, [`time_off`] is when somebody's clock stands though it is their turn,
//! `due` is what comes next of itself.

mod apply;
mod events;
#[cfg(test)]
mod tests;

use rookery_core::Seat;

pub use crate::model::clock::{
    ClockParseError, ClockTerms, DAY_MS, HOUR_MS, MINUTE_MS, TimeOff, TimeSpan, Warning, WeeklyWindow, terms,
    time_off,
};
pub use events::ClockEvent;

/// A turn that is taken back leaves nobody with less than this because of it.
const MIN_AFTER_UNDO_MS: i64 = 5 * MINUTE_MS;

/// Nobody loses on time sooner than this after the start.
pub const GRACE_MS: i64 = 10 * MINUTE_MS;

/// The clock of a table that has begun. Only one seat's time runs, that of the mover; a seat of the
/// program has no time to lose, so that nobody runs while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    terms: ClockTerms,
    /// What each seat had left at `at_ms`; never below 0.
    left_ms: Vec<i64>,
    rests: Vec<TimeOff>,
    /// What each turn has added, and to whom.
    added: Vec<(Seat, i64)>,
    /// Whose time runs.
    mover: Option<Seat>,
    /// Until when time is taken off.
    at_ms: i64,
    started_ms: i64,
    /// Since when the game stands still by agreement.
    paused_ms: Option<i64>,
    /// Whether it stands still because nobody can be reached.
    frozen: bool,
    /// What the mover was told in this turn, or need not be.
    warned: Option<Warning>,
    /// When the mover's time was found to be up, where the others decide.
    up_ms: Option<i64>,
}

impl Clock {
    /// A clock for this number of seats, started at a moment in milliseconds since 1970. It stands until the
    /// first turn is
    /// set.
    pub fn new(terms: ClockTerms, seats: usize, at_ms: i64) -> Clock {
        Clock {
            terms,
            left_ms: vec![terms.first_ms; seats],
            rests: vec![TimeOff::default(); seats],
            added: Vec::new(),
            mover: None,
            at_ms,
            started_ms: at_ms,
            paused_ms: None,
            frozen: false,
            warned: None,
            up_ms: None,
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
        self.paused_ms.is_some()
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

    /// What a seat has left at a moment not before the latest event, in milliseconds; never below 0.
    pub fn left_ms(&self, seat: Seat, now_ms: i64) -> i64 {
        let left_ms = self.left_ms.get(seat.index()).copied().unwrap_or_default();
        if self.mover != Some(seat) || self.stands() {
            return left_ms;
        }
        (left_ms - self.ran_ms(seat, TimeSpan { from_ms: self.at_ms, until_ms: now_ms })).max(0)
    }

    /// When the mover's time is up if nothing happens, so that it may be lost; `None` while no time runs.
    pub fn deadline_ms(&self) -> Option<i64> {
        self.runs_out_ms().map(|out_ms| out_ms.max(self.started_ms + GRACE_MS))
    }

    /// When the mover has nothing left if nothing happens, which counts from [`GRACE_MS`] after the start on only.
    pub fn runs_out_ms(&self) -> Option<i64> {
        let seat = self.mover.filter(|_| !self.stands())?;
        Some(self.rest(seat).after_ms(self.at_ms, self.left_ms[seat.index()]))
    }

    /// Whether the mover's time is up.
    pub fn is_up(&self, now_ms: i64) -> bool {
        self.deadline_ms().is_some_and(|deadline_ms| deadline_ms <= now_ms)
    }

    /// Whether the others were told that the mover's time is up, and decide what comes of it.
    pub fn is_flagged(&self) -> bool {
        self.up_ms.is_some()
    }

    /// Until when the mover's time stands at a moment, for days off or a weekly window.
    pub fn rests_until_ms(&self, now_ms: i64) -> Option<i64> {
        self.rest(self.mover?).until_ms(now_ms)
    }

    fn ran_ms(&self, seat: Seat, span: TimeSpan) -> i64 {
        self.rest(seat).ran_ms(span)
    }
}

/// What happens to a clock. Every event first brings it to its moment with `Clock::run_to`.
impl Clock {
    /// Takes off what has run until a moment.
    pub(crate) fn run_to(&mut self, at_ms: i64) {
        if let Some(seat) = self.mover {
            self.left_ms[seat.index()] = self.left_ms(seat, at_ms);
        }
        self.at_ms = at_ms;
    }

    /// The same, but for times in which nobody could have moved; they do not overlap.
    pub(crate) fn run_to_except(&mut self, at_ms: i64, lost: &[TimeSpan]) {
        let since = TimeSpan { from_ms: self.at_ms, until_ms: at_ms };
        let lost: Vec<TimeSpan> = lost.iter().filter_map(|lost| lost.meets(since)).collect();
        if let Some(seat) = self.mover.filter(|_| !self.stands()) {
            let rest = self.rest(seat);
            self.left_ms[seat.index()] += lost.iter().map(|lost| rest.ran_ms(*lost)).sum::<i64>();
        }
        let whole_ms: i64 = lost.iter().map(|lost| lost.until_ms - lost.from_ms).sum();
        self.up_ms = self.up_ms.map(|up_ms| up_ms + whole_ms);
        self.run_to(at_ms);
    }

    /// A turn was taken.
    pub(crate) fn add(&mut self, seat: Seat) {
        let had_ms = self.left_ms[seat.index()];
        self.give(seat, self.terms.add_ms);
        self.added.push((seat, self.left_ms[seat.index()] - had_ms));
    }

    /// Turns were taken back, and with them what they had added.
    pub(crate) fn take_back(&mut self, turns: usize) {
        for (seat, added_ms) in self.added.split_off(self.added.len().saturating_sub(turns)) {
            let left_ms = &mut self.left_ms[seat.index()];
            *left_ms = (*left_ms - added_ms).max(MIN_AFTER_UNDO_MS.min(*left_ms));
        }
        self.begin_turn();
    }

    /// Somebody has more time, though never more than the cap.
    pub(crate) fn give(&mut self, seat: Seat, more_ms: i64) {
        if let Some(left_ms) = self.left_ms.get_mut(seat.index()) {
            *left_ms = (*left_ms + more_ms).min(self.terms.cap_ms);
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
        self.paused_ms = paused.then_some(self.at_ms);
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
        self.up_ms = Some(self.at_ms);
    }
}
