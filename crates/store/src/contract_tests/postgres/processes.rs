//! Several processes that use one database: who is alive, and who does which work.

use std::time::Duration;

use super::super::{first_batch, id, second_batch};
use super::failures::why;
use super::server::{Database, Server};
use crate::Postgres;
use rookery_table::ports::{
    AccessChange, Batch, ClaimedTable, Cluster, GatewaySession, Hint, JobRunner, Journal, LeaderTask,
    LiveProcesses, QueuedJob, RequestShare, ShardState, TableChange,
};
use rookery_table::{ChannelId, GuildId, TableId};

/// Opens the journal as another process.
pub(super) async fn join(database: &Database) -> Postgres {
    Postgres::open(&database.url()).await.unwrap()
}

/// Ends a process as a crash does: its session is cut, and it has not been seen for a while.
async fn crash(database: &Database, journal: &Postgres) {
    let number = journal.connections().owner().lose_session().await;
    drop(number);
    database.run("UPDATE processes SET seen_at = seen_at - interval '5 s'").await;
}

pub(super) fn batch_at(table: &str, guild: GuildId) -> Batch {
    let mut batch = first_batch(id(table));
    batch.card.guild = Some(guild);
    batch
}

pub(super) async fn claim(journal: &Postgres, most: usize) -> Vec<ClaimedTable> {
    journal.claim_due(most, &[]).await.unwrap()
}

/// Releases a table after its rows were posted; returns whether it has others.
pub(super) async fn release(journal: &Postgres, claimed: &ClaimedTable) -> bool {
    let posted: Vec<_> = claimed.due.iter().map(|(row, _)| (row.id, None)).collect();
    journal.release_due(claimed.table, claimed.version, &posted).await.unwrap()
}

pub(super) fn tables(claimed: &[ClaimedTable]) -> Vec<TableId> {
    claimed.iter().map(|claimed| claimed.table).collect()
}

#[tokio::test]
async fn tables_of_a_process_that_crashed_are_abandoned() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    two.set_runs_gateway(true);
    two.keep_alive().await.unwrap();
    assert_eq!(one.keep_alive().await.unwrap().gateways, 1);
    one.append(&first_batch(table)).await.unwrap();
    assert_eq!(tables(&claim(&two, 9).await), [table]);
    one.keep_alive().await.unwrap();
    assert_eq!(claim(one, 9).await, [], "it is alive");
    crash(&database, &two).await;
    assert_eq!(one.keep_alive().await.unwrap().gateways, 0);
    let claimed = claim(one, 9).await;
    assert_eq!(tables(&claimed), [table]);
    assert!(claimed[0].was_abandoned);
    assert!(!release(&two, &claimed[0]).await);
    assert_eq!(claim(&two, 9).await, [], "it is still the other's");
}

/// Others have removed a process that was silent; it claims tables before its next sign of life, and crashes.
#[tokio::test]
async fn tables_of_a_process_that_was_removed_and_came_back_are_abandoned() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    two.keep_alive().await.unwrap();
    database.run("UPDATE processes SET seen_at = seen_at - interval '11 s'").await;
    one.keep_alive().await.unwrap();
    one.append(&first_batch(table)).await.unwrap();
    assert_eq!(tables(&claim(&two, 9).await), [table]);
    crash(&database, &two).await;
    one.keep_alive().await.unwrap();
    let claimed = claim(one, 9).await;
    assert_eq!(tables(&claimed), [table]);
    assert!(claimed[0].was_abandoned);
}

#[tokio::test]
async fn process_that_is_silent_loses_its_session_and_comes_back() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    two.keep_alive().await.unwrap();
    assert!(two.leads(LeaderTask::Clocks).await.unwrap());
    assert!(!one.leads(LeaderTask::Clocks).await.unwrap());
    database.run("UPDATE processes SET seen_at = seen_at - interval '11 s'").await;
    one.keep_alive().await.unwrap();
    // PostgreSQL answers before the session has ended.
    let leads = async {
        while !one.leads(LeaderTask::Clocks).await.unwrap() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), leads)
        .await
        .expect("its session was ended, and its locks with it");
    two.store_note("note", "1").await.unwrap();
    assert!(!two.leads(LeaderTask::Clocks).await.unwrap(), "it knows that it lost the task");
    two.keep_alive().await.unwrap();
    assert!(two.leads(LeaderTask::Cleaner).await.unwrap());
}

#[tokio::test]
async fn processes_are_listed_with_their_roles_until_they_end() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    assert_eq!(one.processes().await.unwrap(), [], "nobody has told that it is alive");
    one.set_roles("timers,web");
    two.set_roles("gateway");
    two.set_runs_gateway(true);
    one.keep_alive().await.unwrap();
    two.keep_alive().await.unwrap();
    let listed = one.processes().await.unwrap();
    let own = std::process::id().to_string();
    assert!(listed.len() == 2 && listed.iter().all(|process| process.name.contains(&own)), "{listed:?}");
    assert!(listed[0].runs_gateway && listed[0].name.ends_with("(gateway)"), "{listed:?}");
    assert!(!listed[1].runs_gateway && listed[1].name.ends_with("(timers,web)"), "{listed:?}");
    let age = jiff::Timestamp::now().duration_since(listed[0].seen_at);
    assert!(age.abs() < jiff::SignedDuration::from_secs(60), "{age}");
    two.close().await;
    assert_eq!(one.processes().await.unwrap(), listed[1..], "a process that ends is not listed");
}

#[tokio::test]
async fn process_that_closes_leaves_nothing_behind() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    one.append(&first_batch(table)).await.unwrap();
    two.set_runs_gateway(true);
    two.keep_alive().await.unwrap();
    assert_eq!(claim(&two, 1).await.len(), 1);
    assert!(two.take_shard(3).await.unwrap().is_some());
    two.close().await;
    assert_eq!(claim(one, 1).await.len(), 1);
    assert!(one.take_shard(3).await.unwrap().is_some());
    assert_eq!(one.keep_alive().await.unwrap().gateways, 0);
}

#[tokio::test]
async fn shard_has_one_owner_at_a_time() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    assert_eq!(one.take_shard(0).await.unwrap(), Some(ShardState::default()));
    assert!(one.take_shard(1).await.unwrap().is_some());
    assert_eq!(two.take_shard(0).await.unwrap(), None);
    let alive_at = Some(super::super::moment(1_800_000_000_000));
    let session = Some(GatewaySession { id: "a1".into(), url: Some("wss://x".into()), sequence: 7 });
    let known = ShardState { total: 4, alive_at, session };
    one.store_shard(0, known.clone()).await.unwrap();
    one.release_shard(0).await.unwrap();
    assert!(!one.has_shard(0) && one.has_shard(1));
    assert_eq!(two.take_shard(0).await.unwrap(), Some(known));
    two.store_shard(0, ShardState { total: 8, ..ShardState::default() }).await.unwrap();
    assert_eq!(
        one.shards().await.unwrap(),
        [(0, ShardState { total: 8, alive_at, session: None })],
        "its last moment is kept"
    );
}

#[tokio::test]
async fn sessions_of_a_bucket_identify_one_after_another() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    assert_eq!(one.take_identify_slot(0).await.unwrap(), None);
    let wait = two.take_identify_slot(0).await.unwrap().unwrap();
    assert!((4.0..=5.2).contains(&wait.as_secs_f64()), "{wait:?}");
    assert_eq!(two.take_identify_slot(1).await.unwrap(), None, "another bucket does not wait");
    // Who only asks takes nothing from the others.
    let wait = one.take_identify_slot(0).await.unwrap().unwrap();
    assert!(wait.as_secs_f64() <= 5.2, "{wait:?}");
    database.run("UPDATE identify_slots SET free_at = now() WHERE bucket = 0").await;
    let (first, second) = tokio::join!(one.take_identify_slot(0), two.take_identify_slot(0));
    let taken = [first.unwrap(), second.unwrap()].into_iter().filter(Option::is_none).count();
    assert_eq!(taken, 1, "one of two that ask at the same time");
}

#[tokio::test]
async fn changes_are_told_to_every_process() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    // The first call connects; a change before that is not heard.
    let first = tokio::time::timeout(Duration::from_millis(300), two.next_hint()).await;
    assert!(first.is_err());
    one.append(&first_batch(table)).await.unwrap();
    let sequence = first_batch(table).entries.len() as u64;
    let change = two.next_hint().await.unwrap();
    assert_eq!(change, Hint::Table(TableChange { table, sequence, has_items: true }));
    assert_eq!((one.head(table).await.unwrap(), one.head(id("NNN2")).await.unwrap()), (sequence, 0));
    database.run(super::failures::CUT).await;
    let lost = why(two.next_hint().await);
    assert!(lost.contains("cut"), "{lost}");
    let heard = async { two.next_hint().await.unwrap() };
    let heard = tokio::time::timeout(Duration::from_millis(300), heard).await;
    assert!(heard.is_err(), "it listens again");
    one.append(&second_batch(table)).await.unwrap();
    assert!(matches!(two.next_hint().await.unwrap(), Hint::Table(change) if change.table == table));
}

#[tokio::test]
async fn pause_of_requests_is_told_to_the_others_only() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    for journal in [one, &two] {
        assert!(tokio::time::timeout(Duration::from_millis(300), journal.next_hint()).await.is_err());
    }
    one.announce_pause(Duration::from_millis(1_500)).await.unwrap();
    assert_eq!(two.next_hint().await.unwrap(), Hint::RequestsPaused(Duration::from_millis(1_500)));
    two.announce_pause(Duration::from_secs(2)).await.unwrap();
    assert_eq!(
        one.next_hint().await.unwrap(),
        Hint::RequestsPaused(Duration::from_secs(2)),
        "its own is not told"
    );
}

#[tokio::test]
async fn changes_of_access_are_told_to_the_others_only() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    for journal in [one, &two] {
        assert!(tokio::time::timeout(Duration::from_millis(300), journal.next_hint()).await.is_err());
    }
    let channel = AccessChange { guild: GuildId(7), channel: Some(ChannelId(u64::MAX)) };
    let server = AccessChange { guild: GuildId(7), channel: None };
    one.announce_access_change(channel).await.unwrap();
    one.announce_access_change(server).await.unwrap();
    assert_eq!(two.next_hint().await.unwrap(), Hint::AccessChanged(channel));
    assert_eq!(two.next_hint().await.unwrap(), Hint::AccessChanged(server));
    two.announce_access_change(server).await.unwrap();
    assert_eq!(one.next_hint().await.unwrap(), Hint::AccessChanged(server), "its own are not told");
}

#[tokio::test]
async fn requests_are_shared_out_among_the_processes_that_live() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    let refused = why(one.take_request_share(50, 0).await);
    assert!(refused.contains("has ended"), "who has not joined has no share: {refused}");
    one.keep_alive().await.unwrap();
    let alone = one.take_request_share(50, 50).await.unwrap();
    assert_eq!(alone, RequestShare { per_second: 50, guaranteed: 25 });
    two.keep_alive().await.unwrap();
    let joining = two.take_request_share(50, 50).await.unwrap();
    assert_eq!(joining, RequestShare { per_second: 1, guaranteed: 12 }, "the first one must make room");
    assert_eq!(one.take_request_share(50, 50).await.unwrap().per_second, 25);
    assert_eq!(two.take_request_share(50, 50).await.unwrap().per_second, 25);
    crash(&database, &two).await;
    one.keep_alive().await.unwrap();
    assert_eq!(one.take_request_share(50, 50).await.unwrap().per_second, 50, "the other one has ended");
    let why = why(two.take_request_share(50, 50).await);
    assert!(!why.is_empty(), "it has lost its session");
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_that_are_taken_at_the_same_time_stay_within_the_limit() {
    let Some(database) = Database::create().await else { return };
    let others = [join(&database).await, join(&database).await, join(&database).await];
    let all = [&database.journal, &others[0], &others[1], &others[2]];
    for journal in all {
        journal.keep_alive().await.unwrap();
        journal.take_request_share(40, 0).await.unwrap();
    }
    // The earlier ones make room for the later ones.
    for journal in all {
        journal.take_request_share(40, 0).await.unwrap();
    }
    for round in 0..20 {
        let take =
            |at: usize| all[at].take_request_share(40, if (round + at).is_multiple_of(3) { 40 } else { 2 });
        let (one, two, three, four) = tokio::join!(take(0), take(1), take(2), take(3));
        for taken in [one, two, three, four] {
            assert!(taken.unwrap().per_second >= 5, "the part that nobody takes");
        }
        let sum = "SELECT sum(per_second) FROM request_shares";
        let sum: i64 = sqlx::query_scalar(sum).fetch_one(&mut database.connect().await).await.unwrap();
        assert!(sum <= 40, "{sum}");
    }
}

#[tokio::test]
async fn rows_that_were_stored_otherwise_become_due_at_the_next_start() {
    let Some(server) = Server::shared() else { return };
    let name = server.create_database("").await;
    let journal = Postgres::open(&server.url(&name)).await.unwrap();
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    sqlx::query("DELETE FROM outbox_lanes").execute(&mut server.connect(&name).await).await.unwrap();
    assert_eq!(claim(&journal, 9).await, []);
    journal.close().await;
    let journal = Postgres::open(&server.url(&name)).await.unwrap();
    assert_eq!(tables(&claim(&journal, 9).await), [id("KKK2")]);
}

/// Tells which jobs it got.
#[derive(Debug)]
struct Teller(tokio::sync::mpsc::UnboundedSender<QueuedJob>);

#[async_trait::async_trait]
impl JobRunner for Teller {
    async fn run(&self, job: QueuedJob) -> Result<(), String> {
        self.0.send(job).map_err(|error| error.to_string())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owed_turn_is_a_job_for_any_process() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    one.set_exhibition_pace(Duration::ZERO);
    one.append(&first_batch(table)).await.unwrap();
    let (tell, mut jobs) = tokio::sync::mpsc::unbounded_channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = Box::pin(async move { drop(stopped.await) });
    let work = two.work(1, std::sync::Arc::new(Teller(tell)), stopped);
    let heard = async {
        let job = jobs.recv().await;
        drop(stop);
        job
    };
    let (worked, job) = tokio::join!(work, heard);
    worked.unwrap();
    assert_eq!(job, Some(QueuedJob::Turn { table, ply: 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn request_is_a_job_for_any_process_until_it_is_answered_or_withdrawn() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    let withdrawn = one.ask(7, "a").await.unwrap();
    one.withdraw(withdrawn).await.unwrap();
    let id = one.ask(7, "b\0").await.unwrap();
    let (tell, mut jobs) = tokio::sync::mpsc::unbounded_channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = Box::pin(async move { drop(stopped.await) });
    let work = two.work(1, std::sync::Arc::new(Teller(tell)), stopped);
    let heard = async {
        let both = [jobs.recv().await, jobs.recv().await];
        drop(stop);
        both
    };
    let (worked, jobs) = tokio::join!(work, heard);
    worked.unwrap();
    for request in [withdrawn, id] {
        assert!(jobs.contains(&Some(QueuedJob::Analysis { request })), "{jobs:?}");
    }
    assert_eq!(two.request(withdrawn).await.unwrap(), None, "nobody waits for it");
    assert_eq!(two.request(id).await.unwrap().as_deref(), Some("b\0"));
    assert_eq!(one.take_answer(id).await.unwrap(), None);
    two.answer(id, "c").await.unwrap();
    assert_eq!(two.request(id).await.unwrap(), None, "it is answered");
    assert_eq!(one.take_answer(id).await.unwrap().as_deref(), Some("c"));
    assert_eq!(one.take_answer(id).await.unwrap(), None, "an answer is taken once");
    two.answer(withdrawn, "late").await.unwrap();
    assert_eq!(one.take_answer(withdrawn).await.unwrap(), None);
}

#[tokio::test]
async fn owners_of_requests_take_turns_and_old_requests_are_deleted() {
    let Some(database) = Database::create().await else { return };
    let journal = &database.journal;
    let mut ids = Vec::new();
    for owner in [7, 7, 7, 9] {
        ids.push(journal.ask(owner, "r").await.unwrap());
    }
    let sql = "SELECT (payload->>'request')::bigint FROM graphile_worker._private_jobs ORDER BY priority, id";
    let order: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&mut database.connect().await).await.unwrap();
    assert_eq!(order, [ids[0], ids[3], ids[1], ids[2]], "the first one of each, then the others");
    database.run("UPDATE thinking_requests SET asked_at = now() - interval '1 hour'").await;
    let next = journal.ask(7, "r").await.unwrap();
    for old in ids {
        assert_eq!(journal.request(old).await.unwrap(), None);
    }
    assert_eq!(journal.request(next).await.unwrap().as_deref(), Some("r"));
}

#[tokio::test]
async fn live_processes_are_counted_by_what_they_do() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    one.set_runs_gateway(true);
    one.keep_alive().await.unwrap();
    two.set_thinks(true);
    two.keep_alive().await.unwrap();
    assert_eq!(one.keep_alive().await.unwrap(), LiveProcesses { gateways: 1, thinkers: 1 });
    two.close().await;
    assert_eq!(one.keep_alive().await.unwrap(), LiveProcesses { gateways: 1, thinkers: 0 });
}
