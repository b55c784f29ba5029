//! Discord fails, the disk is slow, events arrive twice: the game continues, and every message is sent once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rookery::discord::Settings;
use rookery_core::player::Level;
use rookery_playground::testing::request_log::LoggedRequest;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{Answer, BOT_ID, Playground};
use rookery_table::ports::{Batch, Filter, Journal, StoreError};
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_table::{Actor, ChannelId, GuildId, Occupant, Order, Status, Terms, UserId};
use serde_json::json;
use tokio::sync::{Notify, watch};

use crate::duel::slash_play;
use crate::duel::{Duel, Way};
use crate::eventually::{eventually, poll_interval};
use crate::metrics::metric;
use crate::test_bot::{TestBot, TestSetup, boards};

#[tokio::test(flavor = "multi_thread")]
async fn slow_journal_does_not_delay_the_first_answer() {
    let journal = Arc::new(HookedJournal {
        inner: MemoryJournal::default(),
        hooks: BlockedJournal(watch::Sender::new(true)),
    });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.0.send_replace(false);
    let text = duel.any_move();
    let asked = duel.ada.slash(duel.thread, "move", &json!({"move": text})).unwrap();
    assert_eq!(asked.answer().await.unwrap(), Answer::Deferred, "acknowledged before the work is done");
    // The three seconds pass; an acknowledged interaction can be answered for a quarter of an hour.
    bot.playground.clock().advance(Duration::from_secs(60));
    journal.hooks.0.send_replace(true);
    let told = asked.message().await.unwrap();
    assert!(told.is_ephemeral() && told.content().contains(&text), "{}", told.content());
    duel.see(&text).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_answer_does_not_stop_what_was_begun() {
    let journal = Arc::new(HookedJournal {
        inner: MemoryJournal::default(),
        hooks: BlockedJournal(watch::Sender::new(true)),
    });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let (ada, games) = (bot.ada(), bot.games());
    journal.hooks.0.send_replace(false);
    bot.playground.faults().fail_requests(1, 404);
    slash_play(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "them"}))
        .unwrap();
    // The bot itself must know: the playground logs the refusal before the bot has received it.
    let refused = "rookery_discord_request_seconds_count{route=\"POST interactions/{id}/{token}/callback\",status=\"404\"}";
    eventually("the bot to learn of the refusal", async || metric(&bot, refused) == 1).await;
    journal.hooks.0.send_replace(true);
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let moved = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(" played ");
    ada.wait_for(thread, "the bot's move", moved).await.unwrap();
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undelivered_board_stops_the_clock() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let bot = TestBot::start().await;
    let terms = json!({"game": "amazons", "size": "6x6", "clock": "fast hard"});
    let mut duel = Duel::begin_with(&bot, &terms).await;
    bot.wait_until_idle().await;
    bot.playground.faults().fail_requests(1_000, 503);
    let (table, text) = (duel.table.parse().unwrap(), duel.any_move());
    let order = Order::Move { text: text.clone(), ply: None };
    bot.registry.order(table, Actor::Person(UserId(duel.ada.id.0)), order, None).await.unwrap();
    let part = rookery_table::OutageScope::Table(table);
    bot.wait_until("the board to be refused", || bot.registry.is_lost(part)).await;
    bot.advance(100 * HOUR).await;
    assert_eq!(*bot.table(&duel.table).await.status(), Status::Running, "Ben has not seen her move");
    bot.playground.faults().clear_request_faults();
    duel.see(&text).await;
    bot.wait_until("the clock to go on", || !bot.registry.is_lost(part)).await;
    bot.advance(23 * HOUR).await;
    assert_eq!(*bot.table(&duel.table).await.status(), Status::Running);
    bot.advance(2 * HOUR).await;
    assert!(matches!(bot.table(&duel.table).await.status(), Status::Over(_)), "now he has, for a day");
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_board_is_explained_to_the_mover() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let text = duel.any_move();
    bot.playground.block_word(&text);
    duel.ada.slash(duel.thread, "move", &json!({"move": text})).unwrap().message().await.unwrap();
    let told = |it: &VisibleMessage| it.content().contains("AutoMod blocks the board");
    let told = duel.ben.wait_for(duel.ben.dm(), "that the board is blocked", told).await.unwrap();
    assert!(told.content().contains(&duel.table), "{}", told.content());
    bot.wait_until_idle().await;
    let boards = |it: &LoggedRequest| it.status == 400 && it.route == "/channels/{channel}/messages";
    let tries = bot.playground.requests().iter().filter(|it| boards(it)).count();
    assert_eq!(tries, 1, "its words are blocked with the picture and without");
    let board = duel.ben.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(board.is_ephemeral() && board.files().len() == 1, "{}", board.content());
    bot.stop_after(&[400]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_answer_comes_before_shutdown() {
    let journal = Arc::new(HookedJournal {
        inner: MemoryJournal::default(),
        hooks: BlockedJournal(watch::Sender::new(true)),
    });
    let mut bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.0.send_replace(false);
    let text = duel.any_move();
    let asked = duel.ada.slash(duel.thread, "move", &json!({"move": text})).unwrap();
    assert_eq!(asked.answer().await.unwrap(), Answer::Deferred);
    let ada = duel.ada.clone();
    tokio::spawn(async move {
        while ada.sees_bot_online() {
            poll_interval().await;
        }
        journal.hooks.0.send_replace(true);
    });
    let filled = |playground: &Playground| {
        let fills = |it: &&LoggedRequest| it.method == "PATCH" && it.path.ends_with("/messages/@original");
        playground.requests().iter().filter(fills).count()
    };
    let (before, after) = (filled(&bot.playground), AtomicUsize::new(0));
    bot.restart_while(|playground| after.store(filled(playground), Ordering::Relaxed)).await;
    assert_eq!(after.into_inner(), before + 1, "the answer was filled in before the bot went");
    duel.see(&text).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_events_change_nothing() {
    let bot = TestBot::start().await;
    bot.playground.faults().duplicate_events(1_000);
    let mut duel = Duel::begin(&bot).await;
    for way in [Way::Reply, Way::Mention, Way::Command, Way::Panel] {
        duel.turn(&bot, way).await;
    }
    assert_eq!(bot.playground.threads(bot.games()).len(), 1);
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_out_of_order_are_sorted() {
    // On a busy machine the two events may arrive far apart.
    let settings = Settings { reorder_delay: Duration::from_millis(500), ..TestSetup::default().settings };
    let bot = TestBot::of(TestSetup { settings, ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    for _ in 0..3 {
        bot.wait_until_idle().await;
        let first = duel.any_move();
        let mut after = duel.play.clone_play();
        after.play(&first).unwrap();
        let second = after.moves().pop().unwrap();
        bot.playground.faults().swap_next_events();
        duel.mover().say(duel.thread, &format!("<@{BOT_ID}> {first}")).unwrap();
        duel.other().say(duel.thread, &format!("<@{BOT_ID}> {second}")).unwrap();
        for text in [first, second] {
            duel.play.play(&text).unwrap();
        }
        duel.board = duel.board_now().await;
    }
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&duel.table).await.play().unwrap().record(), duel.play.record());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_that_is_lost_is_reconnected_and_the_game_goes_on() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let faults = bot.playground.faults();
    faults.drop_gateway();
    duel.turn(&bot, Way::Mention).await;
    faults.ask_to_reconnect();
    duel.turn(&bot, Way::Mention).await;
    faults.invalidate_sessions(true);
    duel.turn(&bot, Way::Mention).await;
    faults.invalidate_sessions(false);
    bot.playground.wait_for_bot().await.unwrap();
    duel.turn(&bot, Way::Command).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_board_is_posted_once() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let faults = bot.playground.faults();
    for trouble in 0..4 {
        bot.wait_until_idle().await;
        match trouble {
            0 => faults.rate_limit_requests(3, 0.05),
            1 => faults.fail_requests(2, 503),
            2 => faults.lose_answers(2),
            _ => faults.slow_requests(2, Duration::from_millis(300)),
        }
        duel.turn(&bot, Way::Mention).await;
    }
    duel.check_every_board_posted_once(&bot).await;
    bot.stop_after(&[429, 502, 503]).await;
}

/// Every request that opens a table is executed, but Discord's response is lost.
#[tokio::test(flavor = "multi_thread")]
async fn lost_answers_open_one_table() {
    let bot = TestBot::start().await;
    let (ada, games, faults) = (bot.ada(), bot.games(), bot.playground.faults());
    let well = |count| faults.slow_requests(count, Duration::ZERO);
    faults.lose_answers(1); // the announcement
    well(1); // its repetition
    faults.lose_answers(1); // the thread
    well(1); // the search for it
    faults.lose_answers(1); // the welcome message
    well(2); // the search for it, and its repetition
    faults.lose_answers(1); // the first board
    let chairs = vec![Occupant::Human { person: UserId(ada.id.0) }, Occupant::Ai { level: Level::Random }];
    let terms = Terms {
        game: "amazons".into(),
        options: [("size".to_owned(), "6x6".to_owned())].into(),
        seed: 1,
        guild: bot.playground.guild("Rookery").map(|guild| guild.0).map(GuildId),
        channel: ChannelId(games.0),
        thread: true,
        rated: false,
        ..Terms::default()
    };
    bot.registry.open(terms, UserId(ada.id.0), chairs, None).await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    let lost = bot.playground.requests().into_iter().filter(|request| request.status == 502);
    let lost: Vec<_> = lost.map(|request| request.route.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(
        lost,
        ["messages", "threads", "messages", "messages"],
        "the trouble hit what it was meant for"
    );
    assert_eq!(bot.playground.threads(games).len(), 1);
    assert_eq!(boards(&ada, thread).len(), 1);
    let own = |channel| {
        let all = ada.messages(channel).into_iter();
        all.filter(|it| it.author() == Some(BOT_ID) && !it.content().is_empty()).count()
    };
    assert_eq!((own(games), own(thread)), (1, 2), "an announcement; a welcome and a board");
    bot.stop_after(&[502]).await;
}

/// Hooks that make reading due rows fail.
#[derive(Default)]
struct FailingReads {
    broken: AtomicBool,
    failed: Notify,
}

impl JournalHooks for FailingReads {
    fn scans(&self) -> Result<(), StoreError> {
        if self.broken.load(Ordering::SeqCst) {
            self.failed.notify_one();
            return Err(StoreError::Backend("the disk cannot be read".into()));
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_that_could_not_be_read_is_posted_soon_after_it_can_be() {
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingReads::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let (ada, gate) = (bot.ada(), &journal.hooks);
    bot.wait_until_idle().await;
    gate.broken.store(true, Ordering::SeqCst);
    let (guild, channel) = (Some(bot.playground.guild("Rookery").unwrap().0), bot.games().0);
    let terms = Terms {
        game: "amazons".into(),
        guild: guild.map(GuildId),
        channel: ChannelId(channel),
        ..Terms::default()
    };
    let chairs = vec![Occupant::Human { person: UserId(ada.id.0) }, Occupant::Open];
    let table =
        bot.registry.open(terms, UserId(ada.id.0), chairs, None).await.unwrap().table.id().to_string();
    let since = Instant::now();
    // The first reads follow wake-ups; the later ones are the outbox's own polls.
    for _ in 0..4 {
        gate.failed.notified().await;
    }
    gate.broken.store(false, Ordering::SeqCst);
    ada.wait_for(bot.games(), "the challenge", |it| it.content().contains(&table)).await.unwrap();
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    bot.stop().await;
}

/// Keeps every write waiting while its value is `false`.
struct BlockedJournal(watch::Sender<bool>);

#[async_trait]
impl JournalHooks for BlockedJournal {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        self.0.subscribe().wait_for(|open| *open).await.unwrap();
        journal.append(batch).await
    }
}

/// Counts how often the journal lists the tables of a server, and how often it lists any tables.
#[derive(Default)]
struct ListCounter {
    of_servers: AtomicUsize,
    all: AtomicUsize,
}

impl JournalHooks for ListCounter {
    fn lists(&self, filter: &Filter) {
        self.all.fetch_add(1, Ordering::Relaxed);
        self.of_servers.fetch_add(usize::from(filter.guild.is_some()), Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_does_not_wait_for_an_abandoned_challenge() {
    const SEND_MESSAGES: u64 = 1 << 11;
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: ListCounter::default() });
    let mut plan = TestSetup { journal: journal.clone(), ..TestSetup::default() };
    plan.settings.lobby_interval = Duration::from_millis(20);
    let bot = TestBot::of(plan).await;
    let (ada, lobby) = (bot.ada(), bot.playground.channel("general"));
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |server| server.lobby = Some(ChannelId(lobby.0)))
        .await
        .unwrap();
    bot.playground.deny_bot(bot.games(), SEND_MESSAGES);
    let (guild, channel) = (Some(guild.0), bot.games().0);
    let terms = Terms {
        game: "amazons".into(),
        guild: guild.map(GuildId),
        channel: ChannelId(channel),
        ..Terms::default()
    };
    let host = UserId(ada.id.0);
    let chairs = vec![Occupant::Human { person: host }, Occupant::Open];
    let table = bot.registry.open(terms, host, chairs, None).await.unwrap().table.id().to_string();
    let named = |it: &VisibleMessage| it.content().contains(&format!("**{table}**"));
    ada.wait_for(lobby, "the challenge without a link", named).await.unwrap();
    bot.wait_until_idle().await;
    let looks = async |more: usize| {
        let until = journal.hooks.all.load(Ordering::Relaxed) + more;
        eventually("the looks", async || journal.hooks.all.load(Ordering::Relaxed) >= until).await;
        journal.hooks.of_servers.load(Ordering::Relaxed)
    };
    let settled = looks(10).await;
    assert_eq!(looks(20).await, settled, "nothing has happened there: it is looked at no more");
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn result_does_not_wait_for_an_edit_that_fails() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    bot.advance(Duration::from_secs(2 * 3_600)).await;
    bot.playground.faults().fail_edits(Some(503));
    let (table, ada) = (duel.table.parse().unwrap(), Actor::Person(UserId(duel.ada.id.0)));
    bot.registry.order(table, ada, Order::Resign, None).await.unwrap();
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    // An edit that keeps failing is given up, so that it blocks nothing.
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_answer_is_filled_in_though_unconfirmed() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    bot.playground.faults().lose_answers(1);
    let asked = duel.ada.slash(duel.thread, "board", &json!({})).unwrap();
    let shown = asked.message().await.unwrap();
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "{}", shown.content());
    bot.stop_after(&[400, 502]).await;
}
