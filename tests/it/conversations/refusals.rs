//! Refusals name the rule and the square, and change nothing.

use rookery_core::seed::SeededRng;
use rookery_playground::BOT_ID;
use serde_json::json;

use crate::duel::slash;
use crate::duel::{Duel, Way, offered, tap_through};
use crate::test_bot::TestBot;

/// Illegal first moves of White on six by six squares (amazons on a2, b1, e1, f2 against a5, b6, e6, f5), and
/// what the answer must name.
const WRONG: &[(&str, &[&str])] = &[
    ("b1-b6/b1", &["b6", "Black's amazon"]),
    ("a2-a6/a1", &["a6", "Black's amazon on a5"]),
    ("b1-c3/b1", &["b1", "c3", "straight or diagonal line"]),
    ("b1-b2/f2", &["f2", "aim at", "White's amazon"]),
    ("b1-b2/d5", &["b2", "d5", "aim at", "straight or diagonal line"]),
    ("c3-c4/c5", &["c3", "no piece"]),
    ("b6-b5/b4", &["b6", "Black's. Move one of your own"]),
    ("b1-b9/b1", &["b9"]),
    ("b1-b2", &["b1-b2", "where the arrow lands"]),
    ("b1-b2/c2 and then some", &["I expected the end of the move there"]),
    ("what a fine board", &["I didn't understand that", "Moves look like `"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn refusal_of_a_move_names_the_rule_and_the_square() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    for (text, named) in WRONG {
        let said = duel.ada.reply(&duel.board, text).unwrap();
        let answer = bot.answer_to(&duel.ada, &said).await;
        for part in *named {
            assert!(answer.content().contains(part), "{text}: {part} is not in {:?}", answer.content());
        }
        assert!(answer.pinged().is_empty(), "a refusal pings nobody");
    }
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

/// Outside the thread, readers may not know which game a refusal is about.
#[tokio::test(flavor = "multi_thread")]
async fn refusal_outside_the_thread_names_its_table() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let mention = |text: &str| duel.ada.say(bot.games(), &format!("<@{BOT_ID}> {text}")).unwrap();
    let direct = |text: &str| duel.ada.say(duel.ada.dm(), text).unwrap();
    for said in [direct("hi"), mention("tell me a joke")] {
        let told = bot.answer_to(&duel.ada, &said).await;
        assert!(told.content().contains("I didn't understand that"), "{}", told.content());
        assert!(told.content().contains("`help`") && told.content().contains(&duel.table));
    }
    let wrong = ["b6-b5/b4", "z1-z2", "b1-b2/c2 and more"];
    let refused = wrong.map(|text| [direct(text), mention(text)]);
    for said in refused.into_iter().flatten() {
        let told = bot.answer_to(&duel.ada, &said).await;
        let begins = format!("{} · ", duel.table);
        assert!(told.content().starts_with(&begins), "{} for {}", told.content(), said.content());
    }
    let args = json!({"move": "b6-b5/b4"});
    let told = duel.ada.slash(bot.games(), "move", &args).unwrap().message().await.unwrap();
    assert!(told.content().starts_with(&duel.table), "{}", told.content());
    let own = duel.ada.reply(&duel.board, "b6-b5/b4").unwrap();
    assert!(bot.answer_to(&duel.ada, &own).await.content().starts_with("The piece on b6"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusal_of_a_move_out_of_turn() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (cleo, text) = (bot.cleo(), duel.any_move());
    let early = duel.ben.reply(&duel.board, &text).unwrap();
    let answer = bot.answer_to(&duel.ben, &early).await;
    assert!(answer.content().contains("'s turn") && answer.content().contains(&duel.ada.mention()));
    let strange = cleo.say(duel.thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    assert!(bot.answer_to(&cleo, &strange).await.content().contains("aren't playing in this game"));
    let told = duel.ben.slash(duel.thread, "move", &json!({"move": text})).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral() && told.content().contains("'s turn"), "{}", told.content());
    let offered = duel.ben.complete(duel.thread, "move", &json!({"move": ""}), "move").await.unwrap();
    assert!(offered.is_empty(), "{offered:?}");
    let panel = bot.press(&duel.ben, &duel.board, "Move").await;
    assert!(panel.is_ephemeral() && panel.content().contains("'s turn"), "{}", panel.content());
    let panel = bot.press(&cleo, &duel.board, "Move").await;
    assert!(panel.content().contains("aren't playing in this game"), "{}", panel.content());
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusal_of_a_stale_button_shows_the_present_board() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let panel = bot.press(&duel.ada, &duel.board, "Move").await;
    let shown = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;

    // Buttons contain the turn that they belong to, also those made before a restart.
    bot.restart().await;
    let pressed = bot.press_private(&duel.ada, &shown, "Move").await;
    let last = duel.play.record().pop().unwrap();
    assert!(pressed.content().contains("has moved on") && pressed.content().contains(&last));
    assert_eq!(pressed.files().len(), 1, "the board as it is");
    let (id, _) = offered(&panel).remove(0);
    let chosen = duel.ada.click(&panel, &id).unwrap();
    let answer = bot.changed(&duel.ada, &panel, &chosen).await;
    assert!(answer.content().contains("has moved on"), "{}", answer.content());
    assert!(answer.content().contains(&last), "{} for {last}", answer.content());
    let told = tap_through(&bot, &duel.ada, answer, &mut SeededRng::new(2)).await;
    let text = told.content().split('`').nth(1).unwrap().to_owned();
    duel.see(&text).await;
    duel.turn(&bot, Way::Panel).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusal_answers_even_the_longest_message() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let much = "x".repeat(3_000);
    let told =
        duel.ada.slash(duel.thread, "board", &json!({"table": much})).unwrap().message().await.unwrap();
    assert!(told.content().contains("There's no game"), "{}", told.content());
    for (command, option, words) in [
        ("play", json!({"game": "amazons", "clock": much}), "can't read the time control"),
        ("play", json!({"game": "amazons", "size": much}), "can't be"),
        ("play", json!({"game": "amazons", "team": much}), "I don't understand"),
        ("leaderboard", json!({"game": much}), "x"),
    ] {
        let Ok(asked) = slash(&duel.ada, duel.thread, command, &option) else { continue };
        let told = asked.message().await.unwrap();
        assert!(told.content().contains(words), "{command}: {}", told.content());
    }
    for text in
        [format!("moves {}", &much[..1_900]), format!("row {}", &much[..1_900]), much[..1_900].to_owned()]
    {
        let said = duel.ada.reply(&duel.board, &text).unwrap();
        let answer = bot.answer_to(&duel.ada, &said).await;
        assert!(answer.content().chars().count() < 1_000, "{}", answer.content());
    }
    bot.stop().await;
}
