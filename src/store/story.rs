//! One story that every journal must be able to tell.

use super::{Memory, Sqlite};
use crate::kit::player::Level;
use crate::table::calendar::{Weekly, Zone};
use crate::table::ports::{
    Batch, Card, Entry, Filter, Following, Follows, Job, Journal, JournalError, Posted, Preferences, Program,
    Stage,
};
use crate::table::preferences::{Personal, Pings, Server, Vacation};
use crate::table::rated::{Account, Change};
use crate::table::rating::{Pool, Rating};
use crate::table::seal::{self, Broken, Chain};
use crate::table::vacation::KeptWeek;
use crate::table::{Event, Home, Occupant, Person, Say, TableId, Terms};

fn id(text: &str) -> TableId {
    text.parse().unwrap()
}

fn terms() -> Terms {
    Terms {
        game: "amazons".into(),
        options: [("size".to_owned(), "6x6".to_owned())].into(),
        seed: u64::MAX,
        guild: Some(7),
        channel: u64::MAX - 1,
        thread: true,
        rated: false,
        ..Terms::default()
    }
}

fn card(table: TableId, stage: Stage, at_ms: i64) -> Card {
    let people = vec![Some(Person(1)), None];
    let home = Some(Home { channel: 99, thread: true });
    Card {
        id: table,
        game: "amazons".into(),
        stage,
        ply: 0,
        guild: Some(7),
        home,
        people,
        programs: vec![Program { seat: 1, level: Level::Easy }],
        teams: Vec::new(),
        members: Vec::new(),
        host: Some(Person(1)),
        waits_for: None,
        asked: Vec::new(),
        winners: Vec::new(),
        at_ms,
        frozen_ms: None,
        set: None,
        rests: false,
        proof_owed: false,
        next_ms: None,
        timed: false,
    }
}

fn opened() -> Event {
    let chairs = vec![Occupant::Human { person: Person(1) }, Occupant::Ai { level: Level::Easy }];
    Event::Opened { terms: terms(), host: Person(1), chairs }
}

fn entry(sequence: u64, event: Event) -> Entry {
    Entry { sequence, at_ms: 1000 + sequence as i64, source: Some(u64::MAX - sequence), event }
}

fn first_batch(table: TableId) -> Batch {
    Batch {
        table,
        entries: vec![entry(1, opened()), entry(2, Event::Started { line: "start".into() })],
        says: vec![Say::Announce, Say::MakeThread],
        job: Some(Job { table, ply: 0, level: Level::Easy, seed: u64::MAX }),
        card: card(table, Stage::Running, 1002),
    }
}

fn second_batch(table: TableId) -> Batch {
    Batch {
        table,
        entries: vec![entry(3, Event::Moved { seat: 0, text: "a2-a3/b3".into(), why: None })],
        says: vec![Say::Board { ply: 1 }],
        job: None,
        card: card(table, Stage::Over, 1003),
    }
}

async fn tell(journal: &dyn Journal) {
    let table = id("K7Q2");
    assert_eq!(journal.load(table).await.unwrap(), []);
    journal.append(&first_batch(table)).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    entries_are_sealed(journal, table).await;
    a_conflict_changes_nothing(journal, table).await;
    jobs_are_replaced(journal, table).await;
    the_outbox_is_worked_off(journal, table).await;
    lists_are_filtered(journal, table).await;
    who_has_left_a_table_is_not_listed_there(journal).await;
    choices_are_kept(journal).await;
    watchers_are_kept(journal.follows(), table).await;
    ratings_are_kept(journal).await;
    moments_and_owed_proofs_are_found(journal).await;
    servers_are_found_by_their_games(journal).await;
    people_are_taken_out(journal).await;
    journal.keep_note("commands", "1").await.unwrap();
    journal.keep_note("commands", "2").await.unwrap();
    assert_eq!(journal.note("commands").await.unwrap().as_deref(), Some("2"));
    assert_eq!(journal.note("nothing").await.unwrap(), None);
}

async fn entries_are_sealed(journal: &dyn Journal, table: TableId) {
    let chain = journal.chain(table).await.unwrap();
    let sound = seal::check(table, &chain).unwrap();
    assert_eq!((sound.entries, sound.unsealed), (2, 0));
    assert_eq!(chain.head, chain.links[1].seal);
    assert!(chain.links[0].event.contains("\"host\":"), "as it is kept, nothing read into it");
    assert_eq!(journal.chain(id("B9B9")).await.unwrap(), Chain::default());
}

async fn a_conflict_changes_nothing(journal: &dyn Journal, table: TableId) {
    let mut twice = first_batch(table);
    twice.job = None;
    assert!(matches!(journal.append(&twice).await, Err(JournalError::Conflict(t)) if t == table));
    assert_eq!(journal.load(table).await.unwrap().len(), 2);
    assert_eq!(journal.due(0, 10).await.unwrap().len(), 2);
    assert_eq!(journal.jobs().await.unwrap().len(), 1);
}

async fn jobs_are_replaced(journal: &dyn Journal, table: TableId) {
    assert_eq!(journal.jobs().await.unwrap(), first_batch(table).job.into_iter().collect::<Vec<_>>());
    journal.append(&second_batch(table)).await.unwrap();
    assert_eq!(journal.jobs().await.unwrap(), []);
    assert_eq!(journal.load(table).await.unwrap().len(), 3);
    assert_eq!(seal::check(table, &journal.chain(table).await.unwrap()).unwrap().entries, 3);
}

async fn the_outbox_is_worked_off(journal: &dyn Journal, table: TableId) {
    let due = journal.due(0, 10).await.unwrap();
    assert_eq!(due.iter().map(|d| d.say.key()).collect::<Vec<_>>(), ["announce", "thread", "board-1"]);
    assert_eq!(journal.due(due[0].id, 1).await.unwrap(), due[1..2]);
    let posted = Posted { table, channel: u64::MAX, message: u64::MAX - 7 };
    journal.said(due[0].id, Some(posted)).await.unwrap();
    journal.unsaid(due[1].id, "busy", false).await.unwrap();
    journal.unsaid(due[2].id, "no access", true).await.unwrap();
    let left = journal.due(0, 10).await.unwrap();
    assert_eq!(left.iter().map(|d| (d.say.key(), d.tries)).collect::<Vec<_>>(), [("thread".into(), 1)]);
    for row in [&due[0], &due[2]] {
        journal.resay(row.id).await.unwrap();
    }
    let again = journal.due(0, 10).await.unwrap();
    assert_eq!(
        again.iter().map(|d| d.id).collect::<Vec<_>>(),
        [due[1].id, due[2].id],
        "what was said stays said"
    );
    journal.unsaid(due[2].id, "no access", true).await.unwrap();
    assert_eq!(journal.posted(table, &Say::Announce).await.unwrap(), Some(posted));
    assert_eq!(journal.posted(table, &Say::Board { ply: 1 }).await.unwrap(), None);
    assert_eq!(journal.table_of(u64::MAX - 7).await.unwrap(), Some(table));
    assert_eq!(journal.table_of(3).await.unwrap(), None);
    assert_eq!(journal.said_as(u64::MAX - 7).await.unwrap(), Some((table, Say::Announce)));
    assert_eq!(journal.said_as(3).await.unwrap(), None);
}

async fn lists_are_filtered(journal: &dyn Journal, table: TableId) {
    let other = id("B8B8");
    journal.append(&Batch { card: card(other, Stage::Running, 5), ..first_batch(other) }).await.unwrap();
    let names = |cards: Vec<Card>| cards.into_iter().map(|card| card.id).collect::<Vec<_>>();
    let list = |filter: Filter| async move { names(journal.list(&filter).await.unwrap()) };
    let any = Filter::default();
    assert_eq!(list(any.clone()).await, [table, other]);
    assert_eq!(list(Filter { stage: Some(Stage::Running), ..any.clone() }).await, [other]);
    assert_eq!(list(Filter { unfinished: true, ..any.clone() }).await, [other]);
    assert_eq!(list(Filter { person: Some(Person(1)), most: 1, ..any.clone() }).await, [table]);
    assert_eq!(list(Filter { person: Some(Person(2)), ..any.clone() }).await, []);
    assert_eq!(list(Filter { channel: Some(99), guild: Some(7), ..any.clone() }).await, [table, other]);
    assert_eq!(list(Filter { guild: Some(8), ..any.clone() }).await, []);
    assert_eq!(list(Filter { game: Some("amazons".into()), ..any.clone() }).await, [table, other]);
    assert_eq!(list(Filter { game: Some("amoeba".into()), ..any }).await, []);
}

async fn who_has_left_a_table_is_not_listed_there(journal: &dyn Journal) {
    let (who, table) = (Person(31), id("QQQ2"));
    let joined = vec![Some(Person(1)), Some(who)];
    let opened = |name| Batch {
        card: Card { people: joined.clone(), ..card(name, Stage::Waiting, 7) },
        ..first_batch(name)
    };
    for name in [table, id("QQQ3")] {
        journal.append(&opened(name)).await.unwrap();
    }
    journal.append(&Batch { card: card(table, Stage::Waiting, 8), ..second_batch(table) }).await.unwrap();
    let listed = journal.list(&Filter { person: Some(who), most: 1, ..Filter::default() }).await.unwrap();
    assert_eq!(
        listed.iter().map(|card| card.id).collect::<Vec<_>>(),
        [id("QQQ3")],
        "nor do they take up room"
    );
    assert!(journal.privacy().tables_naming(who).await.unwrap().contains(&id("QQQ3")));
}

/// Two games of two, the second on another server: the latest rating counts.
async fn ratings_are_kept(journal: &dyn Journal) {
    let (ada, bot) = (Account::Person(Person(u64::MAX >> 1)), Account::Program(Level::Easy));
    for (i, (table, guild, means)) in
        [("RRR2", Some(u64::MAX), [1_600_001, 1_400]), ("RRR3", Some(8), [1_550, 1_650_000])]
            .into_iter()
            .enumerate()
    {
        let rating = |mean_milli| Rating { mean_milli, ..Rating::default() };
        let seats = [ada, bot].into_iter().zip(means).enumerate();
        let changes = seats.map(|(seat, (who, mean))| Change {
            seat: seat as u8,
            who,
            before: Rating::default(),
            after: rating(mean),
        });
        let event = Event::Rated { pool: Pool::Program, changes: changes.collect() };
        let entries = vec![entry(1, opened()), Entry { at_ms: i as i64, ..entry(2, event) }];
        let card = Card { guild, ..card(id(table), Stage::Over, 0) };
        let batch = Batch { table: id(table), entries, says: vec![], job: None, card };
        journal.append(&batch).await.unwrap();
    }
    let ratings = journal.ratings();
    let now = ratings.rating(ada, "amazons", Pool::Program).await.unwrap().unwrap();
    assert_eq!((now.rating.mean_milli, now.table, now.at_ms), (1_550, id("RRR3"), 1));
    assert_eq!(ratings.rating(ada, "amazons", Pool::Two).await.unwrap(), None);
    let means: Vec<_> = ratings.history(ada).await.unwrap().iter().map(|it| it.rating.mean_milli).collect();
    assert_eq!(means, [1_600_001, 1_550]);
    let leaders = ratings.leaders("amazons", Pool::Program, None).await.unwrap();
    let named: Vec<_> = leaders.iter().map(|(it, games)| (it.who, it.rating.mean_milli, *games)).collect();
    assert_eq!(named, [(bot, 1_650_000, 2), (ada, 1_550, 2)]);
    assert_eq!(ratings.leaders("amazons", Pool::Program, Some(u64::MAX)).await.unwrap(), leaders);
    assert_eq!(ratings.leaders("amazons", Pool::Program, Some(9)).await.unwrap(), []);
}

async fn watchers_are_kept(journal: &dyn Follows, table: TableId) {
    let (ada, ben, other) = (Person(1), Person(u64::MAX), id("B8B8"));
    assert_eq!(journal.followers(table).await.unwrap(), []);
    journal.follow(ada, table, Following::Thread).await.unwrap();
    journal.follow(ben, table, Following::Digest).await.unwrap();
    journal.follow(ada, table, Following::Digest).await.unwrap();
    journal.follow(ada, other, Following::Moves).await.unwrap();
    let both = [(ada, Following::Digest), (ben, Following::Digest)];
    assert_eq!(journal.followers(table).await.unwrap(), both);
    assert_eq!(journal.digests().await.unwrap(), [(ada, vec![table]), (ben, vec![table])]);
    assert!(journal.unfollow(ada, table).await.unwrap());
    assert!(!journal.unfollow(ada, table).await.unwrap(), "once is enough");
    assert_eq!(journal.followers(table).await.unwrap(), [(ben, Following::Digest)]);
    assert_eq!(journal.followers(other).await.unwrap(), [(ada, Following::Moves)]);
}

async fn choices_are_kept(journal: &dyn Journal) {
    // A person and a server of the same number do not mix.
    let (who, guild) = (Person(u64::MAX), u64::MAX);
    let journal = journal.preferences();
    assert_eq!(journal.personal(who).await.unwrap(), None);
    let mut personal = Personal { zone: Zone::named("Asia/Tokyo").unwrap(), ..Personal::default() };
    for pings in [Pings::Off, Pings::Dm] {
        personal.pings = pings;
        journal.keep_personal(who, &personal).await.unwrap();
    }
    assert_eq!(journal.server(guild).await.unwrap(), None);
    let server = Server { channels: vec![u64::MAX, 7], lobby: Some(7), ..Server::default() };
    journal.keep_server(guild, &server).await.unwrap();
    assert_eq!(journal.servers_with_lobby().await.unwrap(), [guild]);
    journal.keep_server(5, &Server { lobby: None, ..server.clone() }).await.unwrap();
    assert_eq!(journal.servers_with_lobby().await.unwrap(), [guild], "one without a lobby is not named");
    assert_eq!(journal.personal(who).await.unwrap(), Some(personal));
    who_may_rest_is_found(journal, who).await;
    journal.forget_personal(who).await.unwrap();
    assert_eq!(journal.personal(who).await.unwrap(), None);
    assert_eq!(journal.server(guild).await.unwrap(), Some(server));
}

/// Time brings something at two running tables, and would at one that is over; one of them owes a proof.
async fn moments_and_owed_proofs_are_found(journal: &dyn Journal) {
    let known = journal.moments(i64::MAX).await.unwrap().len();
    for (name, stage, next_ms) in [
        ("TTT2", Stage::Running, Some(50)),
        ("TTT3", Stage::Running, Some(1_900_000_000_000)),
        ("TTT4", Stage::Over, Some(40)),
        ("TTT5", Stage::Running, None),
    ] {
        let card =
            Card { guild: Some(7), next_ms, ply: 3, proof_owed: name == "TTT3", ..card(id(name), stage, 1) };
        let entries = vec![entry(1, opened())];
        journal.append(&Batch { table: id(name), entries, says: vec![], job: None, card }).await.unwrap();
    }
    assert_eq!(journal.moments(50).await.unwrap(), [(id("TTT2"), 50)]);
    assert_eq!(journal.moments(49).await.unwrap(), []);
    assert_eq!(journal.moments(i64::MAX).await.unwrap().len(), known + 2);
    assert_eq!(journal.owing_proof().await.unwrap(), [(id("TTT3"), 3)]);
    let card = Card { rests: true, ..card(id("TTT6"), Stage::Running, 1) };
    let table = card.id;
    let entries = vec![entry(1, opened())];
    journal.append(&Batch { table, entries, says: vec![], job: None, card }).await.unwrap();
    let rest = journal.list(&Filter { rests: true, ..Filter::default() }).await.unwrap();
    assert_eq!(rest.iter().map(|card| card.id).collect::<Vec<_>>(), [table]);
}

async fn who_may_rest_is_found(journal: &dyn Preferences, who: Person) {
    assert_eq!(journal.resting().await.unwrap(), []);
    let vacation = Some(Vacation { from_ms: 1, until_ms: 2 });
    let clock_week = Some(KeptWeek { weekly: None, zone: Zone::default(), since_ms: 1 });
    let weekly = Some(Weekly { from_min: 0, to_min: 60 });
    for personal in [
        Personal { vacation, ..Personal::default() },
        Personal { clock_week, ..Personal::default() },
        Personal { weekly, ..Personal::default() },
    ] {
        journal.keep_personal(who, &personal).await.unwrap();
        assert_eq!(journal.resting().await.unwrap(), [who]);
    }
}

/// Games stand still in one server and go on in two others.
async fn servers_are_found_by_their_games(journal: &dyn Journal) {
    let games = [("SSS2", 21, None), ("SSS3", u64::MAX, None), ("SSS4", 21, None), ("SSS5", 22, Some(5))];
    for (name, guild, frozen_ms) in games {
        let card = Card { guild: Some(guild), frozen_ms, ..card(id(name), Stage::Running, 1) };
        let entries = vec![entry(1, opened())];
        journal.append(&Batch { table: id(name), entries, says: vec![], job: None, card }).await.unwrap();
    }
    assert_eq!(
        journal.servers_playing().await.unwrap(),
        [7, 21, u64::MAX],
        "7 has those of the rest of the story"
    );
    let frozen = Filter { frozen: true, ..Filter::default() };
    let named = |cards: Vec<Card>| cards.iter().map(|card| card.id).collect::<Vec<_>>();
    assert_eq!(named(journal.list(&frozen).await.unwrap()), [id("SSS5")]);
    let elsewhere = Filter { guild: Some(21), ..frozen };
    assert_eq!(named(journal.list(&elsewhere).await.unwrap()), []);
}

const DAN: Person = Person(1_200_000_000_000_000_077);
const EVE: Person = Person(1_200_000_000_000_000_078);

/// A table of two, with all that can be kept of them.
async fn table_of_two(journal: &dyn Journal, table: TableId) -> Batch {
    let chairs = [DAN, EVE].map(|person| Occupant::Human { person }).to_vec();
    let opened = Event::Opened { terms: terms(), host: DAN, chairs };
    let change = |seat, who| Change {
        seat,
        who: Account::Person(who),
        before: Rating::default(),
        after: Rating::default(),
    };
    let rated = Event::Rated { pool: Pool::Two, changes: vec![change(0, DAN), change(1, EVE)] };
    let people = vec![Some(DAN), Some(EVE)];
    let card = Card { people, host: Some(DAN), waits_for: Some(DAN), ..card(table, Stage::Over, 5) };
    let says = vec![Say::Away { person: DAN, until_ms: 1 }];
    let batch = Batch { table, entries: vec![entry(1, opened), entry(2, rated)], says, job: None, card };
    journal.append(&batch).await.unwrap();
    let personal = Personal { large_print: true, ..Personal::default() };
    journal.preferences().keep_personal(DAN, &personal).await.unwrap();
    journal.follows().follow(DAN, table, Following::Thread).await.unwrap();
    journal.keep_note(&format!("digest-{}", DAN.0), "5").await.unwrap();
    batch
}

async fn people_are_taken_out(journal: &dyn Journal) {
    let (table, alone) = (id("PPP2"), id("PPP3"));
    let batch = table_of_two(journal, table).await;
    let privacy = journal.privacy();
    assert_eq!(privacy.tables_naming(DAN).await.unwrap(), [table]);
    assert_eq!(journal.follows().watched_by(DAN).await.unwrap(), [table]);
    let before = journal.chain(table).await.unwrap();
    assert!(before.links.iter().all(|link| !link.event.contains(&DAN.0.to_string())), "never in an entry");
    privacy.take_out(DAN, table, 9).await.unwrap();
    privacy.take_out_rest(DAN).await.unwrap();
    assert_eq!(journal.chain(table).await.unwrap(), before, "no entry and no seal has changed");
    assert_eq!(privacy.tables_naming(DAN).await.unwrap(), []);
    let entries = journal.load(table).await.unwrap();
    let Event::Opened { host, chairs, .. } = &entries[0].event else { panic!("{entries:?}") };
    assert!(host.is_stand_in() && chairs[0].person() == Some(*host), "one stand-in for one person");
    assert_eq!(chairs[1].person(), Some(EVE));
    let cards = journal.list(&Filter { person: Some(EVE), ..Filter::default() }).await.unwrap();
    let card = &cards[0];
    assert_eq!([card.people[0], card.host, card.waits_for], [Some(*host); 3]);
    let away = journal.due(0, 1_000).await.unwrap().into_iter().find(|due| due.table == table);
    assert_eq!(away.unwrap().say, Say::Away { person: *host, until_ms: 1 });
    assert_eq!(journal.ratings().history(Account::Person(DAN)).await.unwrap(), []);
    assert_eq!(journal.ratings().history(Account::Person(EVE)).await.unwrap().len(), 1);
    assert_eq!(journal.preferences().personal(DAN).await.unwrap(), None);
    assert_eq!(journal.follows().watched_by(DAN).await.unwrap(), []);
    assert_eq!(journal.note(&format!("digest-{}", DAN.0)).await.unwrap(), None);

    let other = Batch { table: alone, card: Card { id: alone, ..batch.card }, ..batch };
    journal.append(&other).await.unwrap();
    privacy.erase(alone).await.unwrap();
    assert_eq!((journal.load(alone).await.unwrap(), journal.chain(alone).await.unwrap()), Default::default());
    assert!(
        matches!(journal.append(&other).await, Err(JournalError::Conflict(_))),
        "no table is called so again"
    );
}

#[tokio::test]
async fn memory_tells_the_story() {
    tell(&Memory::default()).await;
}

#[tokio::test]
async fn sqlite_tells_the_story() {
    let folder = tempfile::tempdir().unwrap();
    tell(&Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap()).await;
}

/// Whether a number stands in a file, in digits or as the medium writes it.
fn holds(bytes: &[u8], who: Person) -> bool {
    let (digits, binary) = (who.0.to_string().into_bytes(), who.0.to_be_bytes());
    let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|some| some == wanted);
    has(&digits) || has(&binary)
}

#[tokio::test]
async fn nothing_of_who_was_taken_out_is_left_in_the_file_nor_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = opened_file(&folder).await;
    let table = id("PPP2");
    table_of_two(&journal, table).await;
    let all = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        files.flat_map(|path| std::fs::read(path).unwrap()).collect::<Vec<u8>>()
    };
    assert!(holds(&all(), DAN) && holds(&all(), EVE), "or this test finds nothing");
    journal.privacy().take_out(DAN, table, 9).await.unwrap();
    journal.privacy().take_out_rest(DAN).await.unwrap();
    assert!(!holds(&all(), DAN) && holds(&all(), EVE));
}

#[tokio::test]
async fn entries_from_before_stand_ins_are_rewritten_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("PPP2");
    let batch = table_of_two(&journal, table).await;
    // What an older version left: people in the entries themselves.
    for link in seal::seal(table, &batch.entries, None) {
        let sql = "UPDATE events SET event = ?, seal = ? WHERE table_id = 'PPP2' AND sequence = ?";
        let row = sqlx::query(sql).bind(link.event).bind(link.seal.clone()).bind(link.sequence as i64);
        row.execute(&file).await.unwrap();
        sqlx::query("UPDATE cards SET head = ?").bind(link.seal).execute(&file).await.unwrap();
    }
    sqlx::query("DELETE FROM stand_ins").execute(&file).await.unwrap();
    sqlx::query("DELETE FROM people").execute(&file).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), batch.entries);
    assert_eq!(journal.privacy().tables_naming(DAN).await.unwrap(), [table], "found in the entries");
    let before = journal.chain(table).await.unwrap();
    journal.privacy().take_out(DAN, table, 9_000).await.unwrap();
    let after = journal.chain(table).await.unwrap();
    assert!(after.links.iter().all(|link| !link.event.contains(&DAN.0.to_string())));
    assert_eq!(seal::check(table, &after).unwrap().entries, 3);
    let entries = journal.load(table).await.unwrap();
    let said = Event::Forgotten { seal: before.head, sound: true, unsealed: 0 };
    assert_eq!((entries[2].at_ms, &entries[2].event), (9_000, &said));
}

#[tokio::test]
async fn sqlite_remembers_after_closing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let table = id("K7Q2");
    let journal = Sqlite::open(&path).await.unwrap();
    journal.append(&first_batch(table)).await.unwrap();
    journal.close().await;
    let journal = Sqlite::open(&path).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
}

#[tokio::test]
async fn a_file_from_the_future_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Sqlite::open(&path).await.unwrap();
    journal.close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 1000").execute(&pool).await.unwrap();
    pool.close().await;
    let error = Sqlite::open(&path).await.err().unwrap().to_string();
    assert!(error.contains("schema 1000"), "{error}");
}

/// A file of its own, and a way to reach into it behind the journal's back.
async fn opened_file(folder: &tempfile::TempDir) -> (Sqlite, sqlx::SqlitePool) {
    let path = folder.path().join("rookery.sqlite");
    let journal = Sqlite::open(&path).await.unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    (journal, sqlx::SqlitePool::connect_with(options).await.unwrap())
}

#[tokio::test]
async fn one_row_that_cannot_be_read_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let [good, bad] = [id("GGG2"), id("BBB2")];
    for table in [bad, good] {
        journal.append(&first_batch(table)).await.unwrap();
    }
    for sql in [
        r#"UPDATE outbox SET say = '{"say":"sing"}' WHERE table_id = 'BBB2'"#,
        "UPDATE cards SET card = '{}' WHERE table_id = 'BBB2'",
        "UPDATE jobs SET level = 'divine' WHERE table_id = 'BBB2'",
    ] {
        sqlx::raw_sql(sql).execute(&file).await.unwrap();
    }
    let cards = journal.list(&Filter::default()).await.unwrap();
    assert_eq!(cards.iter().map(|card| card.id).collect::<Vec<_>>(), [good]);
    let jobs = journal.jobs().await.unwrap();
    assert_eq!(jobs.iter().map(|job| job.table).collect::<Vec<_>>(), [good]);
    let due = journal.due(0, 10).await.unwrap();
    assert_eq!(due.iter().map(|row| row.table).collect::<Vec<_>>(), [good, good]);
    let given_up: i64 =
        sqlx::query_scalar("SELECT count(*) FROM outbox WHERE state = 2 AND why LIKE '%BBB2%'")
            .fetch_one(&file)
            .await
            .unwrap();
    assert_eq!(given_up, 2, "they are kept with the reason, and not read again for ever");
}

#[tokio::test]
async fn what_is_changed_behind_its_back_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    journal.append(&second_batch(table)).await.unwrap();
    let changes = [
        (
            "UPDATE events SET event = replace(event, 'b3', 'b4') WHERE sequence = 3",
            Broken::Altered { sequence: 3 },
        ),
        ("UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 1", Broken::Altered { sequence: 1 }),
        ("UPDATE events SET source = NULL WHERE sequence = 2", Broken::Altered { sequence: 2 }),
        ("UPDATE events SET seal = NULL WHERE sequence = 2", Broken::Unsealed { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 2", Broken::Missing { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 3", Broken::CutOff),
        ("UPDATE cards SET head = NULL", Broken::CutOff),
    ];
    for (change, broken) in changes {
        let kept = "CREATE TABLE e AS SELECT * FROM events; CREATE TABLE c AS SELECT * FROM cards";
        sqlx::raw_sql(kept).execute(&file).await.unwrap();
        sqlx::raw_sql(change).execute(&file).await.unwrap();
        assert_eq!(seal::check(table, &journal.chain(table).await.unwrap()), Err(broken), "{change}");
        let back = "DELETE FROM events; INSERT INTO events SELECT * FROM e; DROP TABLE e; \
             DELETE FROM cards; INSERT INTO cards SELECT * FROM c; DROP TABLE c";
        sqlx::raw_sql(back).execute(&file).await.unwrap();
        assert!(seal::check(table, &journal.chain(table).await.unwrap()).is_ok(), "{change}");
    }
}

#[tokio::test]
async fn a_journal_from_before_seals_is_read_and_sealed_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    // What an older version left: people by their numbers, no seals, and a schema that has no room for them.
    for entry in first_batch(table).entries {
        let event = serde_json::to_string(&entry.event).unwrap();
        let row = sqlx::query("UPDATE events SET event = ? WHERE sequence = ?").bind(event);
        row.bind(entry.sequence as i64).execute(&file).await.unwrap();
    }
    let older = "ALTER TABLE events DROP COLUMN seal; ALTER TABLE cards DROP COLUMN head; \
         DROP TABLE ratings; DROP TABLE follows; DROP INDEX cards_playing; DROP INDEX cards_frozen; \
         DROP INDEX cards_by_moment; DROP INDEX cards_owing_proof; DROP INDEX cards_resting; \
         DROP INDEX preferences_resting; DROP TABLE stand_ins; DROP TABLE erased; \
         PRAGMA user_version = 2";
    sqlx::raw_sql(older).execute(&file).await.unwrap();
    journal.close().await;
    let (journal, _) = opened_file(&folder).await;
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    let sound = seal::check(table, &journal.chain(table).await.unwrap()).unwrap();
    assert_eq!((sound.entries, sound.unsealed, sound.head), (2, 2, None));
    journal.append(&second_batch(table)).await.unwrap();
    let sound = seal::check(table, &journal.chain(table).await.unwrap()).unwrap();
    assert!(sound.entries == 3 && sound.unsealed == 2 && sound.head.is_some());
    sqlx::raw_sql("UPDATE events SET at_ms = 0 WHERE sequence = 1").execute(&file).await.unwrap();
    let broken = seal::check(table, &journal.chain(table).await.unwrap());
    assert_eq!(broken, Err(Broken::Altered { sequence: 3 }), "the first seal vouches for what stood before");
}
