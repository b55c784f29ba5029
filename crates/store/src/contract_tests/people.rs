//! Personal data: ratings, watched tables, preferences, and their deletion.

use super::{annotations, card, entry, id, moment, opened, share_links, terms};
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_table::calendar::{Weekly, Zone};
use rookery_table::ports::{
    Batch, Card, Deletion, Entry, Filter, Follows, Journal, PageRequest, Preferences, Stage, StoreError,
    WatchMode, challenge_note, digest_note,
};
use rookery_table::preferences::{PersonalPreferences, Pings, ServerPreferences, Vacation};
use rookery_table::rated::{Account, RatingChange};
use rookery_table::rating::{Rating, RatingPool};
use rookery_table::vacation::ClockWeek;
use rookery_table::{ChannelId, Event, GuildId, LeavePolicy, Occupant, OutboxItem, TableId, UserId};

/// Two games between two players, the second on another server: the latest rating counts.
pub(super) async fn ratings_are_kept(journal: &dyn Journal) {
    let (ada, bot) = (Account::Person(UserId(u64::MAX >> 1)), Account::Program(Level::Easy));
    for (i, (table, guild, means)) in
        [("RRR2", Some(u64::MAX), [1_600_001, 1_400]), ("RRR3", Some(8), [1_550, 1_650_000])]
            .into_iter()
            .enumerate()
    {
        let rating = |mean_milli| Rating { mean_milli, ..Rating::default() };
        let seats = Seat::all(2).zip([ada, bot].into_iter().zip(means));
        let changes = seats.map(|(seat, (who, mean))| RatingChange {
            seat,
            who,
            before: Rating::default(),
            after: rating(mean),
        });
        let event = Event::Rated { pool: RatingPool::Program, changes: changes.collect() };
        let entries = vec![entry(1, opened()), Entry { at: moment(i as i64), ..entry(2, event) }];
        let card = Card { guild: guild.map(GuildId), ..card(id(table), Stage::Over, moment(0)) };
        let batch =
            Batch { table: id(table), entries, outbox_items: vec![], job: None, card, known_ratings: vec![] };
        journal.append(&batch).await.unwrap();
    }
    let ratings = journal.ratings();
    let now = ratings.rating(ada, "amazons", RatingPool::Program).await.unwrap().unwrap();
    assert_eq!((now.rating.mean_milli, now.table, now.at), (1_550, id("RRR3"), moment(1)));
    assert_eq!(ratings.rating(ada, "amazons", RatingPool::Two).await.unwrap(), None);
    let means: Vec<_> = ratings
        .history(ada, PageRequest::default())
        .await
        .unwrap()
        .rows
        .iter()
        .map(|it| it.rating.mean_milli)
        .collect();
    assert_eq!(means, [1_600_001, 1_550]);
    let leaders = ratings.leaders("amazons", RatingPool::Program, None, 9).await.unwrap();
    let named: Vec<_> = leaders.iter().map(|(it, games)| (it.who, it.rating.mean_milli, *games)).collect();
    assert_eq!(named, [(bot, 1_650_000, 2), (ada, 1_550, 2)]);
    let first = ratings.leaders("amazons", RatingPool::Program, None, 1).await.unwrap();
    assert_eq!(first, leaders[..1], "the highest alone");
    assert_eq!(
        ratings.leaders("amazons", RatingPool::Program, Some(GuildId(u64::MAX)), 9).await.unwrap(),
        leaders
    );
    assert_eq!(ratings.leaders("amazons", RatingPool::Program, Some(GuildId(9)), 9).await.unwrap(), []);
}

pub(super) async fn watchers_are_kept(journal: &dyn Follows, table: TableId) {
    let (ada, ben, other) = (UserId(1), UserId(u64::MAX), id("B8B8"));
    assert_eq!(journal.followers(table, PageRequest::default()).await.unwrap().rows, []);
    journal.follow(ada, table, WatchMode::Thread).await.unwrap();
    journal.follow(ben, table, WatchMode::Digest).await.unwrap();
    journal.follow(ada, table, WatchMode::Digest).await.unwrap();
    journal.follow(ada, other, WatchMode::Moves).await.unwrap();
    let both = [(ada, WatchMode::Digest), (ben, WatchMode::Digest)];
    let mut followers = journal.followers(table, PageRequest::default()).await.unwrap().rows;
    followers.sort_unstable();
    assert_eq!(followers, both);
    let mut digests = journal.digests(PageRequest::default()).await.unwrap().rows;
    digests.sort_unstable();
    assert_eq!(digests, [(ada, table), (ben, table)]);
    assert!(journal.unfollow(ada, table).await.unwrap());
    assert!(!journal.unfollow(ada, table).await.unwrap(), "once is enough");
    assert_eq!(
        journal.followers(table, PageRequest::default()).await.unwrap().rows,
        [(ben, WatchMode::Digest)]
    );
    assert_eq!(
        journal.followers(other, PageRequest::default()).await.unwrap().rows,
        [(ada, WatchMode::Moves)]
    );
}

pub(super) async fn choices_are_kept(journal: &dyn Journal) {
    // A person and a server with the same id are separate.
    let (who, guild) = (UserId(u64::MAX), GuildId(u64::MAX));
    let journal = journal.preferences();
    assert_eq!(journal.personal(who).await.unwrap(), None);
    let mut personal =
        PersonalPreferences { zone: Zone::named("Asia/Tokyo").unwrap(), ..PersonalPreferences::default() };
    for pings in [Pings::Off, Pings::Dm] {
        personal.pings = pings;
        journal.store_personal(who, &personal).await.unwrap();
    }
    assert_eq!(journal.server(guild).await.unwrap(), None);
    let server = ServerPreferences {
        channels: vec![ChannelId(u64::MAX), ChannelId(7)],
        lobby: Some(ChannelId(7)),
        ..ServerPreferences::default()
    };
    journal.store_server(guild, &server).await.unwrap();
    assert_eq!(journal.servers_with_lobby(PageRequest::default()).await.unwrap().rows, [guild]);
    journal.store_server(GuildId(5), &ServerPreferences { lobby: None, ..server.clone() }).await.unwrap();
    assert_eq!(
        journal.servers_with_lobby(PageRequest::default()).await.unwrap().rows,
        [guild],
        "one without a lobby is not named"
    );
    assert_eq!(journal.personal(who).await.unwrap(), Some(personal));
    who_may_rest_is_found(journal, who).await;
    journal.delete_preferences(who).await.unwrap();
    assert_eq!(journal.personal(who).await.unwrap(), None);
    assert_eq!(journal.server(guild).await.unwrap(), Some(server));
}

async fn who_may_rest_is_found(journal: &dyn Preferences, who: UserId) {
    assert_eq!(journal.resting(PageRequest::default()).await.unwrap().rows, []);
    let vacation = Some(Vacation { from: moment(1), until: moment(2) });
    let clock_week = Some(ClockWeek { weekly: None, zone: Zone::default(), since: moment(1) });
    let weekly = Some(Weekly { from_min: 0, to_min: 60 });
    for personal in [
        PersonalPreferences { vacation, ..PersonalPreferences::default() },
        PersonalPreferences { clock_week, ..PersonalPreferences::default() },
        PersonalPreferences { weekly, ..PersonalPreferences::default() },
    ] {
        journal.store_personal(who, &personal).await.unwrap();
        assert_eq!(journal.resting(PageRequest::default()).await.unwrap().rows, [who]);
    }
}

pub(super) const DAN: UserId = UserId(1_200_000_000_000_000_077);
pub(super) const EVE: UserId = UserId(1_200_000_000_000_000_078);

/// Creates a table of two players with every kind of personal data.
pub(super) async fn table_of_two(journal: &dyn Journal, table: TableId) -> Batch {
    let chairs = [DAN, EVE].map(|person| Occupant::Human { person }).to_vec();
    let opened = Event::Opened { terms: terms(), host: DAN, chairs };
    let change = |seat, who| RatingChange {
        seat,
        who: Account::Person(who),
        before: Rating::default(),
        after: Rating::default(),
    };
    let rated = Event::Rated {
        pool: RatingPool::Two,
        changes: vec![change(Seat::FIRST, DAN), change(Seat::SECOND, EVE)],
    };
    let people = vec![Some(DAN), Some(EVE)];
    let card = Card { people, host: Some(DAN), waits_for: Some(DAN), ..card(table, Stage::Over, moment(5)) };
    let outbox_items = vec![OutboxItem::Away { person: DAN, until: moment(1) }];
    let batch = Batch {
        table,
        entries: vec![entry(1, opened), entry(2, rated)],
        outbox_items,
        job: None,
        card,
        known_ratings: vec![],
    };
    journal.append(&batch).await.unwrap();
    let personal = PersonalPreferences { large_print: true, ..PersonalPreferences::default() };
    journal.preferences().store_personal(DAN, &personal).await.unwrap();
    journal.follows().follow(DAN, table, WatchMode::Thread).await.unwrap();
    journal.store_note(&digest_note(DAN), "5").await.unwrap();
    share_links::shared_by(journal, table, DAN).await;
    annotations::annotated(journal, table, DAN).await;
    batch
}

pub(super) async fn people_are_taken_out(journal: &dyn Journal) {
    let (table, alone) = (id("PPP2"), id("PPP3"));
    let batch = table_of_two(journal, table).await;
    let privacy = journal.privacy();
    assert_eq!(privacy.tables_naming(DAN, PageRequest::default()).await.unwrap().rows, [table]);
    assert_eq!(journal.follows().watched_by(DAN, PageRequest::default()).await.unwrap().rows, [table]);
    let before = journal.chain(table).await.unwrap();
    assert!(before.links.iter().all(|link| !link.event.contains(&DAN.0.to_string())), "never in an entry");
    let other_note = format!("{}0", digest_note(DAN));
    journal.store_note(&other_note, "6").await.unwrap();
    let challenges = [challenge_note(DAN, EVE), challenge_note(EVE, DAN)];
    let others = [challenge_note(EVE, UserId(DAN.0 / 10)), challenge_note(UserId(DAN.0 % 1_000), EVE)];
    for note in challenges.iter().chain(&others) {
        journal.store_note(note, "7").await.unwrap();
    }
    privacy.replace_with_pseudonym(DAN, table, moment(9)).await.unwrap();
    privacy.delete_personal_rows(DAN).await.unwrap();
    assert_eq!(journal.chain(table).await.unwrap(), before, "no entry and no seal has changed");
    assert_eq!(privacy.tables_naming(DAN, PageRequest::default()).await.unwrap().rows, []);
    let entries = journal.load(table).await.unwrap();
    let Event::Opened { host, chairs, .. } = &entries[0].event else { panic!("{entries:?}") };
    assert!(host.is_pseudonym() && chairs[0].person() == Some(*host), "one stand-in for one person");
    assert_eq!(chairs[1].person(), Some(EVE));
    let cards = journal
        .list(&Filter { person: Some(EVE), ..Filter::default() }, PageRequest::default())
        .await
        .unwrap()
        .rows;
    let card = &cards[0];
    assert_eq!([card.people[0], card.host, card.waits_for], [Some(*host); 3]);
    let away = journal.due(0, 1_000).await.unwrap().into_iter().find(|due| due.table == table);
    assert_eq!(away.unwrap().item, OutboxItem::Away { person: *host, until: moment(1) });
    assert_eq!(
        journal.ratings().history(Account::Person(DAN), PageRequest::default()).await.unwrap().rows,
        []
    );
    assert_eq!(
        journal.ratings().history(Account::Person(EVE), PageRequest::default()).await.unwrap().rows.len(),
        1
    );
    assert_eq!(journal.preferences().personal(DAN).await.unwrap(), None);
    assert_eq!(journal.follows().watched_by(DAN, PageRequest::default()).await.unwrap().rows, []);
    assert_eq!(journal.note(&digest_note(DAN)).await.unwrap(), None);
    assert_eq!(journal.note(&other_note).await.unwrap().as_deref(), Some("6"), "somebody else's");
    for note in &challenges {
        assert_eq!(journal.note(note).await.unwrap(), None, "from them and to them");
    }
    for note in &others {
        assert_eq!(journal.note(note).await.unwrap().as_deref(), Some("7"), "{note} is between others");
    }

    let other = Batch { table: alone, card: Card { id: alone, ..batch.card }, ..batch };
    journal.append(&other).await.unwrap();
    privacy.delete_table(alone).await.unwrap();
    assert_eq!((journal.load(alone).await.unwrap(), journal.chain(alone).await.unwrap()), Default::default());
    assert!(
        matches!(journal.append(&other).await, Err(StoreError::Conflict(_))),
        "no table is called so again"
    );
}

pub(super) async fn unfinished_deletions_are_kept(journal: &dyn Journal) {
    let [left, waits, alone] = ["DDD2", "DDD3", "DDD4"].map(id);
    for table in [left, waits, alone] {
        table_of_two(journal, table).await;
    }
    let privacy = journal.privacy();
    assert_eq!(privacy.unfinished_deletions(PageRequest::default()).await.unwrap().rows, []);
    let tables = vec![left, waits];
    let deletion = Deletion { who: DAN, leave_policy: LeavePolicy::Substitute, tables, rest: true };
    privacy.note_deletion(&deletion).await.unwrap();
    let more = Deletion { tables: vec![alone], rest: false, ..deletion.clone() };
    privacy.note_deletion(&more).await.unwrap();
    let noted = Deletion { tables: vec![left, waits, alone], ..deletion.clone() };
    assert_eq!(privacy.unfinished_deletions(PageRequest::default()).await.unwrap().rows, [noted]);
    privacy.replace_with_pseudonym(DAN, left, moment(9)).await.unwrap();
    privacy.delete_table(alone).await.unwrap();
    privacy.delete_personal_rows(DAN).await.unwrap();
    let remains = Deletion { tables: vec![waits], rest: false, ..deletion };
    assert_eq!(privacy.unfinished_deletions(PageRequest::default()).await.unwrap().rows, [remains]);
    let found = journal
        .list(&Filter { person: Some(DAN), ..Filter::default() }, PageRequest::default())
        .await
        .unwrap()
        .rows;
    assert_eq!(found.iter().map(|card| card.id).collect::<Vec<_>>(), [waits], "still found by them");
    privacy.replace_with_pseudonym(DAN, waits, moment(9)).await.unwrap();
    assert_eq!(privacy.unfinished_deletions(PageRequest::default()).await.unwrap().rows, []);
    assert_eq!(privacy.tables_naming(DAN, PageRequest::default()).await.unwrap().rows, []);
    privacy.scrub().await.unwrap();
}
