//! People banned from a server finish the games in which they have a seat, and start no new ones.

use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::GuildId;
use rookery_table::Status;
use serde_json::json;

use super::quotas::answer_text;
use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::TestBot;

const BANNED: &str = "banned you from using Rookery here";

#[tokio::test(flavor = "multi_thread")]
async fn banned_people_start_nothing_on_that_server_by_any_way() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let own = open(&ben, games, &json!({"game": "amoeba"})).await;
    let done = answer_text(&ada, games, "config ban", &json!({"person": ben.id})).await;
    assert!(done.contains("is banned from Rookery here") && done.contains("open challenge"), "{done}");
    assert!(matches!(bot.table(&own).await.status(), Status::Over(_)), "his open challenge is closed");
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let asked = challenge(&ben, games, &table).await;
    for (command, options) in [
        ("play", json!({"game": "amazons", "ai": "easy"})),
        ("play", json!({"game": "amazons", "opponent": ada.id})),
        ("games", json!({})),
        ("replay", json!({"table": table})),
        ("board", json!({"table": table})),
        ("watch", json!({"table": table})),
        ("import", json!({"text": "game: amazons"})),
        ("tutorial", json!({"game": "amazons"})),
        ("settings", json!({})),
        ("report", json!({"text": "x"})),
    ] {
        let refused = answer_text(&ben, games, command, &options).await;
        assert!(refused.contains(BANNED), "{command}: {refused}");
    }
    let menu = ben.on_user(games, "Challenge to a game", ada.id).unwrap().message().await.unwrap();
    assert!(menu.content().contains(BANNED), "{}", menu.content());
    assert_eq!(
        ben.complete(games, "play", &json!({"game": "amazons", "size": "6"}), "size").await.unwrap(),
        [] as [serde_json::Value; 0]
    );
    for label in ["Join", "Show board"] {
        if asked.button(label).is_some() {
            let pressed = bot.press(&ben, &asked, label).await;
            assert!(pressed.content().contains(BANNED), "{label}: {}", pressed.content());
        }
    }
    for text in ["play amazons easy".to_owned(), format!("{table} yes"), "help".to_owned()] {
        let said = ben.say(games, &format!("<@{BOT_ID}> {text}")).unwrap();
        let answer = bot.answer_to(&ben, &said).await;
        assert!(answer.content().contains(BANNED), "{text}: {}", answer.content());
    }
    let direct = ben.say(ben.dm(), &format!("{table} yes")).unwrap();
    assert!(bot.answer_to(&ben, &direct).await.content().contains(BANNED), "nor from a direct message");
    assert_eq!(bot.table(&table).await.status(), &Status::Waiting);
    // He keeps access to his own data, and other servers are not affected.
    assert!(answer_text(&ben, games, "privacy", &json!({})).await.contains("What I store about you"));
    open(&ben, bot.playground.channel("table"), &json!({"game": "amoeba"})).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn banned_people_finish_their_games_and_are_let_in_again() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let games = bot.games();
    let cleo = bot.cleo();
    let offered = async || cleo.complete(games, "board", &json!({"table": ""}), "table").await.unwrap();
    let shown = offered().await.iter().any(|it| it["value"] == duel.table.as_str());
    assert!(shown, "a game that she may look at");
    answer_text(&duel.ada, games, "config ban", &json!({"person": cleo.id})).await;
    assert!(offered().await.is_empty(), "banned, she is offered no game of others");
    answer_text(&duel.ada, games, "config ban", &json!({"person": duel.ben.id})).await;
    for way in [Way::Reply, Way::Reply, Way::Reply, Way::Panel, Way::Mention, Way::Command] {
        duel.turn(&bot, way).await;
    }
    let listed = answer_text(&duel.ada, games, "config bans", &json!({})).await;
    assert!(listed.contains(&duel.ben.mention()), "{listed}");
    bot.resign(&duel.ben, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ben.wait_for(duel.thread, "the result", over).await.unwrap();
    let again = bot.press(&duel.ben, &result, "Rematch").await;
    assert!(again.content().contains(BANNED), "{}", again.content());
    let talk = duel.ben.say(duel.thread, "well played").unwrap();
    bot.wait_until_idle().await;
    let answered =
        |it: &VisibleMessage| it.json["message_reference"]["message_id"] == talk.id.to_string().as_str();
    assert!(!duel.ben.messages(duel.thread).iter().any(answered), "talk among people is left alone");
    let lifted = answer_text(&duel.ada, games, "config unban", &json!({"person": duel.ben.id})).await;
    assert!(lifted.contains("no longer banned"), "{lifted}");
    open(&duel.ben, games, &json!({"game": "amoeba"})).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn managers_ban_neither_themselves_nor_the_bot_and_bans_outlive_a_restart() {
    let mut bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for (who, reason) in [(ada.id, "can't ban yourself"), (BOT_ID, "can't ban me")] {
        let refused = answer_text(&ada, games, "config ban", &json!({"person": who})).await;
        assert!(refused.contains(reason), "{refused}");
    }
    answer_text(&ada, games, "config ban", &json!({"person": ben.id})).await;
    assert!(
        answer_text(&ada, games, "config ban", &json!({"person": ben.id})).await.contains("already banned")
    );
    bot.restart().await;
    assert!(answer_text(&ben, games, "games", &json!({})).await.contains(BANNED));
    let guild = bot.playground.guild("Rookery").unwrap();
    assert!(bot.registry.is_banned(Some(GuildId(guild.0)), rookery_table::UserId(ben.id.0)).await);
    bot.stop().await;
}
