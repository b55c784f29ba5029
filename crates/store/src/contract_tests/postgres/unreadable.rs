//! Rows that this version cannot read: they stay as they are, are counted, and stop no other row.

use super::super::people::{DAN, table_of_two};
use super::super::{first_batch, id, moment, second_batch};
use super::server::Database;
use rookery_core::player::Level;
use rookery_table::ports::{Filter, Job, Journal, OpenTables, PageRequest, StoreError};
use rookery_table::preferences::PersonalPreferences;
use rookery_table::rated::Account;
use rookery_table::rating::RatingPool;
use rookery_table::{GuildId, MessageId, OutboxItem, UserId};

/// Creates a journal with two tables; the tests damage rows of the second.
async fn opened() -> Option<Database> {
    let database = Database::create().await?;
    for table in ["GGG2", "BBB2"] {
        database.journal.append(&first_batch(id(table))).await.unwrap();
    }
    Some(database)
}

#[tokio::test]
async fn unreadable_card_fails_no_question_and_can_be_replaced() {
    let Some(database) = opened().await else { return };
    let (journal, [good, bad]) = (&database.journal, ["GGG2", "BBB2"].map(id));
    database.run("UPDATE cards SET card = '{' WHERE table_id = 'BBB2'").await;
    let any = Filter::default();
    for filter in [
        any.clone(),
        Filter { game: Some("amazons".into()), ..any.clone() },
        Filter { rated: true, ..any.clone() },
        Filter { person: Some(UserId(1)), ..any.clone() },
    ] {
        let found: Vec<_> = journal
            .list(&filter, PageRequest::default())
            .await
            .unwrap()
            .rows
            .iter()
            .map(|card| card.id)
            .collect();
        assert_eq!(found, [good], "{filter:?}");
    }
    assert_eq!(journal.servers_playing(PageRequest::default()).await.unwrap().rows, [GuildId(7)]);
    assert_eq!(journal.count_open(OpenTables::HostedBy(UserId(1)), 9).await.unwrap(), 2);
    assert_eq!(journal.unreadable(), 1);
    let kept = journal.privacy().replace_with_pseudonym(UserId(1), bad, moment(9)).await.unwrap_err();
    assert!(kept.is_unreadable(), "it remains, and trying again does not help: {kept}");
    journal.append(&second_batch(bad)).await.unwrap();
    assert_eq!(journal.list(&any, PageRequest::default()).await.unwrap().rows.len(), 2, "it is written anew");
    assert_eq!(journal.unreadable(), 0);
    database.run("UPDATE cards SET card = '{' WHERE table_id = 'BBB2'").await;
    journal.privacy().delete_table(bad).await.unwrap();
    assert_eq!(journal.load(bad).await.unwrap(), []);
}

#[tokio::test]
async fn unreadable_entry_is_an_error_of_its_table_alone() {
    let Some(database) = opened().await else { return };
    let (journal, [good, bad]) = (&database.journal, ["GGG2", "BBB2"].map(id));
    database.run("UPDATE events SET event = '{' WHERE table_id = 'BBB2' AND sequence = 2").await;
    let error = journal.load(bad).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { table, sequence: 2, .. } if table == bad), "{error:?}");
    assert_eq!(journal.chain(bad).await.unwrap().links[1].event, "{", "as it is stored");
    assert_eq!(journal.load(good).await.unwrap(), first_batch(good).entries);
}

#[tokio::test]
async fn unreadable_rows_beside_the_entries_stop_no_other_row() {
    let Some(database) = opened().await else { return };
    let (journal, [good, bad]) = (&database.journal, ["GGG2", "BBB2"].map(id));
    table_of_two(journal, id("CCC2")).await;
    for sql in [
        "UPDATE outbox SET say = '{' WHERE table_id = 'BBB2' AND key = 'announce'",
        "UPDATE outbox SET table_id = '?' WHERE table_id = 'BBB2' AND key = 'thread'",
        "UPDATE jobs SET level = '?' WHERE table_id = 'BBB2'",
        "UPDATE ratings SET pool = '?'",
        "UPDATE follows SET table_id = '?'",
        "UPDATE share_links SET token = '?' WHERE table_id IS NOT NULL",
        "UPDATE annotations SET arrows = '?'",
    ] {
        database.run(sql).await;
    }
    for _ in 0..2 {
        let due: Vec<_> = journal.due(0, 9).await.unwrap().iter().map(|due| due.table).collect();
        assert_eq!(due, [good, good, id("CCC2")]);
        assert_eq!(journal.due_at(bad, 9).await.unwrap(), []);
        assert_eq!(journal.due_tables(0, 9).await.unwrap().len(), 3);
        let job = Job { table: good, ply: 0, level: Level::Easy, seed: u64::MAX };
        assert_eq!(journal.jobs(PageRequest::default()).await.unwrap().rows, [job]);
        assert_eq!(
            journal.ratings().history(Account::Person(DAN), PageRequest::default()).await.unwrap().rows,
            []
        );
        assert_eq!(journal.ratings().leaders("amazons", RatingPool::Two, None, 9).await.unwrap(), []);
        assert_eq!(journal.follows().watched_by(DAN, PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(journal.share_links().links_by(DAN, PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(journal.annotations().annotations_of(DAN, id("CCC2")).await.unwrap(), []);
    }
    assert_eq!(journal.unreadable(), 7, "each once");
    let next = database.open_again().await;
    assert_eq!((next.due_at(bad, 9).await.unwrap(), next.unreadable()), (vec![], 1), "tried again");
}

#[tokio::test]
async fn unreadable_item_that_was_posted_hides_no_table() {
    let Some(database) = opened().await else { return };
    let (journal, bad) = (&database.journal, id("BBB2"));
    database.run("UPDATE outbox SET say = '{', message = 5 WHERE table_id = 'BBB2'").await;
    assert_eq!(journal.posted_item(MessageId(5)).await.unwrap(), Some((bad, None::<OutboxItem>)));
    assert_eq!(journal.table_of(MessageId(5)).await.unwrap(), Some(bad));
}

#[tokio::test]
async fn unreadable_preferences_can_be_set_anew() {
    let Some(database) = opened().await else { return };
    let preferences = database.journal.preferences();
    let personal = PersonalPreferences { large_print: true, ..PersonalPreferences::default() };
    preferences.store_personal(DAN, &personal).await.unwrap();
    database.run("UPDATE preferences SET chosen = '{'").await;
    assert!(preferences.personal(DAN).await.unwrap_err().is_unreadable());
    assert_eq!(database.journal.unreadable(), 1);
    preferences.store_personal(DAN, &personal).await.unwrap();
    assert_eq!(preferences.personal(DAN).await.unwrap().as_ref(), Some(&personal));
    assert_eq!(database.journal.unreadable(), 0);
}

#[tokio::test]
async fn unreadable_name_of_a_finished_table_does_not_hold_up_pruning() {
    let Some(database) = opened().await else { return };
    let journal = &database.journal;
    for table in ["BBB2", "GGG2"] {
        journal.append(&second_batch(id(table))).await.unwrap();
    }
    database.run("UPDATE cards SET table_id = '?' WHERE table_id = 'BBB2'").await;
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 2);
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 0, "it is not met again");
    assert_eq!(journal.unreadable(), 1);
    journal.store_note("outbox-pruned", "?").await.unwrap();
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 2, "a second pass does no harm");
}
