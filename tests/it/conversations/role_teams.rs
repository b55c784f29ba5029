//! Several teams at one table: roles, people by name and everybody against each other.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::people::person::Person;
use rookery_playground::people::visible_message::VisibleMessage;
use serde_json::{Value, json};

use crate::duel::{challenge, open, tally};
use crate::test_bot::House;

const HOUR: Duration = Duration::from_secs(3_600);

/// What stands in the channel for a game that Ada opens with these teams, and its table.
async fn opened(house: &House, teams: &str, more: Value) -> (String, VisibleMessage) {
    let mut terms = json!({"game": "amazons", "size": "6x6", "team": teams, "settle": "off"});
    terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let table = open(&house.ada(), house.games(), &terms).await;
    let posted = challenge(&house.ben(), house.games(), &table).await;
    (table, posted)
}

/// The board that calls for a turn, after so many.
async fn board(house: &House, table: &str, ply: usize) -> (Id, VisibleMessage) {
    let ada = house.ada();
    let thread = ada.wait_for_thread(house.games(), table).await.unwrap();
    let told = format!(" {ply}. ");
    let shows =
        |it: &VisibleMessage| it.button("Move").is_some() && (ply == 0 || it.content().contains(&told));
    (thread, ada.wait_for(thread, "the board", shows).await.unwrap())
}

async fn some_move(house: &House, table: &str) -> String {
    house.table(table).await.play().unwrap().moves()[0].clone()
}

/// Answers a board with a move; what the writer is told if nothing comes of it.
async fn refused(house: &House, who: &Person, board: &VisibleMessage, text: &str) -> String {
    let said = who.reply(board, text).unwrap();
    house.answer_to(who, &said).await.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_plays_a_role_and_each_has_who_speaks_for_it() {
    let house = House::open().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    let dan = house.playground.new_user("Dan");
    let red = house.playground.new_role("Red", &[&ada, &ben]).unwrap();
    let blue = house.playground.new_role("Blue", &[&cleo, &dan]).unwrap();
    let (table, posted) = opened(&house, &format!("<@&{red}> vs <@&{blue}> free"), json!({})).await;
    assert!(posted.content().contains(&format!("Wanted: <@&{blue}>")), "{}", posted.content());
    assert!(posted.content().contains(&format!("<@&{red}>: the team plays freely")), "{}", posted.content());
    assert_eq!(posted.json["mention_roles"], json!([blue]), "those are called who are wanted");

    let wrong = house.press(&ben, &posted, "Join").await;
    assert!(wrong.content().contains(&format!("kept for <@&{blue}>")), "{}", wrong.content());
    let joined = house.press(&dan, &posted, "Join").await;
    assert!(joined.content().contains("speak for your team"), "{}", joined.content());
    let (thread, first) = board(&house, &table, 0).await;
    assert_eq!(first.json["mention_roles"], json!([red]));

    let text = some_move(&house, &table).await;
    let told = refused(&house, &cleo, &first, &text).await;
    assert!(told.contains("to move") || told.contains("turn"), "she plays for the others: {told}");
    ben.reply(&first, &text).unwrap();
    let (_, second) = board(&house, &table, 1).await;
    assert_eq!(second.json["mention_roles"], json!([blue]));
    cleo.reply(&second, &some_move(&house, &table).await).unwrap();
    let (_, third) = board(&house, &table, 2).await;

    let captain = house.press(&cleo, &third, "Resign").await;
    assert!(captain.content().contains(&format!("{} speaks for your team", dan.mention())));
    house.resign(&dan, &third).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    let over = ada.wait_for(thread, "the result", over).await.unwrap();
    assert!(over.content().contains(&format!("<@&{red}> won")), "{}", over.content());
    house.press(&ada, &over, "Rematch").await;
    let again = house.table(&table).await.rematch().unwrap();
    let asked = challenge(&dan, house.games(), again.as_str()).await;
    assert_eq!(asked.pinged(), ["Dan"], "who spoke for them is asked");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_plays_against_a_role_and_people_by_name_against_everybody() {
    let house = House::open().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    let dan = house.playground.new_user("Dan");
    let masters = house.playground.new_role("Masters", &[&cleo, &dan]).unwrap();
    let (table, posted) = opened(&house, &format!("everyone free vs <@&{masters}>"), json!({})).await;
    house.press(&cleo, &posted, "Join").await;
    let (_, first) = board(&house, &table, 0).await;
    ben.reply(&first, &some_move(&house, &table).await).unwrap();
    let (_, second) = board(&house, &table, 1).await;
    dan.reply(&second, &some_move(&house, &table).await).unwrap();
    let (_, third) = board(&house, &table, 2).await;
    // Dan could write in the channel like everybody, and is of the masters.
    let told = refused(&house, &dan, &third, &some_move(&house, &table).await).await;
    assert!(told.contains("to move") || told.contains("turn"), "{told}");

    let teams = format!("{} free vs everyone", ben.mention());
    let (table, posted) = opened(&house, &teams, json!({"first": "them"})).await;
    let own = house.press(&ben, &posted, "Join").await;
    assert!(own.content().contains("already"), "he plays with Ada: {}", own.content());
    house.press(&cleo, &posted, "Join").await;
    let (_, first) = board(&house, &table, 0).await;
    assert!(first.content().contains("everyone in"), "they begin: {}", first.content());
    cleo.reply(&first, &some_move(&house, &table).await).unwrap();
    let (_, second) = board(&house, &table, 1).await;
    let mut called = second.pinged();
    called.sort_unstable();
    assert_eq!(called, ["Ada", "Ben"]);
    ada.reply(&second, &some_move(&house, &table).await).unwrap();
    board(&house, &table, 2).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_by_name_are_asked_by_their_first_and_a_set_keeps_the_teams() {
    let house = House::open().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    let dan = house.playground.new_user("Dan");
    let teams = format!("{} vs {} {}", dan.mention(), cleo.mention(), ben.mention());
    let (table, posted) = opened(&house, &teams, json!({"set": "two"})).await;
    assert_eq!(posted.pinged(), ["Cleo"]);
    house.press(&cleo, &posted, "Accept").await;
    let (thread, first) = board(&house, &table, 0).await;
    dan.reply(&first, &some_move(&house, &table).await).unwrap();
    let (_, second) = board(&house, &table, 1).await;
    ben.reply(&second, &some_move(&house, &table).await).unwrap();
    let (_, third) = board(&house, &table, 2).await;
    house.resign(&ada, &third).await;
    ada.wait_for(thread, "the result", |it| it.content().contains("is over")).await.unwrap();
    house.quiet().await;
    let next = house.table(&table).await.rematch().unwrap().to_string();
    let (_, first) = board(&house, &next, 0).await;
    ben.reply(&first, &some_move(&house, &next).await).unwrap();
    board(&house, &next, 1).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_loses_the_role_moves_and_votes_no_more_and_their_vote_is_taken_back() {
    let house = House::open().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    let queens = house.playground.new_role("Queens", &[&ben, &cleo]).unwrap();
    let (table, _) = opened(&house, &format!("<@&{queens}> vote 6h"), json!({"ai": "easy"})).await;
    let (thread, first) = board(&house, &table, 0).await;
    let moves = house.table(&table).await.play().unwrap().moves();
    ben.reply(&first, &moves[0]).unwrap();
    tally(&house, thread, &moves[0]).await;
    cleo.reply(&first, &moves[1]).unwrap();
    tally(&house, thread, &moves[1]).await;

    house.playground.take_role(&ben, queens);
    let told = refused(&house, &ben, &first, &moves[2]).await;
    assert!(told.contains(&format!("played by <@&{queens}>")), "{told}");
    let standing = tally(&house, thread, &moves[1]).await;
    let gone = || ada.look_again(&standing).filter(|it| !it.content().contains(&moves[0]));
    house.playground.wait("his vote to go", gone).await.unwrap();
    // In a direct message Discord does not tell his roles: they are looked up.
    house.playground.take_role(&cleo, queens);
    let said = cleo.say(cleo.dm(), &format!("{table} {}", moves[2])).unwrap();
    let told = house.answer_to(&cleo, &said).await;
    assert!(told.content().contains("played by"), "{}", told.content());
    house.pass(6 * HOUR).await;
    assert_eq!(house.table(&table).await.ply(), 0, "nobody is for anything any more");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lost_the_role_and_never_came_back_is_not_counted() {
    let house = House::open().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    let queens = house.playground.new_role("Queens", &[&ada, &ben, &cleo]).unwrap();
    let (table, _) = opened(&house, &format!("<@&{queens}> vote 6h"), json!({"ai": "easy"})).await;
    let (thread, first) = board(&house, &table, 0).await;
    let moves = house.table(&table).await.play().unwrap().moves();
    for who in [&ben, &cleo] {
        who.reply(&first, &moves[0]).unwrap();
    }
    while house.table(&table).await.team_vote().unwrap().votes() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    ada.reply(&first, &moves[1]).unwrap();
    tally(&house, thread, &moves[1]).await;
    for who in [&ben, &cleo] {
        house.playground.take_role(who, queens);
    }
    house.pass(6 * HOUR).await;
    let table = house.table(&table).await;
    assert_eq!(table.play().unwrap().record().first(), Some(&moves[1]));
    assert_eq!(table.vote_result(1).map(|vote_result| (vote_result.votes, vote_result.of)), Some((1, 1)));
    house.close().await;
}
