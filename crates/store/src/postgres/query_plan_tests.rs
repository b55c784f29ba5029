//! Tests of query plans: no frequent query and no deletion reads a whole table that grows with every game.
//!
//! The tables are filled as after years of use and analysed, so the plans are those that the server itself prefers;
//! switching sequential scans off would only show that an index exists. Plans are made without knowing the parameters,
//! as the server does for statements that it has often run.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row, query, raw_sql};
use tokio::sync::OnceCell;

use super::{
    analyses, annotations, append, chain, cluster, follows, heads, lanes, lists, moderation, outbox,
    preferences, privacy,
};
use super::{processes, pruning, pseudonyms, ratings, share_links, thinking_requests, web_sessions};
use crate::contract_tests::postgres::server::{Database, Server};
use rookery_table::millis::timestamp as moment;
use rookery_table::ports::{Filter, PageRequest, Stage};
use rookery_table::{ChannelId, GuildId, UserId};

/// Indexes that hold only the wanted rows, or give the latest ones first: one that is read from an end reads little
/// else.
const READ_FROM_AN_END: [&str; 17] = [
    "cards_frozen",
    "cards_imported",
    "cards_latest",
    "cards_open_by_host",
    "cards_owing_proof",
    "cards_playing",
    "cards_resting",
    "cards_imported_by_name",
    "cards_resting_by_name",
    "cards_unfinished",
    "outbox_blocked",
    "outbox_due",
    "outbox_due_by_table",
    "outbox_due_since",
    "outbox_unreadable",
    "preferences_lobby",
    "preferences_resting",
];

/// A condition like that of a process that owns the database.
const OWNED: &str = "(SELECT pg_try_advisory_xact_lock_shared(1, 2))";

/// Fills the tables: 30,000 games, nearly all of them over.
const FILL: &str = "
    INSERT INTO cards
        SELECT 'T' || n, CASE WHEN n % 50 = 0 THEN 0 WHEN n % 12 = 0 THEN 1 ELSE 2 END, n % 300, n % 1000,
            n * 60000, (ARRAY['amazons', 'amoeba', 'soccer'])[n % 3 + 1], n % 2000, n % 40,
            CASE WHEN n % 12 = 0 THEN n * 60000 END, n % 500 = 0, n % 400 = 0, n % 900 = 0, n % 700 = 0, n % 2 = 0,
            repeat('x', 600), 'seal'
        FROM generate_series(1, 30000) AS n;
    INSERT INTO events SELECT 'T' || n, s, 0, NULL, repeat('e', 60), 'seal'
        FROM generate_series(1, 30000) AS n, generate_series(1, 4) AS s;
    INSERT INTO people SELECT n % 2000 + 10000 * s, 'T' || n
        FROM generate_series(1, 30000) AS n, generate_series(1, 2) AS s;
    INSERT INTO pseudonyms SELECT table_id, row_number() OVER (), person FROM people;
    INSERT INTO named SELECT person, table_id FROM people WHERE person % 10 = 0;
    INSERT INTO erased SELECT 'E' || n FROM generate_series(1, 5000) AS n;
    INSERT INTO outbox (table_id, key, say, state, channel, message, due_since_ms)
        SELECT 'T' || n % 30000, (ARRAY['announce', 'result', 'board-1', 'board-2'])[n % 4 + 1], repeat('s', 80),
            CASE WHEN n % 1000 = 0 THEN 0 WHEN n % 1000 = 1 THEN 3 WHEN n % 1000 = 2 THEN 4 ELSE 1 END,
            n % 1000, n, n
        FROM generate_series(1, 120000) AS n;
    INSERT INTO messages SELECT 1000000 + n, 'T' || n % 30000, n % 40 FROM generate_series(1, 60000) AS n;
    INSERT INTO jobs SELECT 'T' || n, 1, 'easy', n FROM generate_series(1, 2000) AS n;
    INSERT INTO notes SELECT 'analysis-T' || n, 'v' FROM generate_series(1, 20000) AS n;
    INSERT INTO notes SELECT 'outbox-left-T' || n, '1' FROM generate_series(1, 50) AS n;
    INSERT INTO notes SELECT 'challenge/' || n || '/' || n + 1, '1' FROM generate_series(1, 1000) AS n;
    INSERT INTO preferences SELECT n % 2, n, '{}', n % 100 = 0, n % 100 = 1 FROM generate_series(1, 20000) AS n;
    INSERT INTO ratings (account, game, pool, mean_milli, deviation_milli, volatility_micro, at_ms, table_id, guild)
        SELECT 'person:' || n % 2000, (ARRAY['amazons', 'amoeba', 'soccer'])[n % 3 + 1],
            (ARRAY['two', 'many', 'program'])[n % 5 % 3 + 1], n, n, n, n, 'T' || n, n % 300
        FROM generate_series(1, 40000) AS n;
    INSERT INTO follows SELECT 'T' || n, n % 3000, n % 3 FROM generate_series(1, 20000) AS n;
    INSERT INTO blocks SELECT n % 3000, n, 0 FROM generate_series(1, 10000) AS n;
    INSERT INTO bans SELECT n % 300, n, 0 FROM generate_series(1, 10000) AS n;
    INSERT INTO share_links SELECT 'd' || n, 't' || n, 'T' || n, n % 300, n % 3000, n % 2 = 0, n
        FROM generate_series(1, 20000) AS n;
    INSERT INTO share_links SELECT 's' || n, 't' || n, NULL, n, NULL, TRUE, n FROM generate_series(1, 300) AS n;
    INSERT INTO share_withdrawn SELECT 'T' || n, n FROM generate_series(1, 5000) AS n;
    INSERT INTO sign_ins SELECT 'd' || n, n % 2000, 'T' || n, n FROM generate_series(1, 20000) AS n;
    INSERT INTO web_sessions SELECT 'd' || n, n % 2000, n, n FROM generate_series(1, 20000) AS n;
    INSERT INTO annotations SELECT n % 2000, 'T' || n % 5000, n % 40, '', 'c', 'a1-a2', 'a1', n FROM generate_series(1, 20000) AS n
        ON CONFLICT DO NOTHING;
    INSERT INTO annotation_links SELECT 'd' || n, 't' || n, n, 'T' || n % 5000, n FROM generate_series(1, 20000) AS n;
    INSERT INTO outbox_lanes (table_id, guild, process)
        SELECT 'T' || n, n % 300, CASE WHEN n % 2 = 0 THEN n % 10 END FROM generate_series(1, 20000) AS n;
    INSERT INTO processes (process, session, name, gateway, seen_at)
        SELECT n, n, 'host', TRUE, now() FROM generate_series(1, 1000) AS n;
    INSERT INTO shards SELECT n, 1000, n FROM generate_series(0, 999) AS n;
    INSERT INTO identify_slots SELECT n, now() FROM generate_series(0, 999) AS n;
    INSERT INTO thinking_requests (owner, request, answer, asked_at)
        SELECT n % 500, repeat('r', 90), CASE WHEN n % 20 > 0 THEN 'a' END, now() + n * interval '1 s'
        FROM generate_series(1, 10000) AS n;
    INSERT INTO deletions SELECT n % 500, 'T' || n, 'resign' FROM generate_series(1, 5000) AS n;
";

/// Connects to the filled database, or returns `None` after saying that the test is skipped.
async fn filled() -> Option<PgConnection> {
    static FILLED: OnceCell<Option<String>> = OnceCell::const_new();
    let fill = async || {
        let database = Database::create().await?;
        database.run(FILL).await;
        raw_sql("VACUUM ANALYZE").execute(&mut database.connect().await).await.unwrap();
        database.journal.close().await;
        Some(database.name)
    };
    let name = FILLED.get_or_init(fill).await.as_ref()?;
    Some(Server::shared()?.connect(name).await)
}

/// Returns the lines of the plan of a statement, made without knowing its parameters.
async fn plan(connection: &mut PgConnection, sql: &str) -> Vec<String> {
    let parameters = (1..=40).take_while(|number| sql.contains(&format!("${number}"))).count();
    let values = match parameters {
        0 => String::new(),
        some => format!("({})", vec!["NULL"; some].join(", ")),
    };
    let prepare = format!("SET plan_cache_mode = force_generic_plan; DEALLOCATE ALL; PREPARE asked AS {sql}");
    raw_sql(AssertSqlSafe(prepare))
        .execute(&mut *connection)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let explain = query(AssertSqlSafe(format!("EXPLAIN EXECUTE asked{values}"))).persistent(false);
    let rows = explain.fetch_all(connection).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    rows.iter().map(|row| row.get(0)).collect()
}

/// Returns the steps that read a whole table or a whole index.
async fn scans(connection: &mut PgConnection, sql: &str) -> Vec<String> {
    let plan = plan(connection, sql).await;
    let step = |line: &str| {
        let step =
            line.trim().trim_start_matches("-> ").split("  (").next().unwrap_or_default().trim().to_owned();
        let step = step.trim_start_matches("Parallel ").to_owned();
        let whole_table = step.starts_with("Seq Scan");
        (whole_table || step.contains("Index Scan") || step.contains("Index Only Scan"))
            .then_some((whole_table, step))
    };
    let mut found = Vec::new();
    for (number, line) in plan.iter().enumerate() {
        let Some((whole_table, step)) = step(line) else { continue };
        let has_condition = plan.get(number + 1).is_some_and(|next| next.trim().starts_with("Index Cond:"));
        let from_an_end = READ_FROM_AN_END.iter().any(|index| step.split(' ').any(|word| word == *index));
        if whole_table || !(has_condition || from_an_end) {
            found.push(step);
        }
    }
    found
}

async fn assert_no_scan(connection: &mut PgConnection, statements: &[&str]) {
    for sql in statements {
        let found = scans(connection, sql).await;
        assert!(found.is_empty(), "{sql}\n{found:?}\n{}", plan(connection, sql).await.join("\n"));
    }
}

#[tokio::test]
async fn plans_show_scans_of_tables_and_indexes() {
    let Some(mut connection) = filled().await else { return };
    let scanned = "SELECT table_id FROM events WHERE strpos(event, $1) > 0";
    assert_eq!(scans(&mut connection, scanned).await, ["Seq Scan on events"]);
    let scanned = "SELECT table_id FROM cards WHERE stage = 2 ORDER BY at_ms, table_id";
    assert_eq!(scans(&mut connection, scanned).await, ["Index Only Scan using cards_over on cards"]);
}

#[tokio::test]
async fn deletions_scan_no_table() {
    let Some(mut connection) = filled().await else { return };
    let notes = [privacy::NOTE, privacy::CHALLENGE_NOTES, privacy::POSTPONED];
    let one = [privacy::NAMING, privacy::RATINGS, privacy::ITEMS_NAMING, privacy::IS_NAMED];
    let all = [&notes[..], &one, &privacy::ERASE, &privacy::AT_TABLE, &privacy::BESIDE_TABLES].concat();
    assert_no_scan(&mut connection, &all).await;
}

#[tokio::test]
async fn frequent_queries_scan_no_table() {
    let Some(mut connection) = filled().await else { return };
    let entries = [chain::LINKS, append::STATE_BEFORE, append::IS_ERASED, pseudonyms::OF_TABLE];
    let due = [outbox::DUE, outbox::DUE_TABLES, outbox::DUE_AT, outbox::OLDEST_DUE, outbox::LAST_ROW];
    let posted = [outbox::MESSAGE_BEFORE, outbox::POSTED, outbox::LATEST, outbox::POSTED_ITEM];
    let marks = [outbox::MARK_FAILED, outbox::REQUEUE, append::WRITE_BATCH];
    let start = [outbox::RETRY_UNREADABLE, outbox::BLOCKED, outbox::COUNT_BLOCKED, lists::PLAYING];
    let owed = [lists::OWING_PROOF, lists::JOBS, privacy::DELETIONS, follows::BY_MODE];
    let tables =
        [lists::DUE_TIMERS, lists::OPEN_BY_HOST, lists::WAITING_BY_HOST, lists::OPEN_ON_SERVER, lists::OPEN];
    let pruning = [pruning::NEXT, pruning::SETTLED_SINCE, pruning::IS_OVER, pruning::MOVE, pruning::DELETE];
    let pruned = [pruning::NOTE_LEFT, pruning::FORGET_LEFT, pruning::FORGET_LINE];
    let people = [preferences::CHOSEN, preferences::RESTING, preferences::WITH_LOBBY];
    let others = [follows::WATCHED_BY, follows::FOLLOWERS, moderation::BLOCKED_BY, moderation::BANNED_FROM];
    let shared = [lanes::PUT_LANE, lanes::GIVE_BACK, cluster::SHARD, cluster::TAKE_SLOT, heads::HEADS];
    let rest = [
        processes::FREE_LANES,
        lanes::PUT_MISSING_LANES,
        lanes::GIVE_BACK_UNKNOWN,
        cluster::PUT_SHARD,
        analyses::STORE,
        share_links::WITHDRAW_OF_SETTING,
        web_sessions::TRIM_SIGN_INS,
        web_sessions::TRIM_SESSIONS,
        web_sessions::SIGN_IN,
        web_sessions::TAKE,
        web_sessions::TAKE_NEWEST,
        web_sessions::SESSION,
        web_sessions::TOUCH,
        web_sessions::DELETE_SESSION,
        web_sessions::SESSIONS_OF,
        web_sessions::PRUNE_SIGN_INS,
        web_sessions::PRUNE_SESSIONS,
        ratings::LATEST_TABLE,
        thinking_requests::PRUNE,
        thinking_requests::WAITING,
        thinking_requests::REQUEST,
        thinking_requests::ANSWER,
        thinking_requests::TAKE_ANSWER,
        thinking_requests::WITHDRAW,
    ];
    let all = [
        &entries[..],
        &due,
        &posted,
        &marks,
        &start,
        &owed,
        &tables,
        &pruning,
        &pruned,
        &people,
        &others,
        &shared,
        &rest,
    ];
    assert_no_scan(&mut connection, &all.concat()).await;
    let links = [share_links::BY_DIGEST, share_links::TO_TABLE, share_links::TO_SERVER];
    let links = links.map(share_links::links_sql);
    let ratings = [ratings::latest_sql(), ratings::history_sql(), ratings::leaders_sql()];
    let by_maker = [share_links::by_maker_sql()];
    let owned = [outbox::mark_posted_sql(OWNED), lanes::claim_sql(OWNED), lanes::release_sql(OWNED)];
    let made: Vec<&str> =
        links.iter().chain(&ratings).chain(&by_maker).chain(&owned).map(String::as_str).collect();
    assert_no_scan(&mut connection, &made).await;
}

#[tokio::test]
async fn annotations_are_found_without_a_scan() {
    let Some(mut connection) = filled().await else { return };
    let written = [annotations::STORE, annotations::DELETE, annotations::STORE_LINK];
    let withdrawn = [annotations::WITHDRAW, annotations::WITHDRAW_ALL, annotations::ANNOTATED_BY];
    let made = [annotations::of_table_sql(), annotations::link_sql(), annotations::link_of_sql()];
    let made: Vec<&str> = made.iter().map(String::as_str).collect();
    assert_no_scan(&mut connection, &[&written[..], &withdrawn, &made].concat()).await;
}

/// Returns filters with every combination of conditions.
fn filters() -> Vec<Filter> {
    let mut all = vec![Filter::default()];
    let mut with = |change: &dyn Fn(&mut Filter)| {
        let changed: Vec<Filter> = all
            .iter()
            .cloned()
            .map(|mut filter| {
                change(&mut filter);
                filter
            })
            .collect();
        all.extend(changed);
    };
    with(&|filter| filter.person = Some(UserId(9)));
    with(&|filter| filter.guild = Some(GuildId(7)));
    with(&|filter| filter.channel = Some(ChannelId(8)));
    with(&|filter| filter.unfinished = true);
    with(&|filter| filter.game = Some("amazons".into()));
    with(&|filter| filter.frozen = true);
    with(&|filter| filter.rests = true);
    with(&|filter| filter.imported = true);
    with(&|filter| filter.rated = true);
    let stages = [None, Some(Stage::Waiting), Some(Stage::Running), Some(Stage::Over)];
    let staged = |filter: &Filter| stages.map(|stage| Filter { stage, ..filter.clone() });
    all.iter().flat_map(staged).collect()
}

#[tokio::test]
async fn lists_scan_no_table_whatever_their_filter() {
    let Some(mut connection) = filled().await else { return };
    let filters = filters();
    assert_eq!(filters.len(), 2_048);
    for filter in filters {
        let after = Some((moment(7), "K7Q2".parse().unwrap()));
        let pages = [PageRequest::default(), PageRequest { after, limit: 200 }];
        let [first, later] = pages.map(|page| lists::listing(&filter, &page).sql().as_str().to_owned());
        let scanning = lists::scanning(&filter, &PageRequest::default()).sql().as_str().to_owned();
        for sql in [first, later, scanning] {
            let found = scans(&mut connection, &sql).await;
            let plan = plan(&mut connection, &sql).await.join("\n");
            assert!(found.is_empty(), "{filter:?}\n{found:?}\n{plan}");
        }
    }
}

/// The walks through all tables of a kind read nothing but those tables, in the order of the index.
#[tokio::test]
async fn walks_read_an_index_in_its_order() {
    let Some(mut connection) = filled().await else { return };
    let (any, running) = (Filter::default(), Some(Stage::Running));
    let (guild, person) = (Some(GuildId(7)), Some(UserId(9)));
    for (filter, index) in [
        (Filter { unfinished: true, ..any.clone() }, "using cards_unfinished "),
        (Filter { stage: running, ..any.clone() }, "using cards_unfinished_by_stage "),
        (Filter { stage: Some(Stage::Waiting), ..any.clone() }, "using cards_unfinished_by_stage "),
        (Filter { person, ..any.clone() }, "using people_pkey "),
        (Filter { person, unfinished: true, ..any.clone() }, "using people_pkey "),
        (any, "using cards_pkey "),
    ] {
        // The tables are small: for longer pages the server would rather sort.
        let sql = lists::scanning(&filter, &PageRequest::first(20)).sql().as_str().to_owned();
        let plan = plan(&mut connection, &sql).await.join("\n");
        assert!(plan.contains(index) && !plan.contains("Sort"), "{filter:?}\n{plan}");
    }
    // Few tables may be sorted.
    let any = Filter::default();
    for (filter, index) in [
        (Filter { guild, unfinished: true, ..any.clone() }, "by_guild "),
        (Filter { guild, stage: running, ..any.clone() }, "by_guild "),
        (Filter { imported: true, ..any.clone() }, "cards_imported"),
        (Filter { stage: running, rests: true, ..any }, "cards_resting"),
    ] {
        let sql = lists::scanning(&filter, &PageRequest::first(20)).sql().as_str().to_owned();
        let plan = plan(&mut connection, &sql).await.join("\n");
        assert!(plan.contains(index), "{filter:?}\n{plan}");
    }
}
