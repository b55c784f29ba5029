//! Rated games are recognised by hashes in memory: read from the journal once, and updated by every move.

use std::sync::atomic::AtomicUsize;

use super::*;
use crate::fair_play::HelpKind;

/// Counts the reads of a journal.
#[derive(Default)]
struct Reads {
    lists: AtomicUsize,
    loads: AtomicUsize,
}

impl JournalHooks for Reads {
    fn lists(&self, _filter: &Filter) {
        self.lists.fetch_add(1, Ordering::SeqCst);
    }

    fn loads(&self) -> Result<(), StoreError> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

type Counted = Arc<HookedJournal<MemoryJournal, Reads>>;

fn registry(journal: &Counted) -> Arc<registry::TableRegistry> {
    registry::TableRegistry::new(
        journal.clone(),
        Arc::new(ManualClock::default()),
        Arc::new(FirstMoveThinker::default()),
        1,
    )
}

fn reads(journal: &Counted) -> [usize; 2] {
    [&journal.hooks.lists, &journal.hooks.loads].map(|count| count.load(Ordering::SeqCst))
}

async fn rated(registry: &registry::TableRegistry, guild: GuildId) -> TableId {
    let terms = Terms { rated: true, guild: Some(guild), ..terms() };
    registry.open(terms, ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id()
}

async fn moves(registry: &registry::TableRegistry, id: TableId, turns: usize) {
    for _ in 0..turns {
        let table = registry.table(id).await.unwrap();
        let (seat, text) = (table.to_move().unwrap(), table.play().unwrap().moves().pop().unwrap());
        let who = table.occupant(seat).unwrap().person().unwrap();
        registry.order(id, Actor::Person(who), r#move(&text, None), None).await.unwrap();
    }
}

/// The position of a table, as another person would paste it.
async fn pasted(registry: &registry::TableRegistry, id: TableId) -> Box<dyn Play> {
    let line = registry.table(id).await.unwrap().play().unwrap().line();
    rookery_games::named("amazons").unwrap().resume(&line).unwrap()
}

#[tokio::test]
async fn rated_games_are_read_once_however_often_is_asked() {
    let journal = Counted::default();
    let before = registry(&journal);
    let mut tables = Vec::new();
    for _ in 0..4 {
        let id = rated(&before, GuildId(1)).await;
        moves(&before, id, 4).await;
        tables.push(id);
    }
    let asked = pasted(&before, tables[2]).await;
    // A restart: nothing is in memory.
    let registry = registry(&journal);
    let [lists, loads] = reads(&journal);
    let helps = async |registry: &registry::TableRegistry| {
        registry.would_help_rated_game(&[EVE], Some(GuildId(1)), asked.as_ref(), HelpKind::PlaysOn).await
    };
    assert!(helps(&registry).await);
    assert_eq!(reads(&journal), [lists + 2, loads + 4], "those of the server, and those of the person");
    for _ in 0..30 {
        assert!(helps(&registry).await);
    }
    assert_eq!(reads(&journal), [lists + 2, loads + 4], "what is in memory answers");
    assert!(
        !registry.would_help_rated_game(&[EVE], Some(GuildId(2)), asked.as_ref(), HelpKind::PlaysOn).await,
        "another server"
    );
    assert!(
        registry.would_help_rated_game(&[ADA], None, asked.as_ref(), HelpKind::PlaysOn).await,
        "wherever its player asks"
    );
}

#[tokio::test]
async fn every_move_and_the_end_of_a_rated_game_reach_the_index() {
    let journal = Counted::default();
    let registry = registry(&journal);
    let id = rated(&registry, GuildId(1)).await;
    moves(&registry, id, 4).await;
    let early = pasted(&registry, id).await;
    let helps = async |play: &dyn Play| {
        registry.would_help_rated_game(&[EVE], Some(GuildId(1)), play, HelpKind::PlaysOn).await
    };
    assert!(helps(early.as_ref()).await);
    moves(&registry, id, 2).await;
    let lists = reads(&journal)[0];
    assert!(helps(early.as_ref()).await, "two turns behind");
    moves(&registry, id, 2).await;
    let now = pasted(&registry, id).await;
    assert!(helps(now.as_ref()).await && !helps(early.as_ref()).await, "long past");
    // A game that is opened after the first question is known too.
    let second = rated(&registry, GuildId(1)).await;
    moves(&registry, second, 3).await;
    let other = pasted(&registry, second).await;
    registry.order(id, Actor::Person(ADA), Order::Resign, None).await.unwrap();
    assert!(!helps(now.as_ref()).await, "it is over");
    assert!(helps(other.as_ref()).await);
    registry.order(second, Actor::Person(BEN), Order::Resign, None).await.unwrap();
    assert!(!helps(other.as_ref()).await);
    assert_eq!(reads(&journal)[0], lists);
}

#[tokio::test]
async fn what_could_not_be_read_is_read_at_the_next_question() {
    let fixture = TestRegistry::build();
    let terms = Terms { rated: true, ..terms() };
    let id = fixture.registry.open(terms, ADA, vec![human(ADA), human(BEN)], None).await.unwrap().table.id();
    moves(&fixture.registry, id, 4).await;
    let asked = pasted(&fixture.registry, id).await;
    let after = TestRegistry::over(fixture.journal.clone());
    let helps = async || {
        after
            .registry
            .would_help_rated_game(&[EVE], Some(GuildId(1)), asked.as_ref(), HelpKind::PlaysOn)
            .await
    };
    after.journal.hooks.closed.store(true, Ordering::SeqCst);
    assert!(!helps().await);
    after.journal.hooks.closed.store(false, Ordering::SeqCst);
    assert!(helps().await);
}
