//! The channels of games: several games in one, missing permissions, no thread, deleted channels.

use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{ChannelId, GuildId};
use serde_json::json;

use crate::duel::{Duel, Way, open, shows_turn, slash_play};
use crate::test_bot::{TestBot, TestSetup, boards};

#[tokio::test(flavor = "multi_thread")]
async fn tables_in_one_channel_do_not_mix() {
    let bot = TestBot::start().await;
    let (mut one, mut two) = (Duel::begin(&bot).await, Duel::begin(&bot).await);
    assert_ne!(one.thread, two.thread);
    let text = one.any_move();
    let asked = one.ada.say(one.ada.dm(), &text).unwrap();
    let which = bot.answer_to(&one.ada, &asked).await;
    assert!(which.content().contains(&one.table) && which.content().contains(&two.table));
    for way in [Way::Direct, Way::Reply, Way::Mention, Way::Command, Way::Panel] {
        two.turn(&bot, way).await;
        one.turn(&bot, way).await;
    }
    bot.wait_until_idle().await;
    let list = one.ada.slash(bot.games(), "games", &json!({})).unwrap().message().await.unwrap();
    for duel in [&one, &two] {
        assert!(list.content().contains(&format!("[{}](", duel.table)), "{}", list.content());
        assert!(list.content().contains(&format!("/{}/", duel.thread)), "a link into the thread");
        duel.check_every_board_posted_once(&bot).await;
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_privately() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let last = duel.play.record().pop().unwrap();
    let cleo = bot.cleo();
    for who in [&duel.ada, &cleo] {
        let board = who.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
        assert!(board.is_ephemeral() && board.content().contains(&last), "{}", board.content());
        assert_eq!(board.files().len(), 1);
        assert_eq!(board.button("Move").is_some(), who.id == duel.ada.id, "who watches cannot press Move");
    }
    let rules = json!({"game": "amazons"});
    let rules = cleo.slash(bot.games(), "rules", &rules).unwrap().message().await.unwrap();
    let text = rules.json["embeds"][0]["description"].as_str().unwrap();
    assert!(rules.is_ephemeral() && text.contains("arrow"), "{text}");
    let help = cleo.slash(bot.games(), "help", &json!({})).unwrap().message().await.unwrap();
    assert!(help.is_ephemeral() && help.content().contains("/play"), "{}", help.content());
    let none = cleo.slash(bot.games(), "games", &json!({})).unwrap().message().await.unwrap();
    assert!(none.content().contains("No games"), "{}", none.content());
    let here = json!({"which": "here"});
    let here = cleo.slash(bot.games(), "games", &here).unwrap().message().await.unwrap();
    assert!(here.content().contains(&duel.table), "{}", here.content());
    let text = bot.press(&cleo, &duel.board, "As text").await;
    assert!(text.is_ephemeral() && text.content().contains("a b c d e f"), "{}", text.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_is_named() {
    const ATTACH_FILES: u64 = 1 << 15;
    const SEND_IN_THREADS: u64 = 1 << 38;
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let play = json!({"game": "amazons", "ai": "random", "size": "6x6"});
    bot.playground.deny_bot(games, ATTACH_FILES);
    let refused = slash_play(&ada, games, &play).unwrap().message().await.unwrap();
    assert!(refused.is_ephemeral() && refused.content().contains("Attach Files"), "{}", refused.content());
    assert!(bot.playground.threads(games).is_empty() && boards(&ada, games).is_empty());
    bot.playground.deny_bot(games, SEND_IN_THREADS);
    slash_play(&ada, games, &play).unwrap().message().await.unwrap();
    ada.wait_for(games, "a board in the channel", |it| !it.files().is_empty()).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thread_limit_of_a_server_keeps_games_in_the_channel() {
    let mut plan = TestSetup::default();
    plan.options.active_threads_max = 0;
    let bot = TestBot::of(plan).await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "ai": "random", "size": "6x6"})).await;
    let board = ada.wait_for(games, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let mut play = bot.table(&table).await.play().unwrap().clone_play();
    let text = play.moves().remove(0);
    play.play(&text).unwrap();
    ada.reply(&board, &text).unwrap();
    let theirs = play.moves().remove(0);
    let shows = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&theirs);
    ada.wait_for(games, "the bot's move", shows).await.unwrap();
    bot.stop_after(&[400]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_thread_lets_the_game_go_on_in_the_channel() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    bot.playground.delete_channel(duel.thread);
    let games = bot.games();
    let board = duel.ada.slash(games, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(board.content().contains(&duel.table) && board.files().len() == 1, "{}", board.content());
    let text = duel.any_move();
    duel.ben.slash(games, "move", &json!({"move": text})).unwrap().message().await.unwrap();
    duel.thread = games;
    duel.see(&text).await;
    duel.turn(&bot, Way::Panel).await;
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn archived_thread_is_opened_and_a_locked_one_is_left() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.playground.set_thread(duel.thread, true, false);
    duel.turn(&bot, Way::Command).await;
    assert!(!bot.playground.is_archived(duel.thread), "a board wakes the thread");
    bot.wait_until_idle().await;
    bot.playground.set_thread(duel.thread, true, true);
    let (mover, text) = (duel.mover(), duel.any_move());
    mover.slash(bot.games(), "move", &json!({"move": text})).unwrap().message().await.unwrap();
    duel.thread = bot.games();
    duel.see(&text).await;
    bot.stop_after(&[400, 403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_moves_are_read_with_the_message_content_intent() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let mut duel = Duel::begin(&bot).await;
    let idle = duel.ada.say(duel.thread, "good luck!").unwrap();
    let text = duel.any_move();
    duel.ada.say(duel.thread, &text).unwrap();
    duel.see(&text).await;
    let wrong = duel.ben.say(duel.thread, "b6-b1/b2").unwrap();
    bot.answer_to(&duel.ben, &wrong).await;
    let answered = duel.ada.messages(duel.thread).into_iter().filter(|it| {
        it.author() == Some(BOT_ID) && it.json["message_reference"]["message_id"] == idle.id.to_string()
    });
    assert_eq!(answered.count(), 0, "idle talk is left alone");
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

/// Players talk in their thread; elsewhere the same words would be a question about a board.
#[tokio::test(flavor = "multi_thread")]
async fn plain_talk_that_begins_like_a_question_is_ignored() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let duel = Duel::begin(&bot).await;
    let talk = ["see you tomorrow!", "row your boat", "moves are hard here", "line of thought?", "back"];
    let talk = talk.map(|text| duel.ada.say(duel.thread, text).unwrap().id.to_string());
    for question in ["see a2", "row 2", "column a", "moves a2", "moves", "moves A2-"] {
        let asked = duel.ada.say(duel.thread, question).unwrap();
        let told = bot.answer_to(&duel.ada, &asked).await;
        assert!(told.content().contains(&duel.table), "{question}: {}", told.content());
    }
    let answers =
        |it: &VisibleMessage| it.json["message_reference"]["message_id"].as_str().map(str::to_owned);
    let answered: Vec<_> = duel.ada.messages(duel.thread).iter().filter_map(answers).collect();
    assert!(talk.iter().all(|id| !answered.contains(id)), "talk among people is left alone");
    let said = duel.ada.say(duel.thread, &format!("<@{BOT_ID}> see z9")).unwrap();
    let told = bot.answer_to(&duel.ada, &said).await;
    assert!(
        told.content().contains("has no") && told.content().contains("z9"),
        "who speaks to the bot is answered: {}",
        told.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn direct_message_can_hold_a_game_against_the_bot() {
    let bot = TestBot::start().await;
    let (ada, terms) = (bot.ada(), json!({"game": "amazons", "ai": "easy", "size": "6x6", "first": "them"}));
    let table = open(&ada, ada.dm(), &terms).await;
    for ply in [1, 3, 5] {
        let is_here = shows_turn(&table, ply);
        let board = ada.wait_for(ada.dm(), "the bot's move", is_here).await.unwrap();
        assert!(board.content().contains(&table) && board.files().len() == 1, "{}", board.content());
        let text = bot.table(&table).await.play().unwrap().moves().pop().unwrap();
        ada.say(ada.dm(), &text).unwrap();
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reply_without_readable_content_is_answered() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let text = duel.any_move();
    let silent = duel.ada.reply_silently(&duel.board, &text).unwrap();
    let answer = bot.answer_to(&duel.ada, &silent).await;
    assert!(answer.content().contains("mention"), "{}", answer.content());
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_in_one_channel_are_never_guessed() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let (one, two) = (open(&ada, ada.dm(), &terms).await, open(&ada, ada.dm(), &terms).await);
    let shows = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&two);
    ada.wait_for(ada.dm(), "the second board", shows).await.unwrap();
    for command in ["resign", "undo"] {
        let told = ada.slash(ada.dm(), command, &json!({})).unwrap().message().await.unwrap();
        assert!(told.content().contains(&one) && told.content().contains(&two), "{}", told.content());
    }
    let told = ada.slash(ada.dm(), "board", &json!({})).unwrap().message().await.unwrap();
    for table in [&one, &two] {
        assert!(told.button(&format!("Amazons {table}")).is_some(), "{:?}", told.buttons());
    }
    let text = bot.table(&one).await.play().unwrap().moves().remove(0);
    let said = ada.say(ada.dm(), &text).unwrap();
    let asked = bot.answer_to(&ada, &said).await;
    assert!(asked.content().contains(&one) && asked.content().contains(&two), "{}", asked.content());
    let who = rookery_table::UserId(ada.id.0);
    let resigned = rookery_table::Order::Resign;
    let table = one.parse().unwrap();
    bot.registry.order(table, rookery_table::Actor::Person(who), resigned, None).await.unwrap();
    let sure = ada.slash(ada.dm(), "resign", &json!({})).unwrap().message().await.unwrap();
    assert!(sure.content().contains(&two) && sure.button("Yes, resign").is_some(), "{}", sure.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thread_follows_the_settings_of_its_channel() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let (guild, general) = (bot.playground.guild("Rookery").unwrap(), bot.playground.channel("general"));
    let only = async |channel: rookery_playground::id::Id| {
        let set = |server: &mut rookery_table::preferences::ServerPreferences| {
            server.channels = vec![ChannelId(channel.0)]
        };
        bot.registry.preferences_cache().change_server(GuildId(guild.0), set).await.unwrap();
    };
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random"});
    let typed = format!("<@{BOT_ID}> play amazons 6x6 random");
    only(general).await;
    let refused = slash_play(&duel.ada, duel.thread, &terms).unwrap().message().await.unwrap();
    assert!(refused.content().contains(&format!("<#{general}>")), "{}", refused.content());
    let said = duel.ada.say(duel.thread, &typed).unwrap();
    let refused = bot.answer_to(&duel.ada, &said).await;
    assert!(refused.content().contains(&format!("<#{general}>")), "{}", refused.content());
    only(bot.games()).await;
    open(&duel.ada, duel.thread, &terms).await;
    let said = duel.ada.say(duel.thread, &typed).unwrap();
    let opened = bot.answer_to(&duel.ada, &said).await;
    assert!(opened.content().contains("**"), "{}", opened.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thread_that_is_being_made_is_waited_for() {
    let bot = TestBot::start().await;
    let (ada, games, faults) = (bot.ada(), bot.games(), bot.playground.faults());
    faults.fail_channel(games, Some(503));
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open(&ada, games, &terms).await;
    let general = bot.playground.channel("general");
    let asked = ada.slash(general, "board", &json!({"table": table})).unwrap();
    let shown = asked.message().await.unwrap();
    assert!(shown.is_ephemeral() && !shown.content().contains("so it goes on here"), "{}", shown.content());
    faults.fail_channel(games, None);
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answer_comes_without_a_reply_where_the_bot_cannot_read_history() {
    const HISTORY: u64 = 1 << 16;
    let bot = TestBot::start().await;
    let ada = bot.ada();
    bot.playground.deny_bot(bot.games(), HISTORY);
    ada.say(bot.games(), &format!("<@{BOT_ID}> resign")).unwrap();
    let told =
        |it: &VisibleMessage| it.author() == Some(BOT_ID) && it.content().contains("You're not in a game");
    ada.wait_for(bot.games(), "an answer that refers to nothing", told).await.unwrap();
    bot.stop_after(&[403]).await;
}
