//! Timers are loaded ahead, not remembered for every table.

use super::*;
use crate::clock::{ClockTerms, HOUR, Warning};

#[tokio::test]
async fn what_time_brings_is_done_a_second_after_the_journal_works_again() {
    let (journal, manual_clock) = (Arc::new(FailingJournal::default()), Arc::new(ManualClock::default()));
    let registry = registry::TableRegistry::new(
        journal.clone(),
        manual_clock.clone(),
        Arc::new(FirstMoveThinker::default()),
        1,
    );
    let terms = Terms { clock: ClockTerms::read("daily").unwrap(), ..terms() };
    let opened = registry.open(terms, ADA, vec![human(ADA), human(BEN)], None).await.unwrap();
    manual_clock.0.fetch_add(millis::whole(36 * HOUR), Ordering::SeqCst);
    journal.hooks.broken.store(true, Ordering::SeqCst);
    assert_eq!(registry.tick().await, 1);
    assert_eq!(registry.tick().await, 0, "not at every tick");
    journal.hooks.broken.store(false, Ordering::SeqCst);
    manual_clock.0.fetch_add(1_000, Ordering::SeqCst);
    assert_eq!(registry.tick().await, 1);
    let last = journal.load(opened.table.id()).await.unwrap().pop().unwrap().event;
    assert_eq!(last, Event::Warned { seat: Seat::FIRST, warning: Warning::Quarter });
}

#[tokio::test]
async fn what_time_brings_is_found_after_a_restart_though_nobody_wakes_the_table() {
    let before = TestRegistry::build();
    let terms = Terms { clock: ClockTerms::read("daily").unwrap(), ..terms() };
    let opened = before.registry.open(terms, ADA, vec![human(ADA), human(BEN)], None).await.unwrap();
    let id = opened.table.id();
    let manual_clock = Arc::new(ManualClock::default());
    let registry =
        registry::TableRegistry::new(before.journal.clone(), manual_clock.clone(), before.thinker.clone(), 1);
    registry.resume().await.unwrap();
    assert_eq!(
        (registry.tick().await, registry.loaded_tables()),
        (0, 0),
        "nothing is due, and nothing is read"
    );

    for (hours, warning) in [(36, Warning::Quarter), (10, Warning::Twentieth)] {
        manual_clock.0.fetch_add(millis::whole(hours * HOUR), Ordering::SeqCst);
        assert_eq!(registry.tick().await, 1);
        let last = before.journal.load(id).await.unwrap().pop().unwrap().event;
        assert_eq!(last, Event::Warned { seat: Seat::FIRST, warning });
    }
}
