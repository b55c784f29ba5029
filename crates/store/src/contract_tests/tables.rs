//! Tables in the journal: entries, jobs, outbox items, lists.

use super::{card, entry, first_batch, id, moment, opened, second_batch, terms};
use rookery_table::hash_chain::{self, HashChain};
use rookery_table::ports::{
    AfterFailure, Batch, Card, DueItem, DueTable, Filter, Journal, PageRequest, Posted, Stage, StoreError,
};
use rookery_table::{ChannelId, GuildId, MessageId, OutboxItem, TableId, UserId};

pub(super) async fn entries_are_sealed(journal: &dyn Journal, table: TableId) {
    let chain = journal.chain(table).await.unwrap();
    let sound = hash_chain::verify(table, &chain).unwrap();
    assert_eq!((sound.entries, sound.unsealed), (2, 0));
    assert_eq!(chain.head, chain.links[1].seal);
    assert!(chain.links[0].event.contains("\"host\":"), "as it is kept, nothing read into it");
    assert_eq!(journal.chain(id("B9B9")).await.unwrap(), HashChain::default());
}

pub(super) async fn a_conflict_changes_nothing(journal: &dyn Journal, table: TableId) {
    let mut twice = first_batch(table);
    twice.job = None;
    assert!(matches!(journal.append(&twice).await, Err(StoreError::Conflict(t)) if t == table));
    assert_eq!(journal.load(table).await.unwrap().len(), 2);
    assert_eq!(journal.due(0, 10).await.unwrap().len(), 2);
    assert_eq!(journal.jobs(PageRequest::default()).await.unwrap().rows.len(), 1);
}

pub(super) async fn jobs_are_replaced(journal: &dyn Journal, table: TableId) {
    assert_eq!(
        journal.jobs(PageRequest::default()).await.unwrap().rows,
        first_batch(table).job.into_iter().collect::<Vec<_>>()
    );
    journal.append(&second_batch(table)).await.unwrap();
    assert_eq!(journal.jobs(PageRequest::default()).await.unwrap().rows, []);
    assert_eq!(journal.load(table).await.unwrap().len(), 3);
    assert_eq!(hash_chain::verify(table, &journal.chain(table).await.unwrap()).unwrap().entries, 3);
}

pub(super) async fn the_outbox_is_worked_off(journal: &dyn Journal, table: TableId) {
    let due = journal.due(0, 10).await.unwrap();
    assert_eq!(due.iter().map(|d| d.item.key()).collect::<Vec<_>>(), ["announce", "thread", "board-1"]);
    assert_eq!(journal.oldest_due().await.unwrap(), Some(moment(1002)));
    let since: Vec<_> = due.iter().map(|due| due.due_since).collect();
    assert_eq!(since, [1002, 1002, 1003].map(|ms| Some(moment(ms))), "as their batches were decided");
    assert_eq!(journal.due(due[0].id, 1).await.unwrap(), due[1..2]);
    let posted = Posted { table, channel: ChannelId(u64::MAX), message: MessageId(u64::MAX - 7) };
    assert_eq!(journal.due_at(table, 10).await.unwrap(), due);
    assert_eq!(journal.due_at(table, 2).await.unwrap(), due[..2]);
    let found = journal.due_tables(due[0].id, 10).await.unwrap();
    let told = |due: &DueItem| DueTable { id: due.id, table, guild: terms().guild };
    assert_eq!(found, due[1..].iter().map(told).collect::<Vec<_>>());
    assert_eq!(journal.due_tables(0, 1).await.unwrap().len(), 1);
    journal.mark_posted(due[0].id, Some(posted)).await.unwrap();
    // An attempt of a process that slept, after another one has posted the row.
    for late in [AfterFailure::Retry, AfterFailure::GivenUp, AfterFailure::Unreadable, AfterFailure::Blocked]
    {
        journal.mark_failed(due[0].id, "no answer", late).await.unwrap();
    }
    assert_eq!(journal.due_at(table, 10).await.unwrap(), due[1..], "what was said is not said again");
    assert_eq!(journal.last_row().await.unwrap(), due[2].id);
    assert_eq!(journal.message_before(table, due[0].id).await.unwrap(), None);
    assert_eq!(journal.message_before(table, due[2].id).await.unwrap(), Some(posted.message));
    journal.mark_failed(due[1].id, "busy", AfterFailure::Retry).await.unwrap();
    journal.mark_failed(due[2].id, "no access", AfterFailure::Blocked).await.unwrap();
    let barred = journal.blocked_items(PageRequest::default()).await.unwrap().rows;
    let barred: Vec<_> = barred.iter().map(|due| (due.id, due.table, due.item.key())).collect();
    assert_eq!(barred, [(due[2].id, table, "board-1".to_owned())]);
    let left = journal.due(0, 10).await.unwrap();
    assert_eq!(left.iter().map(|d| (d.item.key(), d.tries)).collect::<Vec<_>>(), [("thread".into(), 1)]);
    for row in [&due[0], &due[2]] {
        journal.requeue(row.id, moment(900)).await.unwrap();
    }
    let again = journal.due(0, 10).await.unwrap();
    assert_eq!(
        again.iter().map(|d| d.id).collect::<Vec<_>>(),
        [due[1].id, due[2].id],
        "what was said stays said"
    );
    assert_eq!(journal.oldest_due().await.unwrap(), Some(moment(900)), "due anew, not since it was barred");
    journal.mark_failed(due[2].id, "gone", AfterFailure::GivenUp).await.unwrap();
    journal.requeue(due[2].id, moment(900)).await.unwrap();
    assert_eq!(journal.blocked_items(PageRequest::default()).await.unwrap().rows, []);
    assert_eq!(journal.due(0, 10).await.unwrap().len(), 1, "what was given up stays so");
    assert_eq!(journal.oldest_due().await.unwrap(), Some(moment(1002)));
    assert_eq!(journal.posted(table, &OutboxItem::Announce).await.unwrap(), Some(posted));
    assert_eq!(journal.posted(table, &OutboxItem::Board { ply: 1 }).await.unwrap(), None);
    assert_eq!(journal.latest(table, &OutboxItem::Announce).await.unwrap(), Some((due[0].id, true)));
    assert_eq!(journal.latest(table, &OutboxItem::Board { ply: 1 }).await.unwrap(), Some((due[2].id, false)));
    assert_eq!(journal.latest(table, &OutboxItem::Board { ply: 2 }).await.unwrap(), None);
    assert_eq!(journal.table_of(MessageId(u64::MAX - 7)).await.unwrap(), Some(table));
    assert_eq!(journal.table_of(MessageId(3)).await.unwrap(), None);
    assert_eq!(
        journal.posted_item(MessageId(u64::MAX - 7)).await.unwrap(),
        Some((table, Some(OutboxItem::Announce)))
    );
    assert_eq!(journal.posted_item(MessageId(3)).await.unwrap(), None);
}

pub(super) async fn a_probe_changes_nothing_that_is_read(journal: &dyn Journal, table: TableId) {
    let before = (journal.load(table).await.unwrap(), journal.due(0, 10).await.unwrap());
    for _ in 0..2 {
        journal.probe().await.unwrap();
    }
    assert_eq!(before, (journal.load(table).await.unwrap(), journal.due(0, 10).await.unwrap()));
}

pub(super) async fn nothing_is_due_in_an_empty_outbox(journal: &dyn Journal) {
    assert_eq!(journal.oldest_due().await.unwrap(), None);
    assert_eq!(journal.due(0, 9).await.unwrap(), []);
    assert_eq!(journal.last_row().await.unwrap(), 0);
}

/// Opens a game and posts its messages; the request for a rating stays due.
async fn post_a_game(journal: &dyn Journal, table: TableId, card: Card) {
    let outbox_items = vec![
        OutboxItem::Announce,
        OutboxItem::Board { ply: 1 },
        OutboxItem::Strip { ply: 1 },
        OutboxItem::Board { ply: 2 },
        OutboxItem::Away { person: UserId(5), until: moment(1) },
        OutboxItem::Result,
        OutboxItem::Rate,
    ];
    let entries = vec![entry(1, opened())];
    let batch = Batch { table, entries, outbox_items, job: None, card, known_ratings: vec![] };
    journal.append(&batch).await.unwrap();
    for due in journal.due(0, 100).await.unwrap().into_iter().filter(|due| due.table == table) {
        if due.item == OutboxItem::Rate {
            continue;
        }
        let message = MessageId(1_000 + due.id as u64);
        let posted = Posted { table, channel: ChannelId(3), message };
        let posted = Some(posted).filter(|_| due.item != OutboxItem::Strip { ply: 1 });
        journal.mark_posted(due.id, posted).await.unwrap();
    }
}

/// Two finished games and a running one, each with three boards; the first two ended long ago.
pub(super) async fn the_outbox_is_pruned(journal: &dyn Journal) {
    let [old, older, running] = ["XXX2", "XXX3", "XXX4"].map(id);
    for (table, stage, at) in
        [(old, Stage::Over, -50), (older, Stage::Over, -60), (running, Stage::Running, -70)]
    {
        post_a_game(journal, table, card(table, stage, moment(at))).await;
    }
    let of = async |table, item: OutboxItem| {
        journal.posted(table, &item).await.unwrap().map(|posted| posted.message)
    };
    let first_board = of(old, OutboxItem::Board { ply: 1 }).await.unwrap();
    let away = of(old, OutboxItem::Away { person: UserId(5), until: moment(1) }).await.unwrap();
    assert_eq!(journal.prune_outbox(moment(-100), 9).await.unwrap(), 0, "nothing is so old");
    assert_eq!(journal.prune_outbox(moment(-40), 1).await.unwrap(), 1);
    assert_eq!(journal.prune_outbox(moment(-40), 9).await.unwrap(), 1);
    assert_eq!(journal.prune_outbox(moment(-40), 9).await.unwrap(), 0, "once is enough");
    for table in [old, older] {
        for gone in [OutboxItem::Board { ply: 1 }, OutboxItem::Strip { ply: 1 }] {
            assert_eq!(journal.latest(table, &gone).await.unwrap(), None, "{gone:?}");
        }
        for linked in [OutboxItem::Announce, OutboxItem::Board { ply: 2 }, OutboxItem::Result] {
            assert!(of(table, linked.clone()).await.is_some(), "{linked:?}");
        }
        assert!(journal.latest(table, &OutboxItem::Rate).await.unwrap().is_some(), "what is due stays");
    }
    assert!(of(running, OutboxItem::Board { ply: 1 }).await.is_some());
    assert_eq!(journal.table_of(first_board).await.unwrap(), Some(old), "an answer to it finds its table");
    let board = Some((old, Some(OutboxItem::Board { ply: 1 })));
    assert_eq!(journal.posted_item(first_board).await.unwrap(), board);
    assert_eq!(journal.posted_item(away).await.unwrap(), Some((old, None)));
    journal.privacy().delete_table(old).await.unwrap();
    assert_eq!(journal.table_of(first_board).await.unwrap(), None);
    for due in journal.due(0, 100).await.unwrap() {
        if [older, running].contains(&due.table) {
            journal.mark_posted(due.id, None).await.unwrap();
        }
    }
    assert_eq!(
        journal.prune_outbox(moment(-40), 9).await.unwrap(),
        1,
        "what was due then has been settled since"
    );
    assert_eq!(journal.latest(older, &OutboxItem::Rate).await.unwrap(), None);
    assert_eq!(journal.prune_outbox(moment(-40), 9).await.unwrap(), 0);
}

pub(super) async fn lists_are_filtered(journal: &dyn Journal, table: TableId) {
    let other = id("B8B8");
    journal
        .append(&Batch { card: card(other, Stage::Running, moment(5)), ..first_batch(other) })
        .await
        .unwrap();
    let names = |cards: Vec<Card>| cards.into_iter().map(|card| card.id).collect::<Vec<_>>();
    let list = |filter: Filter| async move {
        names(journal.list(&filter, PageRequest::default()).await.unwrap().rows)
    };
    let any = Filter::default();
    assert_eq!(list(any.clone()).await, [table, other]);
    assert_eq!(list(Filter { stage: Some(Stage::Running), ..any.clone() }).await, [other]);
    assert_eq!(list(Filter { unfinished: true, ..any.clone() }).await, [other]);
    let own = Filter { person: Some(UserId(1)), ..any.clone() };
    let newest = journal.list(&own, PageRequest::first(1)).await.unwrap();
    assert_eq!((names(newest.rows), newest.next), (vec![table], Some((moment(1003), table))));
    assert_eq!(list(Filter { person: Some(UserId(2)), ..any.clone() }).await, []);
    assert_eq!(
        list(Filter { channel: Some(ChannelId(99)), guild: Some(GuildId(7)), ..any.clone() }).await,
        [table, other]
    );
    assert_eq!(list(Filter { guild: Some(GuildId(8)), ..any.clone() }).await, []);
    assert_eq!(list(Filter { game: Some("amazons".into()), ..any.clone() }).await, [table, other]);
    assert_eq!(list(Filter { game: Some("amoeba".into()), ..any.clone() }).await, []);
    let study = id("C9C9");
    let imported = Card { imported: true, ..card(study, Stage::Over, moment(4)) };
    journal.append(&Batch { card: imported, ..first_batch(study) }).await.unwrap();
    assert_eq!(list(Filter { imported: true, ..any }).await, [study]);
}

pub(super) async fn who_has_left_a_table_is_not_listed_there(journal: &dyn Journal) {
    let (who, table) = (UserId(31), id("QQQ2"));
    let joined = vec![Some(UserId(1)), Some(who)];
    let opened = |name| Batch {
        card: Card { people: joined.clone(), ..card(name, Stage::Waiting, moment(7)) },
        ..first_batch(name)
    };
    for name in [table, id("QQQ3")] {
        journal.append(&opened(name)).await.unwrap();
    }
    journal
        .append(&Batch { card: card(table, Stage::Waiting, moment(8)), ..second_batch(table) })
        .await
        .unwrap();
    let own = Filter { person: Some(who), ..Filter::default() };
    for found in [
        journal.list(&own, PageRequest::default()).await.unwrap().rows,
        journal.scan(&own, PageRequest::default()).await.unwrap().rows,
    ] {
        assert_eq!(found.iter().map(|card| card.id).collect::<Vec<_>>(), [id("QQQ3")]);
    }
    assert!(
        journal
            .privacy()
            .tables_naming(who, PageRequest::default())
            .await
            .unwrap()
            .rows
            .contains(&id("QQQ3"))
    );
}

/// Two running tables and a finished one have timers; one of them owes a proof.
pub(super) async fn moments_and_owed_proofs_are_found(journal: &dyn Journal) {
    let known = journal.timers(moment(i64::MAX), PageRequest::first(999)).await.unwrap().rows.len();
    for (name, stage, next_due) in [
        ("TTT2", Stage::Running, Some(50)),
        ("TTT3", Stage::Running, Some(1_900_000_000_000)),
        ("TTT7", Stage::Running, Some(1_900_000_000_000)),
        ("TTT4", Stage::Over, Some(40)),
        ("TTT5", Stage::Running, None),
    ] {
        let card = Card {
            guild: Some(GuildId(7)),
            next_due: next_due.map(moment),
            ply: 3,
            proof_owed: name == "TTT3",
            ..card(id(name), stage, moment(1))
        };
        let entries = vec![entry(1, opened())];
        journal
            .append(&Batch {
                table: id(name),
                entries,
                outbox_items: vec![],
                job: None,
                card,
                known_ratings: vec![],
            })
            .await
            .unwrap();
    }
    assert_eq!(
        journal.timers(moment(50), PageRequest::first(9)).await.unwrap().rows,
        [(id("TTT2"), moment(50))]
    );
    assert_eq!(journal.timers(moment(49), PageRequest::first(9)).await.unwrap().rows, []);
    let all = journal.timers(moment(i64::MAX), PageRequest::first(999)).await.unwrap().rows;
    assert_eq!(all.len(), known + 3);
    assert_eq!(journal.owing_proof(PageRequest::default()).await.unwrap().rows, [(id("TTT3"), 3)]);
    let card = Card { rests: true, ..card(id("TTT6"), Stage::Running, moment(1)) };
    let table = card.id;
    let entries = vec![entry(1, opened())];
    journal
        .append(&Batch { table, entries, outbox_items: vec![], job: None, card, known_ratings: vec![] })
        .await
        .unwrap();
    let rest = journal
        .list(&Filter { rests: true, ..Filter::default() }, PageRequest::default())
        .await
        .unwrap()
        .rows;
    assert_eq!(rest.iter().map(|card| card.id).collect::<Vec<_>>(), [table]);
}

/// For old tables it is unknown whether they are rated, so they are listed too.
pub(super) async fn games_that_count_are_found(journal: &dyn Journal) {
    for (name, rated) in [("MMM2", Some(true)), ("MMM3", Some(false)), ("MMM4", None)] {
        let card = Card { guild: Some(GuildId(31)), rated, ..card(id(name), Stage::Running, moment(1)) };
        let entries = vec![entry(1, opened())];
        journal
            .append(&Batch {
                table: id(name),
                entries,
                outbox_items: vec![],
                job: None,
                card,
                known_ratings: vec![],
            })
            .await
            .unwrap();
    }
    let found = journal
        .list(&Filter { guild: Some(GuildId(31)), rated: true, ..Filter::default() }, PageRequest::default())
        .await
        .unwrap()
        .rows;
    let mut found: Vec<_> = found.iter().map(|card| card.id).collect();
    found.sort_unstable();
    assert_eq!(found, [id("MMM2"), id("MMM4")]);
}

/// One server has only frozen games, two others have running ones.
pub(super) async fn servers_are_found_by_their_games(journal: &dyn Journal) {
    let games =
        [("SSS2", 21, None), ("SSS3", u64::MAX, None), ("SSS4", 21, None), ("SSS5", 22, Some(moment(5)))];
    for (name, guild, frozen_since) in games {
        let card =
            Card { guild: Some(GuildId(guild)), frozen_since, ..card(id(name), Stage::Running, moment(1)) };
        let entries = vec![entry(1, opened())];
        journal
            .append(&Batch {
                table: id(name),
                entries,
                outbox_items: vec![],
                job: None,
                card,
                known_ratings: vec![],
            })
            .await
            .unwrap();
    }
    let mut playing = journal.servers_playing(PageRequest::default()).await.unwrap().rows;
    playing.sort_unstable();
    assert_eq!(playing, [7, 21, u64::MAX].map(GuildId), "7 has those of the rest of the test");
    let frozen = Filter { frozen: true, ..Filter::default() };
    let named = |cards: Vec<Card>| cards.iter().map(|card| card.id).collect::<Vec<_>>();
    assert_eq!(named(journal.list(&frozen, PageRequest::default()).await.unwrap().rows), [id("SSS5")]);
    let elsewhere = Filter { guild: Some(GuildId(21)), ..frozen };
    assert_eq!(named(journal.list(&elsewhere, PageRequest::default()).await.unwrap().rows), []);
}
