//! Properties of clocks, over random games with pauses, gifts, days off and outages.

use proptest::prelude::*;

use super::*;
use crate::model::millis::{durations_below, whole};

/// Tuesday, 20 October 2026, 12:00 UTC.
const START: Timestamp = Timestamp::constant(1_792_497_600, 0);

fn daily() -> ClockTerms {
    ClockTerms::preset("daily").unwrap()
}

/// An event between two moments.
#[derive(Clone, Copy, Debug)]
enum ClockStep {
    Move,
    Give(usize),
    Pause(bool),
    /// The last part of the time before was an outage, in hundredths.
    Lose(i32),
    TimeOff(usize, TimeOff),
    Nothing,
}

fn steps() -> impl Strategy<Value = Vec<(SignedDuration, ClockStep)>> {
    let rest =
        (0..10_080_u16, 0..3_000_u16, durations_below(10 * DAY)).prop_map(|(from_min, length_min, away)| {
            TimeOff {
                quiet: Some(WeeklyWindow { from_min, length_min }),
                away: Some(TimeSpan { from: START, until: START + away }),
            }
        });
    let step = prop_oneof![
        4 => Just(ClockStep::Move),
        1 => (0..3_usize).prop_map(ClockStep::Give),
        1 => any::<bool>().prop_map(ClockStep::Pause),
        1 => (0..=100_i32).prop_map(ClockStep::Lose),
        1 => (0..3_usize, rest).prop_map(|(seat, rest)| ClockStep::TimeOff(seat, rest)),
        1 => Just(ClockStep::Nothing),
    ];
    proptest::collection::vec((durations_below(30 * HOUR), step), 1..40)
}

/// Rounds to whole milliseconds, as the journal stores them.
fn in_millis(duration: SignedDuration) -> SignedDuration {
    SignedDuration::from_millis(whole(duration))
}

fn seat(index: usize) -> Seat {
    Seat::new(index).unwrap()
}

/// A started clock for three people.
fn begun() -> Clock {
    let mut clock = Clock::new(daily(), 3, START);
    clock.set_mover(Some(Seat::FIRST));
    clock
}

fn apply(clock: &mut Clock, at: Timestamp, step: ClockStep) {
    match step {
        ClockStep::Lose(hundredths) => {
            let from = at - in_millis(at.duration_since(clock.at) * hundredths / 100);
            return clock.run_to_except(at, &[TimeSpan { from, until: at }]);
        }
        _ => clock.run_to(at),
    }
    match step {
        ClockStep::Move => {
            let mover = clock.mover().unwrap();
            clock.add(mover);
            clock.set_mover(Some(mover.next(3)));
        }
        ClockStep::Give(to) => clock.give(seat(to), daily().gift()),
        ClockStep::Pause(paused) => clock.pause(paused),
        ClockStep::TimeOff(of, rest) => clock.set_time_off(seat(of), rest),
        ClockStep::Lose(_) | ClockStep::Nothing => {}
    }
}

fn all_left(clock: &Clock, now: Timestamp) -> Vec<SignedDuration> {
    Seat::all(3).map(|seat| clock.left(seat, now)).collect()
}

proptest! {
    /// All times are between 0 and the cap, and only the mover's time runs.
    #[test]
    fn only_the_movers_time_runs(steps in steps()) {
        let (mut clock, mut now) = (begun(), START);
        for (wait, step) in steps {
            let before = all_left(&clock, now);
            let then = all_left(&clock, now + wait);
            let mover = clock.mover().unwrap().index();
            for seat in 0..3 {
                let ran = before[seat] - then[seat];
                prop_assert!((SignedDuration::ZERO..=wait).contains(&ran));
                prop_assert!(seat == mover || ran.is_zero());
                prop_assert!(!clock.is_paused() || ran.is_zero());
            }
            now += wait;
            apply(&mut clock, now, step);
            for left in all_left(&clock, now) {
                prop_assert!((SignedDuration::ZERO..=daily().cap).contains(&left));
            }
        }
    }

    /// The total time left is the time given minus the time run, up to the cap.
    #[test]
    fn time_is_neither_made_nor_lost(waits in proptest::collection::vec(durations_below(24 * HOUR), 1..60)) {
        let (mut clock, mut now) = (begun(), START);
        let mut own = [daily().initial; 3];
        for (turn, wait) in waits.into_iter().enumerate() {
            now += wait;
            apply(&mut clock, now, ClockStep::Move);
            let left = &mut own[turn % 3];
            *left = ((*left - wait).max(SignedDuration::ZERO) + daily().increment).min(daily().cap);
            prop_assert_eq!(all_left(&clock, now), own.to_vec());
        }
    }

    /// A clock reaches 0 at its deadline and not before.
    #[test]
    fn a_deadline_is_where_time_ends(steps in steps()) {
        let (mut clock, mut now) = (begun(), START);
        for (wait, step) in steps {
            now += wait;
            apply(&mut clock, now, step);
            let Some(deadline) = clock.deadline() else {
                prop_assert!(clock.is_paused());
                continue;
            };
            let mover = clock.mover().unwrap();
            prop_assert!(clock.is_out_of_time(deadline) && !clock.is_out_of_time(deadline - SignedDuration::from_millis(1)) || deadline <= now);
            prop_assert_eq!(clock.left(mover, deadline), SignedDuration::ZERO);
            if deadline > now.max(START + GRACE) {
                let moment = SignedDuration::from_millis(1);
                prop_assert_eq!(clock.left(mover, deadline - moment), moment);
            }
        }
    }

    /// Events that have nothing to do with time don't change it.
    #[test]
    fn looking_costs_no_time(steps in steps(), looks in 1..5_i32) {
        let (mut one, mut other, mut now) = (begun(), begun(), START);
        for (wait, step) in steps.into_iter().filter(|(_, step)| !matches!(step, ClockStep::Lose(_))) {
            for look in 1..looks {
                apply(&mut other, now + in_millis(wait * look / looks), ClockStep::Nothing);
            }
            now += wait;
            apply(&mut one, now, step);
            apply(&mut other, now, step);
            prop_assert_eq!(&one, &other);
        }
    }

    /// An outage doesn't change the time left.
    #[test]
    fn lost_time_is_given_back(steps in steps(), before in durations_below(10 * HOUR), lost in durations_below(100 * DAY)) {
        let (mut clock, mut now) = (begun(), START);
        for (wait, step) in steps {
            now += wait;
            apply(&mut clock, now, step);
        }
        let from = now + before;
        let until = from + lost;
        let had = all_left(&clock, from);
        clock.run_to_except(until, &[TimeSpan { from, until }]);
        prop_assert_eq!(all_left(&clock, until), had);
    }

    /// A player who only waits gets at most two reminders, the first at a quarter, and then has no time left.
    #[test]
    fn reminders_come_before_the_end(steps in steps()) {
        let (mut clock, mut now) = (begun(), START);
        for (wait, step) in steps {
            now += wait;
            apply(&mut clock, now, step);
        }
        apply(&mut clock, now, ClockStep::Pause(false));
        let (mut told, began) = (Vec::new(), now);
        while let Some((at, due)) = clock.next() {
            prop_assert!(at >= now || due == ClockEvent::TimeUp);
            now = at.max(now);
            prop_assert_eq!(clock.due(at - SignedDuration::from_millis(1)).filter(|_| at > now), None);
            clock.run_to(now);
            match due {
                ClockEvent::Warning(warning) => {
                    let left = clock.left(clock.mover().unwrap(), now);
                    let share = if warning == Warning::Quarter { 4 } else { 20 };
                    // No event during the operations triggered it, so the reminder is late.
                    prop_assert!(left == daily().initial / share || now == began);
                    prop_assert!(left <= daily().initial / share);
                    told.push(warning);
                    clock.warn(warning);
                }
                ClockEvent::TimeUp => clock.flag(),
                due => {
                    prop_assert_eq!(due, ClockEvent::Forfeit);
                    break;
                }
            }
        }
        prop_assert!(told.is_sorted() && told.len() <= 2);
    }
}

#[test]
fn nobody_loses_in_the_first_ten_minutes() {
    let terms = ClockTerms::read("2m").unwrap().unwrap();
    let mut clock = Clock::new(terms, 2, START);
    clock.set_mover(Some(Seat::FIRST));
    assert_eq!(clock.left(Seat::FIRST, START + 3 * MINUTE), SignedDuration::ZERO);
    assert!(!clock.is_out_of_time(START + 10 * MINUTE - SignedDuration::from_millis(1)));
    assert!(clock.is_out_of_time(START + 10 * MINUTE));
}

#[test]
fn whoever_moves_after_their_time_goes_on_with_what_a_turn_adds() {
    let mut clock = begun();
    clock.run_to(START + 49 * HOUR);
    clock.flag();
    assert_eq!(clock.next().map(|(_, due)| due), Some(ClockEvent::Forfeit));
    apply(&mut clock, START + 50 * HOUR, ClockStep::Move);
    assert_eq!(clock.left(Seat::FIRST, START + 50 * HOUR), 24 * HOUR);
    assert_eq!(clock.mover(), Some(Seat::SECOND));
    assert!(
        matches!(clock.next(), Some((at, ClockEvent::Warning(Warning::Quarter))) if at == START + 86 * HOUR)
    );
}

#[test]
fn a_pause_ends_by_itself() {
    let mut clock = begun();
    clock.run_to(START + HOUR);
    clock.pause(true);
    assert_eq!(clock.deadline(), None);
    assert_eq!(clock.next(), Some((START + HOUR + 30 * DAY, ClockEvent::PauseOver)));
    assert_eq!(clock.left(Seat::FIRST, START + DAY), 47 * HOUR);
}

#[test]
fn reminders_that_were_missed_together_are_given_as_the_graver_one() {
    let mut clock = begun();
    assert_eq!(clock.due(START + 35 * HOUR), None);
    assert_eq!(clock.due(START + 36 * HOUR), Some(ClockEvent::Warning(Warning::Quarter)));
    assert_eq!(clock.due(START + 46 * HOUR), Some(ClockEvent::Warning(Warning::Twentieth)));
    assert_eq!(clock.due(START + 48 * HOUR), Some(ClockEvent::TimeUp));
    // The result is the same with another event in between.
    clock.run_to(START + 47 * HOUR);
    assert_eq!(clock.due(START + 47 * HOUR), Some(ClockEvent::Warning(Warning::Twentieth)));
}
