//! What a clock brings of itself: reminders, the end of somebody's time, of a pause, of patience.

use super::{Clock, DAY_MS, Warning};

/// For how long the others may leave it open what comes of a time that is up; then it is lost.
const FORFEIT_AFTER_MS: i64 = 14 * DAY_MS;
/// The longest pause.
const MAX_PAUSE_MS: i64 = 30 * DAY_MS;
/// Nobody is reminded of less time than this.
const MIN_WARNING_MS: i64 = 30_000;

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
    pub fn next(&self) -> Option<(i64, ClockEvent)> {
        if self.frozen {
            return None;
        }
        if let Some(paused_ms) = self.paused_ms {
            return Some((paused_ms + MAX_PAUSE_MS, ClockEvent::PauseOver));
        }
        if let Some(up_ms) = self.up_ms {
            return Some((up_ms + FORFEIT_AFTER_MS, ClockEvent::Forfeit));
        }
        let up = (self.deadline_ms()?, ClockEvent::Up);
        let warnings = Warning::ALL
            .into_iter()
            .filter_map(|warning| self.warning_ms(warning).zip(Some(ClockEvent::Warning(warning))));
        warnings.chain([up]).min_by_key(|(at_ms, _)| *at_ms)
    }

    /// What is due at a moment: the gravest of it.
    pub fn due(&self, now_ms: i64) -> Option<ClockEvent> {
        let (_, first) = self.next().filter(|(at_ms, _)| *at_ms <= now_ms)?;
        match first {
            ClockEvent::Warning(_) if self.is_up(now_ms) => Some(ClockEvent::Up),
            ClockEvent::Warning(_) => {
                let passed =
                    |warning: &Warning| self.warning_ms(*warning).is_some_and(|at_ms| at_ms <= now_ms);
                Warning::ALL.into_iter().rfind(passed).map(ClockEvent::Warning)
            }
            due => Some(due),
        }
    }

    /// When the mover is to be reminded so; `None` if that is done or not worth a word.
    fn warning_ms(&self, warning: Warning) -> Option<i64> {
        let seat = self.mover.filter(|_| self.warned.is_none_or(|warned| warned < warning))?;
        let at_left_ms = warning.left_ms(self.terms.first_ms);
        let spare_ms = self.left_ms[seat.index()] - at_left_ms;
        (at_left_ms >= MIN_WARNING_MS).then(|| self.rest(seat).after_ms(self.at_ms, spare_ms))
    }

    /// A player who begins a turn with little time sees it on the board.
    pub(super) fn begin_turn(&mut self) {
        self.up_ms = None;
        let left_ms = self.mover.map(|seat| self.left_ms[seat.index()]);
        let known = |warning: &Warning| {
            left_ms.is_some_and(|left_ms| left_ms <= warning.left_ms(self.terms.first_ms))
        };
        self.warned = Warning::ALL.into_iter().rfind(known);
    }
}
