//! Functions whose results are known from other sources.

use super::super::clock::iso;
use super::super::id::{Id, Ids};

#[test]
fn moments_are_written_as_discord_does() {
    // Two known Unix times: the epoch and the billennium.
    assert_eq!(iso(0), "1970-01-01T00:00:00.000000+00:00");
    assert_eq!(iso(1_000_000_000_000), "2001-09-09T01:46:40.000000+00:00");
    // A leap day.
    assert_eq!(iso(951_782_400_123), "2000-02-29T00:00:00.123000+00:00");
}

#[test]
fn an_id_tells_when_it_was_made() {
    // The example of Discord's documentation ("Snowflakes"): made on 2016-04-30 at 11:18:25.796 UTC.
    assert_eq!(Id(175_928_847_299_117_063).created_ms(), 1_462_015_105_796);
}

#[test]
fn ids_grow_even_when_the_clock_goes_back() {
    let mut ids = Ids::default();
    let first = ids.make(1_700_000_000_000);
    assert!(ids.make(1_600_000_000_000) > first);
}
