//! The thinking budget of each server: an hourly amount that refills evenly. When it is used up, nobody waits; the
//! bot's searches are shorter, and the message says so.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time in which a whole budget refills.
const HOUR: Duration = Duration::from_secs(3_600);
/// The percentage that must refill after the budget was used up before long searches start again, so that long and
/// short searches don't alternate.
const REFILL_PERCENT: u32 = 10;
/// The number of owners above which those with a full budget are dropped.
const MAX_OWNERS: usize = 1_024;

/// The recent use of every owner.
#[derive(Debug)]
pub struct ThinkingBudgets {
    hourly: Duration,
    /// The number of processes that share each budget.
    processes: AtomicU32,
    spent: Mutex<HashMap<u64, Spent>>,
}

#[derive(Clone, Copy, Debug)]
struct Spent {
    /// The time that had not refilled at that moment.
    time: Duration,
    at: Instant,
    /// Whether the budget was used up and too little has refilled.
    out: bool,
}

impl ThinkingBudgets {
    /// Creates budgets of this much thinking per hour for every owner. They are useless at zero.
    pub fn new(hourly: Duration) -> ThinkingBudgets {
        let hourly = hourly.max(Duration::from_millis(1));
        ThinkingBudgets { hourly, processes: AtomicU32::new(1), spent: Mutex::default() }
    }

    /// Divides each budget by a number of processes: each counts what it thinks itself.
    pub fn share(&self, processes: usize) {
        let processes = u32::try_from(processes).unwrap_or(u32::MAX).max(1);
        self.processes.store(processes, Ordering::Relaxed);
    }

    /// Returns the part of an hourly budget that this process has.
    fn hourly(&self) -> Duration {
        (self.hourly / self.processes.load(Ordering::Relaxed)).max(Duration::from_millis(1))
    }

    /// Runs `think` for an owner and charges the time it takes. `think` receives whether to be sparing, and returns its
    /// result with the time that other threads helped.
    pub fn spend<T>(&self, owner: u64, think: impl FnOnce(bool) -> (T, Duration)) -> T {
        let since = Instant::now();
        let (thought, helped) = think(self.refilled_in(owner, since).is_some());
        self.charge(owner, since.elapsed() + helped, Instant::now());
        thought
    }

    /// Charges an owner for thinking that ended now.
    pub fn charge(&self, owner: u64, took: Duration, now: Instant) {
        let mut all = self.lock();
        let mut spent = self.now(all.get(&owner).copied(), now);
        // Short searches are charged too, but the use never exceeds the budget.
        spent.time = (spent.time + took).min(self.hourly());
        spent.out |= spent.time >= self.hourly();
        if all.len() >= MAX_OWNERS {
            all.retain(|_, old| !self.now(Some(*old), now).time.is_zero());
        }
        all.insert(owner, spent);
    }

    /// Returns the time until an owner gets long searches again; `None` if that is now.
    pub fn refilled_in(&self, owner: u64, now: Instant) -> Option<Duration> {
        let spent = self.now(self.lock().get(&owner).copied(), now);
        let missing = spent.time.saturating_sub(self.refill_level());
        spent.out.then(|| missing.mul_f64(HOUR.as_secs_f64() / self.hourly().as_secs_f64()))
    }

    /// Returns the use now, given an earlier one.
    fn now(&self, then: Option<Spent>, now: Instant) -> Spent {
        let Some(then) = then else { return Spent { time: Duration::ZERO, at: now, out: false } };
        let since = now.saturating_duration_since(then.at).min(HOUR);
        let time = then.time.saturating_sub(self.hourly().mul_f64(since.as_secs_f64() / HOUR.as_secs_f64()));
        Spent { time, at: now, out: then.out && time > self.refill_level() }
    }

    /// Returns the most that may be used when long searches start again.
    fn refill_level(&self) -> Duration {
        self.hourly() * (100 - REFILL_PERCENT) / 100
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Spent>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// Ten minutes an hour: a second refills every six.
    fn ten_minutes() -> (ThinkingBudgets, Instant) {
        (ThinkingBudgets::new(10 * MINUTE), Instant::now())
    }

    #[test]
    fn who_has_had_everything_waits_until_a_part_is_back() {
        let (all, start) = ten_minutes();
        all.charge(1, 9 * MINUTE, start);
        assert_eq!(all.refilled_in(1, start), None, "a minute is left");
        all.charge(1, MINUTE, start);
        assert_eq!(all.refilled_in(1, start), Some(6 * MINUTE), "a minute, a tenth, comes back in six");
        assert_eq!(all.refilled_in(2, start), None, "and nobody else pays for it");
        assert!(all.refilled_in(1, start + 5 * MINUTE).is_some());
        assert_eq!(all.refilled_in(1, start + 6 * MINUTE), None);
    }

    #[test]
    fn who_has_been_thought_for_by_many_threads_pays_for_all_of_them() {
        let (all, start) = ten_minutes();
        assert!(!all.spend(1, |sparing| (sparing, 10 * MINUTE)));
        assert!(all.refilled_in(1, start).is_some());
        assert!(all.spend(1, |sparing| (sparing, Duration::ZERO)));
    }

    #[test]
    fn in_any_hour_hardly_more_is_thought_than_twice_the_allowance() {
        let (all, start) = ten_minutes();
        let step = Duration::from_secs(3);
        let mut had = Duration::ZERO;
        for second in (0..3_600).step_by(3) {
            let now = start + Duration::from_secs(second);
            if all.refilled_in(7, now).is_none() {
                all.charge(7, step, now + step);
                had += step;
            }
        }
        // All of it at the beginning, and what refilled meanwhile.
        assert!(had >= 15 * MINUTE && had <= 21 * MINUTE, "{had:?}");
    }

    #[test]
    fn glances_at_the_bottom_lead_no_deeper() {
        let (all, start) = ten_minutes();
        all.charge(1, 30 * MINUTE, start);
        all.charge(1, MINUTE, start);
        assert_eq!(all.refilled_in(1, start), Some(6 * MINUTE));
    }

    #[test]
    fn who_has_everything_back_is_forgotten() {
        let (all, start) = ten_minutes();
        (0..MAX_OWNERS as u64).for_each(|owner| all.charge(owner, MINUTE, start));
        all.charge(5_000, MINUTE, start + HOUR);
        assert_eq!(all.lock().len(), 1);
    }

    #[test]
    fn processes_that_share_a_budget_spend_it_once_together() {
        let (one, begin) = ten_minutes();
        let two = ThinkingBudgets::new(10 * MINUTE);
        for budgets in [&one, &two] {
            budgets.share(2);
            budgets.charge(1, 4 * MINUTE, begin);
            assert_eq!(budgets.refilled_in(1, begin), None);
            budgets.charge(1, MINUTE, begin);
            assert!(budgets.refilled_in(1, begin).is_some(), "both have thought for ten minutes together");
        }
        one.share(1);
        let later = begin + 2 * MINUTE;
        assert_eq!(one.refilled_in(1, later), None, "the other one has ended: half of the budget is free");
    }
}
