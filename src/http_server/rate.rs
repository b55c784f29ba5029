//! A rate limit per address by the generic cell rate algorithm, which stores one time for each address.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quick_cache::unsync::Cache;
use tokio::time::Instant;

use super::address::network;

/// The most addresses stored.
const MAX_ADDRESSES: usize = 20_000;
/// The requests of one minute may come in a burst.
const BURST: Duration = Duration::from_secs(60);

pub(super) struct RateLimiter {
    /// The time that one request uses up.
    cost: Duration,
    /// For each address, the time until which its requests are used up.
    used_until: Mutex<Cache<IpAddr, Instant>>,
}

impl RateLimiter {
    pub(super) fn per_minute(requests: u32) -> RateLimiter {
        RateLimiter { cost: BURST / requests, used_until: Mutex::new(Cache::new(MAX_ADDRESSES)) }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The wait until the next request, if the address has sent too many.
    pub(super) fn count(&self, address: IpAddr) -> Result<(), Duration> {
        let (now, network) = (Instant::now(), network(address));
        let mut used = self.used_until.lock().unwrap_or_else(PoisonError::into_inner);
        let until = used.get(&network).copied().unwrap_or(now);
        let next = until.max(now) + self.cost;
        match next.checked_duration_since(now + BURST) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                used.insert(network, next);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_minutes_requests_may_come_at_once_and_then_one_at_a_time() {
        let rate = RateLimiter::per_minute(6);
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        assert!((0..6).all(|_| rate.count(one).is_ok()));
        assert_eq!(rate.count(one), Err(Duration::from_secs(10)));
        assert_eq!(rate.count(other), Ok(()), "that is somebody else");
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!((rate.count(one), rate.count(one).is_err()), (Ok(()), true));
    }

    #[test]
    fn no_number_of_addresses_takes_more_memory() {
        let rate = RateLimiter::per_minute(1);
        for number in 0..2 * MAX_ADDRESSES as u32 {
            rate.count(IpAddr::from(number.to_be_bytes())).unwrap();
        }
        assert!(rate.used_until.lock().unwrap().len() <= MAX_ADDRESSES);
    }
    #[tokio::test(start_paused = true)]
    async fn rate_limits_hold_while_other_addresses_come_and_go() {
        let rate = RateLimiter::per_minute(1);
        let busy = IpAddr::from([192, 0, 2, 1]);
        assert_eq!(rate.count(busy), Ok(()));
        for number in 0..2 * MAX_ADDRESSES as u32 {
            rate.count(IpAddr::from(number.to_be_bytes())).unwrap();
            assert!(rate.count(busy).is_err(), "{number}");
        }
    }
}
