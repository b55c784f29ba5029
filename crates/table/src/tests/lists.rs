//! Lists that are longer than a page.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;

use super::*;
use crate::ports::PAGE_ROWS;

/// More games than two pages have.
const GAMES: usize = 2 * PAGE_ROWS + 3;
const GUILD: GuildId = GuildId(7);

async fn many_games() -> (TestRegistry, BTreeSet<TableId>) {
    let (fixture, mut tables) = (TestRegistry::build(), BTreeSet::new());
    let terms = || Terms { guild: Some(GUILD), ..terms() };
    for _ in 0..GAMES {
        let chairs = vec![human(ADA), human(BEN)];
        tables.insert(fixture.registry.open(terms(), ADA, chairs, None).await.unwrap().table.id());
    }
    (fixture, tables)
}

#[tokio::test]
async fn list_of_several_pages_is_walked_to_its_end() {
    let (fixture, tables) = many_games().await;
    let filter = Filter { person: Some(BEN), ..Filter::default() };
    let scanned: Vec<TableId> =
        fixture.registry.scan(&filter).map_ok(|card| card.id).try_collect().await.unwrap();
    assert_eq!(scanned, tables.iter().copied().collect::<Vec<_>>(), "by name, each once");
    let latest: Vec<TableId> =
        fixture.registry.latest(&filter).map_ok(|card| card.id).try_collect().await.unwrap();
    assert_eq!((latest.len(), latest.into_iter().collect::<BTreeSet<_>>()), (GAMES, tables));
    for most in [0, 1, PAGE_ROWS + 1, GAMES, GAMES + 9] {
        let found = fixture.registry.list(&filter, most).await.unwrap();
        assert_eq!(found.len(), most.min(GAMES));
    }
}

/// Each order moves its table to the front of the latest ones, and takes it out of the list.
#[tokio::test]
async fn every_game_of_a_server_freezes_and_thaws() {
    let (fixture, tables) = many_games().await;
    assert_eq!(fixture.registry.freeze(GUILD).await.unwrap(), tables.len());
    assert_eq!(fixture.registry.freeze(GUILD).await.unwrap(), 0);
    assert_eq!(fixture.registry.thaw(GUILD).await.unwrap(), tables.len());
}

#[tokio::test]
async fn person_is_deleted_from_every_game() {
    let (fixture, _) = many_games().await;
    let outcome = fixture.registry.delete_person(BEN, LeavePolicy::Resign).await.unwrap();
    assert_eq!(outcome, registry::DeletionOutcome::Done);
    for who in [ADA, BEN] {
        let filter = Filter { person: Some(who), ..Filter::default() };
        let left: Vec<Card> = fixture.registry.scan(&filter).try_collect().await.unwrap();
        assert_eq!(left.len(), if who == ADA { GAMES } else { 0 });
    }
}
