//! Faults of Discord: it is slow, refuses requests, repeats events, or deletes channels. Games go on, nothing is
//! posted twice, and everybody gets an answer.
use rookery_core::Play;
use rookery_core::rules::Setup;
use rookery_playground::Options;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::offered;
use crate::duel::slash_play;
use crate::first_game::has_picture;
use crate::test_bot::TestBot;

/// Permission bits, from Discord's documentation.
const ATTACH_FILES: u64 = 1 << 15;
const CREATE_PUBLIC_THREADS: u64 = 1 << 35;

fn small_game() -> Box<dyn Play> {
    rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap()
}

/// Ada starts a small game against the bot; returns its thread and first board.
async fn begin(ada: &Person, games: Id) -> (Id, VisibleMessage) {
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6"});
    slash_play(ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    (thread, first_board(ada, thread).await)
}

async fn first_board(ada: &Person, channel: Id) -> VisibleMessage {
    ada.wait_for(channel, "the first board", |m| has_picture(m, "your move")).await.unwrap()
}

/// Plays Ada's last legal move and the bot's first one; returns the bot's move as the board names it.
fn one_turn(play: &mut dyn Play, say: impl FnOnce(&str)) -> String {
    let own = play.moves().pop().unwrap();
    say(&play.play(&own).unwrap());
    let theirs = play.moves().remove(0);
    play.play(&theirs).unwrap()
}

fn boards(ada: &Person, channel: Id) -> usize {
    ada.messages(channel).iter().filter(|m| !m.files().is_empty()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_requests_lose_nothing_and_post_nothing_twice() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let (thread, board) = begin(&ada, games).await;
    let mut play = small_game();
    bot.playground.faults().lose_answers(2);
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&board, own).unwrap()));
    let next = ada.wait_for(thread, "the next board", |m| has_picture(m, &theirs)).await.unwrap();
    bot.playground.faults().rate_limit_requests(3, 0.1);
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&next, own).unwrap()));
    let next = ada.wait_for(thread, "one more", |m| has_picture(m, &theirs)).await.unwrap();
    bot.playground.faults().fail_requests(2, 503);
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&next, own).unwrap()));
    ada.wait_for(thread, "the last", |m| has_picture(m, &theirs)).await.unwrap();
    assert_eq!(boards(&ada, thread), 7, "the start and six turns, each once");
    bot.stop_after(&[429, 502, 503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_event_counts_once() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    bot.playground.faults().duplicate_events(1);
    let (thread, board) = begin(&ada, games).await;
    assert_eq!(bot.playground.threads(games).len(), 1);
    let mut play = small_game();
    bot.playground.faults().duplicate_events(1);
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&board, own).unwrap()));
    ada.wait_for(thread, "the next board", |m| has_picture(m, &theirs)).await.unwrap();
    assert_eq!(boards(&ada, thread), 3);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_thread_moves_the_game_to_its_channel() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let (thread, _) = begin(&ada, games).await;
    bot.playground.delete_channel(thread);
    let mut play = small_game();
    let theirs = one_turn(play.as_mut(), |own| {
        ada.slash(games, "move", &json!({"move": own})).unwrap();
    });
    let board = ada.wait_for(games, "the board in the channel", |m| has_picture(m, &theirs)).await.unwrap();
    assert!(board.pinged().is_empty(), "she is looking at it");
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_thread_permission_keeps_the_game_in_the_channel() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    bot.playground.deny_bot(games, CREATE_PUBLIC_THREADS);
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6"});
    let answer = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(answer.content().contains("Create Public Threads"), "{}", answer.content());
    first_board(&ada, games).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thread_limit_keeps_the_game_in_the_channel() {
    let bot = TestBot::with(Options { active_threads_max: 0, ..Options::default() }).await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6"});
    slash_play(&ada, games, &terms).unwrap();
    first_board(&ada, games).await;
    bot.stop_after(&[400]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_is_named_and_no_table_opens() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    bot.playground.deny_bot(games, ATTACH_FILES);
    let terms = json!({"game": "amazons", "ai": "random"});
    let answer = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(answer.is_ephemeral() && answer.content().contains("Attach Files"), "{}", answer.content());
    let listed = ada.slash(games, "games", &json!({})).unwrap().message().await.unwrap();
    assert!(listed.content().contains("No games running"), "{}", listed.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn buttons_work_after_a_restart_and_know_their_turn() {
    let mut bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let (thread, board) = begin(&ada, games).await;
    bot.restart().await;
    let panel = ada.click(&board, board.button("Move").unwrap()).unwrap().message().await.unwrap();
    let chosen = || ada.refetch(&panel).filter(|panel| !offered(panel).is_empty());
    let panel = bot.playground.wait("the panel", chosen).await.unwrap();

    let mut play = small_game();
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&board, own).unwrap()));
    ada.wait_for(thread, "the next board", |m| has_picture(m, &theirs)).await.unwrap();
    ada.click(&panel, &offered(&panel)[0].0).unwrap();
    let now = || ada.refetch(&panel).filter(|panel| panel.content().contains(&theirs));
    let now = bot.playground.wait("the board as it is", now).await.unwrap();
    assert!(now.content().contains("moved on"), "{}", now.content());
    assert!(!offered(&now).is_empty(), "a fresh panel, since it is her turn again");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_connection_that_is_lost_is_made_again() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let (thread, board) = begin(&ada, games).await;
    bot.playground.faults().ask_to_reconnect();
    bot.playground.wait_for_bot().await.unwrap();
    let mut play = small_game();
    let theirs = one_turn(play.as_mut(), |own| drop(ada.reply(&board, own).unwrap()));
    ada.wait_for(thread, "the next board", |m| has_picture(m, &theirs)).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rate_limit_retry_after_is_obeyed_with_another_api_base() {
    const RETRY_AFTER: std::time::Duration = std::time::Duration::from_secs(2);
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let (thread, _) = begin(&ada, games).await;
    bot.wait_until_idle().await;
    bot.playground.faults().rate_limit_requests(1, RETRY_AFTER.as_secs_f64());
    let said = ada.say(thread, &format!("<@{}> clock", rookery_playground::BOT_ID)).unwrap();
    bot.answer_to(&ada, &said).await;
    let requests = bot.playground.requests();
    let at = requests.iter().position(|it| it.status == 429).unwrap();
    let same_route = |it: &&rookery_playground::testing::request_log::LoggedRequest| {
        (&it.method, &it.path) == (&requests[at].method, &requests[at].path)
    };
    let next = requests[at + 1..].iter().find(same_route).unwrap();
    let waited = next.at - requests[at].at;
    assert!(waited >= RETRY_AFTER, "{} {} again after {waited:?}", next.method, next.path);
    bot.stop_after(&[429]).await;
}
