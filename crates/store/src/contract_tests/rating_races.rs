//! Results of one person that two processes enter at the same time.

use rookery_core::Seat;
use rookery_table::ports::{Batch, Card, Journal, Stage, StoreError};
use rookery_table::rated::{Account, KnownRating, RatingChange};
use rookery_table::rating::{Rating, RatingPool};
use rookery_table::{Event, TableId, UserId};

use super::{card, entry, id, moment, opened};

const ADA: Account = Account::Person(UserId(4_001));
const BEN: Account = Account::Person(UserId(4_002));

/// A game between Ada and Ben, rated from what they had after these tables.
pub(super) fn result(table: TableId, mean_milli: i64, since: [Option<TableId>; 2]) -> Batch {
    let (before, after) = (Rating::default(), Rating { mean_milli, ..Rating::default() });
    let people = [ADA, BEN];
    let change = |(seat, who): (Seat, Account)| RatingChange { seat, who, before, after };
    let changes = Seat::all(2).zip(people).map(change).collect();
    let known = |(who, since)| KnownRating { who, rating: before, since };
    Batch {
        table,
        entries: vec![entry(1, opened()), entry(2, Event::Rated { pool: RatingPool::Two, changes })],
        outbox_items: vec![],
        job: None,
        card: Card { guild: None, ..card(table, Stage::Over, moment(9)) },
        known_ratings: people.into_iter().zip(since).map(known).collect(),
    }
}

/// Returns the tables after which somebody was rated.
async fn rated_at(journal: &dyn Journal, who: Account) -> Vec<TableId> {
    let history = journal.ratings().history(who, Default::default()).await.unwrap();
    history.rows.iter().map(|record| record.table).collect()
}

pub(super) async fn changes_start_from_the_latest_rating(journal: &dyn Journal) {
    let (one, two, three) = (id("RAA2"), id("RAA3"), id("RAA4"));
    let old = |written: Result<(), StoreError>| matches!(written, Err(StoreError::OldRating(_)));
    assert!(old(journal.append(&result(one, 1, [Some(two), None])).await), "she has none yet");
    journal.append(&result(one, 1, [None, None])).await.unwrap();
    assert!(old(journal.append(&result(two, 2, [None, None])).await), "both have a newer one");
    assert!(old(journal.append(&result(two, 2, [Some(one), None])).await), "Ben has a newer one");
    assert_eq!(journal.load(two).await.unwrap(), [], "nothing of it is written");
    journal.append(&result(two, 2, [Some(one); 2])).await.unwrap();
    assert!(old(journal.append(&result(three, 3, [Some(one); 2])).await));
    assert_eq!(
        (rated_at(journal, ADA).await, rated_at(journal, BEN).await),
        (vec![one, two], vec![one, two])
    );
}

/// Of two that start from the same rating, one is written.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn of_two_results_from_the_same_rating_one_is_written() {
    use super::postgres::server::Database;

    let Some(database) = Database::create().await else { return };
    let other = database.open_again().await;
    let mut since = None;
    let letters = "ABCDEFGHJKMNPQRSTVWXYZ";
    for (round, letter) in letters.chars().enumerate() {
        let tables = [format!("{letter}KA2"), format!("{letter}MA2")].map(|name| id(&name));
        let [one, two] = tables.map(|table| result(table, round as i64, [since; 2]));
        let (first, second) = tokio::join!(database.journal.append(&one), other.append(&two));
        let written = [&first, &second].map(|written| written.is_ok());
        assert!(written[0] != written[1], "{first:?} {second:?}");
        let refused = if written[0] { second } else { first };
        assert!(matches!(refused, Err(StoreError::OldRating(_))), "{refused:?}");
        since = Some(tables[usize::from(!written[0])]);
    }
    assert_eq!(rated_at(&database.journal, ADA).await.len(), letters.len());
}
