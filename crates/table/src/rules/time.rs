//! What time does at a table: what an event means to its clock, what is due, what the others may do
//! about somebody whose time is up.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use rookery_core::player::Level;

use crate::clock::{Clock, ClockEvent, TimeOff, TimeSpan};
use crate::model::{EndCause, Event, Occupant, OrderError, Status, UserId};
use crate::state::Table;
use crate::teams;

/// After this long without anything happening a game that no clock ends is over: no table hangs for ever.
const IDLE_LIMIT: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Outages from this length on are recorded in every game, so that none counts as abandoned for the bot's
/// absence.
const LONG_OUTAGE: SignedDuration = SignedDuration::from_hours(24);

impl Table {
    /// When time alone will bring something: a reminder, the end of somebody's time, of the game.
    pub fn next_due(&self) -> Option<Timestamp> {
        let running = *self.status() == Status::Running;
        let of_clock = self.clock().and_then(Clock::next).map(|(at, _)| at);
        let of_itself = of_clock.unwrap_or(self.at() + IDLE_LIMIT);
        running.then(|| self.vote_due().map_or(of_itself, |vote| vote.min(of_itself)))
    }

    /// What must be written before anything else after times in which nobody could move.
    pub(crate) fn given_back(&self, lost: &[TimeSpan], now: Timestamp) -> Option<Event> {
        let since = TimeSpan { from: self.at(), until: now };
        let spans: Vec<TimeSpan> = lost.iter().filter_map(|span| span.meets(since)).collect();
        let long = spans.iter().any(|span| span.until.duration_since(span.from) >= LONG_OUTAGE);
        let timed = self.runs();
        let counts = *self.status() == Status::Running && !spans.is_empty() && (timed || long);
        counts.then_some(Event::Lost { spans })
    }

    /// Whether somebody's time runs: on a clock, or that of a vote.
    pub(crate) fn runs(&self) -> bool {
        self.clock().is_some_and(|clock| clock.mover().is_some()) || self.team_vote().is_some()
    }

    /// What has come of time alone. A vote is over before its team's clock is.
    pub(crate) fn tick(&self, now: Timestamp) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        if let Some(turn) = teams::vote_is_over(self, now) {
            return turn;
        }
        if let Some(due) = self.clock().and_then(|clock| clock.due(now)) {
            return self.do_due(due);
        }
        let idle = self.next_due() == Some(self.at() + IDLE_LIMIT) && self.at() + IDLE_LIMIT <= now;
        Ok(idle.then(|| Event::ended(Vec::new(), EndCause::Abandoned)).into_iter().collect())
    }

    fn do_due(&self, due: ClockEvent) -> Result<Vec<Event>, OrderError> {
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let mover = || clock.mover().ok_or(OrderError::NoClock);
        let seat = || mover();
        match due {
            ClockEvent::PauseOver => Ok(vec![Event::PauseOver]),
            ClockEvent::Warning(warning) => Ok(vec![Event::Warned { seat: seat()?, warning }]),
            ClockEvent::Up if !clock.terms().hard => Ok(vec![Event::TimeUp { seat: seat()? }]),
            ClockEvent::Up | ClockEvent::Forfeit => self.lose_on_time(mover()?),
        }
    }

    fn lose_on_time(&self, seat: Seat) -> Result<Vec<Event>, OrderError> {
        self.without(seat, Event::TimedOut { seat }, EndCause::OnTime)
    }

    /// Refuses a move that comes too late where the game ends by itself, though its end is not written yet.
    pub(crate) fn has_time(&self, now: Timestamp) -> Result<(), OrderError> {
        let late = self.clock().is_some_and(|clock| clock.terms().hard && clock.is_up(now));
        if late { Err(OrderError::OutOfTime) } else { Ok(()) }
    }

    /// The clock, whose time runs, and who of the others asks about it.
    fn overseen(&self, who: UserId) -> Result<(&Clock, Seat, Seat), OrderError> {
        self.running()?;
        let by = self.playing_seat_of(who)?;
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let mover = clock.mover().ok_or(OrderError::NoClock)?;
        if self.plays_for(mover, who) {
            return Err(OrderError::OwnTime);
        }
        Ok((clock, mover, by))
    }

    /// The same where the time must be up.
    fn out_of_time(&self, who: UserId, now: Timestamp) -> Result<Seat, OrderError> {
        let (clock, mover, _) = self.overseen(who)?;
        match clock.deadline() {
            None => Err(OrderError::NoClock),
            Some(until) if until > now => Err(OrderError::TimeLeft { until }),
            Some(_) => Ok(mover),
        }
    }

    pub(crate) fn claim(&self, who: UserId, now: Timestamp) -> Result<Vec<Event>, OrderError> {
        self.lose_on_time(self.out_of_time(who, now)?)
    }

    pub(crate) fn give_time(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        let (clock, mover, by) = self.overseen(who)?;
        let [by, seat] = [by, mover].map(|seat| seat);
        Ok(vec![Event::TimeGiven { by, seat, more: clock.terms().gift() }])
    }

    pub(crate) fn seat_program(
        &self,
        who: UserId,
        level: Level,
        now: Timestamp,
    ) -> Result<Vec<Event>, OrderError> {
        let seat = self.out_of_time(who, now)?;
        Ok(vec![Event::Seated { seat, occupant: Occupant::Ai { level } }])
    }

    /// Somebody's time stands as they chose, where that changes anything here.
    pub(crate) fn set_time_off(&self, person: UserId, rest: TimeOff) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let seat = self.seat_of(person).ok_or(OrderError::NotSeated)?;
        // A team goes on without one of them.
        if self.team(seat).is_some() {
            return Ok(Vec::new());
        }
        // Free time each week would stop the clock of a live game that is played in it.
        let rest = if clock.terms().no_vacation { TimeOff::default() } else { rest };
        let changed = clock.rest(seat) != rest;
        Ok(changed.then_some(Event::Rested { person, rest }).into_iter().collect())
    }
}

#[cfg(test)]
mod tests;
