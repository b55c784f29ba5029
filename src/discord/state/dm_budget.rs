//! The daily limit of direct messages about turns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use rookery_table::UserId;
use rookery_table::calendar::DAY_MIN;

/// The most direct messages about turns per person and day; after that, people are pinged in the game's
/// channel.
pub(in crate::discord) const MAX_DMS_PER_DAY: u32 = 20;

/// The period of the limit.
pub(in crate::discord) const DAY: SignedDuration = SignedDuration::from_mins(DAY_MIN as i64);

/// The number of direct messages that each person got on their latest day with one. Clones share the counts.
#[derive(Clone, Default)]
pub struct DmBudget(Arc<Mutex<HashMap<UserId, (i64, u32)>>>);

/// Returns the number of days since 1970 in UTC.
fn day_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(DAY.as_secs())
}

impl DmBudget {
    /// Returns whether the person may get another message today, and counts it if so.
    pub(in crate::discord) fn take(&self, who: UserId, now: Timestamp) -> bool {
        let today = day_of(now);
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spent.retain(|_, (day, _)| *day == today);
        let (_, count) = spent.entry(who).or_insert((today, 0));
        *count += 1;
        *count <= MAX_DMS_PER_DAY
    }

    /// Subtracts a message that was counted today but did not reach the person.
    pub(in crate::discord) fn give_back(&self, who: UserId, now: Timestamp) {
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, count)) = spent.get_mut(&who).filter(|(day, _)| *day == day_of(now)) {
            *count = count.saturating_sub(1);
        }
    }

    /// Removes the person's count.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::millis;

    #[test]
    fn the_budget_of_a_day_is_spent_and_comes_again() {
        let budget = DmBudget::default();
        let today = (0..MAX_DMS_PER_DAY + 5).filter(|_| budget.take(UserId(1), millis::timestamp(0))).count();
        assert_eq!(today, MAX_DMS_PER_DAY as usize);
        assert!(budget.take(UserId(2), millis::timestamp(0)), "everybody has their own");
        budget.give_back(UserId(2), Timestamp::UNIX_EPOCH + DAY);
        assert_eq!(
            (1..MAX_DMS_PER_DAY + 5).filter(|_| budget.take(UserId(2), millis::timestamp(0))).count(),
            MAX_DMS_PER_DAY as usize - 1
        );
        let unreached = (0..MAX_DMS_PER_DAY + 5).map(|_| {
            let took = budget.take(UserId(3), millis::timestamp(0));
            budget.give_back(UserId(3), millis::timestamp(0));
            took
        });
        assert!(unreached.into_iter().all(|took| took), "what reached nobody does not count");
        assert!(budget.take(UserId(1), Timestamp::UNIX_EPOCH + DAY), "tomorrow there is more");
    }
}
