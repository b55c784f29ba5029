//! Many tables wait for the bot at once, and it never answers.

use super::*;

/// A registry whose bot searches forever, with `count` tables that wait for it.
async fn waiting(count: usize) -> (TestRegistry, Vec<TableId>) {
    let fixture = TestRegistry::build();
    fixture.thinker.asleep.store(true, Ordering::SeqCst);
    let mut tables = Vec::new();
    for number in 0..count {
        let id = fixture.open_against_ai().await;
        fixture.plays(id, "a2-a3/a2", SourceId(number as u64 + 2)).await.unwrap();
        tables.push(id);
    }
    (fixture, tables)
}

#[tokio::test(start_paused = true)]
async fn every_turn_is_asked_for_once_and_people_are_heard_meanwhile() {
    let (fixture, tables) = waiting(200).await;
    let asked: Vec<_> = fixture.thinker.asked.lock().unwrap().iter().map(|job| job.table).collect();
    assert_eq!(asked, tables, "each once, in the order of the moves");
    let since = tokio::time::Instant::now();
    for id in &tables {
        let denied = fixture.plays(*id, "d1-d2/d1", SourceId(999)).await.err().unwrap();
        assert!(matches!(denied, TableError::Refused(OrderError::NotYourTurn { .. })), "{denied:?}");
        let offered = fixture.registry.order(*id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
        assert!(matches!(offered.table.status(), Status::Over(_)));
    }
    // Paused time advances by itself only if everything waits for a timer: nothing did.
    assert_eq!(since.elapsed(), std::time::Duration::ZERO);
}

#[tokio::test]
async fn a_table_that_nobody_waits_for_costs_nothing() {
    let (fixture, tables) = waiting(3).await;
    // A table's jobs are also cancelled when it is opened and the bot is not to move.
    fixture.thinker.dropped.lock().unwrap().clear();
    fixture.registry.order(tables[0], Actor::Person(ADA), Order::Resign, None).await.unwrap();
    fixture.registry.order(tables[1], Actor::System, Order::Freeze, None).await.unwrap();
    assert_eq!(*fixture.thinker.dropped.lock().unwrap(), tables[..2], "over, frozen; and one goes on");
}
