//! Lists in pages: a walk meets every row once, also when rows are added and deleted meanwhile.

use std::collections::BTreeSet;
use std::fmt::Debug;

use futures_util::TryStreamExt;
use futures_util::future::BoxFuture;

use super::{card, entry, id, moment, opened};
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_table::ports::{
    AfterFailure, Batch, Card, Deletion, Filter, Job, Journal, Page, PageRequest, Stage, StoreError,
    WatchMode, walk_pages, walk_pages_of,
};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences, Vacation};
use rookery_table::rated::{Account, RatingChange};
use rookery_table::rating::{Rating, RatingPool};
use rookery_table::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use rookery_table::{ChannelId, Event, GuildId, LeavePolicy, OutboxItem, TableId, UserId};

const WHO: UserId = UserId(1_200_000_000_000_000_277);
const GUILD: GuildId = GuildId(u64::MAX - 7);
/// Numbers on both sides of the highest signed one, and that one.
const IDS: [u64; 5] = [7, u64::MAX >> 1, (u64::MAX >> 1) + 1, u64::MAX - 1, u64::MAX];

fn name(number: usize) -> TableId {
    id(&format!("WW{}", ["22", "23", "24", "2A", "2B", "2C", "222", "2222", "ZZ"][number]))
}

/// Appends a table of this person with something in every list. Two tables each have the same moment.
async fn add(journal: &dyn Journal, number: usize, stage: Stage) {
    let (table, at) = (name(number), moment(2_000_000_000_000 + number as i64 / 2));
    let change = RatingChange {
        seat: Seat::FIRST,
        who: Account::Person(WHO),
        before: Rating::default(),
        after: Rating { mean_milli: number as i64, ..Rating::default() },
    };
    let rated = Event::Rated { pool: RatingPool::Two, changes: vec![change] };
    let card = Card {
        guild: Some(GUILD),
        people: vec![Some(WHO), None],
        next_due: Some(at),
        proof_owed: true,
        rests: true,
        imported: true,
        ..card(table, stage, at)
    };
    let batch = Batch {
        table,
        entries: vec![entry(1, opened()), entry(2, rated)],
        outbox_items: vec![OutboxItem::Announce],
        job: Some(Job { table, ply: number, level: Level::Easy, seed: 1 }),
        card,
        known_ratings: vec![],
    };
    journal.append(&batch).await.unwrap();
    let row = journal.last_row().await.unwrap();
    journal.mark_failed(row, "no access", AfterFailure::Blocked).await.unwrap();
    journal.follows().follow(WHO, table, WatchMode::Digest).await.unwrap();
}

/// Walks with pages of different lengths, which all give the same rows; returns them.
async fn walked<'a, T, K>(
    fetch: impl Fn(PageRequest<K>) -> BoxFuture<'a, Result<Page<T, K>, StoreError>> + Send + Sync + 'a,
) -> Vec<T>
where
    T: Debug + PartialEq + Send + 'a,
    K: Send + 'a,
{
    let all: Vec<T> = walk_pages(&fetch).try_collect().await.unwrap();
    for limit in [0, 1, 2, 3] {
        let again: Vec<T> = walk_pages_of(limit, &fetch).try_collect().await.unwrap();
        assert_eq!(again, all, "in pages of {limit}");
    }
    all
}

pub(super) async fn every_list_is_walked(journal: &dyn Journal) {
    for number in 0..8 {
        add(journal, number, Stage::Running).await;
    }
    let names: BTreeSet<TableId> = (0..8).map(name).collect();
    let only = |found: Vec<TableId>| {
        let own: Vec<TableId> = found.into_iter().filter(|table| table.as_str().starts_with("WW")).collect();
        assert_eq!(own.len(), 8, "each once: {own:?}");
        assert_eq!(own.into_iter().collect::<BTreeSet<_>>(), names);
    };
    for filter in filters() {
        let latest = walked(|page| journal.list(&filter, page)).await;
        let is_sorted = |one: &Card, other: &Card| (other.at, one.id) < (one.at, other.id);
        assert!(latest.is_sorted_by(is_sorted), "{filter:?}");
        only(latest.iter().map(|card| card.id).collect());
        let scanned = walked(|page| journal.scan(&filter, page)).await;
        assert!(scanned.is_sorted_by(|one, other| one.id < other.id), "{filter:?}");
        only(scanned.iter().map(|card| card.id).collect());
    }
    let until = moment(i64::MAX);
    only(walked(|page| journal.timers(until, page)).await.into_iter().map(|(table, _)| table).collect());
    only(walked(|page| journal.owing_proof(page)).await.into_iter().map(|(table, _)| table).collect());
    only(walked(|page| journal.jobs(page)).await.iter().map(|job| job.table).collect());
    only(walked(|page| journal.blocked_items(page)).await.iter().map(|item| item.table).collect());
    assert_eq!(journal.count_blocked().await.unwrap(), 8);
    only(walked(|page| journal.follows().watched_by(WHO, page)).await);
    let digests = walked(|page| journal.follows().digests(page)).await;
    only(digests.into_iter().filter(|(who, _)| *who == WHO).map(|(_, table)| table).collect());
    only(walked(|page| journal.privacy().tables_naming(WHO, page)).await);
    let history = walked(|page| journal.ratings().history(Account::Person(WHO), page)).await;
    let means: Vec<i64> = history.iter().map(|it| it.rating.mean_milli).collect();
    assert_eq!(means, (0..8).collect::<Vec<_>>(), "the oldest first");
    assert!(walked(|page| journal.servers_playing(page)).await.contains(&GUILD));
}

/// Returns filters that all tables of this test fit.
fn filters() -> Vec<Filter> {
    let (guild, person, stage) = (Some(GUILD), Some(WHO), Some(Stage::Running));
    let any = Filter::default();
    vec![
        any.clone(),
        Filter { unfinished: true, ..any.clone() },
        Filter { stage, ..any.clone() },
        Filter { guild, unfinished: true, ..any.clone() },
        Filter { guild, stage, ..any.clone() },
        Filter { person, ..any.clone() },
        Filter { person, stage, ..any.clone() },
        Filter { channel: Some(ChannelId(99)), ..any.clone() },
        Filter { rests: true, stage, ..any.clone() },
        Filter { imported: true, ..any.clone() },
        Filter { guild, stage, game: Some("amazons".into()), rated: true, ..any },
    ]
}

/// Lists by ids of people and servers.
pub(super) async fn lists_by_ids_are_walked(journal: &dyn Journal) {
    let (table, preferences) = (name(0), journal.preferences());
    let before = walked(|page| preferences.resting(page)).await.len();
    for number in IDS {
        journal.follows().follow(UserId(number), table, WatchMode::Moves).await.unwrap();
        let vacation = Some(Vacation { from: moment(1), until: moment(2) });
        let personal = PersonalPreferences { vacation, ..PersonalPreferences::default() };
        preferences.store_personal(UserId(number), &personal).await.unwrap();
        let server = ServerPreferences { lobby: Some(ChannelId(7)), ..ServerPreferences::default() };
        preferences.store_server(GuildId(number), &server).await.unwrap();
        let deletion = Deletion {
            who: UserId(number),
            leave_policy: LeavePolicy::Resign,
            tables: vec![table, name(1)],
            rest: number == 7,
        };
        journal.privacy().note_deletion(&deletion).await.unwrap();
        let link = ShareLink {
            token: ShareToken::draw().unwrap(),
            target: ShareTarget::Table(name(IDS.iter().position(|it| *it == number).unwrap())),
            guild: None,
            origin: ShareOrigin::Player(WHO),
            made_at: moment(3),
        };
        journal.share_links().store_links(&[link]).await.unwrap();
    }
    let sorted = |mut found: Vec<u64>| {
        found.sort_unstable();
        found
    };
    let followers = walked(|page| journal.follows().followers(table, page)).await;
    let moves = followers.iter().filter(|(_, how)| *how == WatchMode::Moves);
    assert_eq!(sorted(moves.map(|(who, _)| who.0).collect()), IDS);
    assert_eq!(journal.follows().watch_mode(UserId(IDS[4]), table).await.unwrap(), Some(WatchMode::Moves));
    assert_eq!(journal.follows().watch_mode(UserId(6), table).await.unwrap(), None);
    assert_eq!(walked(|page| preferences.resting(page)).await.len(), before + IDS.len());
    let lobbies = walked(|page| preferences.servers_with_lobby(page)).await;
    assert!(IDS.iter().all(|number| lobbies.contains(&GuildId(*number))), "{lobbies:?}");
    assert_eq!(lobbies.iter().collect::<BTreeSet<_>>().len(), lobbies.len(), "each once");
    let deletions = walked(|page| journal.privacy().unfinished_deletions(page)).await;
    assert!(deletions.iter().all(|deletion| deletion.tables == [table, name(1)]), "{deletions:?}");
    assert_eq!(deletions.iter().filter(|deletion| deletion.rest).count(), 1);
    assert_eq!(sorted(deletions.iter().map(|deletion| deletion.who.0).collect()), IDS);
    let links = walked(|page| journal.share_links().links_by(WHO, page)).await;
    let targets: BTreeSet<String> = links.iter().map(|link| format!("{:?}", link.target)).collect();
    assert_eq!((links.len(), targets.len()), (5, 5));
}

/// Tables begin, go on and are deleted between two pages.
pub(super) async fn walk_meets_what_stays_once(journal: &dyn Journal) {
    let filter = Filter { guild: Some(GUILD), stage: Some(Stage::Running), ..Filter::default() };
    let mut order: Vec<TableId> = (0..8).map(name).collect();
    order.sort_unstable();
    let first = journal.scan(&filter, PageRequest::first(3)).await.unwrap();
    assert_eq!(first.rows.iter().map(|card| card.id).collect::<Vec<_>>(), order[..3]);
    // One that was met and one that was not are deleted; one that was not goes on; another begins.
    for gone in [order[1], order[5]] {
        journal.privacy().delete_table(gone).await.unwrap();
    }
    let later = card(order[4], Stage::Running, moment(2_500_000_000_000));
    let later = Card { guild: Some(GUILD), ..later };
    let entries = vec![entry(3, Event::Started { line: "start".into() })];
    let batch = Batch {
        table: order[4],
        entries,
        outbox_items: vec![],
        job: None,
        card: later,
        known_ratings: vec![],
    };
    journal.append(&batch).await.unwrap();
    add(journal, 8, Stage::Running).await;
    let rest = journal.scan(&filter, PageRequest { after: first.next, limit: 9 }).await.unwrap();
    let met: Vec<TableId> = rest.rows.iter().map(|card| card.id).collect();
    assert_eq!(met, [order[3], order[4], order[6], order[7], name(8)]);
    assert_eq!(rest.next, None);
    let newest = journal.list(&filter, PageRequest::first(1)).await.unwrap();
    assert_eq!(newest.rows[0].id, order[4]);
    let alone = Filter { table: Some(order[6]), ..filter };
    for found in [
        journal.scan(&alone, PageRequest::default()).await.unwrap().rows,
        journal.list(&alone, PageRequest::default()).await.unwrap().rows,
    ] {
        assert_eq!(found.iter().map(|card| card.id).collect::<Vec<_>>(), [order[6]]);
    }
}
