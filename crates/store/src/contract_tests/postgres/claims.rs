//! The tables of the outbox that processes claim: who has them, what comes with a claim, and how they are released.

use super::super::{first_batch, id, second_batch};
use super::processes::{batch_at, claim, join, release, tables};
use super::server::Database;
use crate::Postgres;
use rookery_table::ports::{CLAIMED_ROWS, ClaimedTable, Cluster, Journal, Posted, WatchMode};
use rookery_table::{ChannelId, GuildId, MessageId, OutboxItem, UserId};

#[tokio::test]
async fn claimed_table_is_claimed_by_nobody_else_until_it_is_released() {
    let Some(database) = Database::create().await else { return };
    let (one, two, table) = (&database.journal, join(&database).await, id("KKK2"));
    one.append(&first_batch(table)).await.unwrap();
    let claimed = Journal::cluster(one).unwrap().claim_due(9, &[]).await.unwrap();
    assert_eq!(tables(&claimed), [table]);
    assert!(!claimed[0].was_abandoned);
    assert_eq!((claim(&two, 9).await, claim(one, 9).await), (vec![], vec![]));
    two.append(&second_batch(table)).await.unwrap();
    assert!(release(one, &claimed[0]).await, "rows were added");
    let claimed = claim(&two, 9).await;
    assert_eq!(tables(&claimed), [table]);
    assert!(!claimed[0].was_abandoned);
    assert!(!release(one, &claimed[0]).await);
    assert_eq!(claim(one, 9).await, [], "it was not theirs to release");
    assert!(!release(&two, &claimed[0]).await);
    assert_eq!(claim(one, 9).await, [], "nothing is due");
}

#[tokio::test]
async fn claim_brings_what_its_first_turn_needs() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let batch = first_batch(table);
    journal.append(&batch).await.unwrap();
    let claimed = claim(journal, 9).await.remove(0);
    let keys = |claimed: &ClaimedTable| claimed.due.iter().map(|(row, _)| row.item.key()).collect::<Vec<_>>();
    let expected: Vec<String> = batch.outbox_items.iter().map(|item| item.key()).collect();
    assert_eq!(
        (keys(&claimed), claimed.head, claimed.is_followed),
        (expected, batch.entries.len() as u64, false)
    );
    let mut next = second_batch(table);
    next.outbox_items = (0..CLAIMED_ROWS + 2).map(|ply| OutboxItem::Board { ply }).collect();
    journal.append(&next).await.unwrap();
    journal.follows().follow(UserId(7), table, WatchMode::Moves).await.unwrap();
    assert!(release(journal, &claimed).await, "rows were added");
    let claimed = claim(journal, 9).await.remove(0);
    assert_eq!(claimed.due.len(), CLAIMED_ROWS, "the first ones");
    assert_eq!(keys(&claimed)[..2], ["board-0", "board-1"]);
    assert_eq!(
        (claimed.head, claimed.is_followed),
        ((batch.entries.len() + next.entries.len()) as u64, true)
    );
    assert!(release(journal, &claimed).await, "others are due");
    let claimed = claim(journal, 9).await.remove(0);
    assert_eq!(keys(&claimed), ["board-8", "board-9"]);
    assert!(!release(journal, &claimed).await);
}

#[tokio::test]
async fn claimed_rows_come_with_the_messages_that_they_edit() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut batch = first_batch(table);
    batch.outbox_items =
        vec![OutboxItem::Announce, OutboxItem::Board { ply: 1 }, OutboxItem::Strip { ply: 1 }];
    journal.append(&batch).await.unwrap();
    let claimed = claim(journal, 9).await.remove(0);
    assert!(claimed.due.iter().all(|(_, edited)| edited.is_none()), "nothing was posted before");
    let posted = |message| Some(Posted { table, channel: ChannelId(5), message: MessageId(message) });
    let marks: Vec<_> = claimed.due.iter().zip(70..).map(|((row, _), n)| (row.id, posted(n))).collect();
    assert!(journal.release_due(table, claimed.version, &marks[..2]).await.unwrap(), "one is due");
    let mut next = second_batch(table);
    next.outbox_items = vec![
        OutboxItem::Strip { ply: 1 },
        OutboxItem::Board { ply: 1 },
        OutboxItem::Board { ply: 2 },
        OutboxItem::Strip { ply: 2 },
        OutboxItem::Reannounce,
    ];
    journal.append(&next).await.unwrap();
    let claimed = claim(journal, 9).await.remove(0);
    let edited: Vec<_> =
        claimed.due.iter().map(|(_, edited)| edited.map(|posted| posted.message.0)).collect();
    for (row, edited) in &claimed.due {
        let asked = journal.posted(table, &row.item.edited()).await.unwrap();
        assert_eq!(*edited, asked, "{row:?}");
    }
    assert_eq!(edited, [Some(71), Some(71), Some(71), None, None, None]);
}

#[tokio::test]
async fn release_marks_what_was_posted() {
    let Some(database) = Database::create().await else { return };
    let (journal, table) = (&database.journal, id("KKK2"));
    let mut batch = first_batch(table);
    batch.outbox_items =
        vec![OutboxItem::Board { ply: 0 }, OutboxItem::Strip { ply: 0 }, OutboxItem::Board { ply: 1 }];
    journal.append(&batch).await.unwrap();
    let claimed = claim(journal, 9).await.remove(0);
    let rows: Vec<i64> = claimed.due.iter().map(|(row, _)| row.id).collect();
    let posted = |message| Some(Posted { table, channel: ChannelId(5), message: MessageId(message) });
    journal.mark_all_posted(&[(rows[0], posted(70))]).await.unwrap();
    let due = journal.due(0, 9).await.unwrap();
    assert_eq!(due.iter().map(|row| row.id).collect::<Vec<_>>(), rows[1..]);
    assert!(journal.release_due(table, claimed.version, &[(rows[1], None)]).await.unwrap(), "a row is due");
    assert_eq!(journal.posted(table, &OutboxItem::Board { ply: 0 }).await.unwrap(), posted(70));
    assert_eq!(journal.posted(table, &OutboxItem::Strip { ply: 0 }).await.unwrap(), None);
    let claimed = claim(journal, 9).await.remove(0);
    assert_eq!(claimed.due.iter().map(|(row, _)| row.id).collect::<Vec<_>>(), [rows[2]]);
    assert!(!journal.release_due(table, claimed.version, &[(rows[2], posted(71))]).await.unwrap());
    assert_eq!(journal.due(0, 9).await.unwrap(), []);
    assert_eq!(journal.posted(table, &OutboxItem::Board { ply: 1 }).await.unwrap(), posted(71));
}

/// People who answer each board at once don't keep others of their server waiting.
#[tokio::test]
async fn released_table_with_new_rows_waits_behind_the_others() {
    let Some(database) = Database::create().await else { return };
    let (journal, busy, patient) = (&database.journal, id("AAA2"), id("BBB2"));
    let guild = GuildId(7);
    journal.append(&batch_at("AAA2", guild)).await.unwrap();
    let claimed = claim(journal, 1).await;
    assert_eq!(tables(&claimed), [busy]);
    journal.append(&batch_at("BBB2", guild)).await.unwrap();
    journal.append(&second_batch(busy)).await.unwrap();
    assert!(release(journal, &claimed[0]).await);
    assert_eq!(tables(&claim(journal, 1).await), [patient]);
    assert_eq!(tables(&claim(journal, 1).await), [busy]);
}

/// The answer to a claim may be lost, or the process no longer trusts a claim with which it may have posted a row.
#[tokio::test]
async fn claims_that_a_process_does_not_know_are_given_up() {
    let Some(database) = Database::create().await else { return };
    let (one, two) = (&database.journal, join(&database).await);
    for table in ["AAA2", "BBB2"] {
        one.append(&batch_at(table, GuildId(7))).await.unwrap();
    }
    assert_eq!(claim(one, 9).await.len(), 2);
    two.drop_claims_except(&[]).await.unwrap();
    assert_eq!(claim(&two, 9).await, [], "they are another process's");
    one.drop_claims_except(&[id("AAA2")]).await.unwrap();
    let claimed = claim(&two, 9).await;
    assert_eq!(tables(&claimed), [id("BBB2")]);
    assert!(claimed[0].was_abandoned, "its rows may have been posted without a note");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_share_out_the_tables() {
    let Some(database) = Database::create().await else { return };
    let letters = "ABCDEFGHJKMNPQRSTVWXYZ";
    for letter in letters.chars() {
        database.journal.append(&batch_at(&format!("{letter}AA2"), GuildId(7))).await.unwrap();
    }
    let others = [join(&database).await, join(&database).await];
    let all = async |journal: &Postgres| {
        let mut all = Vec::new();
        for _ in 0..30 {
            all.extend(tables(&claim(journal, 3).await));
        }
        all
    };
    let (one, two, three) = tokio::join!(all(&database.journal), all(&others[0]), all(&others[1]));
    let mut claimed = [one, two, three].concat();
    claimed.sort();
    let count = claimed.len();
    claimed.dedup();
    assert_eq!((count, claimed.len()), (letters.len(), letters.len()), "each once");
}

#[tokio::test]
async fn servers_take_turns_in_claims() {
    let Some(database) = Database::create().await else { return };
    let journal = &database.journal;
    for (at, table) in ["AAA2", "BBB2", "CCC2", "DDD2", "EEE2", "FFF2"].into_iter().enumerate() {
        journal.append(&batch_at(table, GuildId(if at < 5 { 7 } else { 9 }))).await.unwrap();
    }
    let first = claim(journal, 5).await;
    let ninth = |all: &[ClaimedTable]| all.iter().any(|it| it.guild == Some(GuildId(9)));
    assert!(ninth(&first), "a few of the busy server, then the next one: {first:?}");
    assert_eq!(tables(&claim(journal, 5).await), [id("EEE2")], "and again from the start");

    for (table, guild) in [("GGG2", 7), ("HHH2", 7), ("KKK2", 9)] {
        journal.append(&batch_at(table, GuildId(guild))).await.unwrap();
    }
    assert_eq!(tables(&claim(journal, 1).await), [id("GGG2")]);
    assert_eq!(
        tables(&claim(journal, 1).await),
        [id("KKK2")],
        "the next server, though another waited longer"
    );
    let others = journal.claim_due(5, &[GuildId(7)]).await.unwrap();
    assert_eq!(others, [], "a server that is busy is left alone");
    assert_eq!(tables(&claim(journal, 5).await), [id("HHH2")]);
}
