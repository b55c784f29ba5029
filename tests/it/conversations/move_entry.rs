//! Moves by buttons, by typing, and in plain words.

use std::time::Duration;

use rookery_core::seed::SeededRng;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::{Duel, Way, open, tap_through};
use crate::test_bot::{TestBot, TestSetup};

#[tokio::test(flavor = "multi_thread")]
async fn move_preview_can_be_cancelled_before_it_is_played() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let mut panel = bot.press(&duel.ada, &duel.board, "Move").await;
    for label in ["b1", "b4"] {
        panel = bot.press_private(&duel.ada, &panel, label).await;
    }
    let ask = bot.press_private(&duel.ada, &panel, "b5").await;
    assert!(ask.content().contains("`b1-b4/b5`") && ask.files().len() == 1, "{}", ask.content());
    assert_eq!(bot.table(&duel.table).await.ply(), 0, "nothing is played yet");
    let back = bot.press_private(&duel.ada, &ask, "Back").await;
    assert!(back.content().contains("`b1-b4` so far"), "{}", back.content());
    let ask = bot.press_private(&duel.ada, &back, "b1").await;
    let told = bot.press_private(&duel.ada, &ask, "Play move").await;
    assert!(told.content().contains("You played: `b1-b4/b1`"), "{}", told.content());
    duel.see("b1-b4/b1").await;
    bot.stop().await;
}

/// With the pie rule, the board offers the swap as a button, and afterwards says who plays which side.
#[tokio::test(flavor = "multi_thread")]
async fn swap_button_stands_under_the_board() {
    let bot = TestBot::start().await;
    let terms = json!({"game": "amazons", "size": "6x6", "first": "pie"});
    let mut duel = Duel::begin_with(&bot, &terms).await;
    assert!(duel.board.button("Swap sides").is_none());
    duel.ada.reply(&duel.board, "b1-b4/b5").unwrap();
    let may = |it: &VisibleMessage| it.content().contains("`swap`");
    let board = duel.ben.wait_for(duel.thread, "that he may swap", may).await.unwrap();
    let early = bot.press(&duel.ada, &board, "Swap sides").await;
    assert!(early.content().contains("'s turn"), "{}", early.content());
    let sure = bot.press(&duel.ben, &board, "Swap sides").await;
    let told = bot.press_private(&duel.ben, &sure, "Play move").await;
    assert!(told.content().contains("You played: `swap`"), "{}", told.content());
    let swapped = |it: &VisibleMessage| it.content().contains("Sides swapped");
    duel.board = duel.ada.wait_for(duel.thread, "who plays which side", swapped).await.unwrap();
    let told = format!("{} now plays Black, and {} plays White", duel.ada.mention(), duel.ben.mention());
    assert!(duel.board.content().contains(&told), "{}", duel.board.content());
    let said = duel.ada.reply(&duel.board, "a2-a3/a2").unwrap();
    let refused = bot.answer_to(&duel.ada, &said).await;
    assert!(
        refused.content().contains("The sides were swapped, so you're Black now"),
        "{}",
        refused.content()
    );
    bot.stop().await;
}

/// A double press gets the same answer twice; the second one does not say that it is too late.
#[tokio::test(flavor = "multi_thread")]
async fn button_that_is_pressed_twice_answers_alike() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ask = tapped(&bot, &duel, ["b1", "b4", "b5"]).await;
    press_twice(&bot, &duel.ada, &ask, "Play move").await;
    let told = duel.ada.refetch(&ask).unwrap();
    assert!(told.content().contains("You played: `b1-b4/b5`"), "{}", told.content());
    assert_eq!(told.buttons(), ["Plan ahead"]);
    duel.see("b1-b4/b5").await;
    let sure = bot.press(&duel.ada, &duel.board, "Resign").await;
    press_twice(&bot, &duel.ada, &sure, "Yes, resign").await;
    let told = duel.ada.refetch(&sure).unwrap();
    assert!(told.content().contains("You've resigned"), "{}", told.content());
    bot.stop().await;
}

/// Taps these buttons on a fresh panel.
async fn tapped(bot: &TestBot, duel: &Duel, labels: [&str; 3]) -> VisibleMessage {
    let mut panel = bot.press(&duel.ada, &duel.board, "Move").await;
    for label in labels {
        panel = bot.press_private(&duel.ada, &panel, label).await;
    }
    panel
}

/// Presses a button twice before the first press can have had an effect.
async fn press_twice(bot: &TestBot, who: &Person, message: &VisibleMessage, label: &str) {
    let (button, presses) = (message.button(label).unwrap(), bot.tasks("interaction"));
    for pressed in &who.click_twice(message, button).unwrap() {
        pressed.answer().await.unwrap();
    }
    bot.wait_for_tasks("interaction", presses, 2).await;
    bot.wait_until_idle().await;
}

/// Discord lets the bot edit an answer for 15 minutes, and the bot may restart: the panel's own buttons hold
/// its whole state.
#[tokio::test(flavor = "multi_thread")]
async fn move_panel_works_after_half_an_hour_and_after_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let panel = bot.press(&duel.ada, &duel.board, "Move").await;
    let panel = bot.press_private(&duel.ada, &panel, "b1").await;
    bot.wait_until_idle().await;
    bot.playground.clock().advance(Duration::from_secs(1_800));
    let panel = bot.press_private(&duel.ada, &panel, "b4").await;
    bot.restart().await;
    let told = tap_through(&bot, &duel.ada, panel, &mut SeededRng::new(3)).await;
    let text = told.content().split('`').nth(1).unwrap().to_owned();
    assert!(text.starts_with("b1-b4/"), "{text}");
    duel.see(&text).await;
    duel.turn(&bot, Way::Panel).await;
    bot.stop().await;
}

/// In Amoeba `a3 c3` moves the stack or splits it; the mover chooses with a button.
#[tokio::test(flavor = "multi_thread")]
async fn ambiguous_move_offers_a_button_for_each_reading() {
    let bot = TestBot::start().await;
    let (ada, dm) = (bot.ada(), bot.ada().dm());
    let table = open(&ada, dm, &json!({"game": "amoeba", "opponent": ada.id})).await;
    for text in ["a1-a2", "g1-g2"] {
        let said = ada.say(dm, text).unwrap();
        ada.wait_for(dm, "the board", |it| it.id > said.id && it.content().contains(text)).await.unwrap();
    }
    let stack = bot.table(&table).await.play().unwrap().read("a2").unwrap_err().to_string();
    assert!(stack.contains("Incomplete"), "{stack}");
    let goal = goal_of(&bot, &table, "a2").await;
    let said = ada.say(dm, &format!("a2 {goal}")).unwrap();
    let asked = bot.answer_to(&ada, &said).await;
    let (whole, split) = (format!("a2-{goal}"), format!("a2>{goal}"));
    assert_eq!(asked.buttons(), [whole.as_str(), split.as_str()]);
    let told = bot.press(&ada, &asked, &split).await;
    assert!(told.content().contains(&format!("You played: `{split}`")), "{}", told.content());
    // A goal alone is enough if a single piece can reach it.
    let short = bot.table(&table).await;
    assert_eq!(short.play().unwrap().record().last(), Some(&split));
    bot.stop().await;
}

async fn goal_of(bot: &TestBot, table: &str, from: &str) -> String {
    let moves = bot.table(table).await.play().unwrap().moves();
    let split = moves.iter().find_map(|text| text.strip_prefix(&format!("{from}>")));
    split.unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn board_questions_are_answered_in_words() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let last = duel.play.record().pop().unwrap();
    let answers: [(&str, &str); 4] = [
        ("last", &last),
        ("row 5", "a5 Black's amazon"),
        ("what does a5 see?", "a5 (Black's amazon) sees"),
        ("moves a5", "legal moves. Type `moves a5-"),
    ];
    for (said, wanted) in answers {
        let said = duel.ben.reply(&duel.board, said).unwrap();
        let told: VisibleMessage = bot.answer_to(&duel.ben, &said).await;
        assert!(told.content().contains(wanted) && told.files().is_empty(), "{}", told.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn move_completion_offers_at_most_twenty_five_moves() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let offered_for = async |typed: &str| {
        let choices = duel.ada.complete(duel.thread, "move", &json!({"move": typed}), "move").await.unwrap();
        let values = choices.iter().map(|one| one["value"].as_str().unwrap().to_owned());
        values.collect::<Vec<_>>()
    };
    let pieces = offered_for("").await;
    assert_eq!(pieces.len(), 4, "{pieces:?}");
    for typed in ["b1", "b1-b", "b1-b4/"] {
        let found = offered_for(typed).await;
        assert!(!found.is_empty() && found.len() <= 25, "{typed}: {found:?}");
        assert!(found.iter().all(|one| one.starts_with(typed.trim_end_matches('/'))), "{typed}: {found:?}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn planned_move_is_confirmed_shown_and_played() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let early = duel.ada.slash(duel.thread, "if", &json!({"plan": "if a5-a4/a5 then b1-b4/b5"})).unwrap();
    let early = early.message().await.unwrap();
    assert!(early.content().contains("It's your turn"), "{}", early.content());
    let played = duel.ada.slash(duel.thread, "move", &json!({"move": "a2-a3/a2"})).unwrap();
    let played = played.message().await.unwrap();
    duel.see("a2-a3/a2").await;
    let none = bot.press_private(&duel.ada, &played, "Plan ahead").await;
    assert!(none.content().contains("No plans yet"), "{}", none.content());

    let wrong = json!({"plan": "if a5-a4/a5 then a3-a6/a3"});
    let wrong = duel.ada.slash(duel.thread, "if", &wrong).unwrap().message().await.unwrap();
    assert!(wrong.is_ephemeral() && wrong.content().contains("a3-a6/a3"), "{}", wrong.content());

    let plan = json!({"plan": "if A5A4A5 then a3 b3 a3; if a5-b5/a5 then a3-b3/a3"});
    let sure = duel.ada.slash(duel.thread, "if", &plan).unwrap().message().await.unwrap();
    assert!(sure.content().contains("`if a5-a4/a5 then a3-b3/a3`"), "{}", sure.content());
    let seat = bot.table(&duel.table).await.to_move().unwrap().other();
    assert!(bot.table(&duel.table).await.plans().of(seat).is_empty(), "nothing counts yet");
    let listed = bot.press_private(&duel.ada, &sure, "Save plan").await;
    let wanted = ["Delete 1: a3-b3/a3", "Delete 2: a3-b3/a3", "Add plan", "Delete all"];
    assert_eq!(listed.buttons(), wanted);
    // The second press comes before the first one has changed the list.
    let cancel = listed.button("Delete 1: a3-b3/a3").unwrap();
    let pressed = [(); 2].map(|()| duel.ada.click(&listed, cancel).unwrap());
    for asked in &pressed {
        let left = bot.changed(&duel.ada, &listed, asked).await;
        assert!(left.buttons().contains(&"Delete 1: a3-b3/a3"), "{:?}", left.buttons());
    }
    assert_eq!(bot.table(&duel.table).await.plans().of(seat), [["a5-b5/a5", "a3-b3/a3"]]);

    duel.ben.reply(&duel.board, "a5-b5/a5").unwrap();
    let both = |it: &VisibleMessage| it.content().contains("2. a5-b5/a5, 3. a3-b3/a3 (as planned)");
    let board = duel.ben.wait_for(duel.thread, "both moves", both).await.unwrap();
    assert!(board.pinged().is_empty(), "he has just moved and is looking");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn planned_move_that_is_typed_counts_only_in_private() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let mut duel = Duel::begin(&bot).await;
    let text = "a2-a3/a2";
    duel.ada.say(duel.thread, text).unwrap();
    duel.see(text).await;
    let chat = duel.ada.say(duel.thread, "if you take long then I make tea").unwrap();
    let typed = duel.ada.say(duel.thread, "if a5-a4/a5 then a3-b3/a3").unwrap();
    let told = bot.answer_to(&duel.ada, &typed).await;
    assert!(
        told.content().contains("/if") && told.content().contains("Everyone here could read"),
        "{}",
        told.content()
    );
    let to_chat = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == chat.id.to_string();
    assert!(!duel.ada.messages(duel.thread).iter().any(to_chat), "idle talk is left alone");
    let private = duel.ada.say(duel.ada.dm(), &format!("{} if a5-a4/a5 then a3-b3/a3", duel.table)).unwrap();
    let sure = bot.answer_to(&duel.ada, &private).await;
    assert!(sure.content().contains("`if a5-a4/a5 then a3-b3/a3`"), "{}", sure.content());
    bot.press(&duel.ada, &sure, "Save plan").await;
    duel.ben.reply(&duel.board, "a5-a4/a5").unwrap();
    let both = |it: &VisibleMessage| it.content().contains("3. a3-b3/a3 (as planned)");
    duel.ben.wait_for(duel.thread, "both moves", both).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn planned_move_can_be_put_together_by_tapping() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let played = duel.ada.slash(duel.thread, "move", &json!({"move": "a2-a3/a2"})).unwrap();
    let played = played.message().await.unwrap();
    duel.see("a2-a3/a2").await;
    let mut panel = bot.press_private(&duel.ada, &played, "Plan ahead").await;
    for label in ["Add plan", "a5", "b5", "a5", "a3", "b3"] {
        panel = bot.press_private(&duel.ada, &panel, label).await;
    }
    assert!(panel.content().contains("Plan: `a5-b5/a5 a3-b3`"), "{}", panel.content());
    let sure = bot.press_private(&duel.ada, &panel, "a3").await;
    assert!(sure.content().contains("`if a5-b5/a5 then a3-b3/a3`"), "{}", sure.content());
    let listed = bot.press_private(&duel.ada, &sure, "Save plan").await;
    assert!(listed.content().contains("Your plans"), "{}", listed.content());
    duel.ben.reply(&duel.board, "a5-b5/a5").unwrap();
    let both = |it: &VisibleMessage| it.content().contains("3. a3-b3/a3 (as planned)");
    duel.ben.wait_for(duel.thread, "both moves", both).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn move_typed_in_two_messages_is_played() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let begun = duel.ada.reply(&duel.board, "a2-a3").unwrap();
    let asked = bot.answer_to(&duel.ada, &begun).await;
    assert!(asked.content().contains("where the arrow lands"), "{}", asked.content());
    let astray = duel.ada.reply(&duel.board, "c2").unwrap();
    let refused = bot.answer_to(&duel.ada, &astray).await;
    assert!(refused.content().contains("aim at c2 from a3"), "about the arrow: {}", refused.content());
    let other = duel.ben.reply(&duel.board, "a2").unwrap();
    let refused = bot.answer_to(&duel.ben, &other).await;
    assert!(!refused.content().contains("aim"), "her beginning is not his: {}", refused.content());
    duel.ada.reply(&duel.board, "a2").unwrap();
    duel.see("a2-a3/a2").await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn begun_move_is_forgotten_after_another_one() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    for text in ["a2-a3", "f5-f6/a1"] {
        let tried = duel.ada.reply(&duel.board, text).unwrap();
        bot.answer_to(&duel.ada, &tried).await;
    }
    let rest = duel.ada.reply(&duel.board, "a2").unwrap();
    let asked = bot.answer_to(&duel.ada, &rest).await;
    assert!(asked.content().contains("isn't finished"), "a2 begins a move now: {}", asked.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_a_word_and_a_button_away() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let asked = duel.ada.reply(&duel.board, "rules?").unwrap();
    let goal = bot.answer_to(&duel.ada, &asked).await;
    assert!(goal.content().contains("shoots an arrow"), "{}", goal.content());
    let more = bot.press(&duel.ada, &duel.board, "More").await;
    let rules =
        [bot.press(&duel.ada, &goal, "Rules").await, bot.press_private(&duel.ada, &more, "Rules").await];
    for rules in rules {
        assert!(rules.is_ephemeral(), "the page is long");
        let page = rules.json["embeds"][0]["description"].as_str().unwrap();
        assert!(page.contains("Goal"), "{page}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_moves_are_listed_by_their_beginnings() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    crate::duel::slash_play(&ada, games, &json!({"game": "amazons", "ai": "random"}))
        .unwrap()
        .message()
        .await
        .unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    for (typed, expected) in [("moves", "`d1`"), ("moves d1", "`d1-d7`"), ("moves d1-d7", "`d1-d7/g7`")] {
        let asked = ada.reply(&board, typed).unwrap();
        let told = bot.answer_to(&ada, &asked).await;
        assert!(told.content().contains(expected), "{typed}: {}", told.content());
        assert!(told.content().lines().count() <= 6, "{typed}: {}", told.content());
    }
    let asked = ada.reply(&board, "moves d").unwrap();
    let told = bot.answer_to(&ada, &asked).await;
    let listed: Vec<_> = told.content().split('`').skip(1).step_by(2).collect();
    assert!(!listed.is_empty() && listed.iter().all(|it| it.starts_with('d')), "{}", told.content());
    bot.stop().await;
}
