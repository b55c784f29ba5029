//! Games with a clock; the journal is replayed after each entry.

use super::*;
use crate::clock::DAY;
use crate::clock::{ClockTerms, HOUR, MINUTE, Warning, WeeklyWindow};
use crate::model::millis;
use crate::model::records::Entry;
use crate::model::{Actor, Ending, Offer, Order, Terms};
use crate::{ChannelId, GuildId, TableId, actor, decide};

const ADA: UserId = UserId(1);
const BEN: UserId = UserId(2);
const EVE: UserId = UserId(3);
/// Thursday, 15 October 2026, 8:00 UTC.
const START: Timestamp = Timestamp::constant(1_792_051_200, 0);

/// A table whose journal is replayed after every entry.
struct Story {
    table: Table,
    entries: Vec<Entry>,
    now: Timestamp,
}

impl Story {
    fn of(game: &str, clock: &str, people: &[UserId]) -> Story {
        let clock = ClockTerms::read(clock).unwrap();
        let terms = Terms {
            game: game.into(),
            seed: 5,
            guild: Some(GuildId(1)),
            channel: ChannelId(2),
            thread: true,
            clock,
            ..Terms::default()
        };
        let chairs = people.iter().map(|person| Occupant::Human { person: *person }).collect();
        let events = decide::open(id(), terms, ADA, chairs).unwrap();
        let entries = actor::number(events, 0, START, None);
        Story { table: Table::replay(id(), &entries).unwrap().unwrap(), entries, now: START }
    }

    fn two(clock: &str) -> Story {
        Story::of("amazons", clock, &[ADA, BEN])
    }

    fn later(mut self, passed: SignedDuration) -> Story {
        self.now += passed;
        self
    }

    fn ask(&self, by: Actor, order: Order) -> Result<Vec<Event>, OrderError> {
        decide::decide(&self.table, by, &order, None, self.now).map(|decision| decision.events)
    }

    fn does(self, who: UserId, order: Order) -> Story {
        let events = self.ask(Actor::Person(who), order).unwrap();
        self.happens(events)
    }

    fn happens(mut self, events: Vec<Event>) -> Story {
        for entry in actor::number(events, self.table.sequence(), self.now, None) {
            self.table.apply(&entry).unwrap();
            self.entries.push(entry);
        }
        let again = Table::replay(id(), &self.entries).unwrap().unwrap();
        assert_eq!(again.clock(), self.table.clock(), "the journal makes the same clock");
        assert_eq!(again.card(), self.table.card());
        self
    }

    /// Applies what is due now.
    fn ticks(self) -> (Story, Vec<Event>) {
        let events = self.ask(Actor::System, Order::Tick).unwrap();
        (self.happens(events.clone()), events)
    }

    fn plays(self) -> Story {
        let text = self.table.play().unwrap().moves().swap_remove(0);
        let who = self.table.occupant(self.table.to_move().unwrap()).unwrap().person().unwrap();
        self.does(who, Order::Move { text, ply: None })
    }

    fn left(&self, seat: Seat) -> SignedDuration {
        self.table.clock().unwrap().left(seat, self.now)
    }

    fn ended(&self) -> Option<&Ending> {
        match self.table.status() {
            Status::Over(ending) => Some(ending),
            _ => None,
        }
    }
}

fn id() -> TableId {
    "K7Q2".parse().unwrap()
}

#[test]
fn only_the_movers_time_runs_and_a_turn_adds_to_it() {
    let story = Story::two("fast").later(5 * HOUR).plays().later(HOUR);
    assert_eq!(story.left(Seat::FIRST), 27 * HOUR);
    assert_eq!(story.left(Seat::SECOND), 23 * HOUR);
    assert_eq!(story.table.card().next_due, Some(story.now + 17 * HOUR), "a quarter of 24 hours left");
    assert!(story.table.card().timed);
    let story = story.plays().later(HOUR).plays();
    assert_eq!(story.left(Seat::FIRST), 34 * HOUR);
    assert_eq!(story.left(Seat::SECOND), 31 * HOUR);
}

#[test]
fn a_hard_clock_ends_the_game_by_itself() {
    let story = Story::two("fast hard").later(24 * HOUR);
    let order = Order::Move { text: "a4-a5/a4".into(), ply: None };
    assert_eq!(story.ask(Actor::Person(ADA), order), Err(OrderError::OutOfTime));
    let (story, events) = story.ticks();
    assert_eq!(events[0], Event::TimedOut { seat: Seat::FIRST });
    assert_eq!(story.ended(), Some(&Ending { winners: vec![Seat::SECOND], cause: EndCause::OnTime }));
    assert_eq!(story.table.card().next_due, None);
}

#[test]
fn a_soft_clock_leaves_it_to_the_others() {
    let story = Story::two("fast").later(24 * HOUR - SignedDuration::from_millis(1));
    let until = story.now + SignedDuration::from_millis(1);
    assert_eq!(story.ask(Actor::Person(BEN), Order::Claim), Err(OrderError::TimeLeft { until }));
    assert_eq!(story.ask(Actor::Person(EVE), Order::Claim), Err(OrderError::NotSeated));
    let (story, events) = story.later(SignedDuration::from_millis(1)).ticks();
    assert_eq!(events, [Event::TimeUp { seat: Seat::FIRST }]);
    assert_eq!(story.ask(Actor::System, Order::Tick), Ok(vec![]), "said once");
    assert_eq!(story.ask(Actor::Person(ADA), Order::Claim), Err(OrderError::OwnTime));
    assert_eq!(story.ask(Actor::Person(ADA), Order::GiveTime), Err(OrderError::OwnTime));
    let claimed = story.later(HOUR).does(BEN, Order::Claim);
    assert_eq!(claimed.ended(), Some(&Ending { winners: vec![Seat::SECOND], cause: EndCause::OnTime }));
}

#[test]
fn time_can_be_given_and_a_late_move_is_a_move() {
    let up = || Story::two("fast").later(25 * HOUR).ticks().0;
    let given = up().does(BEN, Order::GiveTime);
    assert_eq!(given.left(Seat::FIRST), 8 * HOUR, "what a turn adds");
    assert!(matches!(given.ask(Actor::Person(BEN), Order::Claim), Err(OrderError::TimeLeft { .. })));
    let moved = up().later(HOUR).plays();
    assert_eq!(moved.left(Seat::FIRST), 8 * HOUR);
    assert_eq!(moved.ask(Actor::Person(ADA), Order::Claim).unwrap_err().to_string(), {
        let until = moved.now + 24 * HOUR;
        OrderError::TimeLeft { until }.to_string()
    });
}

#[test]
fn the_program_plays_on_and_has_no_clock() {
    let order = Order::SeatProgram { level: Level::Easy };
    let early = Story::two("fast").later(HOUR);
    assert!(matches!(early.ask(Actor::Person(BEN), order.clone()), Err(OrderError::TimeLeft { .. })));
    let story = early.later(23 * HOUR).does(BEN, order);
    assert_eq!(story.table.job().map(|job| job.level), Some(Level::Easy));
    assert_eq!(story.table.clock().unwrap().deadline(), None);
    assert!(!story.table.card().timed);
}

#[test]
fn nobody_claims_for_two_weeks_and_the_time_is_lost() {
    let (story, _) = Story::two("fast").later(24 * HOUR).ticks();
    let (story, events) = story
        .later(SignedDuration::from_millis(millis::whole(14 * DAY - SignedDuration::from_millis(1))))
        .ticks();
    assert_eq!(events, []);
    assert_eq!(
        story.later(SignedDuration::from_millis(1)).ticks().0.ended().unwrap().cause,
        EndCause::OnTime
    );
}

#[test]
fn a_game_of_three_goes_on_without_whoever_has_no_time() {
    let story = Story::of("penguins", "live", &[ADA, BEN, EVE]);
    assert_eq!(story.table.to_move(), Some(Seat::FIRST));
    let (story, events) = story.later(15 * MINUTE).ticks();
    assert_eq!(events, [Event::TimedOut { seat: Seat::FIRST }]);
    assert_eq!((story.ended(), story.table.to_move()), (None, Some(Seat::SECOND)));
    let (story, _) = story.later(15 * MINUTE).ticks();
    assert_eq!(
        story.ended(),
        Some(&Ending { winners: vec![Seat::new(2).unwrap()], cause: EndCause::OnTime })
    );
}

#[test]
fn reminders_come_once_each() {
    let (story, events) = Story::two("daily").later(36 * HOUR).ticks();
    assert_eq!(events, [Event::Warned { seat: Seat::FIRST, warning: Warning::Quarter }]);
    let (story, events) = story.later(HOUR).ticks();
    assert_eq!(events, []);
    let (story, events) = story.later(9 * HOUR).ticks();
    assert_eq!(events, [Event::Warned { seat: Seat::FIRST, warning: Warning::Twentieth }]);
    // Two hours are left; after a gift of a day another reminder follows when that is nearly used up.
    let story = story.plays().plays();
    assert_eq!(story.left(Seat::FIRST), 26 * HOUR);
    let (_, events) = story.later(14 * HOUR).ticks();
    assert_eq!(events, [Event::Warned { seat: Seat::FIRST, warning: Warning::Quarter }]);
}

#[test]
fn a_pause_stops_the_clock_and_ends_by_itself() {
    let story = Story::two("fast").later(HOUR).does(ADA, Order::Offer(Offer::Pause));
    let story = story
        .does(BEN, Order::Answer { yes: true, to: None })
        .later(SignedDuration::from_millis(millis::whole(20 * DAY)));
    assert_eq!(story.left(Seat::FIRST), 23 * HOUR);
    assert_eq!(story.ask(Actor::Person(BEN), Order::Claim), Err(OrderError::NoClock));
    let resumed = story.later(SignedDuration::ZERO).does(ADA, Order::Resume).later(HOUR);
    assert_eq!(resumed.left(Seat::FIRST), 22 * HOUR);

    let story = Story::two("fast").later(HOUR).does(ADA, Order::Offer(Offer::Pause));
    let story = story.does(BEN, Order::Answer { yes: true, to: None });
    let (story, events) = story.later(SignedDuration::from_millis(millis::whole(30 * DAY))).ticks();
    assert_eq!(events, [Event::PauseOver]);
    assert!(!story.table.is_paused());
    assert_eq!(story.later(HOUR).left(Seat::FIRST), 22 * HOUR);
}

#[test]
fn whoever_takes_back_has_no_more_time_than_before() {
    let story = Story::two("fast").later(HOUR).plays().later(HOUR);
    let story = story.does(ADA, Order::Offer(Offer::Undo)).does(BEN, Order::Answer { yes: true, to: None });
    assert_eq!(story.table.to_move(), Some(Seat::FIRST));
    let (first, second) = (story.left(Seat::FIRST), story.left(Seat::SECOND));
    assert_eq!([first, second], [23 * HOUR, 23 * HOUR], "what the turn added is taken back as well");
}

#[test]
fn days_off_and_the_weekly_window_stop_ones_own_time_only() {
    let away = Some(TimeSpan { from: START, until: START + 7 * DAY });
    let rested = |person, rest| vec![Event::Rested { person, rest }];
    let story = Story::two("fast").happens(rested(ADA, TimeOff { away, quiet: None }));
    let story = story.later(7 * DAY + HOUR);
    assert_eq!(story.left(Seat::FIRST), 23 * HOUR);
    let story = story.plays().later(HOUR);
    assert_eq!(story.left(Seat::SECOND), 23 * HOUR);

    // From Thursday 20:00 to Friday 20:00.
    let quiet = Some(WeeklyWindow { from_min: (3 * 24 + 20) * 60, length_min: 24 * 60 });
    let story = Story::two("fast").does(ADA, Order::Offer(Offer::Abort));
    assert!(story.ended().is_some());
    let story = Story::two("fast").happens(rested(ADA, TimeOff { away: None, quiet })).later(24 * HOUR);
    assert_eq!(story.left(Seat::FIRST), 12 * HOUR);
}

#[test]
fn a_pause_outlives_our_absence_and_so_does_the_time_that_is_left() {
    let story = Story::two("fast").does(ADA, Order::Offer(Offer::Pause));
    let story = story.does(BEN, Order::Answer { yes: true, to: None }).happens(vec![Event::Frozen]);
    assert_eq!(story.table.clock().unwrap().next(), None, "nothing is due while nobody can be reached");
    let story = story
        .later(SignedDuration::from_millis(millis::whole(2 * DAY)))
        .happens(vec![Event::Thawed])
        .later(SignedDuration::from_millis(millis::whole(2 * DAY)));
    assert_eq!(story.left(Seat::FIRST), 24 * HOUR);
    let story = story.does(ADA, Order::Resume).later(HOUR);
    assert_eq!(story.left(Seat::FIRST), 23 * HOUR);
}

#[test]
fn where_days_off_do_not_count_they_are_not_taken() {
    let away = Some(TimeSpan { from: START, until: START + 7 * DAY });
    let order = Order::SetTimeOff { person: ADA, rest: TimeOff { away, quiet: None } };
    assert_eq!(Story::two("fast no vacation").ask(Actor::System, order.clone()), Ok(vec![]));
    let quiet = Some(WeeklyWindow { from_min: 0, length_min: 60 });
    let weekly = Order::SetTimeOff { person: ADA, rest: TimeOff { away: None, quiet } };
    assert_eq!(Story::two("live").ask(Actor::System, weekly), Ok(vec![]), "nor does free time each week");
    assert_eq!(Story::two("fast").ask(Actor::System, order.clone()).unwrap().len(), 1);
    assert_eq!(Story::two("none").ask(Actor::System, order), Err(OrderError::NoClock));
}

#[test]
fn lost_time_is_given_back_to_the_mover() {
    let story = Story::two("fast").later(HOUR).plays();
    let lost = TimeSpan { from: story.now - HOUR, until: story.now + 5 * HOUR };
    let story = story.later(6 * HOUR);
    let event = story.table.outage_event(&[lost], story.now).unwrap();
    assert_eq!(event, Event::Lost { spans: vec![TimeSpan { from: story.now - 6 * HOUR, ..lost }] });
    let story = story.happens(vec![event]);
    assert_eq!(story.left(Seat::SECOND), 23 * HOUR);
    assert_eq!(story.table.outage_event(&[lost], story.now), None, "once");
}

#[test]
fn a_game_without_a_clock_is_over_when_nobody_comes_for_ninety_days() {
    let story = Story::two("none").later(HOUR).plays();
    assert_eq!(story.table.card().next_due, Some(story.now + 90 * DAY));
    let (story, events) = story
        .later(SignedDuration::from_millis(millis::whole(90 * DAY - SignedDuration::from_millis(1))))
        .ticks();
    assert_eq!(events, []);
    let lost = [TimeSpan { from: story.now - 2 * DAY, until: story.now }];
    assert!(story.table.outage_event(&lost, story.now).is_some(), "it is told of our own long absence");
    let (story, _) = story.later(SignedDuration::from_millis(1)).ticks();
    assert_eq!(story.ended(), Some(&Ending { winners: vec![], cause: EndCause::Abandoned }));
}

/// Rows can be damaged: their moments must not make the readers of every list panic.
#[test]
fn moments_far_outside_the_calendar_still_give_a_card() {
    for (clock, ms) in
        ["none", "daily"].into_iter().flat_map(|clock| [(clock, 1_i64 << 50), (clock, -(1 << 50))])
    {
        let mut entries = Story::two(clock).entries;
        entries.last_mut().unwrap().at = millis::timestamp(ms);
        let week = WeeklyWindow { from_min: 0, length_min: 60 };
        for event in [
            Event::Rested { person: ADA, rest: TimeOff { quiet: Some(week), away: None } },
            Event::TimeUp { seat: Seat::FIRST },
            Event::Paused { seat: Seat::FIRST },
        ] {
            let table = Table::replay(id(), &entries).unwrap().unwrap();
            assert!(table.card().next_due.is_some());
            assert!(table.clock().is_none_or(|clock| clock.left(Seat::FIRST, START) >= SignedDuration::ZERO));
            let _ = table.tick(START);
            entries.extend(actor::number(vec![event], table.sequence(), millis::timestamp(ms), None));
        }
    }
}
