//! Blocks, bans, and the counts of unfinished tables.

use super::{card, entry, id, moment, opened};
use rookery_table::ports::{Batch, Card, Journal, OpenTables, Stage};
use rookery_table::{GuildId, UserId};

const DAN: UserId = UserId(1_200_000_000_000_000_177);
const EVE: UserId = UserId(1_200_000_000_000_000_178);
const MALLORY: UserId = UserId(u64::MAX);
const GUILD: GuildId = GuildId(u64::MAX - 5);

pub(super) async fn blocks_and_bans_are_kept(journal: &dyn Journal) {
    let kept = journal.moderation();
    assert_eq!(kept.blocked_by(DAN).await.unwrap(), []);
    assert!(
        kept.block(DAN, MALLORY, moment(5)).await.unwrap() && kept.block(DAN, EVE, moment(6)).await.unwrap()
    );
    assert!(!kept.block(DAN, MALLORY, moment(7)).await.unwrap(), "once is enough");
    assert!(kept.block(EVE, DAN, moment(8)).await.unwrap());
    assert_eq!(kept.blocked_by(DAN).await.unwrap(), [EVE, MALLORY]);
    assert!(kept.unblock(DAN, EVE).await.unwrap() && !kept.unblock(DAN, EVE).await.unwrap());
    assert!(
        kept.ban(GUILD, MALLORY, moment(5)).await.unwrap() && kept.ban(GUILD, DAN, moment(6)).await.unwrap()
    );
    assert!(!kept.ban(GUILD, DAN, moment(7)).await.unwrap());
    assert_eq!(kept.banned_from(GUILD).await.unwrap(), [DAN, MALLORY]);
    assert_eq!(kept.banned_from(GuildId(7)).await.unwrap(), []);
    assert!(kept.unban(GUILD, MALLORY).await.unwrap() && !kept.unban(GUILD, MALLORY).await.unwrap());
    // Deleting a person's data removes the blocks they set, but not bans or blocks that others set.
    journal.privacy().delete_personal_rows(DAN).await.unwrap();
    assert_eq!(kept.blocked_by(DAN).await.unwrap(), []);
    assert_eq!(kept.blocked_by(EVE).await.unwrap(), [DAN]);
    assert_eq!(kept.banned_from(GUILD).await.unwrap(), [DAN]);
}

pub(super) async fn open_tables_are_counted(journal: &dyn Journal) {
    let open = async |name: &str, host: Option<UserId>, stage: Stage| {
        let table = id(name);
        let card = Card { host, guild: Some(GUILD), ..card(table, stage, moment(5)) };
        let batch = Batch {
            table,
            entries: vec![entry(1, opened())],
            outbox_items: vec![],
            job: None,
            card,
            known_ratings: vec![],
        };
        journal.append(&batch).await.unwrap();
    };
    let before = journal.count_open(OpenTables::Everywhere, 1_000).await.unwrap();
    open("CCC2", Some(DAN), Stage::Waiting).await;
    open("CCC3", Some(DAN), Stage::Running).await;
    open("CCC4", Some(DAN), Stage::Over).await;
    open("CCC5", Some(EVE), Stage::Running).await;
    open("CCC6", None, Stage::Waiting).await;
    let count = async |which, most| journal.count_open(which, most).await.unwrap();
    assert_eq!(count(OpenTables::HostedBy(DAN), 100).await, 2);
    assert_eq!(count(OpenTables::HostedBy(DAN), 1).await, 1, "no further than is asked for");
    assert_eq!(count(OpenTables::WaitingFor(DAN), 100).await, 1);
    assert_eq!(count(OpenTables::HostedBy(UserId(77)), 100).await, 0);
    assert_eq!(count(OpenTables::OnServer(GUILD), 100).await, 4);
    assert_eq!(count(OpenTables::OnServer(GUILD), 3).await, 3);
    assert_eq!(count(OpenTables::Everywhere, 1_000).await, before + 4);
    assert_eq!(count(OpenTables::Everywhere, 1).await, 1);
}
