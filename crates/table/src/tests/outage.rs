//! Events during an outage: they must not charge the outage to anybody.

use std::time::Duration;

use jiff::SignedDuration;
use jiff::Timestamp;

use super::*;
use crate::clock::{ClockTerms, DAY, HOUR, TimeOff, TimeSpan};
use crate::preferences::Vacation;
use rookery_core::Seat;

/// A day in 2026.
const START: Timestamp = Timestamp::constant(1_792_051_200, 0);

/// A registry whose clock is set by hand, over a journal that outlives it.
struct OutageFixture {
    journal: Arc<FailingJournal>,
    clock: Arc<ManualClock>,
    registry: Arc<registry::TableRegistry>,
}

impl OutageFixture {
    fn build() -> OutageFixture {
        OutageFixture::over(Arc::new(FailingJournal::default()), START)
    }

    fn over(journal: Arc<FailingJournal>, now: Timestamp) -> OutageFixture {
        let clock = Arc::new(ManualClock(AtomicI64::new(now.as_millisecond())));
        let registry = registry::TableRegistry::new(
            journal.clone(),
            clock.clone(),
            Arc::new(FirstMoveThinker::default()),
            1,
        );
        OutageFixture { journal, clock, registry }
    }

    fn at(&self, after: SignedDuration) {
        self.clock.0.store((START + after).as_millisecond(), Ordering::SeqCst);
    }

    /// Stops the program an hour after the start, just after its last sign of life, and starts it again later.
    async fn restarted(self, after: SignedDuration) -> OutageFixture {
        self.at(HOUR);
        self.registry.note_alive().await.unwrap();
        let fixture = OutageFixture::over(self.journal, START + after);
        fixture.registry.resume().await.unwrap();
        fixture
    }

    async fn opens(&self, clock: &str) -> TableId {
        let terms = Terms { clock: ClockTerms::read(clock).unwrap(), ..terms() };
        let chairs = vec![human(ADA), human(BEN)];
        self.registry.open(terms, ADA, chairs, None).await.unwrap().table.id()
    }

    /// Returns the whole hours that a seat has left; the clock advances by a millisecond at each reading.
    async fn hours_left(&self, id: TableId, seat: Seat) -> i64 {
        let left = self.registry.table(id).await.unwrap().clock().unwrap().left(seat, self.registry.now());
        (left + HOUR / 2).as_hours()
    }
}

#[tokio::test]
async fn a_move_typed_in_an_outage_is_not_charged_for_it() {
    let fixture = OutageFixture::build();
    let id = fixture.opens("fast hard").await;
    let fixture = fixture.restarted(31 * HOUR).await;
    // 24 hours at the start, one of them used; a turn adds eight.
    fixture.registry.order(id, Actor::Person(ADA), r#move("a2-a3/a2", None), None).await.unwrap();
    assert_eq!(fixture.hours_left(id, Seat::FIRST).await, 31);
    fixture.at(34 * HOUR);
    fixture.registry.connection_restored().await;
    fixture.at(35 * HOUR);
    assert_eq!(fixture.hours_left(id, Seat::SECOND).await, 23, "the rest of it is given back as well, once");
}

#[tokio::test]
async fn days_off_that_end_in_an_outage_take_nothing_off_the_mover() {
    let fixture = OutageFixture::build();
    let id = fixture.opens("fast").await;
    let away = Some(TimeSpan { from: START, until: START + DAY });
    for (after, away) in [(SignedDuration::ZERO, away), (7 * HOUR, None), (8 * HOUR, away)] {
        fixture.at(after);
        if after.is_positive() {
            fixture.registry.connection_lost();
        }
        fixture.at(after + HOUR / 2);
        let order = Order::SetTimeOff { person: BEN, rest: TimeOff { away, quiet: None } };
        fixture.registry.order(id, Actor::System, order, None).await.unwrap();
    }
    fixture.registry.connection_restored().await;
    assert_eq!(fixture.hours_left(id, Seat::FIRST).await, 17, "seven hours had passed when Discord was lost");
}

#[tokio::test]
async fn a_challenge_waits_for_as_long_as_somebody_could_answer() {
    let fixture = OutageFixture::build();
    let chairs = vec![human(ADA), Occupant::Open];
    fixture.registry.open(terms(), ADA, chairs, None).await.unwrap();
    let day = Duration::from_secs(24 * 3_600);
    let fixture = fixture.restarted(50 * HOUR).await;
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 0, "nobody can answer yet");
    fixture.registry.connection_restored().await;
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 0, "nobody could answer");
    fixture.at(72 * HOUR);
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 0, "23 hours");
    fixture.at(74 * HOUR);
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 1);
}

/// The process that saw the outage is not the one that checks the challenge.
#[tokio::test]
async fn a_challenge_waits_through_outages_that_are_older_than_the_process() {
    let fixture = OutageFixture::build();
    let day = Duration::from_secs(24 * 3_600);
    let open = vec![human(ADA), Occupant::Open];
    fixture.registry.open(terms(), ADA, open, None).await.unwrap();
    let fixture = fixture.restarted(50 * HOUR).await;
    fixture.registry.connection_restored().await;
    // A server has an outage that lasts until the program is started for the third time.
    let server = OutageScope::Server(terms().guild.unwrap());
    fixture.at(51 * HOUR);
    fixture.registry.begin_outage(server, fixture.registry.now());
    fixture.at(71 * HOUR);
    fixture.registry.note_alive().await.unwrap();
    let fixture = OutageFixture::over(fixture.journal, START + 72 * HOUR);
    fixture.registry.resume().await.unwrap();
    fixture.registry.connection_restored().await;
    for (hour, ended) in [(72, 0), (93, 0), (95, 1)] {
        fixture.at(hour * HOUR);
        assert_eq!(
            fixture.registry.expire_challenges(day).await.unwrap(),
            ended,
            "two hours before, and those since hour 72"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_out_of_order_costs_nobody_there_their_game() {
    let fixture = OutageFixture::build();
    let there = fixture.opens("fast hard").await;
    let elsewhere =
        Terms { clock: ClockTerms::read("fast hard").unwrap(), guild: Some(GuildId(9)), ..terms() };
    let elsewhere =
        fixture.registry.open(elsewhere, ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id();
    let lost = OutageScope::Server(terms().guild.unwrap());
    fixture.at(HOUR);
    fixture.registry.begin_outage(lost, fixture.registry.now());
    fixture.at(30 * HOUR);
    while fixture.registry.tick().await > 0 {}
    let status = async |id| fixture.registry.table(id).await.unwrap().status().clone();
    assert!(matches!(status(elsewhere).await, Status::Over(_)), "everybody else could move");
    assert_eq!(status(there).await, Status::Running);
    // A move through another channel meanwhile is not charged for it either.
    fixture.registry.order(there, Actor::Person(ADA), r#move("a2-a3/a2", None), None).await.unwrap();
    assert_eq!(fixture.hours_left(there, Seat::FIRST).await, 31, "24 hours, one gone, and 8 for the turn");
    fixture.at(50 * HOUR);
    fixture.registry.end_outage(lost).await;
    assert_eq!(fixture.hours_left(there, Seat::SECOND).await, 24);
    fixture.at(75 * HOUR);
    while fixture.registry.tick().await > 0 {}
    assert!(matches!(status(there).await, Status::Over(_)), "now he could, and did not");
}

#[tokio::test]
async fn a_challenge_waits_for_a_server_that_is_out_of_order() {
    let fixture = OutageFixture::build();
    fixture.registry.open(terms(), ADA, vec![human(ADA), Occupant::Open], None).await.unwrap();
    let (lost, day) = (OutageScope::Server(terms().guild.unwrap()), Duration::from_secs(24 * 3_600));
    fixture.registry.begin_outage(lost, fixture.registry.now());
    fixture.at(50 * HOUR);
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 0, "nobody could answer");
    fixture.registry.end_outage(lost).await;
    fixture.at(75 * HOUR);
    assert_eq!(fixture.registry.expire_challenges(day).await.unwrap(), 1);
}

#[tokio::test]
async fn a_machine_that_slept_costs_nobody_their_game() {
    let fixture = OutageFixture::build();
    let id = fixture.opens("fast hard").await;
    fixture.at(HOUR - SignedDuration::from_secs(1));
    let watch = fixture.registry.watch_for_sleep(0);
    fixture.at(HOUR);
    watch.check();
    fixture.registry.note_alive().await.unwrap();
    fixture.at(60 * HOUR);
    watch.check();
    assert_eq!(fixture.registry.tick().await, 0, "nobody could move");
    fixture.registry.connection_restored().await;
    fixture.registry.tick().await;
    assert_eq!(fixture.hours_left(id, Seat::FIRST).await, 23);
}

/// A message that waited while the machine slept may be handled before the clocks notice the sleep.
#[tokio::test]
async fn a_move_right_after_a_sleep_is_not_charged_for_it() {
    let fixture = OutageFixture::build();
    let id = fixture.opens("fast hard").await;
    fixture.at(HOUR);
    let watch = fixture.registry.watch_for_sleep(0);
    fixture.at(60 * HOUR);
    fixture.registry.order(id, Actor::Person(ADA), r#move("a2-a3/a2", None), None).await.unwrap();
    // 24 hours at the start, one of them used; a turn adds eight.
    assert_eq!(fixture.hours_left(id, Seat::FIRST).await, 31);
    fixture.registry.connection_restored().await;
    watch.check();
    assert_eq!(fixture.registry.outage_duration(), None, "one sleep is one outage");
    fixture.at(61 * HOUR);
    assert_eq!(fixture.hours_left(id, Seat::SECOND).await, 23);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_ends_nobodys_days_off() {
    let fixture = OutageFixture::build();
    let id = fixture.opens("fast").await;
    let until = START + 10 * DAY;
    let vacation = Vacation { from: START, until };
    fixture.registry.preferences_cache().change_person(ADA, |it| it.vacation = Some(vacation)).await.unwrap();
    fixture.registry.apply_time_off(ADA).await.unwrap();
    fixture.at(DAY);
    // A cached value is used for a minute.
    tokio::time::advance(Duration::from_secs(60)).await;
    fixture.journal.hooks.unreadable.store(true, Ordering::SeqCst);
    assert!(fixture.registry.apply_time_off(ADA).await.is_err(), "it is not known what she chose");
    fixture.registry.tick().await;
    fixture.journal.hooks.unreadable.store(false, Ordering::SeqCst);
    assert_eq!(fixture.hours_left(id, Seat::FIRST).await, 24, "her time stood");
}

#[tokio::test]
async fn pause_of_all_games_counts_in_every_process_and_its_time_is_given_back_once() {
    let one = OutageFixture::build();
    let id = one.opens("fast hard").await;
    let two = OutageFixture::over(one.journal.clone(), START);
    let at = |after| [&one, &two].map(|process| process.at(after));
    let moves = async || {
        let order = r#move("a2-a3/a2", None);
        two.registry.order(id, Actor::Person(ADA), order, None).await.map(drop)
    };
    at(HOUR);
    assert_eq!(one.registry.toggle_pause().await.unwrap(), None);
    two.registry.refresh_maintenance().await.unwrap();
    let refused = |result| matches!(result, Err(TableError::Refused(OrderError::Maintenance)));
    assert!(refused(moves().await));
    let opened = two.registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.map(drop);
    assert!(refused(opened));

    // 24 hours at the start, one of them used; the pause is longer than the rest.
    at(31 * HOUR);
    assert_eq!((one.registry.tick().await, two.registry.tick().await), (0, 0));
    let paused = one.registry.toggle_pause().await.unwrap().unwrap();
    assert_eq!((paused + HOUR / 2).as_hours(), 30);
    assert!(refused(moves().await), "the other process has not heard of it");
    two.registry.refresh_maintenance().await.unwrap();
    moves().await.unwrap();
    // A turn adds eight hours.
    assert_eq!(two.hours_left(id, Seat::FIRST).await, 31);
    assert_eq!(two.hours_left(id, Seat::SECOND).await, 24);
}

#[tokio::test]
async fn drain_refuses_new_games_in_every_process_until_it_ends() {
    let one = OutageFixture::build();
    let two = OutageFixture::over(one.journal.clone(), START);
    let open = async || two.registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.map(drop);
    assert!(one.registry.toggle_drain().await.unwrap());
    two.registry.refresh_maintenance().await.unwrap();
    assert!(matches!(open().await, Err(TableError::Refused(OrderError::Draining))));
    assert!(!two.registry.toggle_drain().await.unwrap(), "the second use ends it");
    open().await.unwrap();
    one.journal.store_note("maintenance", "{damaged").await.unwrap();
    one.registry.refresh_maintenance().await.unwrap();
    assert!(!one.registry.is_draining() && one.registry.toggle_drain().await.unwrap());
}
