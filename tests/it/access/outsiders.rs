//! People outside a channel cannot reach a game in it by being named, and moving a game does not reveal it.

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_table::ChannelId;
use serde_json::{Value, json};

use super::stage::VIEW;
use crate::duel::slash;
use crate::duel::{challenge, open};
use crate::test_bot::TestBot;

const SEND_MESSAGES: u64 = 1 << 11;

/// Returns the answer to a person's command.
async fn answer_text(who: &Person, channel: Id, command: &str, options: &Value) -> String {
    slash(who, channel, command, options).unwrap().message().await.unwrap().content().to_owned()
}

/// Creates a channel that only Ada and Ben can read.
fn closed_channel(bot: &TestBot) -> Id {
    let playground = &bot.playground;
    let (ada, ben) = (bot.ada(), bot.ben());
    let club = playground.new_role("Club", &[&ada, &ben]).unwrap();
    let channel = playground.new_channel("club").unwrap();
    for role in [club, playground.bot_role().unwrap()] {
        playground.set_role_overwrite(channel, role, VIEW, 0);
    }
    playground.set_role_overwrite(channel, playground.guild("Rookery").unwrap(), 0, VIEW);
    channel
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_a_team_is_given_to_nobody_who_cannot_read_the_channel() {
    let bot = TestBot::start().await;
    let (ada, cleo) = (bot.ada(), bot.cleo());
    let stranger = bot.playground.new_stranger("Sid");
    let club = closed_channel(&bot);
    for (channel, outside) in [(bot.games(), &stranger), (club, &cleo), (club, &stranger)] {
        for team in [outside.mention(), format!("everyone vs {}", outside.mention())] {
            let refused = answer_text(&ada, channel, "play", &json!({"game": "amazons", "team": team})).await;
            assert!(refused.contains("can't read this channel"), "{team}: {refused}");
            assert!(refused.contains(&outside.mention()), "{team}: {refused}");
        }
    }
    let opened =
        answer_text(&ada, bot.games(), "play", &json!({"game": "amazons", "team": cleo.mention()})).await;
    assert!(opened.contains("**"), "who reads the channel is named in a team: {opened}");
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_asking_for_its_board_elsewhere() {
    let bot = TestBot::start().await;
    let (ada, ben, club) = (bot.ada(), bot.ben(), closed_channel(&bot));
    let terms = json!({"game": "amazons", "size": "6x6", "where": "here", "first": "me", "settle": "off"});
    let table = open(&ada, club, &terms).await;
    let asked = challenge(&ben, club, &table).await;
    bot.press(&ben, &asked, "Join").await;
    ada.wait_for(club, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    bot.playground.deny_bot(club, SEND_MESSAGES);
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    answer_text(&ada, bot.games(), "move", &json!({"table": table, "move": text})).await;
    answer_text(&ada, bot.games(), "board", &json!({"table": table})).await;
    bot.wait_until_idle().await;
    assert_eq!(
        bot.table(&table).await.board_channel().unwrap().channel,
        ChannelId(club.0),
        "it stays where its readers are"
    );
    let seen = bot.cleo().messages(bot.games());
    assert!(!seen.iter().any(|it| it.content().contains(&text)), "nobody else reads of it");
    bot.stop_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_deleting_its_channel() {
    closed_game_stays_closed_without_its_channel(async |bot, club| bot.playground.delete_channel(club)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_deleting_its_channel_before_a_restart() {
    let deleted = async |bot: &mut TestBot, club| {
        bot.playground.delete_channel(club);
        bot.restart().await;
    };
    closed_game_stays_closed_without_its_channel(deleted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_closed_game_is_not_opened_by_deleting_its_channel_during_a_restart() {
    let deleted = async |bot: &mut TestBot, club| {
        bot.restart_while(|playground| playground.delete_channel(club)).await;
    };
    closed_game_stays_closed_without_its_channel(deleted).await;
}

/// Deletes the channel of a closed game, then moves and asks for its board in a channel that others read.
async fn closed_game_stays_closed_without_its_channel(delete: impl AsyncFnOnce(&mut TestBot, Id)) {
    let mut bot = TestBot::start().await;
    let (ada, ben, club) = (bot.ada(), bot.ben(), closed_channel(&bot));
    let terms = json!({"game": "amazons", "size": "6x6", "where": "here", "first": "me", "settle": "off"});
    let table = open(&ada, club, &terms).await;
    let asked = challenge(&ben, club, &table).await;
    bot.press(&ben, &asked, "Join").await;
    ada.wait_for(club, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    delete(&mut bot, club).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let shown = ada.slash(bot.games(), "move", &json!({"table": table, "move": text})).unwrap();
    let shown = shown.message().await.unwrap();
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "she sees it: {}", shown.content());
    answer_text(&ada, bot.games(), "board", &json!({"table": table})).await;
    bot.wait_until_idle().await;
    let seen = bot.cleo().messages(bot.games());
    assert!(!seen.iter().any(|it| it.content().contains(&text)), "nobody else reads of it");
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_role_ping_needs_send_permission() {
    let bot = TestBot::start().await;
    let (ben, games) = (bot.ben(), bot.games());
    let rooks = bot.playground.new_role("Rooks", &[&ben]).unwrap();
    let queens = bot.playground.new_role("Queens", &[&bot.cleo()]).unwrap();
    bot.playground.set_role_mentionable(queens, true);
    let teams = format!("<@&{rooks}> vs <@&{queens}>");
    let terms = json!({"game": "amazons", "size": "6x6", "team": teams});
    let pinged = async || {
        let answer = answer_text(&ben, games, "play", &terms).await;
        let table = answer.split("**").nth(1).unwrap_or_else(|| panic!("{answer}")).to_owned();
        challenge(&bot.cleo(), games, &table).await.json["mention_roles"].clone()
    };
    assert_eq!(pinged().await, json!([queens]));
    bot.playground.deny(games, &ben, SEND_MESSAGES);
    assert_eq!(pinged().await, json!([]));
    bot.stop().await;
}
