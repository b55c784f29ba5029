//! The gateway session under Discord's failures: closed connections, silent ones, and events with missing
//! fields.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use rookery::discord::RunError;
use rookery_playground::BOT_ID;
use rookery_playground::json_pointers::pointers;
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::duel::{Duel, Way, slash_play};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

#[tokio::test(flavor = "multi_thread")]
async fn gateway_session_goes_on_after_each_close_that_is_not_for_good() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for code in [1000, 4000] {
        let connections = bot.playground.gateway_connections();
        bot.playground.faults().close_gateway(code);
        duel.turn(&bot, Way::Reply).await;
        assert_eq!(bot.playground.gateway_connections(), connections + 1, "{code}: resumed");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_session_that_timed_out_is_begun_anew() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.playground.faults().close_gateway(4009);
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_close_codes_that_are_for_good_end_the_bot_with_their_reason() {
    for (code, why) in [(4004, "does not accept the token"), (4011, "more servers than one connection")] {
        let bot = TestBot::start().await;
        bot.playground.faults().close_gateway(code);
        let ended = bot.ended().await;
        let told = ended.unwrap_err();
        assert!(code != 4004 || matches!(told, RunError::BadToken));
        assert!(told.to_string().contains(why), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_heartbeats_that_nobody_acknowledges_make_a_new_connection() {
    let mut plan = TestSetup::default();
    plan.options.heartbeat_interval = Duration::from_millis(300);
    let bot = TestBot::of(plan).await;
    let mut duel = Duel::begin(&bot).await;
    let connections = bot.playground.gateway_connections();
    bot.playground.faults().ignore_heartbeats(true);
    bot.wait_until("a new connection", || bot.playground.gateway_connections() > connections).await;
    bot.playground.faults().ignore_heartbeats(false);
    duel.turn(&bot, Way::Mention).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_session_that_is_invalid_but_resumable_is_resumed() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.playground.faults().invalidate_sessions(true);
    duel.turn(&bot, Way::Reply).await;
    bot.playground.faults().invalidate_sessions(false);
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

/// The fields without which a press cannot be handled.
const NEEDED: [&str; 7] =
    ["/id", "/token", "/data", "/data/custom_id", "/member", "/member/user", "/member/user/id"];

#[tokio::test(flavor = "multi_thread")]
async fn gateway_press_works_without_optional_fields() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    // A press in this panel carries everything that Discord sends about the panel's origin.
    let panel = bot.press(&duel.ada, &duel.board, "Move").await;
    let button = panel.button("As text").unwrap();
    let press = async || duel.ada.click(&panel, button).unwrap().message().await;
    let whole = press().await.unwrap();
    let all = pointers(&bot.playground.last_event("INTERACTION_CREATE").unwrap());
    assert!(all.iter().any(|pointer| pointer.ends_with("/interacted_message_id")), "{all:?}");
    for pointer in all.iter().filter(|pointer| !NEEDED.contains(&pointer.as_str())) {
        bot.playground.faults().omit("INTERACTION_CREATE", &[pointer]);
        let answer = press().await.unwrap_or_else(|late| panic!("without {pointer}: {late}"));
        assert_eq!(answer.content(), whole.content(), "without {pointer}");
    }
    bot.playground.faults().omit("INTERACTION_CREATE", &[]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_press_that_cannot_be_acted_on_is_answered() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    bot.playground.faults().omit("INTERACTION_CREATE", &["/member"]);
    let answer = bot.press(&duel.ada, &duel.board, "Move").await;
    assert!(answer.is_ephemeral() && answer.content().contains("Discord left out"), "{}", answer.content());
    let answer = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(answer.content().contains("Discord left out"), "{}", answer.content());
    bot.playground.faults().omit("INTERACTION_CREATE", &[]);
    let board = bot.press(&duel.ada, &duel.board, "Move").await;
    assert!(!board.content().contains("Discord left out"), "{}", board.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_move_is_played_whatever_field_of_its_message_is_missing() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let omitted = [
        ["/type", "/member"],
        ["/edited_timestamp", "/timestamp"],
        ["/mentions", "/author/username"],
        ["/referenced_message/components", "/referenced_message/interaction_metadata"],
        ["/message_reference", "/attachments"],
        ["/embeds", "/flags"],
    ];
    for pointers in omitted {
        bot.playground.faults().omit("MESSAGE_CREATE", &pointers);
        duel.turn(&bot, Way::Mention).await;
        duel.turn(&bot, Way::Reply).await;
    }
    bot.stop().await;
}

/// Lists the servers with running games only once it may, after the first time.
struct SlowList {
    is_asked: AtomicBool,
    may_go_on: Semaphore,
}

#[async_trait]
impl JournalHooks for SlowList {
    async fn before_servers_playing(&self) {
        self.is_asked.store(true, Ordering::SeqCst);
        self.may_go_on.acquire().await.unwrap().forget();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_a_server_that_the_bot_joins_as_its_session_begins_is_not_frozen() {
    let hooks = SlowList { is_asked: AtomicBool::new(false), may_go_on: Semaphore::new(1) };
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    bot.wait_until_idle().await;
    journal.hooks.is_asked.store(false, Ordering::SeqCst);
    let sessions = bot.tasks("ready");
    bot.playground.faults().close_gateway(4009);
    bot.wait_until("a new session", || journal.hooks.is_asked.load(Ordering::SeqCst)).await;
    let ada = bot.ada();
    let (_, hall) = bot.playground.new_guild("Elsewhere", "hall", &[&ada]);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let opened = slash_play(&ada, hall, &terms).unwrap().message().await.unwrap();
    let name = opened.content().split("**").nth(1).unwrap();
    let thread = ada.wait_for_thread(hall, name).await.unwrap();
    journal.hooks.may_go_on.add_permits(9);
    bot.wait_for_tasks("ready", sessions, 1).await;
    let text = bot.table(name).await.play().unwrap().moves()[0].clone();
    ada.say(thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    eventually("the move is played", async || bot.table(name).await.ply() > 0).await;
    bot.stop().await;
}
