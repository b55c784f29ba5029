//! A write that is reported as failed although it was carried out: what follows from it happens all the same.

use super::*;

/// A disk whose writes fail after the commit.
#[derive(Default)]
struct LateDisk {
    fails: AtomicBool,
}

#[async_trait]
impl JournalHooks for LateDisk {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        journal.append(batch).await?;
        match self.fails.swap(false, Ordering::SeqCst) {
            true => Err(StoreError::Backend("the disk failed after the write".into())),
            false => Ok(()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn bot_takes_a_turn_that_a_failed_write_has_made_due() {
    let journal = Arc::new(HookedJournal::<MemoryJournal, LateDisk>::default());
    let (clock, thinker) = (Arc::new(ManualClock::default()), Arc::new(FirstMoveThinker::default()));
    let registry = registry::TableRegistry::new(journal.clone(), clock, thinker, 1);
    let chairs = vec![human(ADA), Occupant::Ai { level: Level::Random }];
    let id = registry.open(terms(), ADA, chairs, Some(SourceId(1))).await.unwrap().table.id();
    journal.hooks.fails.store(true, Ordering::SeqCst);
    let told = registry.order(id, Actor::Person(ADA), r#move("a2-a3/a2", None), Some(SourceId(2))).await;
    assert!(matches!(told, Err(TableError::Store(_))), "Ada may try again");
    registry.tick().await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(registry.table(id).await.unwrap().ply(), 2, "her move and the bot's");
}
