//! The requests to Discord that each process may send in a second.
//!
//! Half of the limit is shared out evenly, and no process takes it from another one. The other half is for those that
//! send more than that. A process takes only what the others have left, and gives back first what it has too much of, so
//! the sum of all rows never exceeds the limit. The row of a process ends with its row in `processes`.

use sqlx::query;

use super::Postgres;
use super::locks::{KINDS, REQUEST_SHARES};
use crate::rows::StoredRow;
use rookery_table::ports::{RequestShare, StoreError};

/// The shares of the other processes.
pub(super) const OTHERS: &str =
    "SELECT per_second::bigint, wanted::bigint FROM request_shares WHERE process <> $1";
/// Takes a share, if the process has not been removed.
pub(super) const TAKE_SHARE: &str = "INSERT INTO request_shares (process, per_second, wanted) \
     SELECT process, $2::integer, $3::integer FROM processes WHERE process = $1 \
     ON CONFLICT (process) DO UPDATE SET per_second = excluded.per_second, wanted = excluded.wanted";

/// A row of another process.
#[derive(Clone, Copy, Debug)]
struct OtherShare {
    per_second: u32,
    wanted: u32,
}

impl Postgres {
    /// Takes this process's share of the requests, in place of its share until now.
    pub(super) async fn take_share(&self, limit: u32, wanted: u32) -> Result<RequestShare, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let lock = query("SELECT pg_advisory_xact_lock($1, $2)").bind(KINDS).bind(REQUEST_SHARES);
        transaction.row(lock).await?;
        let small = |number: i64| u32::try_from(number).unwrap_or_default();
        let mut others = Vec::new();
        for row in transaction.rows(query(OTHERS).bind(self.process.number)).await? {
            others.push(OtherShare { per_second: small(row.integer(0)?), wanted: small(row.integer(1)?) });
        }
        let share = share(limit, wanted, &others);
        let signed = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let row =
            query(TAKE_SHARE).bind(self.process.number).bind(signed(share.per_second)).bind(signed(wanted));
        if transaction.write(row).await? == 0 {
            return Err(StoreError::Backend("the others believe that this process has ended".into()));
        }
        transaction.commit().await?;
        Ok(share)
    }
}

/// Returns the share of a process that wants so much, beside the others.
fn share(limit: u32, wanted: u32, others: &[OtherShare]) -> RequestShare {
    let count = u32::try_from(others.len()).unwrap_or(u32::MAX).saturating_add(1);
    let guaranteed = (limit / count.saturating_mul(2)).max(1);
    let is_busy = |wanted: u32| wanted >= guaranteed;
    let busy = others.iter().filter(|other| is_busy(other.wanted)).count();
    let spare = limit.saturating_sub(guaranteed.saturating_mul(count));
    let fair = match is_busy(wanted) {
        true => guaranteed + spare / u32::try_from(busy + 1).unwrap_or(u32::MAX),
        false => guaranteed,
    };
    let taken = others.iter().fold(0, |sum: u32, other| sum.saturating_add(other.per_second));
    RequestShare { per_second: fair.min(limit.saturating_sub(taken)).max(1), guaranteed }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets the processes take their shares in turn; returns the shares after each round. Checks the sum after every
    /// step.
    fn rounds(limit: u32, wanted: &[u32], shares: &mut [u32], rounds: usize) {
        for _ in 0..rounds {
            for at in 0..wanted.len() {
                let of_others = (0..wanted.len()).filter(|other| *other != at && shares[*other] > 0);
                let others: Vec<OtherShare> = of_others
                    .map(|other| OtherShare { per_second: shares[other], wanted: wanted[other] })
                    .collect();
                let before: u32 = shares.iter().sum();
                let new = share(limit, wanted[at], &others).per_second;
                let joins = shares[at] == 0 && new == 1;
                shares[at] = new;
                let sum: u32 = shares.iter().sum();
                assert!(sum <= limit || joins || sum <= before, "{shares:?}");
            }
        }
    }

    #[test]
    fn idle_processes_leave_half_to_those_that_need_it() {
        let mut shares = [0, 0];
        rounds(50, &[0, 0], &mut shares, 2);
        assert_eq!(shares, [12, 12], "a quarter of the limit each, whatever the other does");
        rounds(50, &[30, 2], &mut shares, 1);
        assert_eq!(shares, [38, 12]);
        rounds(50, &[30, 30], &mut shares, 2);
        assert_eq!(shares, [25, 25], "both need more, so they have the same");
        rounds(50, &[3, 30], &mut shares, 2);
        assert_eq!(shares, [12, 38]);
    }

    #[test]
    fn only_process_has_the_whole_limit_when_it_needs_it() {
        let mut shares = [0];
        rounds(50, &[25], &mut shares, 1);
        assert_eq!(shares, [50]);
    }

    #[test]
    fn process_that_joins_busy_ones_gets_its_part_when_they_have_made_room() {
        let mut shares = [25, 25, 0];
        let wanted = [99, 99, 99];
        rounds(50, &wanted, &mut shares, 1);
        assert_eq!(shares, [25, 25, 1], "the others don't know it yet");
        rounds(50, &wanted, &mut shares, 1);
        assert_eq!(shares, [16, 16, 16]);
        // It comes before they do.
        let first = share(50, 0, &[OtherShare { per_second: 50, wanted: 99 }]);
        assert_eq!(first, RequestShare { per_second: 1, guaranteed: 12 });
    }

    #[test]
    fn shares_of_many_processes_with_changing_needs_stay_within_the_limit() {
        let mut rng = rookery_core::seed::SeededRng::new(7);
        for limit in [10, 50, 500] {
            let mut shares = [0; 5];
            for _ in 0..200 {
                let wanted = std::array::from_fn::<u32, 5, _>(|_| rng.below(u64::from(limit)) as u32);
                rounds(limit, &wanted, &mut shares, 1);
            }
            rounds(limit, &[limit; 5], &mut shares, 3);
            let fair = limit / 5;
            assert!(shares.iter().all(|share| *share >= fair - 1), "{shares:?}");
        }
    }
}
