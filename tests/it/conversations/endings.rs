//! Games that end by resignation or by counting.
use rookery_core::Outcome;
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::Duel;
use crate::test_bot::TestBot;

async fn result(duel: &Duel) -> VisibleMessage {
    let over = format!("{} is over", duel.table);
    duel.ada.wait_for(duel.thread, "the result", |it| it.content().contains(&over)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn resignation_asks_for_confirmation_and_can_be_cancelled() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let sure = duel.ada.slash(duel.thread, "resign", &json!({})).unwrap().message().await.unwrap();
    assert!(sure.is_ephemeral() && sure.content().contains(&duel.table), "{}", sure.content());
    let kept = bot.press_private(&duel.ada, &sure, "Keep playing").await;
    assert!(kept.content().contains("goes on") && kept.buttons().is_empty(), "{}", kept.content());
    assert!(bot.table(&duel.table).await.resigned().is_empty());

    bot.resign(&duel.ada, &duel.board).await;
    let result = result(&duel).await;
    let won = format!("{} (Black) won: {} (White) resigned.", duel.ben.mention(), duel.ada.mention());
    assert!(result.content().contains(&won), "{}", result.content());
    assert!(result.pinged().contains(&"Ben"), "who did not expect it is told");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn resignation_that_is_typed_is_confirmed_by_its_writer() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let said = duel.ben.reply(&duel.board, "resign").unwrap();
    let sure = bot.answer_to(&duel.ben, &said).await;
    let meddling = bot.press(&duel.ada, &sure, "Yes, resign").await;
    assert!(meddling.content().contains("isn't for you"), "{}", meddling.content());
    assert!(bot.table(&duel.table).await.resigned().is_empty());
    bot.press(&duel.ben, &sure, "Yes, resign").await;
    assert!(result(&duel).await.content().contains(&format!("{} (White) won", duel.ada.mention())));
    bot.stop().await;
}

/// Waits until a public question has no buttons any more.
async fn settled(bot: &TestBot, who: &Person, question: &VisibleMessage) {
    let bare = || who.refetch(question).filter(|it| it.buttons().is_empty());
    bot.playground.wait("the question to lose its buttons", bare).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn resignation_question_loses_its_buttons_once_answered() {
    let mut bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let asked = async |bot: &TestBot, who: &Person| {
        let said = who.reply(&duel.board, "resign").unwrap();
        bot.answer_to(who, &said).await
    };
    let kept = asked(&bot, &duel.ben).await;
    let meddling = bot.press(&duel.ada, &kept, "Keep playing").await;
    assert!(meddling.content().contains("isn't for you"), "{}", meddling.content());
    assert_eq!(duel.ben.refetch(&kept).unwrap().buttons().len(), 2, "she was not asked");
    bot.press(&duel.ben, &kept, "Keep playing").await;
    settled(&bot, &duel.ben, &kept).await;

    // Three questions: one left unanswered, one pressed, and one of the other player when the game is over.
    let old = asked(&bot, &duel.ben).await;
    bot.restart().await;
    let (sure, other) = (asked(&bot, &duel.ben).await, asked(&bot, &duel.ada).await);
    bot.press(&duel.ben, &sure, "Yes, resign").await;
    result(&duel).await;
    settled(&bot, &duel.ben, &sure).await;
    settled(&bot, &duel.ada, &other).await;
    let again = bot.press(&duel.ben, &old, "Yes, resign").await;
    assert!(again.content().contains("You've resigned"), "{}", again.content());
    settled(&bot, &duel.ben, &old).await;
    bot.stop().await;
}

/// Plays random moves until the sides are separated; returns the moves, the outcome, and the margin in half
/// moves.
pub(crate) fn play_to_separation() -> (Vec<String>, Outcome, u32) {
    let game = rookery_games::named("amazons").unwrap();
    for seed in 1..100 {
        let mut play = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        let mut rng = SeededRng::new(seed);
        while play.outcome().is_none() {
            if let Some(found) = play.settle(2_000_000) {
                match (found.moves.len(), found.margin_halves) {
                    (4.., Some(margin)) if play.moves().len() > 1 => {
                        return (play.record(), found.outcome, margin);
                    }
                    // A game that is nearly over at separation would test little.
                    _ => break,
                }
            }
            let text = rng.pick(&play.moves()).unwrap().clone();
            play.play(&text).unwrap();
        }
    }
    panic!("no game of a hundred is ever walled off");
}

#[tokio::test(flavor = "multi_thread")]
async fn count_of_what_is_left_needs_both_players() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let early = duel.ada.slash(duel.thread, "count", &json!({})).unwrap().message().await.unwrap();
    assert!(
        early.content().contains("Too early to count: some squares can still be reached by both sides."),
        "{}",
        early.content()
    );

    let (moves, outcome, margin) = play_to_separation();
    duel.fast_forward(&bot, &moves).await;
    let made = duel.ada.slash(duel.thread, "count", &json!({})).unwrap().message().await.unwrap();
    assert!(made.content().contains("Offer sent"), "{}", made.content());
    let offer = duel.ben.wait_for(duel.thread, "the offer", |it| it.button("Agree").is_some()).await.unwrap();
    assert_eq!(offer.pinged(), ["Ben"]);
    let own = bot.press(&duel.ada, &offer, "Agree").await;
    assert!(own.content().contains("There's already an offer waiting"), "{}", own.content());
    bot.press(&duel.ben, &offer, "Play on").await;
    let no = |it: &VisibleMessage| it.content().contains("said no");
    duel.ada.wait_for(duel.thread, "the answer", no).await.unwrap();

    let again = duel.ben.reply(&duel.board, "count?").unwrap();
    let is_later = |it: &VisibleMessage| it.button("Agree").is_some() && it.id > again.id;
    let offer = duel.ada.wait_for(duel.thread, "the second offer", is_later).await.unwrap();
    bot.press(&duel.ada, &offer, "Agree").await;
    let result = result(&duel).await;
    let winner = if outcome.winners[0].index() == 0 { &duel.ada } else { &duel.ben };
    // The lead in the Amazons is a whole number and a half, because the side to move is charged half a move. Without
    // that half it is what the winner has left once the other side is stuck.
    let side = if outcome.winners[0].index() == 0 { "White" } else { "Black" };
    let by = match margin / 2 {
        0 => "by the last move".to_owned(),
        1 => "by 1 move".to_owned(),
        more => format!("by {more} moves"),
    };
    let won = format!("{} ({side}) won {by} after a count.", winner.mention());
    assert!(margin % 2 == 1 && result.content().ends_with(&won), "{} for {won}", result.content());
    bot.stop().await;
}
