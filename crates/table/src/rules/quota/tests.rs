use strum::VariantArray;

use super::*;
use crate::clock::DAY;

const ADA: UserId = UserId(1);
const BEN: UserId = UserId(2);
const CLEO: UserId = UserId(3);
const NOW: Timestamp = Timestamp::constant(1_700_000_000, 0);

fn quotas() -> Quotas {
    Quotas { gifs_per_minute: 3, server_gifs_per_minute: 5, challenges_per_hour: 4, ..Quotas::default() }
}

fn gif(
    ledger: &mut QuotaLedger,
    who: UserId,
    guild: Option<GuildId>,
    now: Timestamp,
) -> Result<(), QuotaError> {
    ledger.spend(&quotas(), LimitedAction::Gif, (who, guild), now)
}

#[test]
fn uses_come_back_one_by_one_and_the_moment_that_is_told_is_right() {
    let mut ledger = QuotaLedger::default();
    for _ in 0..3 {
        gif(&mut ledger, ADA, None, NOW).unwrap();
    }
    let Err(QuotaError::Rate { what: LimitedAction::Gif, most: 3, server: false, until }) =
        gif(&mut ledger, ADA, None, NOW)
    else {
        panic!("the fourth is refused");
    };
    assert_eq!(until, NOW + MINUTE / 3);
    assert!(gif(&mut ledger, ADA, None, until - SignedDuration::from_millis(1)).is_err());
    gif(&mut ledger, ADA, None, until).unwrap();
    assert!(gif(&mut ledger, ADA, None, until).is_err(), "only one has come back");
    gif(&mut ledger, BEN, None, NOW).unwrap();
}

#[test]
fn what_a_server_shares_is_refused_without_costing_the_person_anything() {
    let mut ledger = QuotaLedger::default();
    for who in [ADA, ADA, ADA, BEN, BEN] {
        gif(&mut ledger, who, Some(GuildId(7)), NOW).unwrap();
    }
    for _ in 0..9 {
        assert!(matches!(
            gif(&mut ledger, CLEO, Some(GuildId(7)), NOW),
            Err(QuotaError::Rate { server: true, .. })
        ));
    }
    for _ in 0..3 {
        gif(&mut ledger, CLEO, Some(GuildId(8)), NOW).unwrap();
    }
}

#[test]
fn nothing_is_limited_where_the_number_is_0() {
    let mut ledger = QuotaLedger::default();
    for _ in 0..1_000 {
        for &what in LimitedAction::VARIANTS {
            ledger.spend(&Quotas::NONE, what, (ADA, Some(GuildId(7))), NOW).unwrap();
        }
        ledger.challenge(&Quotas::NONE, ADA, &[BEN], NOW).unwrap();
        ledger.turned_down(&Quotas::NONE, ADA, BEN, NOW);
    }
}

#[test]
fn the_same_person_is_challenged_a_few_times_and_others_a_few_more() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    for _ in 0..3 {
        ledger.challenge(&quotas, ADA, &[BEN], NOW).unwrap();
    }
    let repeated = ledger.may_challenge(&quotas, ADA, &[CLEO, BEN], NOW);
    assert_eq!(repeated, Err(QuotaError::Repeated { person: BEN, until: NOW + HOUR / 3 }));
    ledger.challenge(&quotas, ADA, &[CLEO], NOW).unwrap();
    let all = ledger.may_challenge(&quotas, ADA, &[UserId(4)], NOW);
    assert_eq!(all, Err(QuotaError::Challenges { most: 4, until: NOW + HOUR / 4 }));
    ledger.may_challenge(&quotas, ADA, &[], NOW).unwrap();
    ledger.may_challenge(&quotas, BEN, &[ADA], NOW).unwrap();
}

#[test]
fn a_challenge_that_is_accepted_does_not_count() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    for _ in 0..100 {
        ledger.challenge(&quotas, ADA, &[BEN], NOW).unwrap();
        ledger.accepted(&quotas, ADA, BEN, true);
    }
}

#[test]
fn a_challenge_that_reached_nobody_does_not_count() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    for _ in 0..100 {
        ledger.challenge(&quotas, ADA, &[BEN, CLEO], NOW).unwrap();
        ledger.give_back_challenge(&quotas, ADA, &[BEN, CLEO]);
    }
}

#[test]
fn who_only_joins_gives_nothing_back() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    for to in 10..14 {
        ledger.challenge(&quotas, ADA, &[UserId(to)], NOW).unwrap();
        ledger.accepted(&quotas, ADA, CLEO, false);
    }
    assert!(ledger.may_challenge(&quotas, ADA, &[BEN], NOW).is_err());
}

#[test]
fn the_wait_after_a_refusal_doubles_up_to_a_day() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    let mut now = NOW;
    for minutes in [10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440] {
        ledger.turned_down(&quotas, ADA, BEN, now);
        let until = now + minutes * MINUTE;
        let refused = ledger.may_challenge(&quotas, ADA, &[BEN], until - SignedDuration::from_millis(1));
        assert_eq!(refused, Err(QuotaError::Repeated { person: BEN, until }));
        ledger.may_challenge(&quotas, ADA, &[BEN], until).unwrap();
        ledger.may_challenge(&quotas, ADA, &[CLEO], now).unwrap();
        now = until;
    }
    ledger.turned_down(&quotas, ADA, BEN, now + 2 * DAY);
    let until = now + 2 * DAY + 10 * MINUTE;
    let refused = ledger.may_challenge(&quotas, ADA, &[BEN], until - SignedDuration::from_millis(1));
    assert_eq!(refused, Err(QuotaError::Repeated { person: BEN, until }), "long ago is forgotten");
}

#[test]
fn the_wait_is_lifted_by_a_challenge_back_or_a_seat_taken() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    ledger.turned_down(&quotas, ADA, BEN, NOW);
    ledger.challenged(BEN, &[ADA]);
    ledger.may_challenge(&quotas, ADA, &[BEN], NOW).unwrap();
    ledger.turned_down(&quotas, ADA, BEN, NOW);
    ledger.accepted(&quotas, ADA, BEN, false);
    ledger.may_challenge(&quotas, ADA, &[BEN], NOW).unwrap();
}

#[test]
fn memory_stays_bounded_and_the_latest_are_kept() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    for n in 0..40_000 {
        let now = NOW + SignedDuration::from_millis(n as i64);
        gif(&mut ledger, UserId(n), None, now).unwrap();
        ledger.challenge(&quotas, UserId(n), &[BEN], now).unwrap();
        ledger.turned_down(&quotas, UserId(n), BEN, now);
    }
    assert!(ledger.pairs.len() <= MAX_KEYS && ledger.uses.full.len() <= MAX_KEYS);
    assert!(ledger.to_one.full.len() <= MAX_KEYS && ledger.challenges.full.len() <= MAX_KEYS);
    assert!(
        ledger.may_challenge(&quotas, UserId(39_999), &[BEN], NOW + SignedDuration::from_secs(40)).is_err()
    );
}

#[test]
fn who_is_forgotten_leaves_nothing() {
    let (quotas, mut ledger) = (quotas(), QuotaLedger::default());
    gif(&mut ledger, ADA, Some(GuildId(7)), NOW).unwrap();
    ledger.challenge(&quotas, ADA, &[BEN], NOW).unwrap();
    ledger.turned_down(&quotas, BEN, ADA, NOW);
    ledger.forget(ADA);
    let text = format!("{ledger:?}");
    assert!(!text.contains("…0001"), "{text}");
}
