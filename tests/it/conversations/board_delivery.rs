//! Boards and pings are delivered in spite of other servers' backlogs, crashes, and moved games.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rookery_playground::clock::Clock;
use rookery_playground::id::Id;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{BOT_ID, Options};
use rookery_table::ports::StoreError;
use rookery_table::preferences::Pings;
use rookery_table::quota::Quotas;
use rookery_table::registry::TableRegistry;
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_table::{ChannelId, GuildId, Occupant, Terms, UserId};
use serde_json::json;

use crate::duel::{Duel, Way, challenge, open, shows_turn};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

const HOUR: Duration = Duration::from_secs(3_600);
const MINUTE: Duration = Duration::from_secs(60);

/// Hooks that fail to store that an item was posted, while set.
#[derive(Default)]
pub(super) struct FailingMarkPosted(pub(super) AtomicBool);

impl JournalHooks for FailingMarkPosted {
    fn mark_posted(&self) -> Result<(), StoreError> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(StoreError::Backend("no space left".into())),
            false => Ok(()),
        }
    }
}

/// Opens a game against the bot directly in the journal.
async fn open_in_journal(registry: &TableRegistry, guild: Id, channel: Id, who: UserId) {
    let chairs = vec![Occupant::Human { person: who }, Occupant::Human { person: who }];
    let terms = Terms {
        game: "amazons".into(),
        options: [("size".to_owned(), "6x6".to_owned())].into(),
        guild: Some(GuildId(guild.0)),
        channel: ChannelId(channel.0),
        thread: false,
        rated: false,
        ..Terms::default()
    };
    registry.open(terms, who, chairs, None).await.unwrap();
}

/// Runs async work while the bot is stopped.
fn meanwhile(work: impl Future<Output = ()>) {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work));
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_backlog_of_one_server_delays_no_other() {
    let mut plan = TestSetup::default();
    plan.settings.quotas = Quotas::NONE;
    let mut bot = TestBot::of(plan).await;
    let (ada, games) = (bot.ada(), bot.games());
    let [busy, calm] = ["Rookery", "Reading Room"].map(|name| bot.playground.guild(name).unwrap());
    let table = bot.playground.channel("table");
    let (registry, who) = (bot.registry.clone(), UserId(ada.id.0));
    bot.restart_while(|_| {
        meanwhile(async {
            for _ in 0..1_000 {
                open_in_journal(&registry, busy, games, who).await;
            }
            open_in_journal(&registry, calm, table, who).await;
        });
    })
    .await;
    let since = Instant::now();
    ada.wait_for(table, "the other server's board", |it| it.button("Move").is_some()).await.unwrap();
    let took = since.elapsed();
    let requests = bot.playground.requests();
    let is_post = |it: &&rookery_playground::testing::request_log::LoggedRequest| it.method == "POST";
    let to = |channel: Id| format!("/channels/{channel}/messages");
    let posts: Vec<_> = requests.iter().filter(is_post).map(|it| it.path.clone()).collect();
    let first = posts.iter().position(|path| *path == to(table)).unwrap();
    let before = posts[..first].iter().filter(|path| **path == to(games)).count();
    eprintln!("{before} posts of the busy server came before, {took:?} after the bot");
    // Servers take turns: only posts already in progress may come before it. The clock stands still, so the
    // elapsed time is printed but not checked.
    assert!(before <= 8, "{before} of a thousand came before");
    bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_finds_a_posted_board_an_hour_later() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingMarkPosted::default() });
    let mut bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.0.store(true, Ordering::Relaxed);
    duel.turn(&bot, Way::Mention).await;
    let ben = duel.board.clone();
    bot.restart_while(|playground| {
        playground.clock().advance(HOUR);
        journal.hooks.0.store(false, Ordering::Relaxed);
    })
    .await;
    duel.check_every_board_posted_once(&bot).await;
    assert!(duel.ada.refetch(&ben).unwrap().button("Move").is_some(), "it is the board of this turn");
    duel.turn(&bot, Way::Panel).await;
    duel.check_every_board_posted_once(&bot).await;
    let stripped = || duel.ada.refetch(&ben).filter(|it| it.buttons().is_empty());
    bot.playground.wait("the buttons of the board that was found to go", stripped).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_finds_a_posted_result_and_welcome() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingMarkPosted::default() });
    let mut bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let (ada, games) = (bot.ada(), bot.games());
    journal.hooks.0.store(true, Ordering::Relaxed);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ada.id});
    let table = open(&ada, games, &terms).await;
    let announced = |it: &VisibleMessage| it.content().contains(&table) && !it.is_ephemeral();
    ada.wait_for(games, "the announcement", announced).await.unwrap();
    let forget = |playground: &rookery_playground::Playground| {
        playground.clock().advance(HOUR);
        journal.hooks.0.store(false, Ordering::Relaxed);
    };
    bot.restart_while(forget).await;
    bot.wait_until_idle().await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    assert_eq!(ada.messages(games).iter().filter(|it| announced(it)).count(), 1);
    let board = ada.wait_for(thread, "a board", |it| it.button("Resign").is_some()).await.unwrap();
    journal.hooks.0.store(true, Ordering::Relaxed);
    bot.resign(&ada, &board).await;
    ada.wait_for(thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    bot.restart_while(forget).await;
    bot.wait_until_idle().await;
    let results = ada.messages(thread).into_iter().filter(|it| it.button("Rematch").is_some());
    assert_eq!(results.count(), 1);
    bot.stop().await;
}

/// Waits until the bot has looked for pings that are due now.
pub(super) async fn until_pings_are_looked_for(bot: &TestBot) {
    let now = bot.now();
    eventually("deferred pings are looked for", async || {
        let note = bot.registry.journal().note("deferred-pings").await.unwrap();
        note.and_then(|text| text.parse::<i64>().ok()).is_some_and(|at| at >= now.as_millisecond())
    })
    .await;
}

pub(super) fn late_pings(duel: &Duel, name: &str) -> usize {
    let late = |it: &VisibleMessage| it.id > duel.board.id && it.pinged() == [name];
    duel.ada.messages(duel.thread).into_iter().filter(late).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_after_a_quick_answer_comes_a_minute_later() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(MINUTE / 3).await;
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "she may still be looking: {}", duel.board.content());
    bot.advance(MINUTE / 2).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 0, "50 s after her move");
    bot.advance(MINUTE / 6).await;
    let called = |it: &VisibleMessage| it.pinged() == ["Ada"] && it.content().contains("your move");
    let after = |it: &VisibleMessage| it.id > duel.board.id && called(it);
    duel.ada.wait_for(duel.thread, "the call that waited", after).await.unwrap();
    bot.advance(HOUR).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 1, "once");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_is_dropped_when_its_person_looked_or_moved() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(MINUTE / 6).await;
    bot.press(&duel.ada, &duel.board, "As text").await;
    bot.advance(2 * MINUTE).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 0, "she has pressed a button under the board");

    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(MINUTE / 6).await;
    duel.ada.say(duel.thread, "hmm, difficult").unwrap();
    duel.ada.slash(bot.games(), "help", &json!({})).unwrap().message().await.unwrap();
    bot.advance(2 * MINUTE).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 0, "she has written something there");

    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(2 * MINUTE).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 0, "it is not her turn any more");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_that_waits_follows_its_persons_settings() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (ada, ben) = (duel.ada.clone(), duel.ben.clone());
    let likes = async |who: &rookery_playground::testing::person::Person, pings: Pings| {
        bot.registry
            .preferences_cache()
            .change_person(UserId(who.id.0), |it| it.pings = pings)
            .await
            .unwrap();
    };
    likes(&ada, Pings::Dm).await;
    likes(&ben, Pings::Off).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(2 * MINUTE).await;
    let told = |it: &VisibleMessage| it.content().contains("Your turn");
    ada.wait_for(ada.dm(), "the direct message that waited", told).await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    bot.advance(2 * MINUTE).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!((late_pings(&duel, "Ada"), late_pings(&duel, "Ben")), (0, 0));
    assert!(ben.messages(ben.dm()).iter().all(|it| it.author() != Some(BOT_ID)), "he wants none");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_that_waits_survives_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    until_pings_are_looked_for(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    bot.restart_after(HOUR).await;
    let called = |it: &VisibleMessage| it.id > duel.board.id && it.pinged() == ["Ada"];
    duel.ada.wait_for(duel.thread, "the call that waited", called).await.unwrap();
    bot.restart_after(HOUR).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 1, "once");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_of_a_result_comes_within_a_minute_of_ones_own_move() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(MINUTE / 3).await;
    bot.resign(&duel.ben, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    assert!(result.pinged().is_empty(), "{}", result.content());
    bot.advance(2 * MINUTE).await;
    let told = |it: &VisibleMessage| it.pinged() == ["Ada"] && it.content().contains("your game is over");
    duel.ada.wait_for(duel.thread, "that it is over", told).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_after_an_absence_leaves_one_board_with_buttons() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    let (old, guild) = (duel.board.clone(), bot.playground.guild("Rookery").unwrap());
    bot.playground.remove_bot(guild);
    let id = duel.table.parse().unwrap();
    let frozen = async || bot.registry.table(id).await.unwrap().frozen_since().is_some();
    eventually("the game is frozen", frozen).await;
    bot.playground.invite_bot(guild);
    let shows = |it: &VisibleMessage| it.id > old.id && it.button("Move").is_some();
    duel.board = duel.ada.wait_for(duel.thread, "the board again", shows).await.unwrap();
    let stripped = || duel.ada.refetch(&old).filter(|it| it.buttons().is_empty());
    bot.playground.wait("the buttons of the older board to go", stripped).await.unwrap();
    assert_eq!(duel.ada.refetch(&old).unwrap().files().len(), 1, "its picture stays");
    bot.wait_until_idle().await;
    assert!(duel.ada.refetch(&duel.board).unwrap().button("Move").is_some());
    bot.stop().await;
}

/// Moves by a command elsewhere, and waits for the board in a channel.
pub(super) async fn turn_by_command(bot: &TestBot, duel: &mut Duel, channel: Id) {
    let (mover, text) = (duel.mover(), duel.any_move());
    let asked = json!({"table": duel.table, "move": text});
    mover.slash(bot.games(), "move", &asked).unwrap().message().await.unwrap();
    duel.thread = channel;
    duel.see(&text).await;
    bot.wait_until_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unlocked_thread_gets_its_game_back() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (games, thread) = (bot.games(), duel.thread);
    bot.wait_until_idle().await;
    bot.playground.set_thread(thread, true, true);
    turn_by_command(&bot, &mut duel, games).await;
    let meanwhile = duel.board.clone();
    bot.playground.set_thread(thread, false, false);
    let shows = |it: &VisibleMessage| it.button("Move").is_some() && it.content() == meanwhile.content();
    duel.board = duel.ada.wait_for(thread, "the board in its thread again", shows).await.unwrap();
    let stripped = || duel.ada.refetch(&meanwhile).filter(|it| it.buttons().is_empty());
    bot.playground.wait("the buttons in the channel to go", stripped).await.unwrap();
    assert_eq!(bot.table(&duel.table).await.board_channel().unwrap().channel, ChannelId(thread.0));
    duel.thread = thread;
    duel.turn(&bot, Way::Panel).await;
    bot.stop_after(&[400, 403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unlocked_thread_is_noticed_after_an_absence() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (games, thread) = (bot.games(), duel.thread);
    bot.wait_until_idle().await;
    bot.playground.set_thread(thread, true, true);
    turn_by_command(&bot, &mut duel, games).await;
    bot.restart_while(|playground| playground.set_thread(thread, false, false)).await;
    turn_by_command(&bot, &mut duel, thread).await;
    assert_eq!(bot.table(&duel.table).await.board_channel().unwrap().channel, ChannelId(thread.0));
    bot.stop_after(&[400, 403]).await;
}

/// Opens a game between Ada and Ben in the channel itself, without a thread.
pub(super) async fn in_channel(bot: &TestBot, channel: Id) -> String {
    let (ada, ben) = (bot.ada(), bot.ben());
    let terms = json!({"game": "amazons", "size": "6x6", "where": "here", "first": "me", "settle": "off"});
    let table = open(&ada, channel, &terms).await;
    let challenge = challenge(&ben, channel, &table).await;
    bot.press(&ben, &challenge, "Join").await;
    ada.wait_for(channel, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    table
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_sends_boards_to_both_players() {
    let bot = TestBot::start().await;
    let (ada, ben, general) = (bot.ada(), bot.ben(), bot.playground.channel("general"));
    let table = in_channel(&bot, general).await;
    bot.playground.delete_channel(general);
    for (number, who, other) in [(0, &ada, &ben), (1, &ben, &ada)] {
        let text = bot.table(&table).await.play().unwrap().moves().remove(0);
        let told = who.slash(who.dm(), "move", &json!({"table": table, "move": text})).unwrap();
        let told = told.message().await.unwrap();
        assert!(told.content().contains("/board") && told.files().len() == 1, "{number}: {}", told.content());
        let heard = |it: &VisibleMessage| it.author() == Some(BOT_ID) && it.content().contains(&text);
        let heard = other.wait_for(other.dm(), "the board in a direct message", heard).await.unwrap();
        assert!(heard.files().len() == 1 && heard.content().contains("your turn"), "{}", heard.content());
        bot.wait_until_idle().await;
    }
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let typed = ada.say(ada.dm(), &format!("{table} {text}")).unwrap();
    let told = bot.answer_to(&ada, &typed).await;
    assert!(told.content().contains("/board") && told.files().len() == 1, "{}", told.content());
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_moves_the_game_to_where_a_player_moves() {
    let bot = TestBot::start().await;
    let (ada, general) = (bot.ada(), bot.playground.channel("general"));
    let table = in_channel(&bot, general).await;
    bot.playground.delete_channel(general);
    // The bot learns from the event that everybody could read the channel.
    let note = format!("deleted-open-channel-{general}");
    eventually("the note", async || bot.registry.journal().note(&note).await.unwrap().is_some()).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let told = ada.slash(bot.games(), "move", &json!({"table": table, "move": text})).unwrap();
    let told = told.message().await.unwrap();
    assert!(told.content().contains("so it goes on here"), "{}", told.content());
    let shows = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&text);
    let board = ada.wait_for(bot.games(), "the board where she moved", shows).await.unwrap();
    assert_eq!(board.pinged(), ["Ben"]);
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&table).await.board_channel().unwrap().channel, ChannelId(bot.games().0));
    bot.stop_after(&[404]).await;
}

/// Counts the REST calls after the first `since`, by method and route.
fn kinds(bot: &TestBot, since: usize) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for request in &bot.playground.requests()[since..] {
        *kinds.entry(format!("{} {}", request.method, request.route)).or_default() += 1;
    }
    kinds
}

fn counted(all: &[(&str, usize)]) -> BTreeMap<String, usize> {
    all.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect()
}

/// Prints the REST calls of a move by kind, to be read with `--nocapture`.
fn print_kinds(name: &str, kinds: &BTreeMap<String, usize>) {
    eprintln!("{name}: {} REST calls", kinds.values().sum::<usize>());
    for (kind, count) in kinds {
        eprintln!("{count:>5}  {kind}");
    }
}

const POST: &str = "POST /channels/{channel}/messages";
const PATCH: &str = "PATCH /channels/{channel}/messages/{message}";

#[tokio::test(flavor = "multi_thread")]
async fn delivery_of_a_typed_move_takes_one_post_and_one_edit() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    for way in [Way::Reply, Way::Mention] {
        let before = bot.playground.requests().len();
        duel.turn(&bot, way).await;
        bot.wait_until_idle().await;
        let kinds = kinds(&bot, before);
        print_kinds(&format!("a typed move ({way:?})"), &kinds);
        assert_eq!(kinds, counted(&[(POST, 1), (PATCH, 1)]), "{way:?} between two people");
    }
    let (ada, games) = (bot.ada(), bot.games());
    let table =
        open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let mut board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    for _ in 0..3 {
        bot.wait_until_idle().await;
        let before = bot.playground.requests().len();
        let now = bot.table(&table).await;
        let play = now.play().unwrap();
        ada.reply(&board, &play.moves()[0]).unwrap();
        // The board of her own move has buttons until the bot's board is posted.
        let next = shows_turn(&table, play.ply() + 2);
        board = ada.wait_for(thread, "the board after both moves", next).await.unwrap();
        bot.wait_until_idle().await;
        let kinds = kinds(&bot, before);
        print_kinds("a typed move and the program's reply", &kinds);
        assert_eq!(kinds, counted(&[(POST, 2), (PATCH, 2)]), "two moves, one of them the program's");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delivery_of_a_pressed_move_takes_one_post_and_one_edit_beside_the_answers_to_presses() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    let before = bot.playground.requests().len();
    duel.turn(&bot, Way::Panel).await;
    bot.wait_until_idle().await;
    let mut kinds = kinds(&bot, before);
    print_kinds("a pressed move", &kinds);
    let answers = |kind: &String| kind.contains("/callback") || kind.contains("/webhooks/");
    assert!(kinds.keys().any(answers), "{kinds:?}");
    kinds.retain(|kind, _| !answers(kind));
    assert_eq!(kinds, counted(&[(POST, 1), (PATCH, 1)]));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rate_limits_are_kept_without_meeting_one() {
    let rate_limits =
        RateLimits { per_bucket: 2, window: Duration::from_millis(400), global_per_second: 1_000 };
    let bot = TestBot::with(Options { clock: Clock::manual(), rate_limits, ..Options::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    for _ in 0..5 {
        duel.turn(&bot, Way::Reply).await;
    }
    duel.check_every_board_posted_once(&bot).await;
    let busy = bot.playground.requests().into_iter().filter(|it| it.status == 429).count();
    assert_eq!(busy, 0);
    bot.stop().await;
}
