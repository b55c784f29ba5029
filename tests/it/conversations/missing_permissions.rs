//! What may not be posted: it waits until somebody gives leave, and nobody asks for it again meanwhile.

use rookery_playground::BOT_ID;
use rookery_playground::people::visible_message::VisibleMessage;
use rookery_table::{Actor, Order};
use serde_json::json;

use crate::duel::{Duel, challenge, open};
use crate::test_bot::{House, boards};

/// Discord's bit for writing in a channel.
const SEND: u64 = 1 << 11;

/// Ada's turn and the bot's, typed elsewhere than where the boards are; what tells of the bot's.
async fn turn_elsewhere(house: &House, table: &str) -> impl Fn(&VisibleMessage) -> bool + use<> {
    let ada = house.ada();
    let text = house.table(table).await.play().unwrap().moves().remove(0);
    let told = ada.slash(ada.dm(), "move", &json!({"table": table, "move": text})).unwrap();
    told.message().await.unwrap();
    while house.table(table).await.to_move().map(|seat| seat.index()) != Some(0) {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    house.quiet().await;
    let last = house.table(table).await.play().unwrap().record().pop().unwrap();
    move |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&last)
}

/// Ada's game against the bot in the channel itself, its first board posted.
async fn open_here(house: &House) -> String {
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&house.ada(), house.games(), &terms).await;
    let first = |it: &VisibleMessage| it.button("Move").is_some();
    house.ada().wait_for(house.games(), "the first board", first).await.unwrap();
    house.quiet().await;
    table
}

/// Waits until nothing waits for leave any more, and all is said.
async fn until_nothing_waits(house: &House) {
    for _ in 0..1_000 {
        if house.registry.journal().blocked_items().await.unwrap().is_empty() {
            return house.quiet().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("after 20 s something still waits for leave");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_comes_as_it_may_and_again_when_it_may() {
    const FILES: u64 = 1 << 15;
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    house.quiet().await;
    house.playground.deny_bot(games, FILES);
    let shows = turn_elsewhere(&house, &table).await;
    let plain = ada.wait_for(games, "the board in plain characters", shows).await.unwrap();
    assert!(plain.files().is_empty() && plain.content().contains("```"), "{}", plain.content());

    house.playground.deny_bot(games, SEND);
    let shows = turn_elsewhere(&house, &table).await;
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    house.playground.deny_bot(games, 0);
    let board = ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    assert_eq!(board.files().len(), 1);
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_comes_when_leave_is_given_by_a_role_and_not_for_changes_elsewhere() {
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let everybody = house.playground.guild("Rookery").unwrap();
    let role = house.playground.new_role("Writers", &[]).unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    house.quiet().await;
    house.playground.rule_role(games, role, SEND, 0);
    house.playground.rule_role(games, everybody, 0, SEND);
    let shows = turn_elsewhere(&house, &table).await;
    let refused = || house.playground.requests().iter().filter(|it| it.status == 403).count();
    let before = refused();
    for _ in 0..5 {
        house.playground.deny_bot(house.playground.channel("general"), 0);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(refused(), before, "another channel was changed");
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    house.playground.give_bot_role(role);
    ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_somebodys_thread_that_is_locked_comes_back_or_goes_on_elsewhere() {
    let house = House::open().await;
    let duel = Duel::begin(&house).await;
    let (ada, games, thread) = (house.ada(), house.games(), duel.thread);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open(&ada, thread, &terms).await;
    let first = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&table);
    ada.wait_for(thread, "the first board", first).await.unwrap();
    house.quiet().await;
    let board = async || {
        let asked = ada.slash(games, "board", &json!({"table": table})).unwrap();
        asked.message().await.unwrap().content().to_owned()
    };
    assert!(!board().await.contains("posted here"), "it has its place");

    house.playground.set_thread(thread, true, true);
    let shows = turn_elsewhere(&house, &table).await;
    house.playground.set_thread(thread, false, false);
    ada.wait_for(thread, "the board, once the thread is open", shows).await.unwrap();

    house.quiet().await;
    house.playground.set_thread(thread, true, true);
    let shows = turn_elsewhere(&house, &table).await;
    assert!(board().await.contains("posted here"));
    ada.wait_for(games, "the board in the channel", shows).await.unwrap();
    assert!(!board().await.contains("posted here"), "once");
    house.close_after(&[400, 403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_refused_an_answer_is_left_alone_for_a_while() {
    let house = House::open().await;
    let ada = house.ada();
    house.playground.deny_bot(house.games(), SEND);
    let refused = || house.playground.requests().iter().filter(|it| it.status == 403).count();
    for _ in 0..5 {
        ada.say(house.games(), &format!("<@{BOT_ID}> resign")).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let dm = ada.say(ada.dm(), "resign").unwrap();
    house.answer_to(&ada, &dm).await;
    assert_eq!(refused(), 1, "Discord bans the address of who keeps asking");
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_may_not_be_posted_waits_for_leave_over_restarts() {
    let mut house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&ada, games, &terms).await;
    ada.wait_for(games, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    house.quiet().await;
    house.playground.deny_bot(games, SEND);
    drop(turn_elsewhere(&house, &table).await);
    let shows = turn_elsewhere(&house, &table).await;
    assert_eq!(
        house.registry.journal().blocked_items().await.unwrap().len(),
        1,
        "the latest board of a table waits"
    );
    house.restart().await;
    house.quiet().await;
    assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
    house.playground.deny_bot(games, 0);
    ada.wait_for(games, "the board, once it may be posted", shows).await.unwrap();

    house.quiet().await;
    house.playground.deny_bot(games, SEND);
    let shows = turn_elsewhere(&house, &table).await;
    house.restart_while(|playground| playground.deny_bot(games, 0)).await;
    let board = ada.wait_for(games, "the board that might be posted meanwhile", shows).await.unwrap();
    house.quiet().await;
    assert_eq!(house.registry.journal().blocked_items().await.unwrap(), []);
    let same = ada.messages(games).into_iter().filter(|it| it.content() == board.content()).count();
    assert_eq!(same, 1, "once");
    house.close_after(&[403]).await;
}

/// Somebody asks where nothing can be answered: the channel is left alone from then on.
async fn ask_in_vain(house: &House) {
    let refused = || house.playground.requests().iter().filter(|it| it.status == 403).count();
    let before = refused();
    house.playground.deny_bot(house.games(), SEND);
    house.ada().say(house.games(), &format!("<@{BOT_ID}> resign")).unwrap();
    house.until_true("a refusal", || refused() > before).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_was_left_alone_takes_boards_and_challenges_as_soon_as_there_is_leave() {
    let house = House::open().await;
    let (ada, ben, games) = (house.ada(), house.ben(), house.games());
    let table = open_here(&house).await;
    ask_in_vain(&house).await;
    house.playground.deny_bot(games, 0);
    let shows = turn_elsewhere(&house, &table).await;
    ada.wait_for(games, "the board", shows).await.unwrap();
    ask_in_vain(&house).await;
    house.playground.deny_bot(games, 0);
    house.quiet().await;
    let asked = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
    challenge(&ben, games, &asked).await;
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leave_that_was_given_while_nobody_listened_is_found_when_discord_tells_of_the_server() {
    const ADMINISTRATOR: u64 = 1 << 3;
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let guild = house.playground.guild("Rookery").unwrap();
    let table = open_here(&house).await;
    house.playground.rule_role(games, guild, 0, SEND);
    let shows = turn_elsewhere(&house, &table).await;
    house.playground.let_everybody(guild, ADMINISTRATOR);
    assert!(!ada.messages(games).iter().any(&shows), "nobody has told the bot");
    house.playground.put_out_of_order(guild, false);
    ada.wait_for(games, "the board that was missing", shows).await.unwrap();
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_of_a_turn_that_was_taken_back_before_is_missed_like_any_other() {
    let house = House::open().await;
    let (ada, games, general) = (house.ada(), house.games(), house.playground.channel("general"));
    let table = open_here(&house).await;
    let taken_back = async || {
        drop(turn_elsewhere(&house, &table).await);
        let told = ada.slash(ada.dm(), "undo", &json!({"table": table})).unwrap();
        told.message().await.unwrap();
        assert_eq!(house.table(&table).await.ply(), 0);
        house.quiet().await;
        house.playground.deny_bot(games, SEND);
        let shows = turn_elsewhere(&house, &table).await;
        assert_eq!(house.table(&table).await.ply(), 2);
        assert!(!ada.messages(games).iter().any(&shows), "nothing can be posted");
        shows
    };
    let shows = taken_back().await;
    house.playground.deny_bot(games, 0);
    ada.wait_for(games, "the board, once it may be posted", shows).await.unwrap();
    ada.slash(ada.dm(), "undo", &json!({"table": table})).unwrap().message().await.unwrap();
    house.quiet().await;

    let shows = taken_back().await;
    let asked = ada.slash(general, "board", &json!({"table": table})).unwrap();
    let told = asked.message().await.unwrap();
    assert!(told.content().contains("posted here"), "{}", told.content());
    ada.wait_for(general, "the board in another channel", shows).await.unwrap();
    house.playground.deny_bot(games, 0);
    until_nothing_waits(&house).await;
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_waits_for_leave_like_a_board() {
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let table = open_here(&house).await;
    house.playground.deny_bot(games, SEND);
    drop(turn_elsewhere(&house, &table).await);
    let sure = ada.slash(ada.dm(), "resign", &json!({"table": table})).unwrap().message().await.unwrap();
    house.press_private(&ada, &sure, "Yes, resign").await;
    house.quiet().await;
    let over = |it: &VisibleMessage| {
        it.content().contains(&format!("{table} is over")) && it.button("Rematch").is_some()
    };
    assert!(!ada.messages(games).iter().any(over), "nothing can be posted");
    house.playground.deny_bot(games, 0);
    let result = ada.wait_for(games, "the result, once it may be posted", over).await.unwrap();
    until_nothing_waits(&house).await;
    let boards = boards(&ada, games);
    let last = boards.last().unwrap();
    assert!(last.id < result.id, "the last board comes before it");
    assert!(boards.len() == 2 && last.button("Move").is_none(), "{}", last.content());
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_waits_for_leave_as_long_as_it_stands() {
    let house = House::open().await;
    let (ada, ben, games) = (house.ada(), house.ben(), house.games());
    house.playground.faults().fail_channel(games, Some(403));
    let terms = json!({"game": "amazons", "opponent": ben.id});
    let (stands, declined) = (open(&ada, games, &terms).await, open(&ada, games, &terms).await);
    let by_ben = Actor::Person(rookery_table::Person(ben.id.0));
    house.registry.order(declined.parse().unwrap(), by_ben, Order::Decline, None).await.unwrap();
    house.quiet().await;
    house.playground.faults().fail_channel(games, None);
    house.playground.deny_bot(games, 0);
    let posted = challenge(&ben, games, &stands).await;
    assert!(posted.button("Accept").is_some() && posted.pinged() == ["Ben"], "{}", posted.content());
    until_nothing_waits(&house).await;
    assert!(!ben.messages(games).iter().any(|it| it.content().contains(&declined)), "it stands no more");
    house.close_after(&[403]).await;
}
