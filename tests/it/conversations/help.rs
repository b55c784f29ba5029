//! `help` and `/help`, misspelt games, and the way from one move to the next game.

use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::{Duel, challenge, has_move_at, open};
use crate::test_bot::{TestBot, TestSetup};

#[tokio::test(flavor = "multi_thread")]
async fn help_has_a_page_for_each_topic() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let start = ada.slash(games, "help", &json!({})).unwrap().message().await.unwrap();
    assert!(start.is_ephemeral() && start.content().contains("/tutorial"), "{}", start.content());
    let teams = bot.choose(&ada, &start, "teams").await;
    assert!(teams.content().contains("captain"), "{}", teams.content());
    let time = ada.slash(games, "help", &json!({"topic": "time"})).unwrap().message().await.unwrap();
    assert!(time.content().contains("3d per move"), "{}", time.content());
    let said = ada.say(games, &format!("<@{BOT_ID}> help")).unwrap();
    let offer = bot.answer_to(&ada, &said).await;
    assert!(offer.content().lines().count() <= 2, "everybody reads it: {}", offer.content());
    let page = bot.press(&bot.cleo(), &offer, "Help").await;
    assert!(page.is_ephemeral() && page.content().contains("/tutorial"), "{}", page.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn help_in_a_game_says_what_this_person_can_do_now() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let cleo = bot.cleo();
    for (who, part) in
        [(&duel.ada, "It's your move (White)"), (&duel.ben, "'s turn (White)"), (&cleo, "You're watching")]
    {
        let said = who.say(duel.thread, &format!("<@{BOT_ID}> help")).unwrap();
        let told = bot.answer_to(who, &said).await;
        assert!(told.content().contains(part), "{}", told.content());
        assert!(told.pinged().is_empty() && told.content().lines().count() <= 2, "{}", told.content());
        assert_eq!(told.buttons(), ["Rules", "Help"]);
    }
    let said = duel.ada.say(duel.thread, &format!("<@{BOT_ID}> help")).unwrap();
    let told = bot.answer_to(&duel.ada, &said).await;
    let example = told.content().split('`').nth(1).unwrap().to_owned();
    duel.ada.reply(&duel.board, &example).unwrap();
    duel.see(&example).await;
    bot.resign(&duel.ben, &duel.board).await;
    let said = duel.ben.say(duel.thread, &format!("<@{BOT_ID}> help")).unwrap();
    assert!(bot.answer_to(&duel.ben, &said).await.content().contains("This game is over"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn small_talk_is_answered_with_buttons_that_lead_to_a_game() {
    const FIRST_STEPS: [&str; 3] = ["Play the bot", "Learn a game", "Help"];
    let bot = TestBot::start().await;
    let (ada, cleo, games) = (bot.ada(), bot.cleo(), bot.games());
    for (channel, text) in [
        (games, format!("<@{BOT_ID}> hi")),
        (ada.dm(), "how are you?".to_owned()),
        (ada.dm(), "hello".to_owned()),
    ] {
        let told = bot.answer_to(&ada, &ada.say(channel, &text).unwrap()).await;
        assert!(told.content().contains("I'm here to play board games"), "{}", told.content());
        assert_eq!(told.buttons(), FIRST_STEPS, "{text}");
    }
    let told = bot.answer_to(&ada, &ada.say(ada.dm(), "accept").unwrap()).await;
    assert!(told.content().contains("You're not in a game"), "{}", told.content());
    assert_eq!(told.buttons(), FIRST_STEPS);
    let sheet = bot.press(&ada, &told, "Play the bot").await;
    assert!(sheet.button("Amazons").is_some(), "{:?}", sheet.buttons());

    // Everybody may press what was said in a channel, and sees the answer alone.
    let told = bot.answer_to(&ada, &ada.say(games, &format!("<@{BOT_ID}> good morning")).unwrap()).await;
    let sheet = bot.press(&cleo, &told, "Learn a game").await;
    let lesson = bot.press_private(&cleo, &sheet, "Amoeba").await;
    assert!(lesson.is_ephemeral() && lesson.content().contains("step 1 of"), "{}", lesson.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn misspelt_game_is_recognised_or_suggested() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let answer = async |text: &str| {
        let said = ada.say(games, &format!("<@{BOT_ID}> {text}")).unwrap();
        bot.answer_to(&ada, &said).await.content().to_owned()
    };
    let opened = answer("play amazon 6x6 easy").await;
    let table = bot.table(opened.split("**").nth(1).unwrap()).await;
    assert_eq!(table.terms().game, "amazons");
    let paper = answer("play paper 8x8").await;
    assert!(paper.contains("`paper`") && paper.contains("Did you mean Paper Pen-guins"), "{paper}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn move_leads_to_the_next_game_that_waits() {
    let bot = TestBot::start().await;
    let (mut first, second) = (Duel::begin(&bot).await, Duel::begin(&bot).await);
    let text = bot.table(&first.table).await.play().unwrap().moves().remove(0);
    let ask = json!({"table": first.table, "move": text});
    let told = first.ada.slash(bot.games(), "move", &ask).unwrap().message().await.unwrap();
    let link = format!("[{}](https://discord.com/channels/", second.table);
    assert!(told.content().contains(&link) && !told.content().contains(&format!("[{}](", first.table)));
    first.see(&text).await;
    // It is Ben's turn here, and Ada's in the other game: he has no other game to go to.
    let text = bot.table(&first.table).await.play().unwrap().moves().remove(0);
    let ask = json!({"table": first.table, "move": text});
    let told = first.ben.slash(bot.games(), "move", &ask).unwrap().message().await.unwrap();
    assert!(told.content().contains("You played"), "{}", told.content());
    assert!(!told.content().contains("https://"), "{}", told.content());
    first.see(&text).await;
    bot.stop().await;
}

/// In the thread of a game against the bot alone, everything that its player writes is for the bot; watchers and
/// answers to them are not.
#[tokio::test(flavor = "multi_thread")]
async fn everything_typed_in_a_game_against_the_bot_is_answered() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let (ada, cleo, games) = (bot.ada(), bot.cleo(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "ai": "random", "first": "me"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    for (typed, part) in [
        ("what do I do?", "Moves look like"),
        ("a1-z9", "Each tile has its name on it"),
        // A question about a tile is no move to it.
        ("d5?", "can't read"),
        ("replay", "isn't over"),
        ("hint", "I'd play"),
    ] {
        let said = ada.say(thread, typed).unwrap();
        let told = bot.answer_to(&ada, &said).await;
        assert!(told.content().contains(part), "{typed}: {}", told.content());
    }
    // The notice of the hint in the thread may come later than its answer.
    bot.wait_until_idle().await;
    let looks_on = cleo.say(thread, "what is this?").unwrap();
    ada.reply(&looks_on, "a board game").unwrap();
    ada.say(thread, &format!("look, {}", cleo.mention())).unwrap();
    bot.wait_until_idle().await;
    let answers = |it: &&VisibleMessage| it.author() == Some(BOT_ID) && it.id > looks_on.id;
    let messages = ada.messages(thread);
    let answered: Vec<_> = messages.iter().filter(answers).map(VisibleMessage::content).collect();
    assert_eq!(answered, [""; 0]);
    let place = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.say(thread, &format!("place {place}!")).unwrap();
    ada.wait_for(thread, "the bot's move", |it| has_move_at(it, 2)).await.unwrap();
    bot.stop().await;
}

/// An answer that everybody sees is drawn like the other boards there, not in its asker's own theme.
#[tokio::test(flavor = "multi_thread")]
async fn board_for_everybody_keeps_the_shared_theme() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amoeba", "opponent": ben.id})).await;
    let asked = challenge(&ben, games, &table).await;
    bot.press(&ben, &asked, "Accept").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    assert!(board.content().contains("(Blue)"), "{}", board.content());
    let panel = ada.slash(thread, "settings", &json!({})).unwrap().message().await.unwrap();
    ada.choose(&panel, "set:theme", &["contrast"]).unwrap().answer().await.unwrap();
    let own = ada.slash(thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(own.is_ephemeral() && own.content().contains("Yellow"), "{}", own.content());
    let said = ada.say(thread, "board").unwrap();
    let shared = bot.answer_to(&ada, &said).await;
    assert!(
        shared.content().contains("Orange") && !shared.content().contains("Yellow"),
        "{}",
        shared.content()
    );
    bot.stop().await;
}
