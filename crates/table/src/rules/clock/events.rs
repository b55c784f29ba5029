//! What a clock brings of itself: reminders, the end of somebody's time, of a pause, of patience.

use super::{Clock, Warning};
use jiff::{SignedDuration, Timestamp};
use strum::VariantArray;

/// For how long the others may leave it open what comes of a time that is up; then it is lost.
const FORFEIT_AFTER: SignedDuration = SignedDuration::from_hours(14 * 24);
/// The longest pause.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Nobody is reminded of less time than this.
const MIN_WARNING: SignedDuration = SignedDuration::from_secs(30);

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The mover is to be reminded.
    Warning(Warning),
    /// The mover's time is up.
    Up,
    /// It was up long ago, and nobody has said what comes of it.
    Forfeit,
    /// A pause has lasted long enough.
    PauseOver,
}

impl Clock {
    /// What comes next of itself, and when; `None` while no time runs.
    pub fn next(&self) -> Option<(Timestamp, ClockEvent)> {
        if self.frozen {
            return None;
        }
        if let Some(paused_since) = self.paused_since {
            return Some((paused_since + MAX_PAUSE, ClockEvent::PauseOver));
        }
        if let Some(up_since) = self.up_since {
            return Some((up_since + FORFEIT_AFTER, ClockEvent::Forfeit));
        }
        let up = (self.deadline()?, ClockEvent::Up);
        let warnings = Warning::VARIANTS
            .iter()
            .copied()
            .filter_map(|warning| self.warning(warning).zip(Some(ClockEvent::Warning(warning))));
        warnings.chain([up]).min_by_key(|(at, _)| *at)
    }

    /// What is due at a moment: the gravest of it.
    pub fn due(&self, now: Timestamp) -> Option<ClockEvent> {
        let (_, first) = self.next().filter(|(at, _)| *at <= now)?;
        match first {
            ClockEvent::Warning(_) if self.is_up(now) => Some(ClockEvent::Up),
            ClockEvent::Warning(_) => {
                let passed = |warning: &Warning| self.warning(*warning).is_some_and(|at| at <= now);
                Warning::VARIANTS.iter().copied().rfind(passed).map(ClockEvent::Warning)
            }
            due => Some(due),
        }
    }

    /// When the mover is to be reminded so; `None` if that is done or not worth a word.
    fn warning(&self, warning: Warning) -> Option<Timestamp> {
        let seat = self.mover.filter(|_| self.warned.is_none_or(|warned| warned < warning))?;
        let at_left = warning.left(self.terms.initial);
        let spare = self.left[seat.index()] - at_left;
        (at_left >= MIN_WARNING).then(|| self.rest(seat).after(self.at, spare))
    }

    /// A player who begins a turn with little time sees it on the board.
    pub(super) fn begin_turn(&mut self) {
        self.up_since = None;
        let left = self.mover.map(|seat| self.left[seat.index()]);
        let known = |warning: &Warning| left.is_some_and(|left| left <= warning.left(self.terms.initial));
        self.warned = Warning::VARIANTS.iter().copied().rfind(known);
    }
}
