//! Time at a table: the effect of events on the clock, what is due, and what the others may do about a player who has
//! run out of time.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use rookery_core::player::Level;

use crate::clock::{Clock, ClockEvent, TimeOff, TimeSpan};
use crate::model::{EndCause, Event, Occupant, OrderError, Status, UserId};
use crate::state::Table;
use crate::teams;

/// A game without a clock is over after this time without an event, so that no table runs forever.
const IDLE_LIMIT: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Outages from this length on are recorded in every game, so that none counts as abandoned because the bot was down.
const LONG_OUTAGE: SignedDuration = SignedDuration::from_hours(24);

impl Table {
    /// Returns the next moment at which time alone changes something: a reminder, a time-out, the end of the game.
    pub fn next_due(&self) -> Option<Timestamp> {
        let running = *self.status() == Status::Running;
        let of_clock = self.clock().and_then(Clock::next).map(|(at, _)| at);
        let of_itself = of_clock.unwrap_or_else(|| self.idle_until());
        running.then(|| self.vote_due().map_or(of_itself, |vote| vote.min(of_itself)))
    }

    /// Returns when the game is over without another event, if it has no clock.
    fn idle_until(&self) -> Timestamp {
        self.at() + IDLE_LIMIT
    }

    /// Returns the event that must be written before any other after outages.
    pub(crate) fn outage_event(&self, lost: &[TimeSpan], now: Timestamp) -> Option<Event> {
        let since = TimeSpan { from: self.at(), until: now };
        let spans: Vec<TimeSpan> = lost.iter().filter_map(|span| span.intersection(since)).collect();
        let long = spans.iter().any(|span| span.until.duration_since(span.from) >= LONG_OUTAGE);
        let timed = self.runs();
        let counts = *self.status() == Status::Running && !spans.is_empty() && (timed || long);
        counts.then_some(Event::Lost { spans })
    }

    /// Whether a player's clock or a vote's time runs.
    pub(crate) fn runs(&self) -> bool {
        self.clock().is_some_and(|clock| clock.mover().is_some()) || self.team_vote().is_some()
    }

    /// Returns the events that are due. A vote ends before its team's clock.
    pub(crate) fn tick(&self, now: Timestamp) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        if let Some(turn) = teams::vote_is_over(self, now) {
            return turn;
        }
        if let Some(due) = self.clock().and_then(|clock| clock.due(now)) {
            return self.apply_due(due);
        }
        let idle = self.next_due() == Some(self.idle_until()) && self.idle_until() <= now;
        Ok(idle.then(|| Event::ended(Vec::new(), EndCause::Abandoned)).into_iter().collect())
    }

    fn apply_due(&self, due: ClockEvent) -> Result<Vec<Event>, OrderError> {
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let mover = || clock.mover().ok_or(OrderError::NoClock);
        let seat = || mover();
        match due {
            ClockEvent::PauseOver => Ok(vec![Event::PauseOver]),
            ClockEvent::Warning(warning) => Ok(vec![Event::Warned { seat: seat()?, warning }]),
            ClockEvent::TimeUp if !clock.terms().hard => Ok(vec![Event::TimeUp { seat: seat()? }]),
            ClockEvent::TimeUp | ClockEvent::Forfeit => self.lose_on_time(mover()?),
        }
    }

    fn lose_on_time(&self, seat: Seat) -> Result<Vec<Event>, OrderError> {
        self.without(seat, Event::TimedOut { seat }, EndCause::OnTime)
    }

    /// Refuses a move after the time ran out in a game with a hard clock, even if its end is not written yet.
    pub(crate) fn has_time(&self, now: Timestamp) -> Result<(), OrderError> {
        let late = self.clock().is_some_and(|clock| clock.terms().hard && clock.is_out_of_time(now));
        if late { Err(OrderError::OutOfTime) } else { Ok(()) }
    }

    /// Returns the clock, the seat whose time runs, and the seat of the person who asks about it.
    fn running_clock_for(&self, who: UserId) -> Result<(&Clock, Seat, Seat), OrderError> {
        self.running()?;
        let by = self.playing_seat_of(who)?;
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let mover = clock.mover().ok_or(OrderError::NoClock)?;
        if self.plays_for(mover, who) {
            return Err(OrderError::OwnTime);
        }
        Ok((clock, mover, by))
    }

    /// Returns the seat whose time has run out, for another player who asks.
    fn out_of_time(&self, who: UserId, now: Timestamp) -> Result<Seat, OrderError> {
        let (clock, mover, _) = self.running_clock_for(who)?;
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
        let (clock, mover, by) = self.running_clock_for(who)?;
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

    /// Applies a person's time off to their clock; no events if nothing changes here.
    pub(crate) fn set_time_off(&self, person: UserId, rest: TimeOff) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        let clock = self.clock().ok_or(OrderError::NoClock)?;
        let seat = self.seat_of(person).ok_or(OrderError::NotSeated)?;
        // A team plays on without one of its members.
        if self.team(seat).is_some() {
            return Ok(Vec::new());
        }
        // A weekly rest period would stop the clock of a live game played in it.
        let rest = if clock.terms().no_vacation { TimeOff::default() } else { rest };
        let changed = clock.rest(seat) != rest;
        Ok(changed.then_some(Event::Rested { person, rest }).into_iter().collect())
    }
}

#[cfg(test)]
mod tests;
