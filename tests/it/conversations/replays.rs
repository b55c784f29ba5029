//! Replays, private to each person who steps through them.

use std::time::Duration;

use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::{Duel, Way, open};
use crate::test_bot::{TestBot, boards};

/// Plays four moves; returns the game and its record.
async fn four_moves(bot: &TestBot) -> (Duel, Vec<String>) {
    let mut duel = Duel::begin(bot).await;
    for _ in 0..4 {
        duel.turn(bot, Way::Mention).await;
    }
    let record = duel.play.record();
    (duel, record)
}

fn shows(seen: &VisibleMessage, number: usize, record: &[String]) {
    let wanted = format!("Move {number} of {}", record.len());
    assert!(seen.content().contains(&wanted), "{} lacks {wanted}", seen.content());
    assert!(seen.content().contains(&record[number - 1]), "{}", seen.content());
    let alt = seen.files()[0]["description"].as_str().unwrap();
    assert!(alt.contains(&record[number - 1]), "{alt}");
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_viewer_is_private_for_anybody() {
    let bot = TestBot::start().await;
    let (duel, record) = four_moves(&bot).await;
    bot.wait_until_idle().await;
    let (cleo, before) = (bot.cleo(), bot.table(&duel.table).await.sequence());
    let seen_by_ada = duel.ada.messages(duel.thread).len();
    let start = cleo.slash(duel.thread, "replay", &json!({})).unwrap().message().await.unwrap();
    assert!(start.is_ephemeral() && start.content().contains("· Start ·"), "{}", start.content());
    assert_eq!(start.buttons()[..3], ["Animate", "Next ▶", "Last"], "no button that leads nowhere");
    assert!(start.button("Best moves").is_none(), "the game goes on");
    let seen = bot.press_private(&cleo, &start, "Next ▶").await;
    shows(&seen, 1, &record);
    let seen = bot.press_private(&cleo, &seen, "Last").await;
    shows(&seen, 4, &record);
    assert_eq!(seen.buttons()[..4], ["First", "◀ Back", "Animate", "Flip board"]);
    let seen = bot.press_private(&cleo, &seen, "◀ Back").await;
    shows(&seen, 3, &record);
    let turned = bot.press_private(&cleo, &seen, "Flip board").await;
    shows(&turned, 3, &record);
    let tinted = bot.press_private(&cleo, &turned, "Territory").await;
    assert!(
        tinted.content().contains("Cells only White can reach: 0 · only Black: 0 · both: "),
        "{}",
        tinted.content()
    );
    let seen = bot.choose(&cleo, &tinted, "2").await;
    shows(&seen, 2, &record);
    let text = bot.press(&cleo, &seen, "As text").await;
    assert!(text.is_ephemeral() && text.content().contains("a b c d e f"), "{}", text.content());
    let moving = bot.press(&cleo, &seen, "Animate").await;
    let alt = moving.files()[0]["description"].as_str().unwrap();
    assert!(alt.contains(" of 4. Game of the Amazons"), "{alt}");
    assert!(moving.files()[0]["filename"].as_str().unwrap().ends_with(".gif"));
    let first = bot.press_private(&cleo, &seen, "First").await;
    assert!(first.content().contains("· Start ·"), "{}", first.content());

    // A spectator presses a public button and gets a private answer.
    let more = bot.press(&cleo, &duel.board, "More").await;
    assert!(more.is_ephemeral(), "{}", more.content());
    shows(&more, 4, &record);
    assert_eq!(bot.table(&duel.table).await.sequence(), before, "the table has not changed");
    assert_eq!(duel.ada.messages(duel.thread).len(), seen_by_ada, "nor has anybody else seen a thing");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_is_shown_in_every_format() {
    let bot = TestBot::start().await;
    let (duel, record) = four_moves(&bot).await;
    let replay = async |options: serde_json::Value| {
        duel.ben.slash(duel.thread, "replay", &options).unwrap().message().await.unwrap()
    };
    let moving = replay(json!({"as": "gif", "from": 1, "to": 3})).await;
    assert!(moving.content().contains("Moves 1 to 3"), "{}", moving.content());
    assert!(moving.files()[0]["filename"].as_str().unwrap().ends_with(".gif"));
    let stills = replay(json!({"as": "images"})).await;
    let sheet = &stills.files()[0];
    assert!(sheet["filename"].as_str().unwrap().ends_with(".png"));
    let (width, height) = (sheet["width"].as_u64().unwrap(), sheet["height"].as_u64().unwrap());
    assert!(width > height && height > width / 2, "five boards in two rows: {width}x{height}");
    let text = replay(json!({"as": "text", "from": 2})).await;
    assert!(text.content().contains(&format!("3. {}", record[2])), "{}", text.content());
    assert!(!text.content().contains(&record[0]), "{}", text.content());
    let backwards = replay(json!({"as": "text", "from": 2, "to": 1})).await;
    assert!(backwards.content().contains("Move 1 comes before move 2"), "{}", backwards.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_menu_knows_its_board() {
    let bot = TestBot::start().await;
    let (duel, record) = four_moves(&bot).await;
    let cleo = bot.cleo();
    let second = boards(&cleo, duel.thread).into_iter().find(|it| it.content().contains(&record[1])).unwrap();
    let menu = async |message: &VisibleMessage, name: &str| {
        cleo.on_message(message, name).unwrap().message().await.unwrap()
    };
    let viewer = menu(&second, "Replay from here").await;
    assert!(viewer.is_ephemeral());
    shows(&viewer, 2, &record);
    shows(&menu(&second, "From my side").await, 2, &record);
    let aloud = menu(&second, "Read aloud as text").await;
    assert!(aloud.files().is_empty() && aloud.content().contains(&record[1]), "{}", aloud.content());
    assert!(aloud.content().contains("Blocked:"), "{}", aloud.content());
    // The buttons of a private board identify the position that it shows.
    let on = bot.press_private(&cleo, &viewer, "Next ▶").await;
    shows(&menu(&on, "From my side").await, 3, &record);
    let talk = cleo.say(duel.thread, "well played").unwrap();
    assert!(menu(&talk, "Replay from here").await.content().contains("no game in that message"));

    let told = cleo.slash(duel.thread, "export", &json!({})).unwrap().message().await.unwrap();
    let brought = menu(&told, "Read this board").await;
    shows(&brought, 4, &record);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_can_be_played_on_from_any_board() {
    let bot = TestBot::start().await;
    let (duel, _) = four_moves(&bot).await;
    let cleo = bot.cleo();
    let viewer = cleo.slash(bot.games(), "replay", &json!({"table": duel.table, "from": 2})).unwrap();
    let told = bot.press(&cleo, &viewer.message().await.unwrap(), "Play Rookery from here").await;
    let table = told.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", told.content())).to_owned();
    let thread = cleo.wait_for_thread(bot.games(), &table).await.unwrap();
    cleo.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    let played = bot.table(&table).await;
    assert_eq!(played.play().unwrap().start_line(), duel.play.at_ply(2).line());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_of_a_finished_game_opens_outside_its_thread() {
    let bot = TestBot::start().await;
    let (duel, _) = four_moves(&bot).await;
    let games = bot.games();
    bot.resign(&duel.ada, &duel.board).await;
    bot.wait_until_idle().await;
    let asked = async |command: &str| {
        duel.ada.slash(games, command, &json!({})).unwrap().message().await.unwrap().content().to_owned()
    };
    for command in ["analyse", "replay", "export", "verify"] {
        let told = asked(command).await;
        assert!(told.contains(&duel.table), "{command}: {told}");
    }
    bot.playground.clock().advance(Duration::from_secs(60));
    let other = open(&duel.ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    bot.wait_until_idle().await;
    let told = asked("analyse").await;
    assert!(told.contains(&duel.table) && told.contains("how it went"), "{told}");
    let told = asked("replay").await;
    assert!(told.contains(&other), "what goes on comes first: {told}");
    for (who, command, wanted) in [
        (&duel.ada, "analyse", vec![&duel.table]),
        (&bot.cleo(), "analyse", vec![&duel.table]),
        (&duel.ada, "replay", vec![&other, &duel.table]),
        (&duel.ada, "board", vec![&other]),
    ] {
        let choices = who.complete(games, command, &json!({"table": ""}), "table").await.unwrap();
        let offered: Vec<_> = choices.iter().map(|choice| choice["value"].as_str().unwrap()).collect();
        assert_eq!(offered, wanted, "{command}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn last_move_is_posted_in_motion_where_the_server_wishes_so() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let file = |board: &VisibleMessage| board.files()[0]["filename"].as_str().unwrap().to_owned();
    duel.turn(&bot, Way::Mention).await;
    assert_eq!(file(&duel.board), format!("{}-1.png", duel.table), "off unless somebody wishes it");
    let guild = bot.playground.guild("Rookery").unwrap();
    let cache = bot.registry.preferences_cache();
    cache.change_server(rookery_table::GuildId(guild.0), |server| server.motion = true).await.unwrap();
    duel.turn(&bot, Way::Mention).await;
    assert_eq!(file(&duel.board), format!("{}-2.gif", duel.table));
    let url = duel.board.files()[0]["url"].as_str().unwrap();
    let bytes = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.len() < 200 * 1024, "{} bytes", bytes.len());
    bot.stop().await;
}
