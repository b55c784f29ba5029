//! The way to a game: from a button of the welcome message, or from `/play`, to an opened table.

use rookery_core::player::Level;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{Answer, BOT_ID};
use rookery_table::moderation::ListChange;
use rookery_table::{GuildId, Occupant, UserId};
use serde_json::{Value, json};

use super::welcome::welcomed;
use crate::duel::{challenge, open};
use crate::test_bot::TestBot;

/// Returns the labels of the choices of a select.
fn labels(message: &VisibleMessage, select: usize) -> Vec<String> {
    let options = message.selects()[select]["options"].as_array().unwrap().clone();
    options.iter().map(|option| option["label"].as_str().unwrap().to_owned()).collect()
}

fn table_of(message: &VisibleMessage) -> String {
    let name = message.content().split("**").nth(1);
    name.unwrap_or_else(|| panic!("no table: {}", message.content())).to_owned()
}

async fn play(who: &Person, bot: &TestBot, options: Value) -> VisibleMessage {
    who.slash(bot.games(), "play", &options).unwrap().message().await.unwrap()
}

/// Chooses in a select of a private message, by its custom id.
async fn choose(
    bot: &TestBot,
    who: &Person,
    message: &VisibleMessage,
    id: &str,
    value: &str,
) -> VisibleMessage {
    bot.changed(who, message, &who.choose(message, id, &[value]).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn start_against_the_bot_takes_two_presses_to_the_thread() {
    let (bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    assert_eq!(sheet.files().len(), 1, "all games in one picture");
    assert_eq!(sheet.buttons().len(), rookery_games::all().len() + 1, "the games, and more options");
    let opened = bot.press_private(&ada, &sheet, "Amazons").await;
    assert!(opened.files().is_empty(), "the picture of all games goes");
    let table = bot.table(&table_of(&opened)).await;
    assert!(table.chairs().contains(&Occupant::Ai { level: Level::Easy }));
    let thread = ada.wait_for_thread(games, table.id().as_str()).await.unwrap();
    assert!(opened.content().contains(&format!("<#{thread}>")), "a link: {}", opened.content());
    ada.wait_for(thread, "the board", |it| it.button("Move").is_some()).await.unwrap();

    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_against_the_bot_at_another_level_remembers_it() {
    let (bot, welcome) = welcomed().await;
    let ada = bot.ada();
    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    assert!(sheet.content().contains("Easy"), "{}", sheet.content());
    assert_eq!(labels(&sheet, 0), ["Beginner", "Easy", "Medium", "Hard", "Expert"]);
    let sheet = choose(&bot, &ada, &sheet, "go:level", "hard").await;
    assert!(sheet.content().contains("Hard"), "{}", sheet.content());
    let opened = bot.press_private(&ada, &sheet, "Penguins").await;
    let table = bot.table(&table_of(&opened)).await;
    assert!(table.chairs().contains(&Occupant::Ai { level: Level::Hard }));

    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    assert!(sheet.content().contains("Hard"), "the level of the last game: {}", sheet.content());
    let games = bot.press_private(&ada, &sheet, "More options").await;
    let options = bot.press_private(&ada, &games, "Amoeba").await;
    assert!(options.files().is_empty(), "the picture of all games goes");
    let levels = bot.press_private(&ada, &options, "Another level").await;
    assert_eq!(levels.buttons()[..5], ["Beginner", "Easy", "Medium", "Hard (last time)", "Expert"]);
    bot.stop().await;
}

/// The level was chosen before, and the game before the options: neither is asked for again.
#[tokio::test(flavor = "multi_thread")]
async fn start_with_more_options_keeps_the_level_and_the_game() {
    let (bot, welcome) = welcomed().await;
    let ada = bot.ada();
    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    let sheet = choose(&bot, &ada, &sheet, "go:level", "hard").await;
    let games = bot.press_private(&ada, &sheet, "More options").await;
    assert!(games.content().contains("Level: **Hard**"), "{}", games.content());
    let options = bot.press_private(&ada, &games, "Amazons").await;
    assert_eq!(options.buttons(), ["Start: Hard", "Another level"]);
    let values = choose(&bot, &ada, &options, "go:pick:amazons:tune-hard", "size").await;
    let set = choose(&bot, &ada, &values, "go:set:amazons:tune-hard:size", "6x6").await;
    let opened = bot.press_private(&ada, &set, "Start: Hard").await;
    let table = bot.table(&table_of(&opened)).await;
    assert!(table.chairs().contains(&Occupant::Ai { level: Level::Hard }), "{:?}", table.chairs());
    assert_eq!(table.terms().options["size"], "6x6");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_pressed_twice_opens_one_table() {
    let (bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    for pressed in ada.click_twice(&sheet, sheet.button("Amazons").unwrap()).unwrap() {
        pressed.answer().await.unwrap();
    }
    bot.wait_until_idle().await;
    assert_eq!(bot.playground.threads(games).len(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_of_a_challenge_asks_for_game_and_person() {
    let (bot, welcome) = welcomed().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let sheet = bot.press(&ada, &welcome, "Challenge someone").await;
    let asked = bot.press_private(&ada, &sheet, "Amoeba").await;
    assert_eq!(asked.selects()[0]["type"], 5, "a select of people");
    let opened = choose(&bot, &ada, &asked, "go:with:amoeba", &ben.id.to_string()).await;
    let table = table_of(&opened);
    let posted = challenge(&ben, games, &table).await;
    assert_eq!(posted.pinged(), ["Ben"]);
    assert!(bot.table(&table).await.chairs().contains(&Occupant::Invited { person: UserId(ben.id.0) }));

    // Choosing the bot asks for its level; another bot can't play.
    let asked =
        bot.press_private(&ada, &bot.press(&ada, &welcome, "Challenge someone").await, "Amoeba").await;
    let levels = choose(&bot, &ada, &asked, "go:with:amoeba", &BOT_ID.to_string()).await;
    assert!(levels.button("Easy").is_some(), "{}", levels.content());
    let other = bot.playground.new_bot("Robot").unwrap();
    let asked =
        bot.press_private(&ada, &bot.press(&ada, &welcome, "Challenge someone").await, "Amoeba").await;
    let refused = choose(&bot, &ada, &asked, "go:with:amoeba", &other.id.to_string()).await;
    assert!(
        refused.content().contains("is a bot") && refused.button("Back").is_some(),
        "{}",
        refused.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_of_lessons_and_lists_from_the_welcome() {
    let (bot, welcome) = welcomed().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let sheet = bot.press(&ben, &welcome, "Learn a game").await;
    let lesson = bot.press_private(&ben, &sheet, "Penguins").await;
    assert!(lesson.content().contains('1') && lesson.files().len() == 1, "{}", lesson.content());
    let none = bot.press(&ben, &welcome, "Watch").await;
    assert!(none.is_ephemeral() && !none.content().is_empty());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    let list = bot.press(&ben, &welcome, "Watch").await;
    assert!(list.content().contains(&table), "{}", list.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_is_refused_to_the_banned_and_where_no_games_are_allowed() {
    let (bot, welcome) = welcomed().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let guild = GuildId(bot.playground.guild("Rookery").unwrap().0);
    let elsewhere = rookery_table::ChannelId(bot.playground.channel("lobby").0);
    let only = |server: &mut rookery_table::preferences::ServerPreferences| server.channels = vec![elsewhere];
    bot.registry.preferences_cache().change_server(guild, only).await.unwrap();
    let sheet = bot.press(&ada, &welcome, "Play the bot").await;
    let refused = bot.press_private(&ada, &sheet, "Amazons").await;
    assert!(refused.content().contains(&format!("<#{elsewhere}>")), "{}", refused.content());
    let again = bot.press_private(&ada, &refused, "Back").await;
    assert!(again.button("Play the bot").is_some(), "{}", again.content());
    let levels = bot.press_private(&ada, &again, "Play the bot").await;
    let refused = bot.press_private(&ada, &levels, "Easy (last time)").await;
    assert!(refused.content().contains(&format!("<#{elsewhere}>")), "{}", refused.content());
    let now = bot.now();
    let banned = bot.registry.moderation().ban(guild, UserId(ben.id.0), now).await.unwrap();
    assert!(matches!(banned, ListChange::Done));
    let refused = bot.press(&ben, &welcome, "Play the bot").await;
    assert!(refused.content().contains("banned"), "{}", refused.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_without_a_game_shows_the_panel_and_without_an_opponent_asks_who() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let panel = play(&ada, &bot, json!({})).await;
    assert!(panel.is_ephemeral());
    assert_eq!(panel.buttons(), ["Play the bot", "Challenge someone", "Learn a game", "Watch"]);
    let asked = play(&ada, &bot, json!({"opponent": ben.id})).await;
    assert!(asked.content().contains(&ben.mention()), "{}", asked.content());

    let who = play(&ada, &bot, json!({"game": "amazons", "size": "6x6"})).await;
    assert_eq!(who.buttons(), ["Play the bot", "Anyone can join", "More options"]);
    let rows = who.json["components"].as_array().unwrap();
    assert_eq!([&rows[0], &rows[1]].map(|row| row["components"][0]["type"].clone()), [json!(2), json!(5)]);
    assert!(who.content().contains("size: 6x6"), "{}", who.content());
    let opened = bot.press_private(&ada, &who, "Anyone can join").await;
    let table = bot.table(&table_of(&opened)).await;
    assert!(table.has_free_seat() && table.terms().options["size"] == "6x6");
    challenge(&ben, games, table.id().as_str()).await;

    let refused = play(&ada, &bot, json!({"game": "amazons", "size": "99x99"})).await;
    assert!(refused.content().contains("can't be"), "{}", refused.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_options_are_those_of_the_game_and_are_remembered() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    for (game, has, lacks) in [
        (
            "amazons",
            &["size", "start", "white", "clock", "seed", "team"][..],
            &["layout", "pieces", "players"][..],
        ),
        (
            "penguins",
            &["layout", "placement", "players", "ai_seats"][..],
            &["size", "white", "repetition"][..],
        ),
        ("amoeba", &["clock", "first"][..], &["size", "layout", "ai_seats", "players"][..]),
    ] {
        let who = play(&ada, &bot, json!({"game": game})).await;
        let options = bot.press_private(&ada, &who, "More options").await;
        let offered = labels(&options, 0);
        assert!(has.iter().all(|key| offered.iter().any(|it| it == key)), "{game}: {offered:?}");
        assert!(!lacks.iter().any(|key| offered.iter().any(|it| it == key)), "{game}: {offered:?}");
        assert!(!offered.iter().any(|it| it == "rated"), "rated games are off: {offered:?}");
    }
    let who = play(&ada, &bot, json!({"game": "amazons"})).await;
    let options = bot.press_private(&ada, &who, "More options").await;
    let values = choose(&bot, &ada, &options, "go:pick:amazons:who", "size").await;
    assert_eq!(labels(&values, 1), ["standard", "8x8", "6x6"]);
    let set = choose(&bot, &ada, &values, "go:set:amazons:who:size", "6x6").await;
    assert!(set.content().contains("size: 6x6"), "{}", set.content());
    let who = bot.press_private(&ada, &set, "Done").await;
    let levels = bot.press_private(&ada, &who, "Play the bot").await;
    let opened = bot.press_private(&ada, &levels, "Easy").await;
    assert_eq!(bot.table(&table_of(&opened)).await.terms().options["size"], "6x6");

    // The next game begins with them, until they are set back.
    let who = play(&ada, &bot, json!({"game": "amazons"})).await;
    assert!(who.content().contains("size: 6x6"), "{}", who.content());
    let options = bot.press_private(&ada, &who, "More options").await;
    let reset = bot.press_private(&ada, &options, "Reset").await;
    assert!(reset.content().contains("All standard"), "{}", reset.content());
    let explicit = open(&ada, bot.games(), &json!({"game": "amazons", "ai": "easy"})).await;
    assert!(!bot.table(&explicit).await.terms().options.contains_key("size"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_option_that_is_typed_is_checked() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let who = play(&ada, &bot, json!({"game": "amazons"})).await;
    let options = bot.press_private(&ada, &who, "More options").await;
    let open_form = async |options: &VisibleMessage| {
        let asked = ada.choose(options, "go:pick:amazons:who", &["seed"]).unwrap();
        assert!(matches!(asked.answer().await.unwrap(), Answer::Modal(_)));
    };
    open_form(&options).await;
    let sent = ada.submit_modal("go:set:amazons:who:seed", &json!({"text": "twelve"})).unwrap();
    let wrong = bot.changed(&ada, &options, &sent).await;
    assert!(
        wrong.content().contains("0 or more") && wrong.content().contains("All standard"),
        "{}",
        wrong.content()
    );
    open_form(&wrong).await;
    let sent = ada.submit_modal("go:set:amazons:who:seed", &json!({"text": "12"})).unwrap();
    let set = bot.changed(&ada, &wrong, &sent).await;
    assert!(set.content().contains("seed: 12"), "{}", set.content());
    let levels = bot.press_private(&ada, &bot.press_private(&ada, &set, "Done").await, "Play the bot").await;
    let opened = bot.press_private(&ada, &levels, "Easy").await;
    assert_eq!(bot.table(&table_of(&opened)).await.terms().seed, 12);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn start_in_direct_messages_is_against_the_bot() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let levels = ada.slash(ada.dm(), "play", &json!({"game": "amazons"})).unwrap().message().await.unwrap();
    let opened = bot.press_private(&ada, &levels, "Easy").await;
    let table = table_of(&opened);
    let is_board = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&table);
    ada.wait_for(ada.dm(), "the board", is_board).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn host_who_presses_join_is_offered_the_bot() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let posted = challenge(&ben, games, &table).await;
    assert_eq!(posted.buttons(), ["Join", "Play against the bot", "Cancel"]);
    let yours = bot.press(&ada, &posted, "Join").await;
    assert!(yours.is_ephemeral() && yours.content().contains("your game"), "{}", yours.content());
    assert_eq!(yours.buttons(), ["Play against the bot", "Cancel"]);
    assert!(bot.table(&table).await.has_free_seat());
    bot.press_private(&ada, &yours, "Cancel").await;
    let closed = || ben.refetch(&posted).filter(|it| it.buttons().is_empty());
    bot.playground.wait("the challenge to be closed", closed).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_list_of_open_games_is_named_as_it_is_asked_for() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons"})).await;
    let list = ada.slash(games, "games", &json!({"which": "open"})).unwrap().message().await.unwrap();
    assert!(list.content().contains(&table), "{}", list.content());
    let registered = bot.playground.requests();
    let put = registered.iter().find(|request| request.method == "PUT").unwrap();
    let commands = put.body.as_array().unwrap();
    let which = commands.iter().find(|it| it["name"] == "games").unwrap();
    let choices = which["options"][0]["choices"].as_array().unwrap();
    let open = choices.iter().find(|choice| choice["value"] == "open").unwrap();
    assert!(
        open["name"].as_str().unwrap().starts_with("open"),
        "a client offers what begins with the typed text"
    );
    bot.stop().await;
}
