//! What is kept of games: that it was not changed, and that chance was settled before anybody joined.

use std::sync::Arc;

use rookery::store::Sqlite;
use rookery::table::pledge;
use serde_json::json;

use crate::duel::{Duel, Way, challenge, open};
use crate::house::{House, Plan};

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_checked_and_a_changed_one_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Arc::new(Sqlite::open(&path).await.unwrap());
    let house = House::of(Plan { journal, ..Plan::default() }).await;
    let mut duel = Duel::begin(&house).await;
    duel.turn(&house, Way::Mention).await;
    house.quiet().await;
    let verify = || async {
        let asked = house.cleo().slash(duel.thread, "verify", &json!({"table": duel.table})).unwrap();
        asked.message().await.unwrap()
    };
    let told = verify().await;
    assert!(told.is_ephemeral() && told.content().contains("as it should be"), "{}", told.content());
    assert!(told.content().contains("a legal game of one move"), "{}", told.content());

    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let file = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let entry: i64 = sqlx::query_scalar("SELECT max(sequence) FROM events").fetch_one(&file).await.unwrap();
    sqlx::raw_sql("UPDATE events SET at_ms = at_ms - 1 WHERE event LIKE '%moved%'")
        .execute(&file)
        .await
        .unwrap();
    let told = verify().await;
    assert!(told.content().contains("something is wrong"), "{}", told.content());
    assert!(
        told.content().contains(&format!("entry {entry} is not as it was written")),
        "{}",
        told.content()
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chance_is_sealed_before_anybody_joins_and_shown_at_the_end() {
    let house = House::open().await;
    let (ada, ben, games) = (house.ada(), house.ben(), house.games());
    let table = open(&ada, games, &json!({"game": "penguins", "first": "random"})).await;
    let asked = challenge(&ben, games, &table).await;
    let terms = house.table(&table).await.terms().clone();
    let pledged = terms.pledge.unwrap();
    let digest = &pledged.digest[..16];
    assert!(asked.content().contains(digest), "{}", asked.content());
    for secret in [terms.seed.to_string(), pledged.salt.clone()] {
        assert!(!asked.content().contains(&secret), "{} is no secret any more", secret);
    }
    house.press(&ben, &asked, "Join").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    let told = ada.slash(thread, "verify", &json!({})).unwrap().message().await.unwrap();
    assert!(told.content().contains(digest) && !told.content().contains(&pledged.salt), "{}", told.content());

    let sure = house.press(&ada, &board, "Resign").await;
    house.press_private(&ada, &sure, "Yes, resign").await;
    let shown = || ben.look_again(&asked).filter(|it| it.content().contains(&pledged.salt));
    let shown = house.playground.wait("the seed to be shown", shown).await.unwrap();
    assert!(shown.content().contains(&terms.seed.to_string()), "{}", shown.content());
    let told = ben.slash(thread, "verify", &json!({})).unwrap().message().await.unwrap();
    assert!(
        told.content().contains("kept to") && told.content().contains(&pledged.salt),
        "{}",
        told.content()
    );
    assert_eq!(pledge::digest(terms.seed, &pledged.salt), pledged.digest);

    let open = open(&ada, games, &json!({"game": "penguins", "seed": 77})).await;
    let asked = challenge(&ben, games, &open).await;
    assert!(asked.content().contains("seed 77"), "who chooses a seed does so openly: {}", asked.content());
    house.close().await;
}
