//! The laws of clocks, over random games with pauses, gifts, days off and lost connections.

use proptest::prelude::*;

use super::*;

/// Tuesday, 20 October 2026, 12:00 UTC.
const START_MS: i64 = 1_792_497_600_000;

fn daily() -> ClockTerms {
    ClockTerms::preset("daily").unwrap()
}

/// What may happen between two moments.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Move,
    Give(usize),
    Pause(bool),
    /// The last part of the time before was lost, in hundredths.
    Lose(i64),
    TimeOff(usize, TimeOff),
    Nothing,
}

fn deeds() -> impl Strategy<Value = Vec<(i64, Deed)>> {
    let rest =
        (0..10_080_u16, 0..3_000_u16, 0..10 * DAY_MS).prop_map(|(from_min, length_min, away)| TimeOff {
            quiet: Some(WeeklyWindow { from_min, length_min }),
            away: Some(TimeSpan { from_ms: START_MS, until_ms: START_MS + away }),
        });
    let deed = prop_oneof![
        4 => Just(Deed::Move),
        1 => (0..3_usize).prop_map(Deed::Give),
        1 => any::<bool>().prop_map(Deed::Pause),
        1 => (0..=100_i64).prop_map(Deed::Lose),
        1 => (0..3_usize, rest).prop_map(|(seat, rest)| Deed::TimeOff(seat, rest)),
        1 => Just(Deed::Nothing),
    ];
    proptest::collection::vec((0..30 * HOUR_MS, deed), 1..40)
}

fn seat(index: usize) -> Seat {
    Seat::new(index).unwrap()
}

/// Three people round a table, the clock started.
fn begun() -> Clock {
    let mut clock = Clock::new(daily(), 3, START_MS);
    clock.set_mover(Some(Seat::FIRST));
    clock
}

fn apply(clock: &mut Clock, at_ms: i64, deed: Deed) {
    match deed {
        Deed::Lose(hundredths) => {
            let from_ms = at_ms - (at_ms - clock.at_ms) * hundredths / 100;
            return clock.run_to_except(at_ms, &[TimeSpan { from_ms, until_ms: at_ms }]);
        }
        _ => clock.run_to(at_ms),
    }
    match deed {
        Deed::Move => {
            let mover = clock.mover().unwrap();
            clock.add(mover);
            clock.set_mover(Some(mover.next(3)));
        }
        Deed::Give(to) => clock.give(seat(to), daily().gift_ms()),
        Deed::Pause(paused) => clock.pause(paused),
        Deed::TimeOff(of, rest) => clock.set_time_off(seat(of), rest),
        Deed::Lose(_) | Deed::Nothing => {}
    }
}

fn all_left(clock: &Clock, now_ms: i64) -> Vec<i64> {
    Seat::all(3).map(|seat| clock.left_ms(seat, now_ms)).collect()
}

proptest! {
    /// Nobody has less than nothing or more than the cap, and only the mover's time runs.
    #[test]
    fn only_the_movers_time_runs(deeds in deeds()) {
        let (mut clock, mut now_ms) = (begun(), START_MS);
        for (wait_ms, deed) in deeds {
            let before = all_left(&clock, now_ms);
            let then = all_left(&clock, now_ms + wait_ms);
            let mover = clock.mover().unwrap().index();
            for seat in 0..3 {
                let ran_ms = before[seat] - then[seat];
                prop_assert!((0..=wait_ms).contains(&ran_ms));
                prop_assert!(seat == mover || ran_ms == 0);
                prop_assert!(!clock.is_paused() || ran_ms == 0);
            }
            now_ms += wait_ms;
            apply(&mut clock, now_ms, deed);
            for left_ms in all_left(&clock, now_ms) {
                prop_assert!((0..=daily().cap_ms).contains(&left_ms));
            }
        }
    }

    /// What all have left is what was given less what has run, up to the cap.
    #[test]
    fn time_is_neither_made_nor_lost(waits in proptest::collection::vec(0..24 * HOUR_MS, 1..60)) {
        let (mut clock, mut now_ms) = (begun(), START_MS);
        let mut own = [daily().first_ms; 3];
        for (turn, wait_ms) in waits.into_iter().enumerate() {
            now_ms += wait_ms;
            apply(&mut clock, now_ms, Deed::Move);
            let left_ms = &mut own[turn % 3];
            *left_ms = ((*left_ms - wait_ms).max(0) + daily().add_ms).min(daily().cap_ms);
            prop_assert_eq!(all_left(&clock, now_ms), own.to_vec());
        }
    }

    /// At its deadline a clock has nothing left, and a moment before it has.
    #[test]
    fn a_deadline_is_where_time_ends(deeds in deeds()) {
        let (mut clock, mut now_ms) = (begun(), START_MS);
        for (wait_ms, deed) in deeds {
            now_ms += wait_ms;
            apply(&mut clock, now_ms, deed);
            let Some(deadline_ms) = clock.deadline_ms() else {
                prop_assert!(clock.is_paused());
                continue;
            };
            let mover = clock.mover().unwrap();
            prop_assert!(clock.is_up(deadline_ms) && !clock.is_up(deadline_ms - 1) || deadline_ms <= now_ms);
            prop_assert_eq!(clock.left_ms(mover, deadline_ms), 0);
            if deadline_ms > now_ms.max(START_MS + GRACE_MS) {
                prop_assert_eq!(clock.left_ms(mover, deadline_ms - 1), 1);
            }
        }
    }

    /// Events that have nothing to do with time change nothing about it.
    #[test]
    fn looking_costs_no_time(deeds in deeds(), looks in 1..5_i64) {
        let (mut one, mut other, mut now_ms) = (begun(), begun(), START_MS);
        for (wait_ms, deed) in deeds.into_iter().filter(|(_, deed)| !matches!(deed, Deed::Lose(_))) {
            for look in 1..looks {
                apply(&mut other, now_ms + wait_ms * look / looks, Deed::Nothing);
            }
            now_ms += wait_ms;
            apply(&mut one, now_ms, deed);
            apply(&mut other, now_ms, deed);
            prop_assert_eq!(&one, &other);
        }
    }

    /// Time in which nobody could move is as if it had not been.
    #[test]
    fn lost_time_is_given_back(deeds in deeds(), before in 0..10 * HOUR_MS, lost in 0..100 * DAY_MS) {
        let (mut clock, mut now_ms) = (begun(), START_MS);
        for (wait_ms, deed) in deeds {
            now_ms += wait_ms;
            apply(&mut clock, now_ms, deed);
        }
        let from_ms = now_ms + before;
        let until_ms = from_ms + lost;
        let had = all_left(&clock, from_ms);
        clock.run_to_except(until_ms, &[TimeSpan { from_ms, until_ms }]);
        prop_assert_eq!(all_left(&clock, until_ms), had);
    }

    /// A player who only waits is reminded twice at most, first at a quarter, and then has no time left.
    #[test]
    fn reminders_come_before_the_end(deeds in deeds()) {
        let (mut clock, mut now_ms) = (begun(), START_MS);
        for (wait_ms, deed) in deeds {
            now_ms += wait_ms;
            apply(&mut clock, now_ms, deed);
        }
        apply(&mut clock, now_ms, Deed::Pause(false));
        let (mut told, last_ms) = (Vec::new(), now_ms);
        while let Some((at_ms, due)) = clock.next() {
            prop_assert!(at_ms >= now_ms || due == ClockEvent::Up);
            now_ms = at_ms.max(now_ms);
            prop_assert_eq!(clock.due(at_ms - 1).filter(|_| at_ms > now_ms), None);
            clock.run_to(now_ms);
            match due {
                ClockEvent::Warning(warning) => {
                    let left_ms = clock.left_ms(clock.mover().unwrap(), now_ms);
                    let share = if warning == Warning::Quarter { 4 } else { 20 };
                    // Nobody looked while the deeds were done: then it comes late.
                    prop_assert!(left_ms == daily().first_ms / share || now_ms == last_ms);
                    prop_assert!(left_ms <= daily().first_ms / share);
                    told.push(warning);
                    clock.warn(warning);
                }
                ClockEvent::Up => clock.flag(),
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
    let mut clock = Clock::new(terms, 2, START_MS);
    clock.set_mover(Some(Seat::FIRST));
    assert_eq!(clock.left_ms(Seat::FIRST, START_MS + 3 * MINUTE_MS), 0);
    assert!(!clock.is_up(START_MS + 10 * MINUTE_MS - 1));
    assert!(clock.is_up(START_MS + 10 * MINUTE_MS));
}

#[test]
fn whoever_moves_after_their_time_goes_on_with_what_a_turn_adds() {
    let mut clock = begun();
    clock.run_to(START_MS + 49 * HOUR_MS);
    clock.flag();
    assert_eq!(clock.next().map(|(_, due)| due), Some(ClockEvent::Forfeit));
    apply(&mut clock, START_MS + 50 * HOUR_MS, Deed::Move);
    assert_eq!(clock.left_ms(Seat::FIRST, START_MS + 50 * HOUR_MS), 24 * HOUR_MS);
    assert_eq!(clock.mover(), Some(Seat::SECOND));
    assert!(
        matches!(clock.next(), Some((at_ms, ClockEvent::Warning(Warning::Quarter))) if at_ms == START_MS + 86 * HOUR_MS)
    );
}

#[test]
fn a_pause_ends_by_itself() {
    let mut clock = begun();
    clock.run_to(START_MS + HOUR_MS);
    clock.pause(true);
    assert_eq!(clock.deadline_ms(), None);
    assert_eq!(clock.next(), Some((START_MS + HOUR_MS + 30 * DAY_MS, ClockEvent::PauseOver)));
    assert_eq!(clock.left_ms(Seat::FIRST, START_MS + DAY_MS), 47 * HOUR_MS);
}

#[test]
fn reminders_that_were_missed_together_are_given_as_the_graver_one() {
    let mut clock = begun();
    assert_eq!(clock.due(START_MS + 35 * HOUR_MS), None);
    assert_eq!(clock.due(START_MS + 36 * HOUR_MS), Some(ClockEvent::Warning(Warning::Quarter)));
    assert_eq!(clock.due(START_MS + 46 * HOUR_MS), Some(ClockEvent::Warning(Warning::Twentieth)));
    assert_eq!(clock.due(START_MS + 48 * HOUR_MS), Some(ClockEvent::Up));
    // The same if something else happened meanwhile.
    clock.run_to(START_MS + 47 * HOUR_MS);
    assert_eq!(clock.due(START_MS + 47 * HOUR_MS), Some(ClockEvent::Warning(Warning::Twentieth)));
}
