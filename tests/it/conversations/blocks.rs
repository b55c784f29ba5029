//! Blocked people cannot challenge, join, invite or ping the blocker, and get no notification of the block.

use std::sync::Arc;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_store::Sqlite;
use rookery_table::Status;
use serde_json::{Value, json};

use super::quotas::answer_text;
use super::user_install::elsewhere;
use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::{TestBot, TestSetup};

async fn block(who: &Person, channel: Id, other: &Person) -> String {
    answer_text(who, channel, "block add", &json!({"person": other.id})).await
}

/// The answer to a blocked person reveals nothing of the block.
fn is_unavailable(told: &str, who: &Person) {
    assert_eq!(told, format!("{} isn't available for challenges.", who.mention()));
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_people_cannot_challenge_invite_or_join_and_are_not_told() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let done = block(&ada, games, &ben).await;
    assert!(done.contains("You've blocked") && done.contains(&ben.mention()), "{done}");
    let team = format!("{} {} vs everyone", ben.mention(), ada.mention());
    for terms in [
        json!({"game": "amazons", "opponent": ada.id}),
        json!({"game": "penguins", "opponent": cleo.id, "opponent2": ada.id}),
        json!({"game": "amazons", "team": team}),
    ] {
        is_unavailable(&answer_text(&ben, games, "play", &terms).await, &ada);
    }
    let record = json!({"text": "game: amazons\nsize: 6x6", "opponent": ada.id});
    let import = answer_text(&ben, games, "import", &record).await;
    assert!(!import.contains("Your game is **"), "{import}");
    let said =
        ben.say(games, &format!("<@{}> play amazons {}", rookery_playground::BOT_ID, ada.mention())).unwrap();
    is_unavailable(bot.answer_to(&ben, &said).await.content(), &ada);
    // A table that is open to everybody is closed to the blocked person, by every entrance.
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let asked = challenge(&ben, games, &table).await;
    is_unavailable(bot.press(&ben, &asked, "Join").await.content(), &ada);
    let direct = ben.say(ben.dm(), &format!("{table} yes")).unwrap();
    assert!(bot.answer_to(&ben, &direct).await.content().contains("isn't available for challenges"));
    assert_eq!(bot.table(&table).await.status(), &Status::Waiting);
    let joined = bot.press(&cleo, &asked, "Join").await;
    assert!(joined.content().contains("You've joined"), "{}", joined.content());
    bot.wait_until_idle().await;
    let pinged = ada
        .messages(games)
        .iter()
        .filter(|it| it.author() != Some(ben.id))
        .any(|it| it.pinged().contains(&"Ada") && !it.content().contains(&table));
    assert!(!pinged, "nothing of his has reached her");
    bot.stop().await;
}

/// Opens a game of the Amazons that everybody in the channel plays together with Ada; returns its table and first
/// board.
async fn everyone_plays(bot: &TestBot) -> (String, VisibleMessage) {
    let terms = json!({"game": "amazons", "size": "6x6", "first": "me", "settle": "off", "ai": "easy",
        "team": "everyone free"});
    let table = open(&bot.ada(), bot.games(), &terms).await;
    let thread = bot.ada().wait_for_thread(bot.games(), &table).await.unwrap();
    let board = bot.ada().wait_for(thread, "the board", |it| it.button("Move").is_some()).await.unwrap();
    (table, board)
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_people_do_not_join_a_team_that_plays_already() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let (table, board) = everyone_plays(&bot).await;
    block(&ada, bot.games(), &ben).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let said = ben.reply(&board, &text).unwrap();
    bot.answer_to(&ben, &said).await;
    assert_eq!(bot.table(&table).await.ply(), 0, "Ben plays in no team of hers");
    cleo.reply(&board, &text).unwrap();
    let answered =
        |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains("Black played ");
    ada.wait_for(board.channel, "the bot's answer to Cleo", answered).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_people_go_on_with_running_games_and_offer_no_rematch() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let done = block(&duel.ada, bot.games(), &duel.ben).await;
    assert!(done.contains(&duel.table) && done.contains("`/resign`"), "{done}");
    for way in [Way::Reply, Way::Panel, Way::Direct] {
        duel.turn(&bot, way).await;
    }
    bot.resign(&duel.ben, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ben.wait_for(duel.thread, "the result", over).await.unwrap();
    is_unavailable(bot.press(&duel.ben, &result, "Rematch").await.content(), &duel.ada);
    let own = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(
        own.content().contains("You've blocked") && own.content().contains("/block remove"),
        "{}",
        own.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_are_listed_lifted_and_turn_down_what_was_asked_before() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    assert!(answer_text(&ada, games, "block list", &json!({})).await.contains("haven't blocked anyone"));
    let table = open(&ben, games, &json!({"game": "amazons", "opponent": ada.id})).await;
    let menu = ada.on_user(games, "Block in Rookery", ben.id).unwrap().message().await.unwrap();
    assert!(menu.is_ephemeral() && menu.content().contains("declined"), "{}", menu.content());
    assert!(matches!(bot.table(&table).await.status(), Status::Over(_)));
    assert!(block(&ada, games, &ben).await.contains("already blocked"));
    assert!(answer_text(&ada, games, "block list", &json!({})).await.contains(&ben.mention()));
    assert!(block(&ada, games, &ada).await.contains("can't block yourself"));
    let lifted = answer_text(&ada, games, "block remove", &json!({"person": ben.id})).await;
    assert!(lifted.contains("unblocked"), "{lifted}");
    let again = answer_text(&ada, games, "block remove", &json!({"person": ben.id})).await;
    assert!(again.contains("You haven't blocked"), "{again}");
    open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_watchers_are_not_brought_into_the_thread() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    block(&duel.ben, bot.games(), &bot.cleo()).await;
    let watching = answer_text(&bot.cleo(), bot.games(), "watch", &json!({"table": duel.table})).await;
    assert!(watching.contains("direct message"), "{watching}");
    bot.wait_until_idle().await;
    let named = |it: &VisibleMessage| it.content().contains(&bot.cleo().mention());
    assert!(!duel.ben.messages(duel.thread).iter().any(named));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_hold_where_only_people_have_installed_the_bot_and_in_direct_messages() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    assert!(block(&ada, ada.dm(), &ben).await.contains("You've blocked"));
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ada.id});
    is_unavailable(&answer_text(&ben, channel, "play", &terms).await, &ada);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_outlive_a_restart_and_are_taken_home_and_deleted_with_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap());
    let mut bot = TestBot::of(TestSetup { journal, ..TestSetup::default() }).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    block(&ada, games, &ben).await;
    bot.restart().await;
    let terms = json!({"game": "amazons", "opponent": ada.id});
    is_unavailable(&answer_text(&ben, games, "play", &terms).await, &ada);
    let panel = ada.slash(games, "privacy", &json!({})).unwrap().message().await.unwrap();
    let sent = bot.press_private(&ada, &panel, "Send my data").await;
    let data: Value =
        reqwest::get(sent.files()[0]["url"].as_str().unwrap()).await.unwrap().json().await.unwrap();
    assert_eq!(data["blocking"], json!([ben.id.to_string()]));
    let panel = ada.slash(games, "privacy", &json!({})).unwrap().message().await.unwrap();
    let sure = bot.press_private(&ada, &panel, "Delete my data").await;
    bot.press_private(&ada, &sure, "Delete").await;
    open(&ben, games, &terms).await;
    bot.stop().await;
}
