//! People who watch a game are notified according to their preferences, and disturb nobody.

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::{Duel, Way, open};
use crate::test_bot::TestBot;

const SILENT: u64 = 1 << 12;

fn is_silent(message: &VisibleMessage) -> bool {
    message.json["flags"].as_u64().unwrap_or(0) & SILENT != 0
}

#[tokio::test(flavor = "multi_thread")]
async fn watcher_in_the_thread_is_named_silently() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let cleo = bot.cleo();
    let watch = json!({"table": duel.table});
    let told = cleo.slash(bot.games(), "watch", &watch).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral() && told.content().contains("You're watching"), "{}", told.content());
    let named = |it: &VisibleMessage| it.content().contains(&cleo.mention());
    let joins = cleo.wait_for(duel.thread, "being named", named).await.unwrap();
    assert!(is_silent(&joins) && joins.pinged() == ["Cleo"]);
    let plays = duel.ada.slash(duel.thread, "watch", &json!({})).unwrap().message().await.unwrap();
    assert!(plays.content().contains("You're playing in this game"), "{}", plays.content());

    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| named(it) && it.content().contains("is over");
    let over = cleo.wait_for(duel.thread, "the end", over).await.unwrap();
    assert!(is_silent(&over) && over.pinged() == ["Cleo"]);
    let late = cleo.slash(duel.thread, "watch", &json!({})).unwrap().message().await.unwrap();
    assert!(late.content().contains("This game is over"), "{}", late.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watcher_is_added_to_no_closed_channel() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let names = |who: &Person| {
        let named = |it: &VisibleMessage| it.content() == format!("{} is watching.", who.mention());
        duel.ada.messages(duel.thread).iter().filter(|it| named(it)).count()
    };
    let watch = async |who: &Person, channel: Id, how: &str| {
        let watch = json!({"table": duel.table, "how": how});
        who.slash(channel, "watch", &watch).unwrap().message().await.unwrap().content().to_owned()
    };
    let afar = watch(&cleo, cleo.dm(), "thread").await;
    assert!(afar.contains("one direct message a day"), "whether she sees the thread is not known: {afar}");
    assert!(
        afar.contains("at 9:00 UTC") && afar.contains("`/settings`"),
        "where she lives is not known: {afar}"
    );
    let tokyo = json!({"zone": "Asia/Tokyo"});
    cleo.slash(cleo.dm(), "settings", &tokyo).unwrap().message().await.unwrap();
    assert!(watch(&cleo, cleo.dm(), "dm").await.contains("at 9:00 your time"));
    assert_eq!(names(&cleo), 0);
    for how in ["thread", "thread", "moves"] {
        assert!(watch(&cleo, bot.games(), how).await.contains("You're watching"));
    }
    cleo.slash(bot.games(), "unwatch", &json!({"table": duel.table})).unwrap().message().await.unwrap();
    watch(&cleo, bot.games(), "thread").await;
    assert_eq!(names(&cleo), 1, "and not once each time");
    let again = watch(&cleo, cleo.dm(), "thread").await;
    assert!(again.contains("You're watching"), "who is there stays there: {again}");

    // For a table in a channel that she cannot see, she gets the answer for an unknown table.
    let secret = bot.playground.new_channel("secret").unwrap();
    bot.playground.restrict_channel_to(secret, &[&ben]);
    let hidden = open(&ben, secret, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    let thread = ben.wait_for_thread(secret, &hidden).await.unwrap();
    ben.wait_for(thread, "the first board", |it| !it.files().is_empty()).await.unwrap();
    let watch = json!({"table": hidden, "how": "thread"});
    let told = cleo.slash(bot.games(), "watch", &watch).unwrap().message().await.unwrap();
    assert!(told.content().contains(&format!("There's no game {hidden}")), "{}", told.content());
    assert!(!ben.messages(thread).iter().any(|it| it.content().contains(&cleo.mention())));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watcher_from_elsewhere_is_told_once_a_day() {
    let bot = TestBot::start().await;
    bot.advance_to_minute(8 * 60).await;
    // The nine o'clock messages are sent at this step, before she watches anything.
    bot.advance_to_minute(8 * 60 + 1).await;
    let mut duel = Duel::begin(&bot).await;
    let (cleo, dm) = (bot.cleo(), bot.cleo().dm());
    let watch = json!({"table": duel.table, "how": "dm"});
    let told = cleo.slash(bot.games(), "watch", &watch).unwrap().message().await.unwrap();
    assert!(told.content().contains("one direct message a day"), "{}", told.content());
    bot.advance_to_minute(8 * 60 + 30).await;
    duel.turn(&bot, Way::Mention).await;
    assert!(cleo.messages(dm).is_empty(), "not before nine");
    bot.advance_to_minute(9 * 60).await;
    let news = |it: &VisibleMessage| it.content().contains("Games you watch");
    let news = cleo.wait_for(dm, "the news", news).await.unwrap();
    assert!(news.content().contains(&format!("[{}](", duel.table)), "{}", news.content());

    let done = cleo.slash(bot.games(), "unwatch", &json!({"table": duel.table})).unwrap();
    assert!(done.message().await.unwrap().content().contains("stopped watching"));
    let none = cleo.slash(bot.games(), "unwatch", &json!({"table": duel.table})).unwrap();
    assert!(none.message().await.unwrap().content().contains("You aren't watching"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watcher_of_every_move_is_named_in_one_silent_line() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let cleo = bot.cleo();
    let watch = json!({"table": duel.table, "how": "moves"});
    cleo.slash(bot.games(), "watch", &watch).unwrap().message().await.unwrap();
    let mut lines = Vec::new();
    for _ in 0..3 {
        duel.turn(&bot, Way::Mention).await;
        let text = duel.play.record().pop().unwrap();
        let names = |it: &VisibleMessage| it.content() == format!("{}: `{text}`", cleo.mention());
        let line = cleo.wait_for(duel.thread, "being named", names).await.unwrap();
        assert!(is_silent(&line) && line.pinged() == ["Cleo"]);
        lines.push(line);
    }
    let gone = || lines[..2].iter().all(|line| cleo.refetch(line).is_none()).then_some(());
    bot.playground.wait("the earlier lines to go", gone).await.unwrap();
    cleo.slash(duel.thread, "unwatch", &json!({})).unwrap().message().await.unwrap();
    duel.turn(&bot, Way::Mention).await;
    bot.wait_until_idle().await;
    assert!(cleo.refetch(&lines[2]).is_some(), "nobody is named any more");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_completion_offers_games_of_others_only() {
    let bot = TestBot::start().await;
    let (ben, cleo, games) = (bot.ben(), bot.cleo(), bot.games());
    let asked = async |who: &Person, command: &str| {
        who.slash(games, command, &json!({})).unwrap().message().await.unwrap().content().to_owned()
    };
    let none = asked(&cleo, "watch").await;
    assert!(none.contains("There's no game here") && none.contains("`/games`"), "{none}");

    let duel = Duel::begin(&bot).await;
    let secret = bot.playground.new_channel("secret").unwrap();
    bot.playground.restrict_channel_to(secret, &[&ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let hidden = open(&ben, secret, &terms).await;
    bot.wait_until_idle().await;
    let offered = async |who: &Person, command: &str| -> Vec<String> {
        let choices = who.complete(games, command, &json!({"table": ""}), "table").await.unwrap();
        choices.iter().map(|choice| choice["value"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(offered(&cleo, "watch").await, std::slice::from_ref(&duel.table));
    assert_eq!(offered(&cleo, "board").await, std::slice::from_ref(&duel.table));
    assert_eq!(offered(&cleo, "move").await, Vec::<String>::new());
    assert_eq!(offered(&duel.ada, "watch").await, Vec::<String>::new(), "she plays it");
    assert_eq!(offered(&duel.ada, "board").await, std::slice::from_ref(&duel.table), "once");
    assert!(offered(&ben, "board").await.contains(&hidden), "his own");

    // A command without a table means the only game in a thread of this channel.
    let watches = asked(&cleo, "watch").await;
    assert!(watches.contains(&duel.table) && watches.contains("You're watching"), "{watches}");
    assert_eq!(offered(&cleo, "unwatch").await, std::slice::from_ref(&duel.table));
    let other = open(&ben, games, &terms).await;
    bot.wait_until_idle().await;
    let which = asked(&cleo, "watch").await;
    assert!(which.contains("Which game?"), "{which}");
    for table in [&duel.table, &other] {
        assert!(which.contains(&format!("Amazons {table}")), "{which}");
    }
    assert!(!which.contains(&hidden), "{which}");
    // To see a board, a game is chosen with a button.
    let which = cleo.slash(games, "board", &json!({})).unwrap().message().await.unwrap();
    assert_eq!(which.buttons().len(), 2, "{:?}", which.buttons());
    assert!(which.button(&format!("Amazons {other}")).is_some(), "{:?}", which.buttons());
    let shown = bot.press_private(&cleo, &which, &format!("Amazons {}", duel.table)).await;
    assert!(shown.content().contains(&duel.table) && shown.files().len() == 1, "{}", shown.content());
    let done = asked(&cleo, "unwatch").await;
    assert!(done.contains(&duel.table) && done.contains("stopped watching"), "{done}");
    assert!(asked(&cleo, "unwatch").await.contains("You're not watching a game"));
    assert_eq!(offered(&cleo, "unwatch").await, Vec::<String>::new());
    bot.stop().await;
}
