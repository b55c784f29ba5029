//! User-installed games in group conversations and other servers: offers, rated games and teams in a game's
//! single message.

use std::time::Duration;

use rookery_core::seed::SeededRng;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{EndCause, Status};
use serde_json::json;

use super::user_install::{begun, begun_with, elsewhere, message, press, shows, turn};
use crate::duel::{has_move_at, offered, slash_play};
use crate::test_bot::TestBot;

/// Presses a button of the More panel.
async fn more(bot: &TestBot, who: &Person, board: &VisibleMessage, ending: &str) {
    let more = press(bot, who, board, "More").await;
    let id = offered(&more).into_iter().map(|(id, _)| id).find(|id| id.ends_with(ending)).unwrap();
    bot.changed(who, &more, &who.click(&more, &id).unwrap()).await;
}

async fn cause(bot: &TestBot, table: &str) -> Option<EndCause> {
    match bot.table(table).await.status() {
        Status::Over(ending) => Some(ending.cause),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_draw_and_rematch_stay_in_the_direct_messages() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let here = ada.dm_with(&ben);
    let (mut board, table) = begun_with(&bot, here, &json!({"game": "amoeba"})).await;
    board = turn(&bot, &ada, &board, &mut SeededRng::new(4)).await;
    more(&bot, &ben, &board, "offer:draw").await;
    let asks = message(&ada, here, "the offer", |it| it.button("Agree").is_some()).await;
    assert!(asks.id == board.id && asks.content().contains("offers a draw"), "{}", asks.content());
    let own = press(&bot, &ben, &asks, "Agree").await;
    assert!(!own.content().is_empty() && cause(&bot, &table).await.is_none(), "not by who made it");
    press(&bot, &ada, &asks, "Agree").await;
    let over = message(&ben, here, "the result", |it| it.button("Rematch").is_some()).await;
    assert_eq!((over.id, cause(&bot, &table).await), (board.id, Some(EndCause::Agreed)));

    press(&bot, &ben, &over, "Rematch").await;
    let next = bot.table(&table).await.rematch().unwrap().to_string();
    let news = |it: &VisibleMessage| it.content().contains(&next) && it.button("Accept").is_some();
    let challenge = message(&ada, here, "the new challenge", news).await;
    assert_eq!(challenge.pinged(), ["Ada"]);
    press(&bot, &ada, &challenge, "Accept").await;
    let begins = |it: &VisibleMessage| it.content().contains(&next) && it.button("Move").is_some();
    let again = message(&ben, here, "its board", begins).await;
    turn(&bot, &ben, &again, &mut SeededRng::new(5)).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_takeback_needs_agreement() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let here = ada.dm_with(&ben);
    let (mut board, table) = begun(&bot, here).await;
    let mut rng = SeededRng::new(6);
    board = turn(&bot, &ada, &board, &mut rng).await;
    for (answer, ply) in [("Play on", 1), ("Agree", 0)] {
        if answer == "Agree" {
            let again = ada.slash(here, "undo", &json!({})).unwrap().message().await.unwrap();
            assert!(again.content().contains("after the next move"), "{}", again.content());
            board = turn(&bot, &ben, &board, &mut rng).await;
        }
        let told = ada.slash(here, "undo", &json!({})).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral(), "{}", told.content());
        let asks = message(&ben, here, "the offer", |it| it.button("Agree").is_some()).await;
        assert_eq!(asks.id, board.id);
        press(&bot, &ben, &asks, answer).await;
        let told = message(&ada, here, "the board without it", |it| it.button("Agree").is_none()).await;
        assert_eq!(bot.table(&table).await.ply(), ply, "{answer}");
        let no = format!("{} wanted to take back their last move. The answer was no.", ada.mention());
        assert_eq!(told.content().contains(&no), answer == "Play on", "{}", told.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_games_between_people_are_rated_and_bot_games_are_not() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let alone = json!({"game": "amazons", "ai": "easy", "where": "here", "rated": true});
    let refused = ada.slash(channel, "play", &alone).unwrap().message().await.unwrap();
    assert!(refused.content().contains("can only be rated on servers"), "{}", refused.content());
    let terms = json!({"game": "amazons", "size": "6x6", "rated": true});
    let (board, table) = begun_with(&bot, channel, &terms).await;
    assert!(bot.table(&table).await.is_rated());
    let board = turn(&bot, &ada, &board, &mut SeededRng::new(8)).await;
    let sure = press(&bot, &ben, &board, "Resign").await;
    bot.press_private(&ben, &sure, "Yes, resign").await;
    let rated = format!("{} 1662? (+162), {} 1338? (−162)", ada.mention(), ben.mention());
    message(&ada, channel, "the ratings", |it| it.content().contains(&rated)).await;
    bot.stop().await;
}

/// Presses the button of a proposal under the game's message.
async fn votes(bot: &TestBot, who: &Person, board: &VisibleMessage, text: &str) -> String {
    let label = board.buttons().into_iter().find(|label| label.contains(text)).map(str::to_owned);
    let label = label.unwrap_or_else(|| panic!("no button for {text}: {:?}", board.buttons()));
    press(bot, who, board, &label).await.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_team_votes_by_buttons() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let terms = json!({"game": "amazons", "size": "6x6", "team": "everyone vote 6h 2", "settle": "off"});
    let told = slash_play(&ada, channel, &terms).unwrap().message().await.unwrap();
    assert!(told.content().contains("not a member here"), "{}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let board = message(&ben, channel, "the board", |it| it.button("Move").is_some()).await;
    assert!(board.content().contains("Your team votes"), "{}", board.content());

    let text = propose(&bot, &ben, &board).await;
    let standing = |it: &VisibleMessage| it.content().contains("So far") && it.content().contains(&text);
    let tally = message(&ada, channel, "how the vote stands", standing).await;
    assert_eq!(tally.id, board.id);
    let said = votes(&bot, &cleo, &tally, &text).await;
    assert!(said.contains("Your vote decided it"), "{said}");
    let answered = |it: &VisibleMessage| has_move_at(it, 2);
    let next = message(&ada, channel, "the bot's answer to what was voted", answered).await;

    // The vote closes at its deadline; the message shows that after the next press.
    let text = propose(&bot, &ada, &next).await;
    let standing = |it: &VisibleMessage| it.content().contains("So far") && it.content().contains(&text);
    let next = message(&ben, channel, "how the vote stands", standing).await;
    bot.advance(Duration::from_secs(6 * 3_600)).await;
    assert!(bot.table(&table).await.ply() > 2);
    press(&bot, &ben, &next, "As text").await;
    message(&ada, channel, "the board in its turn", |it| has_move_at(it, 4)).await;
    assert_eq!(bot.table(&table).await.play().unwrap().record()[2], text, "what was voted for");
    bot.stop().await;
}

/// Proposes a move through the panel.
async fn propose(bot: &TestBot, who: &Person, board: &VisibleMessage) -> String {
    let mut panel = press(bot, who, board, "Move").await;
    while panel.button("Propose").is_none() {
        let (id, value) = offered(&panel).swap_remove(0);
        let values: Vec<&str> = value.iter().map(String::as_str).collect();
        panel = bot.changed(who, &panel, &who.choose(&panel, &id, &values).unwrap()).await;
    }
    let told = bot.press_private(who, &panel, "Propose").await;
    told.content().split('`').nth(1).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_role_plays_against_a_person() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let reds = bot.playground.new_role("Reds", &[&cleo]).unwrap();
    let channel: Id = bot.games();
    bot.playground.remove_bot(bot.playground.guild("Rookery").unwrap());
    let terms =
        json!({"game": "amazons", "size": "6x6", "team": format!("<@&{reds}> free"), "settle": "off"});
    let (board, table) = begun_with(&bot, channel, &terms).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let told = cleo.slash(channel, "move", &json!({"table": table, "move": text})).unwrap();
    assert!(told.message().await.unwrap().content().contains(&text));
    // Her interaction has the latest token for the message.
    let after = shows(&ada, &board, &text).await;
    let mine = press(&bot, &ben, &after, "Move").await;
    assert!(!mine.files().is_empty(), "{}", mine.content());
    bot.playground.take_role(&cleo, reds);
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let by = rookery_table::Actor::Person(rookery_table::UserId(ben.id.0));
    let order = rookery_table::Order::Move { text: text.clone(), ply: None };
    bot.registry.order(table.parse().unwrap(), by, order, None).await.unwrap();
    let now = shows(&ada, &board, &text).await;
    let refused = press(&bot, &cleo, &now, "Move").await;
    assert!(refused.content().contains("but you can watch"), "{}", refused.content());
    bot.stop().await;
}
