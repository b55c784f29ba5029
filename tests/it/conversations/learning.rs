//! Hints during a game and analysis after it.

use std::time::Duration;

use rookery_core::Seat;
use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::GuildId;
use serde_json::json;

use super::endings::play_to_separation;
use crate::duel::{Duel, Way, challenge, open};
use crate::eventually::eventually;
use crate::test_bot::TestBot;

#[tokio::test(flavor = "multi_thread")]
async fn hint_is_private_and_its_use_is_public() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let hint = duel.ada.slash(duel.thread, "hint", &json!({})).unwrap().message().await.unwrap();
    assert!(hint.is_ephemeral() && hint.files().len() == 1, "{}", hint.content());
    let text = hint.content().split('`').nth(1).unwrap().to_owned();
    assert!(duel.play.moves().contains(&text), "{text} is legal");
    let told = format!("{} got a hint", duel.ada.mention());
    let note = |it: &VisibleMessage| it.content().contains(&told);
    let told = duel.ben.wait_for(duel.thread, "that a hint was had", note).await.unwrap();
    assert!(!told.is_ephemeral() && told.pinged().is_empty());

    let not_yet = duel.ben.slash(duel.thread, "hint", &json!({})).unwrap().message().await.unwrap();
    assert!(not_yet.content().contains("'s turn"), "{}", not_yet.content());
    let watcher = bot.cleo().slash(duel.thread, "hint", &json!({})).unwrap().message().await.unwrap();
    assert!(watcher.content().contains("aren't playing in this game"), "{}", watcher.content());

    // The move can be played from there, and the next one can be tapped for a hint.
    bot.press_private(&duel.ada, &hint, "Play it").await;
    duel.see(&text).await;
    let more = bot.press(&duel.ben, &duel.board, "More").await;
    let tapped = bot.press_private(&duel.ben, &more, "Hint").await;
    assert!(tapped.content().contains("I'd play"), "{}", tapped.content());
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

/// A hint is about the turn in which it is asked for, whatever turn its button is from.
#[tokio::test(flavor = "multi_thread")]
async fn hint_button_of_an_earlier_turn_works() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let more = bot.press(&duel.ada, &duel.board, "More").await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    let tapped = bot.press_private(&duel.ada, &more, "Hint").await;
    assert!(tapped.content().contains("I'd play"), "{}", tapped.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hint_is_refused_in_a_running_rated_game() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    bot.allow_rated().await;
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id, "rated": true});
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    bot.press(&ben, &asked, "Accept").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    for who in [&ada, &ben, &bot.cleo()] {
        let refused = who.slash(thread, "hint", &json!({})).unwrap().message().await.unwrap();
        let told = "No hints or analysis during a rated game";
        assert!(refused.is_ephemeral() && refused.content().contains(told), "{}", refused.content());
    }
    let more = bot.press(&ada, &board, "More").await;
    assert!(more.button("Hint").is_none(), "what is refused is not offered");
    // Hints are also refused at a table of the player's own that was opened from the same position or reaches it.
    let line = bot.table(&table).await.play().unwrap().line();
    let brought = json!({"text": line, "game": "amazons", "ai": "easy"});
    let refused = ada.slash(games, "import", &brought).unwrap().message().await.unwrap();
    assert!(refused.content().contains("No hints or analysis during a rated game"), "{}", refused.content());
    let own = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    let refused = ada.slash(games, "hint", &json!({"table": own})).unwrap().message().await.unwrap();
    assert!(refused.content().contains("No hints or analysis during a rated game"), "{}", refused.content());
    assert!(!bot.table(&own).await.is_rated());
    // Completion names moves in the order of the rules, not the best first.
    let play = bot.table(&table).await.play().unwrap().clone_play();
    let choices = ada.complete(thread, "move", &json!({"move": "a2-a3/"}), "move").await.unwrap();
    let named: Vec<_> = choices.iter().map(|choice| choice["value"].as_str().unwrap().to_owned()).collect();
    let legal: Vec<_> = play.moves().into_iter().filter(|text| named.contains(text)).collect();
    assert!(named.len() > 1);
    assert_eq!(named, legal);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_of_a_finished_game_offers_to_play_on_from_its_turning_point() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.fast_forward(&bot, &play_to_separation().0).await;
    let analyse =
        async || duel.ben.slash(duel.thread, "analyse", &json!({})).unwrap().message().await.unwrap();
    let early = analyse().await;
    assert!(early.content().contains("This game isn't over"), "{}", early.content());
    bot.resign(&duel.ada, &duel.board).await;
    bot.wait_until_idle().await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    let result = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    assert_eq!(result.buttons(), ["Rematch", "Replay", "Analyse"]);
    let replay = bot.press(&bot.cleo(), &result, "Replay").await;
    assert!(replay.is_ephemeral() && replay.content().contains("· Start ·"), "{}", replay.content());
    let pressed = bot.press(&duel.ben, &result, "Analyse").await;
    assert!(pressed.is_ephemeral() && pressed.content().contains("how it went"), "{}", pressed.content());

    let analysis = analyse().await;
    assert!(analysis.is_ephemeral() && analysis.content().contains("how it went"), "{}", analysis.content());
    let alt = analysis.files()[0]["description"].as_str().unwrap();
    assert!(alt.contains(&format!("over {} moves", duel.play.ply())), "{alt}");
    // Random moves lose leads, so there are turning points.
    let turns: Vec<_> = analysis.buttons().into_iter().filter(|label| label.starts_with("Move ")).collect();
    assert!((1..=3).contains(&turns.len()), "{turns:?}");
    let turn: usize = turns[0].trim_start_matches("Move ").parse().unwrap();
    let point = bot.press(&duel.ben, &analysis, turns[0]).await;
    let (before, record) = (duel.play.at_ply(turn - 1), duel.play.record());
    let named: Vec<_> = point.content().split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(named[0], record[turn - 1]);
    assert!(named[1] != named[0] && before.moves().contains(&named[1]), "{named:?}");
    assert!(point.is_ephemeral() && point.files()[0]["filename"] == "board.png", "{:?}", point.files());

    let opened = bot.press(&duel.ben, &point, "Play Rookery from here").await;
    let table = opened.content().split("**").nth(1).unwrap();
    let table = bot.table(table).await;
    assert_eq!(table.play().unwrap().line(), before.line());
    assert!(!table.is_rated() && table.seat_of(rookery_table::UserId(duel.ben.id.0)) == table.to_move());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hint_is_refused_for_an_imported_rated_game() {
    let bot = TestBot::start().await;
    bot.allow_rated().await;
    let mut duel = Duel::begin_with(&bot, &json!({"game": "amazons", "size": "6x6", "rated": true})).await;
    for _ in 0..4 {
        duel.turn(&bot, Way::Mention).await;
    }
    let (cleo, games) = (bot.cleo(), bot.games());
    let import = async |options: serde_json::Value| {
        cleo.slash(games, "import", &options).unwrap().message().await.unwrap().content().to_owned()
    };
    let told = cleo.slash(duel.thread, "export", &json!({})).unwrap().message().await.unwrap();
    let file = told.files()[0]["url"].as_str().unwrap();
    let record = reqwest::get(file).await.unwrap().text().await.unwrap();
    let position = format!("amazons {}", duel.play.line());
    let after = {
        let (mut next, text) = (duel.play.clone_play(), duel.play.moves().remove(0));
        next.play(&text).unwrap();
        format!("amazons {}", next.line())
    };
    let brought = cleo.upload("game.txt", record.as_bytes());
    for options in [
        json!({"text": record}),
        json!({"file": brought}),
        json!({"text": position, "ai": "expert"}),
        json!({"text": after, "ai": "expert"}),
    ] {
        let told = import(options.clone()).await;
        assert!(told.contains("No hints or analysis during a rated game"), "{options}: {told}");
    }
    let menu = cleo.on_message(&told, "Read this board").unwrap().message().await.unwrap();
    assert!(menu.content().contains("No hints or analysis during a rated game"), "{}", menu.content());
    // After the end of the rated game everything is allowed.
    bot.resign(&duel.ada, &duel.board).await;
    bot.wait_until_idle().await;
    assert!(import(json!({"file": brought})).await.contains("Imported game."));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hint_is_refused_in_a_casual_game_at_a_rated_position() {
    let bot = TestBot::start().await;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |server| server.rated = true)
        .await
        .unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "rated": true, "settle": "off"});
    let mut duel = Duel::begin_with(&bot, &terms).await;
    duel.fast_forward(&bot, &play_to_separation().0).await;
    // Ada plays the same moves for both sides at a casual table.
    let ada = bot.ada();
    let own = open(&ada, bot.games(), &json!({"game": "amazons", "size": "6x6", "opponent": ada.id})).await;
    let (id, who) = (own.parse().unwrap(), rookery_table::UserId(ada.id.0));
    for (ply, text) in duel.play.record().into_iter().enumerate() {
        if bot.table(&own).await.ply() == ply {
            let order = rookery_table::Order::Move { text, ply: None };
            bot.registry.order(id, rookery_table::Actor::Person(who), order, None).await.unwrap();
        }
    }
    let refused = "No hints or analysis during a rated game";
    let asked = async |command: &str, more: serde_json::Value| {
        let mut options = json!({"table": own});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ada.slash(bot.games(), command, &options).unwrap().message().await.unwrap()
    };
    let viewer = asked("replay", json!({})).await;
    let last = bot.press_private(&ada, &viewer, "Last").await;
    let from_here = bot.press(&ada, &last, "Play Rookery from here").await;
    assert!(from_here.content().contains(refused), "played on: {}", from_here.content());
    let tinted = bot.press_private(&ada, &last, "Territory").await;
    assert!(tinted.content().contains(refused), "tinted: {}", tinted.content());
    for (command, more) in [("count", json!({})), ("hint", json!({})), ("leave", json!({"ai": "expert"}))] {
        let told = asked(command, more).await;
        assert!(told.content().contains(refused), "{command}: {}", told.content());
    }
    bot.wait_until_idle().await;
    assert_eq!(*bot.table(&own).await.status(), rookery_table::Status::Running, "no proof tells who wins");
    let sure = asked("resign", json!({})).await;
    bot.press_private(&ada, &sure, "Yes, resign").await;
    let told = asked("analyse", json!({})).await;
    assert!(told.content().contains(refused), "analysed: {}", told.content());
    let told = asked("analyse", json!({"move": 99})).await;
    assert!(told.content().contains(refused), "best moves: {}", told.content());
    let last = bot.press_private(&ada, &asked("replay", json!({})).await, "Last").await;
    let kept = bot.press_private(&ada, &last, "Best moves").await;
    assert!(kept.content().contains(refused) && kept.files().len() == 1, "best moves: {}", kept.content());
    // After the end of the rated game everything is allowed again.
    let sure = bot.press(&duel.ada, &duel.board, "Resign").await;
    bot.press_private(&duel.ada, &sure, "Yes, resign").await;
    let told = asked("analyse", json!({})).await;
    assert!(told.content().contains("how it went"), "{}", told.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_of_a_game_of_three_has_a_line_for_each() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3, "ai": "easy"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    for _ in 0..4 {
        eventually("her turn", async || bot.table(&table).await.to_move() == Some(Seat::FIRST)).await;
        let before = bot.table(&table).await;
        let text = before.play().unwrap().moves().remove(0);
        ada.say(thread, &format!("<@{BOT_ID}> {text}")).unwrap();
        // Which boards are posted in between depends on how quickly the other players answer.
        eventually("her move", async || bot.table(&table).await.ply() > before.ply()).await;
    }
    // The other players play to the end; nobody watches, so no pause is needed.
    bot.registry.set_exhibition_pace(Duration::ZERO);
    let sure = ada.slash(thread, "resign", &json!({})).unwrap().message().await.unwrap();
    bot.press_private(&ada, &sure, "Yes, resign").await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    ada.wait_for(thread, "the result", over).await.unwrap();
    let analysis = ada.slash(thread, "analyse", &json!({})).unwrap().message().await.unwrap();
    assert!(analysis.content().contains("1 Orange, 2 Blue and 3 Yellow"), "{}", analysis.content());
    let alt = analysis.files()[0]["description"].as_str().unwrap();
    assert!(["Orange", "Blue", "Yellow"].iter().all(|side| alt.contains(side)), "{alt}");
    if let Some(label) = analysis.buttons().into_iter().find(|label| label.starts_with("Turn ")) {
        let point = bot.press(&ada, &analysis, label).await;
        let opened = bot.press(&ada, &point, "Play Rookery from here").await;
        let own =
            opened.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", opened.content())).to_owned();
        assert_eq!(bot.table(&own).await.chairs().len(), 3);
    }
    bot.stop().await;
}
