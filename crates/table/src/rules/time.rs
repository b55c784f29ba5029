//! What time does at a table: what an event means to its clock, what is due, what the others may do
//! about somebody whose time is up.

use rookery_core::Seat;
use rookery_core::player::Level;

use crate::clock::{Clock, ClockEvent, DAY_MS, TimeOff, TimeSpan};
use crate::model::{EndCause, Event, Occupant, OrderError, Status, UserId};
use crate::state::Table;
use crate::teams;

/// After this long without anything happening a game that no clock ends is over: no table hangs for ever.
const IDLE_MS: i64 = 90 * DAY_MS;
/// Outages from this length on are recorded in every game, so that none counts as abandoned for the bot's
/// absence.
const LONG_OUTAGE_MS: i64 = DAY_MS;

impl Table {
    /// When time alone will bring something: a reminder, the end of somebody's time, of the game.
    pub fn next_ms(&self) -> Option<i64> {
        let running = *self.status() == Status::Running;
        let of_clock = self.clock().and_then(Clock::next).map(|(at_ms, _)| at_ms);
        let of_itself = of_clock.unwrap_or(self.at_ms() + IDLE_MS);
        running.then(|| self.vote_due_ms().map_or(of_itself, |vote_ms| vote_ms.min(of_itself)))
    }

    /// What must be written before anything else after times in which nobody could move.
    pub(crate) fn given_back(&self, lost: &[TimeSpan], now_ms: i64) -> Option<Event> {
        let since = TimeSpan { from_ms: self.at_ms(), until_ms: now_ms };
        let spans: Vec<TimeSpan> = lost.iter().filter_map(|span| span.meets(since)).collect();
        let long = spans.iter().any(|span| span.until_ms - span.from_ms >= LONG_OUTAGE_MS);
        let timed = self.runs();
        let counts = *self.status() == Status::Running && !spans.is_empty() && (timed || long);
        counts.then_some(Event::Lost { spans })
    }

    /// Whether somebody's time runs: on a clock, or that of a vote.
    pub(crate) fn runs(&self) -> bool {
        self.clock().is_some_and(|clock| clock.mover().is_some()) || self.team_vote().is_some()
    }

    /// What has come of time alone. A vote is over before its team's clock is.
    pub(crate) fn tick(&self, now_ms: i64) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        if let Some(turn) = teams::vote_is_over(self, now_ms) {
            return turn;
        }
        if let Some(due) = self.clock().and_then(|clock| clock.due(now_ms)) {
            return self.do_due(due);
        }
        let idle = self.next_ms() == Some(self.at_ms() + IDLE_MS) && self.at_ms() + IDLE_MS <= now_ms;
        Ok(idle.then(|| Event::ended(Vec::new(), EndCause::Abandoned)).into_iter().collect())
    }

    fn do_due(&self, due: ClockEvent) -> Result<Vec<Event>, OrderError> {
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let mover = || clock.mover().ok_or(OrderError::NoClock);
        let seat = || mover().map(|mover| mover.index() as u8);
        match due {
            ClockEvent::PauseOver => Ok(vec![Event::PauseOver]),
            ClockEvent::Warning(warning) => Ok(vec![Event::Warned { seat: seat()?, warning }]),
            ClockEvent::Up if !clock.terms().hard => Ok(vec![Event::TimeUp { seat: seat()? }]),
            ClockEvent::Up | ClockEvent::Forfeit => self.lose_on_time(mover()?),
        }
    }

    fn lose_on_time(&self, seat: Seat) -> Result<Vec<Event>, OrderError> {
        self.without(seat, Event::TimedOut { seat: seat.index() as u8 }, EndCause::OnTime)
    }

    /// Refuses a move that comes too late where the game ends by itself, though its end is not written yet.
    pub(crate) fn has_time(&self, now_ms: i64) -> Result<(), OrderError> {
        let late = self.clock().is_some_and(|clock| clock.terms().hard && clock.is_up(now_ms));
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
    fn out_of_time(&self, who: UserId, now_ms: i64) -> Result<Seat, OrderError> {
        let (clock, mover, _) = self.overseen(who)?;
        match clock.deadline_ms() {
            None => Err(OrderError::NoClock),
            Some(until_ms) if until_ms > now_ms => Err(OrderError::TimeLeft { until_ms }),
            Some(_) => Ok(mover),
        }
    }

    pub(crate) fn claim(&self, who: UserId, now_ms: i64) -> Result<Vec<Event>, OrderError> {
        self.lose_on_time(self.out_of_time(who, now_ms)?)
    }

    pub(crate) fn give_time(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        let (clock, mover, by) = self.overseen(who)?;
        let [by, seat] = [by, mover].map(|seat| seat.index() as u8);
        Ok(vec![Event::TimeGiven { by, seat, more_ms: clock.terms().gift_ms() }])
    }

    pub(crate) fn seat_program(
        &self,
        who: UserId,
        level: Level,
        now_ms: i64,
    ) -> Result<Vec<Event>, OrderError> {
        let seat = self.out_of_time(who, now_ms)?.index() as u8;
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
