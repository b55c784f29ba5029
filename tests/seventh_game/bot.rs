//! The whole bot in the playground, with the seventh game on its list.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::seed::SeededRng;
use rookery_i18n::Languages;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::Filter;
use rookery_table::thinkers::ThinkerPool;
use rookery_table::thinking_limits::ThinkingLimits;
use serde_json::json;

use crate::duel::tap_through;
use crate::fox_and_hounds::{INFO, TEXTS};
use crate::games;
use crate::test_bot::{TestBot, TestSetup};

async fn bot() -> TestBot {
    games();
    let thinker = Arc::new(ThinkerPool::new(1, Duration::from_secs(10), ThinkingLimits::NONE).unwrap());
    let languages = Languages::built_in().with_game(&TEXTS);
    TestBot::of(TestSetup { thinker, languages, ..TestSetup::default() }).await
}

async fn picture(message: &VisibleMessage) -> Vec<u8> {
    let url = message.files()[0]["url"].as_str().unwrap();
    reqwest::get(url).await.unwrap().bytes().await.unwrap().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn play_command_lists_the_game() {
    let bot = bot().await;
    let requests = bot.playground.requests();
    let registered = requests.iter().find(|it| it.method == "PUT" && it.path.ends_with("/commands")).unwrap();
    let commands = registered.body.as_array().unwrap();
    let play = commands.iter().find(|command| command["name"] == "play").unwrap();
    let options = play["options"].as_array().unwrap();
    let games =
        options.iter().find(|option| option["name"] == "game").unwrap()["choices"].as_array().unwrap();
    assert!(games.contains(&json!({"name": "Fox and Hounds", "value": INFO.key})), "{games:?}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn help_and_rules_show_the_game() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let help = ada.slash(games, "help", &json!({})).unwrap().message().await.unwrap();
    assert!(help.content().contains("Fox and Hounds"), "{}", help.content());
    let rules = ada.slash(games, "rules", &json!({"game": INFO.key})).unwrap().message().await.unwrap();
    let page = rules.json["embeds"][0]["description"].as_str().unwrap();
    assert!(page.contains("A traditional game for two") && !page.contains("Designed by"), "{page}");
    assert!(!rules.files().is_empty(), "a board beside the rules");
    bot.stop().await;
}

/// Ada makes her move in the panel; the bot, with a real player, answers it.
#[tokio::test(flavor = "multi_thread")]
async fn panel_plays_a_move_and_the_bot_answers() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": INFO.key, "ai": "easy", "first": "me"});
    ada.slash(games, "play", &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Fox and Hounds").await.unwrap();
    let shows =
        |text: &'static str| move |it: &VisibleMessage| !it.files().is_empty() && it.content().contains(text);
    let first = ada.wait_for(thread, "the first board", shows("your move")).await.unwrap();
    let words = first.files()[0]["description"].as_str().unwrap();
    assert!(words.contains("Fox: e1") && words.contains("Fox to move"), "{words}");

    let panel = bot.press(&ada, &first, "Move").await;
    let told = tap_through(&bot, &ada, panel, &mut SeededRng::new(1)).await;
    let own = told.content().split('`').nth(1).unwrap().to_owned();
    let second = ada.wait_for(thread, "the board after both moves", shows(". ")).await.unwrap();
    assert_ne!(picture(&first).await, picture(&second).await);

    let listed = bot.registry.list(&Filter::default(), 100).await.unwrap()[0].id;
    let record = bot.registry.table(listed).await.unwrap().play().unwrap().record();
    assert_eq!((record.len(), &record[0]), (2, &own), "the player's move and the bot's");
    bot.stop().await;
}

/// A wrong move is answered with the rule, typed moves are completed.
#[tokio::test(flavor = "multi_thread")]
async fn typed_moves_are_completed_and_refused_with_the_rule() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    ada.slash(games, "play", &json!({"game": INFO.key, "ai": "easy", "first": "me"})).unwrap();
    let thread = ada.wait_for_thread(games, "Fox and Hounds").await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    let said = ada.reply(&board, "e1-e2").unwrap();
    let refused = bot.answer_to(&ada, &said).await;
    assert!(refused.content().contains("one square diagonally"), "{}", refused.content());
    let offered = ada.complete(thread, "move", &json!({"move": "e1"}), "move").await.unwrap();
    let mut values: Vec<_> = offered.iter().filter_map(|choice| choice["value"].as_str()).collect();
    values.sort_unstable();
    assert_eq!(values, ["e1-d2", "e1-f2"]);
    bot.stop().await;
}
