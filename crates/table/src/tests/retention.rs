//! Data that is deleted after a time.

use super::*;
use jiff::SignedDuration;

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::test]
async fn imported_games_are_deleted_after_thirty_days() {
    let (journal, clock) = (Arc::new(FailingJournal::default()), Arc::new(ManualClock::default()));
    let registry =
        registry::TableRegistry::new(journal, clock.clone(), Arc::new(FirstMoveThinker::default()), 1);
    let play = Story::two().table.play().unwrap().clone_play();
    let study = registry.import(terms(), ADA, play.as_ref(), Vec::new()).await.unwrap().table.id();
    let own = vec![human(ADA), Occupant::Ai { level: Level::Easy }];
    let played = registry.open(terms(), ADA, own, None).await.unwrap().table.id();
    registry.order(played, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    clock.0.store(millis::whole(30 * DAY - SignedDuration::from_secs(1)), Ordering::SeqCst);
    assert_eq!(registry.delete_old_imports().await.unwrap(), 0);
    assert!(registry.table(study).await.is_ok());
    clock.0.store(millis::whole(30 * DAY + SignedDuration::from_secs(1)), Ordering::SeqCst);
    assert_eq!(registry.delete_old_imports().await.unwrap(), 1);
    assert!(matches!(registry.table(study).await, Err(TableError::NoTable(_))));
    assert!(registry.table(played).await.is_ok(), "what was played here stays");
}

#[tokio::test(start_paused = true)]
async fn the_outbox_is_pruned_after_a_minute_also_where_something_is_always_due() {
    let (journal, clock) = (Arc::new(FailingJournal::default()), Arc::new(ManualClock::default()));
    let registry = registry::TableRegistry::new(
        journal.clone(),
        clock.clone(),
        Arc::new(FirstMoveThinker::default()),
        1,
    );
    let old = registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id();
    registry.order(old, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    for due in journal.due(0, 1_000).await.unwrap() {
        journal.mark_posted(due.id, None).await.unwrap();
    }
    clock.0.store(millis::whole(8 * DAY), Ordering::SeqCst);
    registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.unwrap();
    assert!(!journal.due(0, 1).await.unwrap().is_empty());
    let since = tokio::time::Instant::now();
    assert_eq!(registry.prune_outbox().await.unwrap(), 1);
    let waited = since.elapsed().as_secs();
    assert!((60..70).contains(&waited), "people come first, but not for ever: {waited} s");
    assert_eq!(journal.latest(old, &OutboxItem::MakeThread).await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn the_outbox_of_games_that_ended_long_ago_is_pruned() {
    let (journal, clock) = (Arc::new(FailingJournal::default()), Arc::new(ManualClock::default()));
    let registry = registry::TableRegistry::new(
        journal.clone(),
        clock.clone(),
        Arc::new(FirstMoveThinker::default()),
        1,
    );
    let mut tables = Vec::new();
    for _ in 0..12 {
        let id = registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id();
        registry.order(id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
        tables.push(id);
    }
    clock.0.store(millis::whole(8 * DAY), Ordering::SeqCst);
    let mut last = 0;
    for due in journal.due(0, 1_000).await.unwrap() {
        last = last.max(due.id);
        let posted = Posted { table: due.table, channel: ChannelId(1), message: MessageId(due.id as u64) };
        journal.mark_posted(due.id, Some(posted)).await.unwrap();
    }
    let thread = OutboxItem::MakeThread;
    assert!(journal.latest(tables[0], &thread).await.unwrap().is_some());
    assert_eq!(registry.prune_outbox().await.unwrap(), 12, "in more than one go");
    for table in &tables {
        assert_eq!(journal.latest(*table, &thread).await.unwrap(), None);
        assert!(journal.posted(*table, &OutboxItem::Announce).await.unwrap().is_some(), "lists link to it");
    }
    for message in 1..=last {
        assert!(tables.contains(&journal.table_of(MessageId(message as u64)).await.unwrap().unwrap()));
    }
    assert_eq!(registry.prune_outbox().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_ended_lately_stays_in_the_outbox() {
    let (journal, clock) = (Arc::new(FailingJournal::default()), Arc::new(ManualClock::default()));
    let registry = registry::TableRegistry::new(
        journal.clone(),
        clock.clone(),
        Arc::new(FirstMoveThinker::default()),
        1,
    );
    let id = registry.open(terms(), ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id();
    registry.order(id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    for due in journal.due(0, 1_000).await.unwrap() {
        journal.mark_posted(due.id, None).await.unwrap();
    }
    clock.0.store(millis::whole(6 * DAY), Ordering::SeqCst);
    assert_eq!(registry.prune_outbox().await.unwrap(), 0);
    assert!(journal.latest(id, &OutboxItem::MakeThread).await.unwrap().is_some());
}
