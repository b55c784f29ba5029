//! The first game: Ada opens it in a channel, types moves, and sees the picture change.
//! The whole bot through the playground, with a player that takes the first legal move.
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::tap_through;
use crate::test_bot::TestBot;

async fn picture(board: &VisibleMessage) -> Vec<u8> {
    let url = board.files()[0]["url"].as_str().unwrap();
    reqwest::get(url).await.unwrap().bytes().await.unwrap().to_vec()
}

pub(super) fn has_picture(message: &VisibleMessage, words: &str) -> bool {
    !message.files().is_empty() && message.content().contains(words)
}

#[tokio::test(flavor = "multi_thread")]
async fn first_game_against_the_bot_changes_the_picture() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let asked = slash_play(&ada, games, &json!({"game": "amazons", "ai": "random", "size": "6x6"})).unwrap();
    let answer = asked.message().await.unwrap();
    assert!(answer.is_ephemeral() && answer.content().contains("It has begun"), "{}", answer.content());

    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let first = ada.wait_for(thread, "the first board", |m| has_picture(m, "your move")).await.unwrap();
    assert_eq!(first.pinged(), ["Ada"]);
    assert!(first.files()[0]["description"].as_str().unwrap().contains("White to move"));

    let mut play =
        rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap();
    ada.reply(&first, "d1-?!").unwrap();
    let wrong =
        ada.wait_for(thread, "a refusal", |m| m.content().contains("A move looks like")).await.unwrap();
    assert!(wrong.pinged().is_empty());

    let own = play.moves().into_iter().last().unwrap();
    let own = play.play(&own).unwrap();
    ada.reply(&first, &own.to_uppercase().replace(['-', '/'], " ")).unwrap();
    let theirs = play.moves().into_iter().next().unwrap();
    let theirs = play.play(&theirs).unwrap();
    let second =
        ada.wait_for(thread, "the board after both moves", |m| has_picture(m, &theirs)).await.unwrap();
    assert!(second.pinged().is_empty(), "she is looking at it");
    assert_ne!(picture(&first).await, picture(&second).await);

    let stripped = || ada.refetch(&first).filter(|board| board.buttons().is_empty());
    let stripped = bot.playground.wait("the old buttons to go", stripped).await.unwrap();
    assert_eq!(stripped.files().len(), 1, "the old picture stays");
    assert!(!stripped.content().contains("your move"), "{}", stripped.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn first_game_of_two_people_ends_by_resignation() {
    let bot = TestBot::start().await;
    let games = bot.playground.channel("games");
    let (ada, ben) = (bot.playground.user("Ada"), bot.playground.new_user("Bente"));
    slash_play(&ada, games, &json!({"game": "amazons"})).unwrap();
    let open = ben.wait_for(games, "a challenge", |m| m.button("Join").is_some()).await.unwrap();
    ben.click(&open, open.button("Join").unwrap()).unwrap().message().await.unwrap();

    let thread = ben.wait_for_thread(games, "Amazons").await.unwrap();
    let board = ada.wait_for(thread, "a board", |m| has_picture(m, "your move")).await.unwrap();
    let refused = ben.click(&board, board.button("Move").unwrap()).unwrap().message().await.unwrap();
    assert!(refused.is_ephemeral() && refused.content().contains("'s turn"), "{}", refused.content());

    let panel = ada.click(&board, board.button("Move").unwrap()).unwrap().message().await.unwrap();
    let told = tap_through(&bot, &ada, panel, &mut SeededRng::new(1)).await;
    assert!(told.content().contains("You played"), "{}", told.content());

    let board = ben.wait_for(thread, "the next board", |m| has_picture(m, " played ")).await.unwrap();
    assert_eq!(board.pinged(), ["Bente"]);
    let sure = ben.click(&board, board.button("Resign").unwrap()).unwrap().message().await.unwrap();
    ben.click(&sure, sure.button("Yes, resign").unwrap()).unwrap().message().await.unwrap();
    let result = ada.wait_for(thread, "the result", |m| m.content().contains("is over")).await.unwrap();
    assert!(result.content().contains(&ada.mention()), "{}", result.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn move_completion_narrows_while_a_move_is_typed() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    slash_play(&ada, games, &json!({"game": "amazons", "ai": "random"})).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    ada.wait_for(thread, "a board", |m| has_picture(m, "your move")).await.unwrap();
    let choices = ada.complete(thread, "move", &json!({"move": ""}), "move").await.unwrap();
    assert_eq!(choices.len(), 4, "{choices:?}");
    let shots = ada.complete(thread, "move", &json!({"move": "d1d7"}), "move").await.unwrap();
    assert!(shots.iter().any(|shot| shot["value"] == "d1-d7/g7"), "{shots:?}");
    let played = ada.slash(thread, "move", &json!({"move": "d1-d7/g7"})).unwrap().message().await.unwrap();
    assert!(played.content().contains("d1-d7/g7"), "{}", played.content());
    bot.stop().await;
}
