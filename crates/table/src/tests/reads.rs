//! Reading a loaded table sends no request to its actor, and never shows a state older than what is written already.

use futures_util::FutureExt;
use tokio::sync::Notify;

use super::*;

fn requests(registry: &registry::TableRegistry) -> u64 {
    registry.order_counts().requests.load(Ordering::SeqCst)
}

#[tokio::test]
async fn look_at_a_loaded_table_makes_no_request() {
    let fixture = TestRegistry::build();
    fixture.thinker.asleep.store(true, Ordering::SeqCst);
    let id = fixture.open_against_ai().await;
    for _ in 0..3 {
        assert_eq!(fixture.registry.table(id).await.unwrap().ply(), 0);
    }
    assert_eq!(requests(&fixture.registry), 0);
    fixture.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();
    assert_eq!(fixture.registry.table(id).await.unwrap().ply(), 1);
    assert_eq!(requests(&fixture.registry), 1);

    let later = TestRegistry::over(fixture.journal.clone());
    for _ in 0..3 {
        assert_eq!(later.registry.table(id).await.unwrap().ply(), 1);
    }
    assert_eq!(requests(&later.registry), 1, "the first one loads it");
}

/// A disk that a test can slow down.
#[derive(Default)]
struct SlowDisk {
    is_slow: AtomicBool,
    begun: Notify,
    may_end: Notify,
}

#[async_trait]
impl JournalHooks for SlowDisk {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        journal.append(batch).await?;
        if self.is_slow.load(Ordering::SeqCst) {
            self.begun.notify_one();
            self.may_end.notified().await;
        }
        Ok(())
    }
}

#[tokio::test]
async fn look_waits_while_the_table_is_written() {
    let journal = Arc::new(HookedJournal::<MemoryJournal, SlowDisk>::default());
    let (clock, thinker) = (Arc::new(ManualClock::default()), Arc::new(FirstMoveThinker::default()));
    let registry = registry::TableRegistry::new(journal.clone(), clock, thinker, 1);
    let chairs = vec![human(ADA), human(BEN)];
    let id = registry.open(terms(), ADA, chairs, Some(SourceId(1))).await.unwrap().table.id();
    journal.hooks.is_slow.store(true, Ordering::SeqCst);
    let order = registry.order(id, Actor::Person(ADA), r#move("a2-a3/a2", None), None);
    let look = async {
        journal.hooks.begun.notified().await;
        let mut look = Box::pin(registry.table(id));
        // The move is in the journal, where the outbox may read it.
        assert!(look.as_mut().now_or_never().is_none());
        journal.hooks.may_end.notify_one();
        look.await.unwrap().ply()
    };
    let (ordered, seen) = tokio::join!(order, look);
    assert!(ordered.is_ok());
    assert_eq!(seen, 1);
}
