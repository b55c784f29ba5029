//! Lessons: every game is learned with buttons, wrong moves are answered with the rule, and a restart loses
//! nothing.
use rookery_core::lesson::{Task, Verdict};
use rookery_core::player::Level;
use rookery_core::{Game, Seat};
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::Occupant;
use serde_json::json;

use crate::duel::offered;
use crate::test_bot::TestBot;

async fn begin(bot: &TestBot, who: &Person, game: &str) -> VisibleMessage {
    let told = who.slash(bot.games(), "tutorial", &json!({"game": game})).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral(), "a lesson is for the learner alone");
    told
}

/// Enters a move by taps, each time choosing the option that covers most of the rest.
async fn tap(bot: &TestBot, who: &Person, mut panel: VisibleMessage, text: &str) -> VisibleMessage {
    while !panel.content().contains('✅') && !panel.content().contains('❌') {
        let taken = |(id, value): &(String, Option<String>)| {
            let (_, steps) = id.rsplit_once(':').unwrap();
            format!("{}{}", steps.replace('~', ""), value.as_deref().unwrap_or_default())
        };
        let mut ways: Vec<_> = offered(&panel).into_iter().filter(|way| way.0.contains(":pick:")).collect();
        ways.retain(|way| text.starts_with(&taken(way)));
        let (id, value) = ways
            .into_iter()
            .max_by_key(|way| taken(way).len())
            .unwrap_or_else(|| panic!("{}", panel.content()));
        panel = match value {
            Some(value) => bot.changed(who, &panel, &who.choose(&panel, &id, &[&value]).unwrap()).await,
            None => bot.changed(who, &panel, &who.click(&panel, &id).unwrap()).await,
        };
    }
    panel
}

/// Solves one step: first with a wrong move, if there is one, then with the right one.
async fn step(
    bot: &TestBot,
    who: &Person,
    shown: VisibleMessage,
    game: &dyn Game,
    number: usize,
) -> VisibleMessage {
    let task = &game.lesson()[number];
    let play = game.resume(task.line).unwrap();
    let (of, key) = (game.lesson().len(), game.info().key);
    let title = format!("step {} of {of}", number + 1);
    assert!(shown.content().contains(&title) && shown.files().len() == 1, "{key}: {}", shown.content());
    assert!(!shown.content().contains("`…`"), "nothing is chosen so far: {}", shown.content());
    let answer = task.answer(play.as_ref()).unwrap();
    let right = |text: &str| matches!(task.judge(play.as_ref(), text), Verdict::Solved(_));
    if task.offered.is_empty() {
        let wrong = play.moves().into_iter().find(|text| !right(text));
        let again = match wrong {
            Some(wrong) => tap(bot, who, shown, &wrong).await,
            None => shown,
        };
        let told = ["Legal, but", "is legal, but"].iter().any(|text| again.content().contains(text))
            || !again.content().contains('❌');
        assert!(told, "{key} {}: {}", task.key, again.content());
        return tap_after_wrong_try(bot, who, again, &answer).await;
    }
    let wrong = task.offered.iter().find(|text| !right(text)).unwrap();
    let again = press_offer(bot, who, &shown, task, wrong).await;
    assert!(again.content().contains('❌'), "{key} {}: {}", task.key, again.content());
    press_offer(bot, who, &again, task, &answer).await
}

/// Presses the button of an offered text.
async fn press_offer(
    bot: &TestBot,
    who: &Person,
    shown: &VisibleMessage,
    task: &Task,
    text: &str,
) -> VisibleMessage {
    let index = task.offered.iter().position(|offered| *offered == text).unwrap();
    let mut ids = shown.buttons().into_iter().filter_map(|label| shown.button(label));
    let id = ids.find(|id| id.ends_with(&format!(":try:{index}"))).unwrap();
    bot.changed(who, shown, &who.click(shown, id).unwrap()).await
}

/// Starts the step again after a wrong try, and enters a move by taps.
async fn tap_after_wrong_try(
    bot: &TestBot,
    who: &Person,
    panel: VisibleMessage,
    text: &str,
) -> VisibleMessage {
    let fresh = bot.press_private(who, &panel, "Show me").await;
    let again = bot.press_private(who, &fresh, "Repeat").await;
    assert!(!again.content().contains('❌'));
    tap(bot, who, again, text).await
}

#[tokio::test(flavor = "multi_thread")]
async fn tutorial_of_every_game_is_solved_by_tapping() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    for game in rookery_games::all() {
        let key = game.info().key;
        let mut shown = begin(&bot, &cleo, key).await;
        for number in 0..game.lesson().len() {
            let done = step(&bot, &cleo, shown, *game, number).await;
            assert!(done.content().contains('✅') && done.files().len() == 1, "{key}: {}", done.content());
            shown = match done.button("Next") {
                Some(_) => bot.press_private(&cleo, &done, "Next").await,
                None => done,
            };
        }
        let levels = bot.press_private(&cleo, &shown, "Play now").await;
        assert!(levels.content().contains("Which level?"), "{key}: {}", levels.content());
        let beginner = levels.buttons().into_iter().find(|label| label.starts_with("Beginner"));
        let opened = bot.press_private(&cleo, &levels, beginner.unwrap()).await;
        let table =
            opened.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", opened.content())).to_owned();
        let table = bot.table(&table).await;
        assert_eq!(table.terms().game, key);
        assert_eq!(table.occupant(Seat::SECOND), Some(Occupant::Ai { level: Level::Beginner }));
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tutorial_goes_on_after_a_restart() {
    let mut bot = TestBot::start().await;
    let cleo = bot.cleo();
    let mut shown = begin(&bot, &cleo, "amoeba").await;
    shown = bot.press_private(&cleo, &shown, "c5").await;
    assert!(shown.content().contains("exactly as far as it is high"), "the rule itself: {}", shown.content());
    shown = bot.press_private(&cleo, &shown, "c6").await;
    bot.restart().await;
    shown = bot.press_private(&cleo, &shown, "Next").await;
    assert!(shown.content().contains("step 2 of"), "{}", shown.content());
    let text = bot.press(&cleo, &shown, "As text").await;
    assert!(text.is_ephemeral() && text.content().contains("```"), "{}", text.content());
    shown = bot.press_private(&cleo, &shown, "c4").await;
    bot.restart().await;
    shown = tap(&bot, &cleo, shown, "c4>e5").await;
    assert!(shown.content().contains("✅ `c4>e5`. One piece stayed on the way"), "{}", shown.content());
    bot.stop().await;
}
