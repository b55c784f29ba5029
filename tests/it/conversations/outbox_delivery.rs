//! Every message is delivered exactly once, whatever fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use rookery_core::player::Level;
use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::calendar::{Daily, Zone};
use rookery_table::ports::{Batch, Journal, StoreError};
use rookery_table::preferences::Pings;
use rookery_table::quota::Quotas;
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_table::{ChannelId, Event, GuildId, Occupant, Terms, UserId};
use serde_json::json;

use crate::duel::{Duel, Way, open};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

/// Longer than Discord remembers a nonce.
const A_WHILE: Duration = Duration::from_secs(30 * 60);

/// Counts the posts to a channel with this status.
fn sent(bot: &TestBot, channel: Id, status: u16) -> usize {
    let path = format!("/channels/{channel}/messages");
    let all = bot.playground.requests().into_iter();
    all.filter(|it| it.method == "POST" && it.path == path && it.status == status).count()
}

/// Journal hooks that make some writes fail.
#[derive(Default)]
struct FailingJournal {
    /// Fails to store that an item was posted.
    said: AtomicBool,
    /// Panics instead of failing to store that.
    broken: AtomicBool,
    /// Fails to store a table's board channel.
    homes: AtomicBool,
    /// Fails to store the time up to which people were notified.
    told: AtomicBool,
    refused: AtomicUsize,
}

impl FailingJournal {
    fn takes(&self, refuses: &AtomicBool) -> Result<(), StoreError> {
        if !refuses.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        Err(StoreError::Backend("no space left".into()))
    }

    async fn refuses(&self, times: usize) {
        eventually("it was tried to write", async || self.refused.load(Ordering::Relaxed) >= times).await;
    }
}

#[async_trait]
impl JournalHooks for FailingJournal {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        if batch.entries.iter().any(|entry| matches!(entry.event, Event::BoardChannelSet { .. })) {
            self.takes(&self.homes)?;
        }
        journal.append(batch).await
    }

    fn mark_posted(&self) -> Result<(), StoreError> {
        assert!(self.takes(&self.broken).is_ok(), "a fault that is meant");
        self.takes(&self.said)
    }

    fn before_store_note(&self, key: &str) -> Result<(), StoreError> {
        if key == "pings" { self.takes(&self.told) } else { Ok(()) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_welcomes_a_player_of_both_sides_and_posts_the_result() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "opponent": ada.id})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let welcomed = |it: &VisibleMessage| it.content().contains("moves first");
    let welcome = ada.wait_for(thread, "the welcome", welcomed).await.unwrap();
    assert_eq!(welcome.pinged(), ["Ada"]);
    let board = ada.wait_for(thread, "a board", |it| it.button("Resign").is_some()).await.unwrap();
    let sure = bot.press(&ada, &board, "Resign").await;
    bot.press_private(&ada, &sure, "Yes, resign").await;
    let over = ada.wait_for(thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    assert_eq!(over.pinged(), ["Ada"]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_posts_nothing_twice_while_the_journal_cannot_be_written() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingJournal::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.said.store(true, Ordering::Relaxed);
    duel.turn(&bot, Way::Mention).await;
    journal.hooks.refuses(2).await;
    bot.playground.clock().advance(A_WHILE);
    journal.hooks.refuses(4).await;
    journal.hooks.said.store(false, Ordering::Relaxed);
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_retries_a_fault_with_pauses_and_gives_up() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingJournal::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.broken.store(true, Ordering::Relaxed);
    let text = duel.any_move();
    duel.ada.say(duel.thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    journal.hooks.refuses(1).await;
    bot.playground.clock().advance(A_WHILE);
    duel.see(&text).await;
    journal.hooks.refuses(3).await;
    journal.hooks.broken.store(false, Ordering::Relaxed);
    bot.wait_until_idle().await;
    assert!(journal.hooks.refused.load(Ordering::Relaxed) <= 6, "two rows, each tried three times at most");
    duel.turn(&bot, Way::Mention).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_welcomes_a_thread_once_though_it_cannot_be_recorded() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingJournal::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let (ada, games) = (bot.ada(), bot.games());
    journal.hooks.homes.store(true, Ordering::Relaxed);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open(&ada, games, &terms).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    journal.hooks.refuses(2).await;
    bot.playground.clock().advance(A_WHILE);
    journal.hooks.refuses(4).await;
    journal.hooks.homes.store(false, Ordering::Relaxed);
    ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    assert_eq!(bot.playground.threads(games), [thread]);
    let welcomes = ada.messages(thread).into_iter().filter(|it| it.content().contains("moves first"));
    assert_eq!(welcomes.count(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_faults_of_some_channels_do_not_hold_up_others() {
    let mut plan = TestSetup::default();
    plan.settings.quotas = Quotas::NONE;
    let bot = TestBot::of(plan).await;
    let (ada, games, other) = (bot.ada(), bot.games(), bot.playground.channel("general"));
    bot.playground.faults().fail_channel(games, Some(503));
    let chairs = || vec![Occupant::Human { person: UserId(ada.id.0) }, Occupant::Ai { level: Level::Random }];
    let open = async |channel: Id| {
        let guild = bot.playground.guild("Rookery").map(|guild| guild.0);
        let options = [("size".to_owned(), "6x6".to_owned())].into();
        let game = "amazons".to_owned();
        let terms = Terms {
            game,
            options,
            guild: guild.map(GuildId),
            channel: ChannelId(channel.0),
            rated: false,
            ..Terms::default()
        };
        bot.registry.open(terms, UserId(ada.id.0), chairs(), None).await.unwrap();
    };
    for _ in 0..40 {
        open(games).await;
    }
    eventually("every table was tried", async || sent(&bot, games, 503) >= 32).await;
    open(other).await;
    ada.wait_for(other, "the board of the other table", |it| it.button("Move").is_some()).await.unwrap();
    bot.playground.faults().fail_channel(games, None);
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_notifies_of_a_turn_once_across_retries() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ben = duel.ben.clone();
    bot.registry
        .preferences_cache()
        .change_person(UserId(ben.id.0), |it| it.pings = Pings::Dm)
        .await
        .unwrap();
    bot.wait_until_idle().await;
    bot.advance(A_WHILE).await;
    bot.playground.faults().fail_channel(duel.thread, Some(503));
    let text = duel.any_move();
    let told = duel.ada.slash(bot.games(), "move", &json!({"table": duel.table, "move": text})).unwrap();
    told.message().await.unwrap();
    for tries in [1, 2, 3] {
        eventually("the board is tried", async || sent(&bot, duel.thread, 503) >= tries).await;
        bot.playground.clock().advance(Duration::from_secs(600));
    }
    bot.playground.faults().fail_channel(duel.thread, None);
    duel.see(&text).await;
    assert!(duel.board.pinged().is_empty(), "{}", duel.board.content());
    bot.wait_until_idle().await;
    let told = ben.messages(ben.dm()).into_iter().filter(|it| it.author() == Some(BOT_ID));
    assert_eq!(told.count(), 1, "one direct message a turn");
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_notifies_again_of_a_repeated_turn() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ben = duel.ben.clone();
    bot.registry
        .preferences_cache()
        .change_person(UserId(ben.id.0), |it| it.pings = Pings::Dm)
        .await
        .unwrap();
    duel.turn(&bot, Way::Reply).await;
    duel.ada.slash(duel.thread, "undo", &json!({})).unwrap().message().await.unwrap();
    let asks = |it: &VisibleMessage| it.content().contains("wants to take back");
    let offer = ben.wait_for(ben.dm(), "the offer", asks).await.unwrap();
    bot.press(&ben, &offer, "Agree").await;
    bot.wait_until_idle().await;
    duel.play = duel.play.at_ply(0);
    duel.turn(&bot, Way::Mention).await;
    assert!(duel.board.pinged().is_empty(), "{}", duel.board.content());
    bot.wait_until_idle().await;
    let turns = ben.messages(ben.dm()).into_iter().filter(|it| it.content().contains("Your turn"));
    assert_eq!(turns.count(), 2, "the turn that was taken back, and the one after it");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_notifies_once_of_a_waiting_turn_without_record() {
    const HOURS: Duration = Duration::from_secs(2 * 3_600);
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingJournal::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    let from_min = Zone::default().local(bot.now()).minute / 15 * 15;
    let quiet = Daily { from_min, to_min: (from_min + 120) % 1_440 };
    bot.registry
        .preferences_cache()
        .change_person(UserId(duel.ben.id.0), |it| it.quiet = Some(quiet))
        .await
        .unwrap();
    bot.wait_until_quiet_hours_are_checked().await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    journal.hooks.told.store(true, Ordering::Relaxed);
    bot.playground.clock().advance(HOURS);
    let late = |it: &VisibleMessage| it.pinged() == ["Ben"];
    duel.ben.wait_for(duel.thread, "the ping that waited", late).await.unwrap();
    journal.hooks.refuses(1).await;
    bot.playground.clock().advance(A_WHILE);
    journal.hooks.refuses(journal.hooks.refused.load(Ordering::Relaxed) + 2).await;
    journal.hooks.told.store(false, Ordering::Relaxed);
    let told = duel.ben.messages(duel.thread).into_iter().filter(late);
    assert_eq!(told.count(), 1, "whatever the disk takes");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_survives_a_token_that_is_refused_for_a_moment() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    bot.playground.faults().fail_requests(2, 401);
    duel.turn(&bot, Way::Mention).await;
    assert_eq!(bot.table(&duel.table).await.board_channel().unwrap().channel, ChannelId(duel.thread.0));
    duel.check_every_board_posted_once(&bot).await;
    bot.stop_after(&[401]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_posts_before_it_edits_in_an_archived_thread() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.ada.slash(duel.thread, "undo", &json!({})).unwrap().message().await.unwrap();
    let asks = |it: &VisibleMessage| it.content().contains("wants to take back");
    let offer = duel.ben.wait_for(duel.thread, "the offer", asks).await.unwrap();
    assert!(!offer.buttons().is_empty());
    bot.wait_until_idle().await;
    bot.playground.set_thread(duel.thread, true, false);
    let text = duel.any_move();
    let told = duel.ben.slash(bot.games(), "move", &json!({"table": duel.table, "move": text})).unwrap();
    told.message().await.unwrap();
    duel.see(&text).await;
    bot.wait_until_idle().await;
    let offer = duel.ben.refetch(&offer).unwrap();
    assert!(offer.buttons().is_empty(), "nobody can answer it any more: {:?}", offer.buttons());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_tally_that_is_deleted_comes_back_with_the_next_vote() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let terms =
        json!({"game": "amazons", "size": "6x6", "first": "me", "ai": "easy", "team": "everyone vote 6h"});
    let table = open(&ada, bot.games(), &terms).await;
    let thread = ada.wait_for_thread(bot.games(), &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let moves = bot.table(&table).await.play().unwrap().moves();
    let told = |text: &str| {
        let text = text.to_owned();
        move |it: &VisibleMessage| it.content().contains("· Move ") && it.content().contains(&text)
    };
    ada.reply(&board, &moves[0]).unwrap();
    let tally = ada.wait_for(thread, "the tally", told(&moves[0])).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.delete_message(thread, tally.id);
    ben.reply(&board, &moves[moves.len() - 1]).unwrap();
    let again = ada.wait_for(thread, "the tally again", told(&moves[moves.len() - 1])).await.unwrap();
    assert!(again.id != tally.id && again.content().contains(&moves[0]), "{}", again.content());
    bot.stop_after(&[404]).await;
}
