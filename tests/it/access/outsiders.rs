//! People outside a channel come to no game in it by being named, and no game comes out of it by being moved.

use rookery_playground::id::Id;
use rookery_playground::people::person::Person;
use serde_json::{Value, json};

use super::stage::VIEW;
use crate::duel::{challenge, open};
use crate::test_bot::House;

const SEND_MESSAGES: u64 = 1 << 11;

/// What a person is told who gives a command.
async fn told(who: &Person, channel: Id, command: &str, options: &Value) -> String {
    who.slash(channel, command, options).unwrap().message().await.unwrap().content().to_owned()
}

/// A channel that Ada and Ben read, and nobody else.
fn closed_channel(house: &House) -> Id {
    let playground = &house.playground;
    let (ada, ben) = (house.ada(), house.ben());
    let club = playground.new_role("Club", &[&ada, &ben]).unwrap();
    let channel = playground.new_channel("club").unwrap();
    for role in [club, playground.bot_role().unwrap()] {
        playground.rule_role(channel, role, VIEW, 0);
    }
    playground.rule_role(channel, playground.guild("Rookery").unwrap(), 0, VIEW);
    channel
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_a_team_is_given_to_nobody_who_cannot_read_the_channel() {
    let house = House::open().await;
    let (ada, cleo) = (house.ada(), house.cleo());
    let stranger = house.playground.new_stranger("Sid");
    let club = closed_channel(&house);
    for (channel, outside) in [(house.games(), &stranger), (club, &cleo), (club, &stranger)] {
        for team in [outside.mention(), format!("everyone vs {}", outside.mention())] {
            let refused = told(&ada, channel, "play", &json!({"game": "amazons", "team": team})).await;
            assert!(refused.contains("can't read this channel"), "{team}: {refused}");
            assert!(refused.contains(&outside.mention()), "{team}: {refused}");
        }
    }
    let opened = told(&ada, house.games(), "play", &json!({"game": "amazons", "team": cleo.mention()})).await;
    assert!(opened.contains("**"), "who reads the channel is named in a team: {opened}");
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_asking_for_its_board_elsewhere() {
    let house = House::open().await;
    let (ada, ben, club) = (house.ada(), house.ben(), closed_channel(&house));
    let terms = json!({"game": "amazons", "size": "6x6", "where": "here", "first": "me", "settle": "off"});
    let table = open(&ada, club, &terms).await;
    let asked = challenge(&ben, club, &table).await;
    house.press(&ben, &asked, "Join").await;
    ada.wait_for(club, "a board", |it| it.button("Move").is_some()).await.unwrap();
    house.quiet().await;
    house.playground.deny_bot(club, SEND_MESSAGES);
    let text = house.table(&table).await.play().unwrap().moves().remove(0);
    told(&ada, house.games(), "move", &json!({"table": table, "move": text})).await;
    told(&ada, house.games(), "board", &json!({"table": table})).await;
    house.quiet().await;
    assert_eq!(
        house.table(&table).await.board_channel().unwrap().channel,
        club.0,
        "it stays where its readers are"
    );
    let seen = house.cleo().messages(house.games());
    assert!(!seen.iter().any(|it| it.content().contains(&text)), "nobody else reads of it");
    house.close_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_deleting_its_channel() {
    let house = House::open().await;
    let (ada, ben, club) = (house.ada(), house.ben(), closed_channel(&house));
    let terms = json!({"game": "amazons", "size": "6x6", "where": "here", "first": "me", "settle": "off"});
    let table = open(&ada, club, &terms).await;
    let asked = challenge(&ben, club, &table).await;
    house.press(&ben, &asked, "Join").await;
    ada.wait_for(club, "a board", |it| it.button("Move").is_some()).await.unwrap();
    house.quiet().await;
    house.playground.delete_channel(club);
    let text = house.table(&table).await.play().unwrap().moves().remove(0);
    let shown = ada.slash(house.games(), "move", &json!({"table": table, "move": text})).unwrap();
    let shown = shown.message().await.unwrap();
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "she sees it: {}", shown.content());
    told(&ada, house.games(), "board", &json!({"table": table})).await;
    house.quiet().await;
    let seen = house.cleo().messages(house.games());
    assert!(!seen.iter().any(|it| it.content().contains(&text)), "nobody else reads of it");
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_roles_ping_takes_leave_to_write() {
    let house = House::open().await;
    let (ben, games) = (house.ben(), house.games());
    let rooks = house.playground.new_role("Rooks", &[&ben]).unwrap();
    let queens = house.playground.new_role("Queens", &[&house.cleo()]).unwrap();
    house.playground.let_mention(queens, true);
    let teams = format!("<@&{rooks}> vs <@&{queens}>");
    let terms = json!({"game": "amazons", "size": "6x6", "team": teams});
    let pinged = async || {
        let answer = told(&ben, games, "play", &terms).await;
        let table = answer.split("**").nth(1).unwrap_or_else(|| panic!("{answer}")).to_owned();
        challenge(&house.cleo(), games, &table).await.json["mention_roles"].clone()
    };
    assert_eq!(pinged().await, json!([queens]));
    house.playground.deny(games, &ben, SEND_MESSAGES);
    assert_eq!(pinged().await, json!([]));
    house.close().await;
}
