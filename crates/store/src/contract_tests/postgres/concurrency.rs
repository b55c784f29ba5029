//! Several processes that use one database at the same time.

use std::time::Duration;

use sqlx::{Executor, query};
use tokio::time::timeout;

use super::super::{entry, first_batch, id, moment, opened, second_batch};
use super::server::{Database, Server};
use crate::Postgres;
use crate::postgres::connections::Transaction;
use crate::postgres::locks::Lock;
use rookery_core::Seat;
use rookery_table::annotation::{AnnotatedPosition, Annotation};
use rookery_table::hash_chain;
use rookery_table::ports::{Batch, Filter, Journal, PageRequest, StoreError};
use rookery_table::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use rookery_table::web_session::{SignIn, WebToken};
use rookery_table::{Event, TableId, UserId};

/// How long a call is watched that must wait for another one.
const WHILE: Duration = Duration::from_millis(200);

/// Begins a transaction of another process, which has these locks.
async fn holding(journal: &Postgres, locks: &[Lock]) -> Transaction {
    let mut transaction = journal.connections().begin().await.unwrap();
    for lock in locks {
        transaction.lock(*lock).await.unwrap();
    }
    transaction
}

fn move_batch(table: TableId, sequence: u64, text: &str) -> Batch {
    let event = Event::Moved { seat: Seat::FIRST, text: text.into(), why: None };
    Batch { entries: vec![entry(sequence, event)], ..second_batch(table) }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_appends_of_one_sequence_number_have_one_winner() {
    let Some(database) = Database::create().await else { return };
    let (first, second, table) = (&database.journal, database.open_again().await, id("KKK2"));
    first.append(&first_batch(table)).await.unwrap();
    for sequence in 3..23 {
        let batches = ["a", "b"].map(|text| move_batch(table, sequence, text));
        let (one, two) = tokio::join!(first.append(&batches[0]), second.append(&batches[1]));
        let won = match (one, two) {
            (Ok(()), Err(StoreError::Conflict(lost))) if lost == table => &batches[0],
            (Err(StoreError::Conflict(lost)), Ok(())) if lost == table => &batches[1],
            both => panic!("{both:?}"),
        };
        assert_eq!(first.load(table).await.unwrap().last(), won.entries.last());
    }
    let sound = hash_chain::verify(table, &first.chain(table).await.unwrap()).unwrap();
    assert_eq!(sound.entries, 22);
    assert_eq!(first.due_at(table, 99).await.unwrap().len(), 22, "the losers said nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_processes_make_one_chain() {
    let Some(database) = Database::create().await else { return };
    let table = id("KKK2");
    database.journal.append(&first_batch(table)).await.unwrap();
    let mut processes = tokio::task::JoinSet::new();
    // All have read the same state before one writes, however long each takes to open.
    let start = std::sync::Arc::new(tokio::sync::Barrier::new(4));
    for process in 0..4 {
        let (journal, start) = (database.open_again().await, start.clone());
        processes.spawn(async move {
            let mut conflicts = 0;
            for turn in 0..10 {
                // Decide again on the current state until nobody was faster.
                loop {
                    let next = journal.load(table).await.unwrap().len() as u64 + 1;
                    if turn == 0 && conflicts == 0 {
                        start.wait().await;
                    }
                    match journal.append(&move_batch(table, next, &format!("{process}-{turn}"))).await {
                        Ok(()) => break,
                        Err(StoreError::Conflict(_)) => conflicts += 1,
                        Err(error) => panic!("{error}"),
                    }
                }
            }
            conflicts
        });
    }
    let conflicts: i32 = processes.join_all().await.into_iter().sum();
    assert!(conflicts > 0, "they did get in each other's way");
    let chain = database.journal.chain(table).await.unwrap();
    assert_eq!(hash_chain::verify(table, &chain).unwrap().entries, 42);
}

/// A process on another machine may have taken a sequence number without the lock; the primary key still decides.
#[tokio::test]
async fn concurrent_write_without_the_lock_is_a_conflict_that_changes_nothing() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut other = database.connect().await;
    other.execute("BEGIN; INSERT INTO events VALUES ('KKK2', 1, 1, NULL, '{}', NULL)").await.unwrap();
    let batch = first_batch(table);
    let mut append = journal.append(&batch);
    assert!(timeout(WHILE, &mut append).await.is_err(), "it waits whether the other one commits");
    other.execute("COMMIT").await.unwrap();
    assert!(matches!(append.await, Err(StoreError::Conflict(lost)) if lost == table));
    assert_eq!(journal.chain(table).await.unwrap().links.len(), 1);
    assert_eq!(journal.due(0, 9).await.unwrap(), []);
    assert_eq!(journal.jobs(PageRequest::default()).await.unwrap().rows, []);
    assert_eq!(journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows, []);
}

#[tokio::test]
async fn append_after_a_concurrent_deletion_is_a_conflict() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut deletion = holding(&database.open_again().await, &[Lock::Table(table)]).await;
    deletion.write(query("INSERT INTO erased VALUES ('KKK2')")).await.unwrap();
    let batch = first_batch(table);
    let mut append = journal.append(&batch);
    assert!(timeout(WHILE, &mut append).await.is_err(), "it waits for the deletion");
    deletion.commit().await.unwrap();
    assert!(matches!(append.await, Err(StoreError::Conflict(_))));
    assert_eq!(journal.load(table).await.unwrap(), []);
}

/// An entry that would leave a gap was decided on entries that are not there.
#[tokio::test]
async fn append_beyond_the_next_sequence_number_is_a_conflict() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    assert!(matches!(journal.append(&second_batch(table)).await, Err(StoreError::Conflict(_))));
    journal.append(&first_batch(table)).await.unwrap();
    assert!(matches!(journal.append(&move_batch(table, 4, "x")).await, Err(StoreError::Conflict(_))));
    journal.append(&second_batch(table)).await.unwrap();
}

/// A reader remembers the highest number that it has seen. No lower one may appear afterwards.
#[tokio::test]
async fn reads_see_the_last_commit_and_do_not_wait_for_a_write() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    journal.append(&first_batch(table)).await.unwrap();
    let before = (
        journal.chain(table).await.unwrap(),
        journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows,
    );
    let locks = [Lock::Table(table), Lock::Pruning, Lock::ShareLinks];
    let mut write = holding(&database.open_again().await, &locks).await;
    for sql in ["DELETE FROM events", "DELETE FROM cards", "DELETE FROM outbox", "DELETE FROM pseudonyms"] {
        assert!(write.write(query(sql)).await.unwrap() > 0, "{sql}");
    }
    let read = async {
        assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
        let now = (
            journal.chain(table).await.unwrap(),
            journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows,
        );
        assert_eq!(now, before);
        assert_eq!(journal.due(0, 9).await.unwrap().len(), 2);
    };
    timeout(Duration::from_secs(5), read).await.expect("no read waits");
    drop(write);
    journal.append(&second_batch(table)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_token_works_in_one_of_two_processes() {
    let Some(database) = Database::create().await else { return };
    let (first, second) = (&database.journal, database.open_again().await);
    for number in 0..20 {
        let token = WebToken::draw().unwrap();
        let sign_in = SignIn { person: UserId(number), table: id("KKK2"), expires_at: moment(9) };
        first.web_sessions().store_sign_in(&token, &sign_in).await.unwrap();
        let (one, two) = tokio::join!(
            first.web_sessions().take_sign_in(&token, moment(1)),
            second.web_sessions().take_sign_in(&token, moment(1))
        );
        let won: Vec<_> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
        assert_eq!(won, [sign_in], "one of them");
    }
}

#[tokio::test]
async fn share_link_of_a_setting_is_not_made_while_links_are_withdrawn() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut withdrawal = holding(&database.open_again().await, &[Lock::ShareLinks]).await;
    withdrawal.write(query("INSERT INTO share_withdrawn VALUES ('KKK2', 1)")).await.unwrap();
    let token = ShareToken::draw().unwrap();
    let (target, origin) = (ShareTarget::Table(table), ShareOrigin::Setting);
    let links = [ShareLink { token, target, guild: None, origin, made_at: moment(1) }];
    let mut store = journal.share_links().store_links(&links);
    assert!(timeout(WHILE, &mut store).await.is_err(), "it waits");
    withdrawal.commit().await.unwrap();
    store.await.unwrap();
    assert_eq!(journal.share_links().links_to(target).await.unwrap(), []);
}

#[tokio::test]
async fn head_is_answered_although_the_call_that_asks_for_several_is_dropped() {
    let Some(database) = Database::create().await else { return };
    let (journal, [long, short]) = (&database.journal, ["KKK2", "KKK3"].map(id));
    for table in [long, short] {
        journal.append(&first_batch(table)).await.unwrap();
    }
    journal.append(&second_batch(long)).await.unwrap();
    let cluster = journal.cluster().unwrap();
    let mut other = holding(&database.open_again().await, &[]).await;
    other.write(query("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")).await.unwrap();
    let mut asking = cluster.head(long);
    assert!(timeout(WHILE, &mut asking).await.is_err(), "it waits for the table of entries");
    let mut taken_along =
        futures_util::future::join3(cluster.head(short), cluster.head(long), cluster.head(id("KKK4")));
    assert!(timeout(WHILE, &mut taken_along).await.is_err(), "they wait for the first");
    drop(asking);
    other.commit().await.unwrap();
    let (short, long, missing) = taken_along.await;
    let [before, after] = [first_batch(id("KKK3")), second_batch(id("KKK2"))]
        .map(|batch| batch.entries.last().unwrap().sequence);
    assert_eq!((short.unwrap(), long.unwrap(), missing.unwrap()), (before, after, 0));
}

#[tokio::test]
async fn annotation_is_not_stored_while_its_table_is_deleted() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let position = AnnotatedPosition { ply: 1, line: String::new() };
    let annotation = Annotation::new(position, "late", &[], &[], moment(1)).unwrap();
    let mut deletion = holding(&database.open_again().await, &[Lock::Table(table)]).await;
    deletion.write(query("INSERT INTO erased VALUES ('KKK2')")).await.unwrap();
    let mut store = journal.annotations().store_annotation(UserId(7), table, &annotation);
    assert!(timeout(WHILE, &mut store).await.is_err(), "it waits");
    deletion.commit().await.unwrap();
    assert!(!store.await.unwrap());
    assert_eq!(journal.annotations().annotations_of(UserId(7), table).await.unwrap(), []);
}

#[tokio::test]
async fn pruning_waits_for_another_one_and_leaves_a_game_that_goes_on() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    journal.append(&first_batch(table)).await.unwrap();
    journal.append(&second_batch(table)).await.unwrap();
    for due in journal.due(0, 9).await.unwrap() {
        journal.mark_posted(due.id, None).await.unwrap();
    }
    let mut other = holding(&database.open_again().await, &[Lock::Table(table)]).await;
    other.write(query("UPDATE cards SET stage = 1")).await.unwrap();
    let mut prune = journal.prune_outbox(moment(i64::MAX), 9);
    assert!(timeout(WHILE, &mut prune).await.is_err(), "it waits for the table's lock");
    let second = database.open_again().await;
    let mut second = second.prune_outbox(moment(i64::MAX), 9);
    assert!(timeout(WHILE, &mut second).await.is_err(), "it waits for the first");
    other.commit().await.unwrap();
    assert_eq!((prune.await.unwrap(), second.await.unwrap()), (1, 0));
    assert!(journal.latest(table, &rookery_table::OutboxItem::MakeThread).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_together_upgrade_the_schema_once() {
    let Some(server) = Server::shared() else { return };
    let name = server.create_database("").await;
    let url = server.url(&name);
    let open = || Postgres::open_beside_owner(&url);
    let (one, two, three) = tokio::join!(open(), open(), open());
    for journal in [one, two, three] {
        journal.unwrap().store_note("note", "1").await.unwrap();
    }
    let sql = "SELECT count(*) FROM _sqlx_migrations";
    let applied: i64 = sqlx::query_scalar(sql).fetch_one(&mut server.connect(&name).await).await.unwrap();
    assert_eq!(applied, crate::postgres::open::MIGRATIONS.len() as i64);
}

/// A deletion of personal data and an append to the same table come one after the other, not interleaved.
#[tokio::test]
async fn deletion_of_a_person_waits_for_an_append_to_the_table() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let batch = Batch { entries: vec![entry(1, opened())], ..first_batch(table) };
    journal.append(&batch).await.unwrap();
    let append = holding(&database.open_again().await, &[Lock::Table(table)]).await;
    let mut deletion = journal.privacy().replace_with_pseudonym(UserId(1), table, moment(9));
    assert!(timeout(WHILE, &mut deletion).await.is_err(), "it waits");
    drop(append);
    deletion.await.unwrap();
    assert_eq!(journal.privacy().tables_naming(UserId(1), PageRequest::default()).await.unwrap().rows, []);
}
