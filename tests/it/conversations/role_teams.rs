//! Several teams at one table: roles, people by name and everybody against each other.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::{Value, json};

use crate::duel::{challenge, has_move_at, open, tally};
use crate::eventually::eventually;
use crate::test_bot::TestBot;

const HOUR: Duration = Duration::from_secs(3_600);

/// Opens a game of Ada's with these teams; returns its table and its message in the channel.
async fn opened(bot: &TestBot, teams: &str, more: Value) -> (String, VisibleMessage) {
    let mut terms = json!({"game": "amazons", "size": "6x6", "team": teams, "settle": "off"});
    terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let table = open(&bot.ada(), bot.games(), &terms).await;
    let posted = challenge(&bot.ben(), bot.games(), &table).await;
    (table, posted)
}

/// Waits for the board after `ply` turns; returns its thread, too.
async fn board(bot: &TestBot, table: &str, ply: usize) -> (Id, VisibleMessage) {
    let ada = bot.ada();
    let thread = ada.wait_for_thread(bot.games(), table).await.unwrap();
    let shows = |it: &VisibleMessage| has_move_at(it, ply);
    (thread, ada.wait_for(thread, "the board", shows).await.unwrap())
}

async fn some_move(bot: &TestBot, table: &str) -> String {
    bot.table(table).await.play().unwrap().moves()[0].clone()
}

/// Replies to a board with a move; returns the refusal.
async fn refused(bot: &TestBot, who: &Person, board: &VisibleMessage, text: &str) -> String {
    let said = who.reply(board, text).unwrap();
    bot.answer_to(who, &said).await.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_a_role_plays_another_role() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let dan = bot.playground.new_user("Dan");
    let red = bot.playground.new_role("Red", &[&ada, &ben]).unwrap();
    let blue = bot.playground.new_role("Blue", &[&cleo, &dan]).unwrap();
    let (table, posted) = opened(&bot, &format!("<@&{red}> vs <@&{blue}> free"), json!({})).await;
    assert!(posted.content().contains(&format!("Open to <@&{blue}>")), "{}", posted.content());
    assert!(posted.content().contains(&format!("<@&{red}>: free team")), "{}", posted.content());
    assert_eq!(posted.json["mention_roles"], json!([blue]), "those are called who are wanted");

    let wrong = bot.press(&ben, &posted, "Join").await;
    assert!(wrong.content().contains(&format!("reserved for <@&{blue}>")), "{}", wrong.content());
    let joined = bot.press(&dan, &posted, "Join").await;
    assert!(joined.content().contains("only you can resign"), "{}", joined.content());
    let (thread, first) = board(&bot, &table, 0).await;
    assert_eq!(first.json["mention_roles"], json!([red]));

    let text = some_move(&bot, &table).await;
    let told = refused(&bot, &cleo, &first, &text).await;
    assert!(told.contains("to move") || told.contains("turn"), "she plays for the others: {told}");
    ben.reply(&first, &text).unwrap();
    let (_, second) = board(&bot, &table, 1).await;
    assert_eq!(second.json["mention_roles"], json!([blue]));
    cleo.reply(&second, &some_move(&bot, &table).await).unwrap();
    let (_, third) = board(&bot, &table, 2).await;

    let captain = bot.press(&cleo, &third, "Resign").await;
    assert!(captain.content().contains(&format!("Only your captain, {}, can resign", dan.mention())));
    bot.resign(&dan, &third).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    let over = ada.wait_for(thread, "the result", over).await.unwrap();
    assert!(over.content().contains(&format!("<@&{red}> (White) won")), "{}", over.content());
    bot.press(&ada, &over, "Rematch").await;
    let again = bot.table(&table).await.rematch().unwrap();
    let asked = challenge(&dan, bot.games(), again.as_str()).await;
    assert_eq!(asked.pinged(), ["Dan"], "who spoke for them is asked");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_everybody_plays_a_role_or_named_people() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let dan = bot.playground.new_user("Dan");
    let masters = bot.playground.new_role("Masters", &[&cleo, &dan]).unwrap();
    let (table, posted) = opened(&bot, &format!("everyone free vs <@&{masters}>"), json!({})).await;
    bot.press(&cleo, &posted, "Join").await;
    let (_, first) = board(&bot, &table, 0).await;
    ben.reply(&first, &some_move(&bot, &table).await).unwrap();
    let (_, second) = board(&bot, &table, 1).await;
    dan.reply(&second, &some_move(&bot, &table).await).unwrap();
    let (_, third) = board(&bot, &table, 2).await;
    // Dan may write in the channel like everybody else, but he belongs to the masters.
    let told = refused(&bot, &dan, &third, &some_move(&bot, &table).await).await;
    assert!(told.contains("to move") || told.contains("turn"), "{told}");

    let teams = format!("{} free vs everyone", ben.mention());
    let (table, posted) = opened(&bot, &teams, json!({"first": "them"})).await;
    let own = bot.press(&ben, &posted, "Join").await;
    assert!(own.content().contains("already"), "he plays with Ada: {}", own.content());
    bot.press(&cleo, &posted, "Join").await;
    let (_, first) = board(&bot, &table, 0).await;
    assert!(first.content().contains("everyone in"), "they begin: {}", first.content());
    cleo.reply(&first, &some_move(&bot, &table).await).unwrap();
    let (_, second) = board(&bot, &table, 1).await;
    let mut called = second.pinged();
    called.sort_unstable();
    assert_eq!(called, ["Ada", "Ben"]);
    ada.reply(&second, &some_move(&bot, &table).await).unwrap();
    board(&bot, &table, 2).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_named_people_is_kept_through_a_set() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let dan = bot.playground.new_user("Dan");
    let teams = format!("{} vs {} {}", dan.mention(), cleo.mention(), ben.mention());
    let (table, posted) = opened(&bot, &teams, json!({"set": "two"})).await;
    assert_eq!(posted.pinged(), ["Cleo"]);
    bot.press(&cleo, &posted, "Accept").await;
    let (thread, first) = board(&bot, &table, 0).await;
    dan.reply(&first, &some_move(&bot, &table).await).unwrap();
    let (_, second) = board(&bot, &table, 1).await;
    ben.reply(&second, &some_move(&bot, &table).await).unwrap();
    let (_, third) = board(&bot, &table, 2).await;
    bot.resign(&ada, &third).await;
    ada.wait_for(thread, "the result", |it| it.content().contains("is over")).await.unwrap();
    bot.wait_until_idle().await;
    let next = bot.table(&table).await.rematch().unwrap().to_string();
    let (_, first) = board(&bot, &next, 0).await;
    ben.reply(&first, &some_move(&bot, &next).await).unwrap();
    board(&bot, &next, 1).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_member_who_loses_the_role_loses_their_vote() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let queens = bot.playground.new_role("Queens", &[&ben, &cleo]).unwrap();
    let (table, _) = opened(&bot, &format!("<@&{queens}> vote 6h"), json!({"ai": "easy"})).await;
    let (thread, first) = board(&bot, &table, 0).await;
    let moves = bot.table(&table).await.play().unwrap().moves();
    ben.reply(&first, &moves[0]).unwrap();
    tally(&bot, thread, &moves[0]).await;
    cleo.reply(&first, &moves[1]).unwrap();
    tally(&bot, thread, &moves[1]).await;

    bot.playground.take_role(&ben, queens);
    let told = refused(&bot, &ben, &first, &moves[2]).await;
    assert!(told.contains(&format!("Only <@&{queens}>")), "{told}");
    let standing = tally(&bot, thread, &moves[1]).await;
    let gone = || ada.refetch(&standing).filter(|it| !it.content().contains(&moves[0]));
    bot.playground.wait("his vote to go", gone).await.unwrap();
    // In a direct message Discord does not send his roles, so the bot looks them up.
    bot.playground.take_role(&cleo, queens);
    let said = cleo.say(cleo.dm(), &format!("{table} {}", moves[2])).unwrap();
    let told = bot.answer_to(&cleo, &said).await;
    assert!(told.content().contains("can play here, but you can watch"), "{}", told.content());
    bot.advance(6 * HOUR).await;
    assert_eq!(bot.table(&table).await.ply(), 0, "nobody is for anything any more");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_does_not_count_members_who_lost_the_role() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let queens = bot.playground.new_role("Queens", &[&ada, &ben, &cleo]).unwrap();
    let (table, _) = opened(&bot, &format!("<@&{queens}> vote 6h"), json!({"ai": "easy"})).await;
    let (thread, first) = board(&bot, &table, 0).await;
    let moves = bot.table(&table).await.play().unwrap().moves();
    for who in [&ben, &cleo] {
        who.reply(&first, &moves[0]).unwrap();
    }
    eventually("two votes", async || bot.table(&table).await.team_vote().unwrap().votes() == 2).await;
    ada.reply(&first, &moves[1]).unwrap();
    tally(&bot, thread, &moves[1]).await;
    for who in [&ben, &cleo] {
        bot.playground.take_role(who, queens);
    }
    bot.advance(6 * HOUR).await;
    let table = bot.table(&table).await;
    assert_eq!(table.play().unwrap().record().first(), Some(&moves[1]));
    assert_eq!(table.vote_result(1).map(|vote_result| (vote_result.votes, vote_result.of)), Some((1, 1)));
    bot.stop().await;
}
