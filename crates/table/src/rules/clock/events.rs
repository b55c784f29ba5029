//! What a clock triggers by itself: reminders, time-outs, and the ends of pauses and grace periods.

use super::{Clock, Warning};
use jiff::{SignedDuration, Timestamp};
use strum::VariantArray;

/// How long the other players may leave a time-out undecided before the game is lost.
const FORFEIT_AFTER: SignedDuration = SignedDuration::from_hours(14 * 24);
/// The longest pause by agreement; then the game continues.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The least remaining time for a reminder.
const MIN_WARNING: SignedDuration = SignedDuration::from_secs(30);

/// What a clock triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The player to move gets a reminder.
    Warning(Warning),
    /// The player to move has run out of time.
    TimeUp,
    /// They ran out of time long ago, and the others have not decided.
    Forfeit,
    /// A pause has reached its maximum length.
    PauseOver,
}

impl Clock {
    /// Returns the next trigger and its moment; `None` while no time runs.
    pub fn next(&self) -> Option<(Timestamp, ClockEvent)> {
        if self.frozen {
            return None;
        }
        if let Some(paused_since) = self.paused_since {
            return Some((paused_since + MAX_PAUSE, ClockEvent::PauseOver));
        }
        if let Some(timed_out_since) = self.timed_out_since {
            return Some((timed_out_since + FORFEIT_AFTER, ClockEvent::Forfeit));
        }
        let up = (self.deadline()?, ClockEvent::TimeUp);
        let warnings = Warning::VARIANTS
            .iter()
            .copied()
            .filter_map(|warning| self.warning(warning).zip(Some(ClockEvent::Warning(warning))));
        warnings.chain([up]).min_by_key(|(at, _)| *at)
    }

    /// Returns the most severe trigger that is due at a moment.
    pub fn due(&self, now: Timestamp) -> Option<ClockEvent> {
        let (_, first) = self.next().filter(|(at, _)| *at <= now)?;
        match first {
            ClockEvent::Warning(_) if self.is_out_of_time(now) => Some(ClockEvent::TimeUp),
            ClockEvent::Warning(_) => {
                let passed = |warning: &Warning| self.warning(*warning).is_some_and(|at| at <= now);
                Warning::VARIANTS.iter().copied().rfind(passed).map(ClockEvent::Warning)
            }
            due => Some(due),
        }
    }

    /// Returns when this reminder is due; `None` if it was sent or its time is too short.
    fn warning(&self, warning: Warning) -> Option<Timestamp> {
        let seat = self.mover.filter(|_| self.warned.is_none_or(|warned| warned < warning))?;
        let at_left = warning.left(self.terms.initial);
        let spare = self.left[seat.index()] - at_left;
        (at_left >= MIN_WARNING).then(|| self.rest(seat).after(self.at, spare))
    }

    /// Skips reminders for a player who begins a turn with little time: the board shows it.
    pub(super) fn begin_turn(&mut self) {
        self.timed_out_since = None;
        let left = self.mover.map(|seat| self.left[seat.index()]);
        let known = |warning: &Warning| left.is_some_and(|left| left <= warning.left(self.terms.initial));
        self.warned = Warning::VARIANTS.iter().copied().rfind(known);
    }
}
