//! Messages that the bot may not post wait until a moderator grants the permission, without repeated
//! requests.

use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::PageRequest;
use rookery_table::{Actor, Order};
use serde_json::json;

use crate::duel::{Duel, challenge, open};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, boards};

/// Discord's bit for writing in a channel.
const SEND: u64 = 1 << 11;

/// Plays Ada's turn and the bot's, typed outside the channel of the boards; returns a predicate for the bot's board.
async fn turn_elsewhere(bot: &TestBot, table: &str) -> impl Fn(&VisibleMessage) -> bool + use<> {
    let ada = bot.ada();
    let text = bot.table(table).await.play().unwrap().moves().remove(0);
    let told = ada.slash(ada.dm(), "move", &json!({"table": table, "move": text})).unwrap();
    told.message().await.unwrap();
    let is_hers = async || bot.table(table).await.to_move().map(|seat| seat.index()) == Some(0);
    eventually("the bot's move", is_hers).await;
    bot.wait_until_idle().await;
    let last = bot.table(table).await.play().unwrap().record().pop().unwrap();
    move |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&last)
}

/// Opens Ada's game against the bot in the channel itself, and waits for its first board.
async fn open_here(bot: &TestBot) -> String {
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&bot.ada(), bot.games(), &terms).await;
    let first = |it: &VisibleMessage| it.button("Move").is_some();
    bot.ada().wait_for(bot.games(), "the first board", first).await.unwrap();
    bot.wait_until_idle().await;
    table
}

/// Waits until no item waits for a permission, and everything is posted.
async fn until_nothing_waits(bot: &TestBot) {
    eventually("nothing is blocked", async || {
        bot.registry.journal().blocked_items(PageRequest::default()).await.unwrap().rows.is_empty()
    })
    .await;
    bot.wait_until_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permissions_limit_a_board_until_they_are_granted() {
    const FILES: u64 = 1 << 15;
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.deny_bot(games, FILES);
    let shows = turn_elsewhere(&bot, &table).await;
    let plain = ada.wait_for(games, "the board in plain characters", shows).await.unwrap();
    assert!(plain.files().is_empty() && plain.content().contains("```"), "{}", plain.content());

    bot.playground.deny_bot(games, SEND);
    let shows = turn_elsewhere(&bot, &table).await;
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    bot.playground.deny_bot(games, 0);
    let board = ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    assert_eq!(board.files().len(), 1);
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_granted_by_a_role_brings_the_board() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let everybody = bot.playground.guild("Rookery").unwrap();
    let role = bot.playground.new_role("Writers", &[]).unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.set_role_overwrite(games, role, SEND, 0);
    bot.playground.set_role_overwrite(games, everybody, 0, SEND);
    let shows = turn_elsewhere(&bot, &table).await;
    let refused = || bot.playground.requests().iter().filter(|it| it.status == 403).count();
    let (before, events) = (refused(), bot.tasks("event"));
    for _ in 0..5 {
        bot.playground.deny_bot(bot.playground.channel("general"), 0);
    }
    bot.wait_for_tasks("event", events, 5).await;
    // The outbox has noticed the changes before it posts this board.
    let elsewhere = open(&ada, ada.dm(), &json!({"game": "amazons", "size": "6x6", "ai": "random"})).await;
    let board = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&elsewhere);
    ada.wait_for(ada.dm(), "a board elsewhere", board).await.unwrap();
    bot.wait_until_idle().await;
    assert_eq!(refused(), before, "another channel was changed");
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    bot.playground.give_bot_role(role);
    ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_thread_of_a_member_is_reopened_or_replaced() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let (ada, games, thread) = (bot.ada(), bot.games(), duel.thread);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open(&ada, thread, &terms).await;
    let first = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&table);
    ada.wait_for(thread, "the first board", first).await.unwrap();
    bot.wait_until_idle().await;
    let board = async || {
        let asked = ada.slash(games, "board", &json!({"table": table})).unwrap();
        asked.message().await.unwrap().content().to_owned()
    };
    assert!(!board().await.contains("so it goes on here"), "it has its place");

    bot.playground.set_thread(thread, true, true);
    let shows = turn_elsewhere(&bot, &table).await;
    bot.playground.set_thread(thread, false, false);
    ada.wait_for(thread, "the board, once the thread is open", shows).await.unwrap();

    bot.wait_until_idle().await;
    bot.playground.set_thread(thread, true, true);
    let shows = turn_elsewhere(&bot, &table).await;
    assert!(board().await.contains("so it goes on here"));
    ada.wait_for(games, "the board in the channel", shows).await.unwrap();
    assert!(!board().await.contains("so it goes on here"), "once");
    bot.stop_after(&[400, 403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_channel_is_not_tried_for_a_while() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    deny_sending(&bot).await;
    let refused = || bot.playground.requests().iter().filter(|it| it.status == 403).count();
    for _ in 0..5 {
        let messages = bot.tasks("message in order");
        ada.say(bot.games(), &format!("<@{BOT_ID}> resign")).unwrap();
        bot.wait_for_tasks("message in order", messages, 1).await;
    }
    let dm = ada.say(ada.dm(), "resign").unwrap();
    bot.answer_to(&ada, &dm).await;
    assert_eq!(refused(), 1, "Discord bans the address of who keeps asking");
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_keeps_a_board_waiting_across_restarts() {
    let mut bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.deny_bot(games, SEND);
    drop(turn_elsewhere(&bot, &table).await);
    let shows = turn_elsewhere(&bot, &table).await;
    assert_eq!(
        bot.registry.journal().blocked_items(PageRequest::default()).await.unwrap().rows.len(),
        1,
        "the latest board of a table waits"
    );
    bot.restart().await;
    bot.wait_until_idle().await;
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    bot.playground.deny_bot(games, 0);
    ada.wait_for(games, "the board, once it may be posted", shows).await.unwrap();

    bot.wait_until_idle().await;
    bot.playground.deny_bot(games, SEND);
    let shows = turn_elsewhere(&bot, &table).await;
    bot.restart_while(|playground| playground.deny_bot(games, 0)).await;
    let board = ada.wait_for(games, "the board that might be posted meanwhile", shows).await.unwrap();
    bot.wait_until_idle().await;
    assert_eq!(bot.registry.journal().blocked_items(PageRequest::default()).await.unwrap().rows, []);
    let same = ada.messages(games).into_iter().filter(|it| it.content() == board.content()).count();
    assert_eq!(same, 1, "once");
    bot.stop_after(&[403]).await;
}

/// Keeps the bot from writing in the channel of the games; it knows of the change then.
async fn deny_sending(bot: &TestBot) {
    let events = bot.tasks("event");
    bot.playground.deny_bot(bot.games(), SEND);
    bot.wait_for_tasks("event", events, 1).await;
}

/// Sends a message where the bot cannot answer; from then on it avoids the channel.
async fn ask_in_refusing_channel(bot: &TestBot) {
    let refused = || bot.playground.requests().iter().filter(|it| it.status == 403).count();
    deny_sending(bot).await;
    let (before, messages) = (refused(), bot.tasks("message in order"));
    bot.ada().say(bot.games(), &format!("<@{BOT_ID}> resign")).unwrap();
    bot.wait_for_tasks("message in order", messages, 1).await;
    assert_eq!(refused(), before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_channel_gets_boards_and_challenges_once_permitted() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open_here(&bot).await;
    ask_in_refusing_channel(&bot).await;
    bot.playground.deny_bot(games, 0);
    let shows = turn_elsewhere(&bot, &table).await;
    ada.wait_for(games, "the board", shows).await.unwrap();
    ask_in_refusing_channel(&bot).await;
    bot.playground.deny_bot(games, 0);
    bot.wait_until_idle().await;
    let asked = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
    challenge(&ben, games, &asked).await;
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_granted_during_an_outage_is_noticed() {
    const ADMINISTRATOR: u64 = 1 << 3;
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let guild = bot.playground.guild("Rookery").unwrap();
    let table = open_here(&bot).await;
    bot.playground.set_role_overwrite(games, guild, 0, SEND);
    let shows = turn_elsewhere(&bot, &table).await;
    bot.playground.grant_everyone(guild, ADMINISTRATOR);
    assert!(!ada.messages(games).iter().any(&shows), "nobody has told the bot");
    bot.playground.set_guild_unavailable(guild, false);
    ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_board_of_a_repeated_turn_is_posted_later() {
    let bot = TestBot::start().await;
    let (ada, games, general) = (bot.ada(), bot.games(), bot.playground.channel("general"));
    let table = open_here(&bot).await;
    let taken_back = async || {
        drop(turn_elsewhere(&bot, &table).await);
        let told = ada.slash(ada.dm(), "undo", &json!({"table": table})).unwrap();
        told.message().await.unwrap();
        assert_eq!(bot.table(&table).await.ply(), 0);
        bot.wait_until_idle().await;
        bot.playground.deny_bot(games, SEND);
        let shows = turn_elsewhere(&bot, &table).await;
        assert_eq!(bot.table(&table).await.ply(), 2);
        assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
        shows
    };
    let shows = taken_back().await;
    bot.playground.deny_bot(games, 0);
    ada.wait_for(games, "the board, once it may be posted", shows).await.unwrap();
    ada.slash(ada.dm(), "undo", &json!({"table": table})).unwrap().message().await.unwrap();
    bot.wait_until_idle().await;

    let shows = taken_back().await;
    let asked = ada.slash(general, "board", &json!({"table": table})).unwrap();
    let told = asked.message().await.unwrap();
    assert!(told.content().contains("so it goes on here"), "{}", told.content());
    ada.wait_for(general, "the board in another channel", shows).await.unwrap();
    bot.playground.deny_bot(games, 0);
    until_nothing_waits(&bot).await;
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_keeps_a_result_waiting() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open_here(&bot).await;
    bot.playground.deny_bot(games, SEND);
    drop(turn_elsewhere(&bot, &table).await);
    let sure = ada.slash(ada.dm(), "resign", &json!({"table": table})).unwrap().message().await.unwrap();
    bot.press_private(&ada, &sure, "Yes, resign").await;
    bot.wait_until_idle().await;
    let over = |it: &VisibleMessage| {
        it.content().contains(&format!("{table} is over")) && it.button("Rematch").is_some()
    };
    assert!(!ada.messages(games).iter().any(over), "nothing can be posted");
    bot.playground.deny_bot(games, 0);
    let result = ada.wait_for(games, "the result, once it may be posted", over).await.unwrap();
    until_nothing_waits(&bot).await;
    let boards = boards(&ada, games);
    let last = boards.last().unwrap();
    assert!(last.id < result.id, "the last board comes before it");
    assert!(boards.len() == 2 && last.button("Move").is_none(), "{}", last.content());
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_keeps_a_challenge_waiting_while_it_is_open() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    bot.playground.faults().fail_channel(games, Some(403));
    let terms = json!({"game": "amazons", "opponent": ben.id});
    let (stands, declined) = (open(&ada, games, &terms).await, open(&ada, games, &terms).await);
    let by_ben = Actor::Person(rookery_table::UserId(ben.id.0));
    bot.registry.order(declined.parse().unwrap(), by_ben, Order::Decline, None).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.faults().fail_channel(games, None);
    bot.playground.deny_bot(games, 0);
    let posted = challenge(&ben, games, &stands).await;
    assert!(posted.button("Accept").is_some() && posted.pinged() == ["Ben"], "{}", posted.content());
    until_nothing_waits(&bot).await;
    assert!(!ben.messages(games).iter().any(|it| it.content().contains(&declined)), "it stands no more");
    bot.stop_after(&[403]).await;
}
