//! Proven settlements: played out by the bot, accepted, or played on.

use std::time::Duration;

use rookery_core::{Outcome, Play};
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{EndCause, Status};
use serde_json::json;

use super::endings::play_to_separation;
use crate::duel::{Duel, open};
use crate::test_bot::{TestBot, TestSetup};

/// Plays up to and including the move that separates the sides.
async fn separate_sides(bot: &TestBot, duel: &mut Duel) -> (Outcome, u32) {
    let (moves, outcome, margin) = play_to_separation();
    let (last, before) = moves.split_last().unwrap();
    duel.fast_forward(bot, before).await;
    let mover = duel.mover();
    mover.slash(duel.thread, "move", &json!({"move": last})).unwrap().message().await.unwrap();
    duel.play.play(last).unwrap();
    (outcome, margin)
}

async fn wait_for_text(duel: &Duel, what: &str) -> VisibleMessage {
    duel.ada.wait_for(duel.thread, what, |it| it.content().contains(what)).await.unwrap()
}

/// Returns the winner and the loser of the proven outcome.
fn winner_and_loser(duel: &Duel, outcome: &Outcome) -> (Person, Person) {
    match outcome.winners[0].index() {
        0 => (duel.ada.clone(), duel.ben.clone()),
        _ => (duel.ben.clone(), duel.ada.clone()),
    }
}

/// The moves of a proof lead to the end of the game by the rules, and to the outcome that the proof names.
fn leads_to(play: &dyn Play, shown: &str, outcome: &Outcome) {
    let mut end = play.clone_play();
    let moves = shown.split("Played out: ").nth(1).unwrap().split(' ').filter(|word| !word.ends_with('.'));
    moves.for_each(|text| drop(end.play(text).unwrap()));
    assert_eq!(end.outcome().unwrap().winners, outcome.winners);
}

#[tokio::test(flavor = "multi_thread")]
async fn settlement_of_a_casual_game_takes_one_picture() {
    let bot = TestBot::start().await;
    let mut duel = Duel::settled(&bot, "auto").await;
    let (outcome, margin) = separate_sides(&bot, &mut duel).await;
    let news = wait_for_text(&duel, "the result is certain").await;
    let file = &news.files()[0];
    assert_eq!(file["filename"], "board.gif");
    assert!(news.content().contains("Left for each side: White"), "{}", news.content());
    let result = wait_for_text(&duel, &format!("{} is over", duel.table)).await;
    let (winner, _) = winner_and_loser(&duel, &outcome);
    // The margin is what the winner has left when the other side is stuck: the count's lead without its half move.
    let side = if outcome.winners[0].index() == 0 { "White" } else { "Black" };
    let by = match margin / 2 {
        0 => "by the last move".to_owned(),
        1 => "by 1 move".to_owned(),
        more => format!("by {more} moves"),
    };
    let won = format!("{} ({side}) won {by} after an exact count.", winner.mention());
    assert!(result.content().contains(&won), "{won}: {}", result.content());
    let proof = bot.press(&bot.cleo(), &news, "Show proof").await;
    assert!(proof.is_ephemeral() && proof.files().len() == 1, "{}", proof.content());
    leads_to(duel.play.as_ref(), proof.content(), &outcome);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settlement_that_is_proposed_can_be_accepted() {
    let bot = TestBot::start().await;
    let mut duel = Duel::settled(&bot, "ask").await;
    let (outcome, margin) = separate_sides(&bot, &mut duel).await;
    let question = wait_for_text(&duel, "do you accept, or play on?").await;
    let (winner, loser) = winner_and_loser(&duel, &outcome);
    assert_eq!(question.pinged(), [loser.name.as_str()], "who gains nothing by it is asked");
    let stranger = bot.press(&bot.cleo(), &question, "Accept").await;
    assert!(stranger.content().contains("aren't playing in this game"), "{}", stranger.content());
    bot.press(&winner, &question, "Accept").await;
    assert_eq!(bot.table(&duel.table).await.status(), &Status::Running, "the loser is still to be heard");
    bot.press(&loser, &question, "Accept").await;
    wait_for_text(&duel, &format!("{} is over", duel.table)).await;
    let table = bot.table(&duel.table).await;
    let Status::Over(ending) = table.status() else { panic!("still running") };
    assert_eq!(ending.cause, EndCause::Proven { margin_halves: Some(margin) });
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settlement_is_accepted_in_words() {
    for plainly in [false, true] {
        let mut plan = TestSetup::default();
        plan.options.allow_message_content = plainly;
        plan.settings.message_content = plainly;
        let bot = TestBot::of(plan).await;
        let mut duel = Duel::settled(&bot, "ask").await;
        let (outcome, margin) = separate_sides(&bot, &mut duel).await;
        let question = wait_for_text(&duel, "do you accept, or play on?").await;
        let (winner, loser) = winner_and_loser(&duel, &outcome);
        let said = winner.reply(&question, "accept").unwrap();
        let told = bot.answer_to(&winner, &said).await;
        assert!(told.content().contains("Answer sent"), "{}", told.content());
        if plainly {
            // The winner is not asked, so a "no" has no effect.
            winner.say(duel.thread, "no").unwrap();
            loser.say(duel.thread, "yes").unwrap();
        } else {
            loser.reply(&question, "yes").unwrap();
        }
        wait_for_text(&duel, &format!("{} is over", duel.table)).await;
        let table = bot.table(&duel.table).await;
        let Status::Over(ending) = table.status() else { panic!("still running") };
        assert_eq!(ending.cause, EndCause::Proven { margin_halves: Some(margin) });
        bot.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settlement_is_not_proposed_again_after_playing_on() {
    let bot = TestBot::start().await;
    let mut duel = Duel::settled(&bot, "ask").await;
    separate_sides(&bot, &mut duel).await;
    let question = wait_for_text(&duel, "do you accept, or play on?").await;
    bot.press(&duel.ben, &question, "Play on").await;
    wait_for_text(&duel, "wants to play on").await;
    let left = || duel.ada.refetch(&question).filter(|now| now.button("Accept").is_none());
    let left = bot.playground.wait("the question to go", left).await.unwrap();
    assert!(left.button("Show proof").is_some(), "what is proven can still be looked at");
    duel.board = duel.board_now().await;
    for _ in 0..2 {
        let text = duel.any_move();
        duel.mover().reply(&duel.board, &text).unwrap();
        duel.see(&text).await;
    }
    bot.wait_until_idle().await;
    let asked = duel
        .ada
        .messages(duel.thread)
        .into_iter()
        .filter(|it| it.content().contains("the result is certain"));
    assert_eq!(asked.count(), 1);
    bot.stop().await;
}

/// The three bot seats have the same name, and their present points differ from the proven ones.
#[tokio::test(flavor = "multi_thread")]
async fn settlement_of_three_bots_names_winner_and_points() {
    let bot = TestBot::start().await;
    bot.registry.set_exhibition_pace(Duration::ZERO);
    let (ada, games) = (bot.ada(), bot.games());
    for seed in 1..20 {
        let terms = json!({
            "game": "penguins", "players": 3, "ai": "easy", "ai_seats": "all", "where": "here", "seed": seed
        });
        let name = open(&ada, games, &terms).await;
        let over = format!("{name} is over");
        let result = ada.wait_for(games, "the result", |it| it.content().contains(&over)).await.unwrap();
        let table = bot.table(&name).await;
        let Status::Over(ending) = table.status() else { panic!("still running") };
        for colour in ["Blue", "Orange", "Yellow"] {
            let named = format!("Rookery (easy, {colour})");
            assert!(result.content().contains(&named), "{named}: {}", result.content());
        }
        if let EndCause::Proven { margin_halves: Some(margin) } = ending.cause {
            let points = points(result.content());
            assert!(points.is_sorted_by(|a, b| a >= b) && points.len() == 3, "{}", result.content());
            let lead = points[0] - points[1];
            assert_eq!(lead * 2, margin, "{}", result.content());
            assert!(result.content().contains(&format!("won by {lead} fish")), "{}", result.content());
            let now = table.play().unwrap().scores().unwrap();
            assert!(
                points.iter().sum::<u32>() > now.iter().map(|score| score.points).sum(),
                "some were left"
            );
            bot.stop().await;
            return;
        }
    }
    panic!("nothing was proven in nineteen games");
}

/// Returns the points in "1. Rookery (easy, Blue) 34 · 2. Rookery (easy, Orange) 31 · …", in that order.
fn points(result: &str) -> Vec<u32> {
    let ranking = result.split("1. ").nth(1).unwrap_or_else(|| panic!("no ranking: {result}"));
    let points = |part: &str| part.split(' ').next_back().unwrap().parse().unwrap();
    ranking.lines().take(2).flat_map(|line| line.split(" · ")).map(points).collect()
}
