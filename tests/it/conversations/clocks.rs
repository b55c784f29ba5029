//! Games with a clock: their messages, and what happens when time is up. The test moves the clock.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{GuildId, Occupant, Status};
use serde_json::{Value, json};

use crate::duel::slash_play;
use crate::duel::{Duel, open, three_with};
use crate::test_bot::TestBot;

const HOUR: Duration = Duration::from_secs(3_600);
/// The flag of a silent message.
const SILENT: u64 = 1 << 12;

async fn begin(bot: &TestBot, clock: &str) -> Duel {
    Duel::begin_with(bot, &json!({"game": "amazons", "size": "6x6", "clock": clock})).await
}

/// Returns the line with the clocks under a board.
fn clocks(board: &VisibleMessage) -> String {
    board.content().lines().last().unwrap().to_owned()
}

async fn said(duel: &Duel, words: &str) -> VisibleMessage {
    duel.ada.wait_for(duel.thread, words, |it| it.content().contains(words)).await.unwrap()
}

/// Both are pinged, because neither was just active at the table.
async fn ben_won_on_time(duel: &Duel) {
    let result = said(duel, "is over").await;
    let won = format!("{} (Black) won on time against {}", duel.ben.mention(), duel.ada.mention());
    assert!(result.content().contains(&won), "{}", result.content());
    let mut pinged = result.pinged();
    pinged.sort_unstable();
    assert_eq!(pinged, ["Ada", "Ben"], "{}", result.content());
}

fn flags(message: &VisibleMessage) -> u64 {
    message.json["flags"].as_u64().unwrap_or(0)
}

/// What the message says that asks the others to decide.
const OUT_OF_TIME: &str = "is out of time, but can still move";

#[tokio::test(flavor = "multi_thread")]
async fn clocks_of_both_stand_under_the_board_and_only_the_movers_runs() {
    let bot = TestBot::start().await;
    let mut duel = begin(&bot, "daily").await;
    let ends_s = bot.now().as_second() + 48 * 3_600;
    let wanted =
        format!("Time: {} runs out <t:{ends_s}:R> · {} has 2 days", duel.ada.mention(), duel.ben.mention());
    assert_eq!(clocks(&duel.board), wanted);

    bot.advance(30 * HOUR).await;
    let said = duel.ben.reply(&duel.board, "clock").unwrap();
    let told = bot.answer_to(&duel.ben, &said).await;
    assert!(
        told.content().contains(&format!("{} has 18 hours left", duel.ada.mention())),
        "{}",
        told.content()
    );
    assert!(
        told.content().contains("Time control: daily (2 days plus 1 day per move, up to 4 days"),
        "{}",
        told.content()
    );

    duel.turn(&bot, crate::duel::Way::Reply).await;
    let ends_s = bot.now().as_second() + 48 * 3_600;
    let wanted = format!(
        "Time: {} has 1 day 18 hours · {} runs out <t:{ends_s}:R>",
        duel.ada.mention(),
        duel.ben.mention()
    );
    assert_eq!(clocks(&duel.board), wanted);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_reminds_the_mover_before_the_win_can_be_claimed() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "daily").await;
    bot.advance(36 * HOUR).await;
    let first = said(&duel, "you have a quarter of your time left").await;
    assert_eq!((first.pinged(), flags(&first) & SILENT), (vec!["Ada"], SILENT));
    bot.advance(10 * HOUR).await;
    let second = said(&duel, "your time is almost up").await;
    assert_eq!((second.pinged(), flags(&second) & SILENT), (vec!["Ada"], 0));

    bot.advance(2 * HOUR).await;
    let up = said(&duel, OUT_OF_TIME).await;
    assert_eq!(up.pinged(), ["Ben"]);
    let own = bot.press(&duel.ada, &up, "Claim win").await;
    assert!(own.content().contains("your own clock"), "{}", own.content());
    let won = bot.press(&duel.ben, &up, "Claim win").await;
    assert!(won.content().contains("You've claimed the win"), "{}", won.content());
    ben_won_on_time(&duel).await;
    bot.stop().await;
}

/// There is no winner yet, and no message names one.
#[tokio::test(flavor = "multi_thread")]
async fn clock_that_runs_out_among_three_lets_the_others_play_on() {
    let bot = TestBot::start().await;
    let terms = json!({"game": "penguins", "players": 3, "clock": "daily", "first": "me"});
    let (table, thread, _) = three_with(&bot, &terms).await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let page = ben.slash(thread, "clock", &json!({})).unwrap().message().await.unwrap();
    assert!(page.content().contains("the others can remove you"), "{}", page.content());
    bot.advance(48 * HOUR).await;
    let is_up = |it: &VisibleMessage| it.content().contains(OUT_OF_TIME);
    let up = ben.wait_for(thread, "time is up", is_up).await.unwrap();
    let wanted = format!("{} is out of time", ada.mention());
    assert!(
        up.content().contains(&wanted)
            && up.content().contains("remove them")
            && !up.content().contains("win"),
        "{}",
        up.content()
    );
    let out = bot.press(&ben, &up, "Remove player").await;
    assert!(out.content().contains("The others play on"), "{}", out.content());
    assert_eq!(*bot.table(&table).await.status(), Status::Running);
    let goes_on =
        |it: &VisibleMessage| it.content().contains("your move") && it.content().contains(&ben.mention());
    ben.wait_for(thread, "Ben's turn", goes_on).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_can_be_extended_by_the_opponent_or_the_bot_takes_over() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "fast").await;
    bot.advance(25 * HOUR).await;
    let up = said(&duel, OUT_OF_TIME).await;
    bot.press(&duel.ben, &up, "Give White 8 hours").await;
    let given = said(&duel, "8 hours more").await;
    assert_eq!(given.pinged(), ["Ada"]);
    let early = bot.press(&duel.ben, &up, "Rookery plays on").await;
    assert!(early.content().contains("There's still time left"), "{}", early.content());

    bot.advance(9 * HOUR).await;
    let later = |it: &VisibleMessage| it.content().contains(OUT_OF_TIME) && it.id > given.id;
    let up = duel.ben.wait_for(duel.thread, "time is up again", later).await.unwrap();
    let asked = bot.press(&duel.ben, &up, "Rookery plays on").await;
    assert!(asked.is_ephemeral() && asked.content().contains("Which level"), "{}", asked.content());
    let told = bot.choose(&duel.ben, &asked, "random").await;
    assert!(told.content().contains("Rookery plays on in"), "{}", told.content());
    let seat = bot.table(&duel.table).await.chairs()[0];
    assert_eq!(seat, Occupant::Ai { level: Level::Random });
    let board = |it: &VisibleMessage| {
        it.content().contains("White played ")
            && it.content().contains(&format!("{}, your move (Black)", duel.ben.mention()))
    };
    duel.ben.wait_for(duel.thread, "the bot's move for Ada", board).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_that_is_strict_ends_the_game() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "live").await;
    bot.advance(Duration::from_secs(15 * 60 - 1)).await;
    bot.wait_until_idle().await;
    assert!(bot.table(&duel.table).await.to_move().is_some());
    bot.advance(Duration::from_secs(1)).await;
    ben_won_on_time(&duel).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_never_loses_a_game_in_its_first_ten_minutes() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "1m hard").await;
    bot.advance(Duration::from_secs(10 * 60 - 1)).await;
    assert!(bot.table(&duel.table).await.to_move().is_some());
    bot.advance(Duration::from_secs(1)).await;
    said(&duel, "won on time").await;
    bot.stop().await;
}

/// The board and `/clock` show the same time, and from when it counts.
#[tokio::test(flavor = "multi_thread")]
async fn clock_that_is_short_announces_the_first_ten_minutes() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "1m+5s soft cap 2m").await;
    let start_s = bot.now().as_second();
    let (ends_s, counts_s) = (start_s + 60, start_s + 600);
    let (ada, ben) = (duel.ada.mention(), duel.ben.mention());
    let wanted = format!(
        "Time: {ada} runs out <t:{ends_s}:R> (only counts after <t:{counts_s}:t>) · {ben} has 1 minute"
    );
    assert_eq!(clocks(&duel.board), wanted);

    let clock = async || duel.ben.slash(duel.thread, "clock", &json!({})).unwrap().message().await.unwrap();
    let told = clock().await;
    let runs = format!("until <t:{ends_s}:f> (<t:{ends_s}:R>). Nobody loses before <t:{counts_s}:t>.");
    assert!(told.content().contains(&format!("{ada} has 1 minute left, {runs}")), "{}", told.content());
    assert!(told.content().contains("no loss on time in the first 10 minutes"), "{}", told.content());
    bot.advance(Duration::from_secs(90)).await;
    let told = clock().await;
    let used_up = format!("{ada} is out of time, but nobody loses before <t:{counts_s}:t>.");
    assert!(told.content().contains(&used_up), "{}", told.content());
    assert_eq!(told.buttons(), ["Give White 15 seconds"]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_gives_back_time_while_the_bot_was_down() {
    let mut bot = TestBot::start().await;
    let mut duel = begin(&bot, "fast hard").await;
    bot.advance(HOUR).await;
    bot.registry.note_alive().await.unwrap();
    bot.restart_after(30 * HOUR).await;
    let back = said(&duel, "I was offline for 1 day 6 hours").await;
    let ends_s = bot.now().as_second() + 23 * 3_600;
    assert!(back.content().contains(&format!("runs out <t:{ends_s}:R>")), "{}", back.content());
    assert_eq!(flags(&back) & SILENT, SILENT);
    duel.turn(&bot, crate::duel::Way::Reply).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_with_own_terms_is_agreed_on_and_a_wrong_one_explained() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let ask = |terms: Value| slash_play(&ada, games, &terms).unwrap();
    let wrong = ask(json!({"game": "amazons", "clock": "3d+soon"})).message().await.unwrap();
    assert!(
        wrong.is_ephemeral() && wrong.content().contains("I can't read the time control `soon`"),
        "{}",
        wrong.content()
    );
    let low = ask(json!({"game": "amazons", "clock": "3d cap 1d"})).message().await.unwrap();
    assert!(low.content().contains("Raise it"), "{}", low.content());

    let complete = async |typed: &str| {
        let given = json!({"game": "amazons", "clock": typed});
        let offered = ada.complete(games, "play", &given, "clock").await.unwrap();
        offered.iter().map(|it| it["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(complete("we").await.len(), 1);
    assert_eq!(complete("72h+48").await[1], "72h+48h");
    let hard = complete("72h+48h cap 168h").await.remove(1);
    assert_eq!(hard, "72h+48h cap 168h hard");
    let table = open(&ada, games, &json!({"game": "amazons", "clock": hard})).await;
    let challenge = crate::duel::challenge(&ada, games, &table).await;
    let words =
        "Time control: weekly (3 days plus 2 days per move, up to 7 days; running out of time loses).";
    assert!(challenge.content().contains(words), "{}", challenge.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_command_shows_everything_and_lets_the_others_act() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "fast").await;
    let clock =
        async |who: &Person| who.slash(duel.thread, "clock", &json!({})).unwrap().message().await.unwrap();
    let ends_s = bot.now().as_second() + 24 * 3_600;
    let own = clock(&duel.ada).await;
    assert!(own.is_ephemeral() && own.buttons().is_empty(), "{:?}", own.buttons());
    for part in [
        format!("{} has 1 day left, until <t:{ends_s}:f> (<t:{ends_s}:R>).", duel.ada.mention()),
        format!("{} has 1 day left.", duel.ben.mention()),
        "plus 8 hours per move".to_owned(),
        "your opponent can claim the win".to_owned(),
    ] {
        assert!(own.content().contains(&part), "{part}: {}", own.content());
    }
    let other = clock(&duel.ben).await;
    assert_eq!(other.buttons(), ["Give White 8 hours"]);
    bot.advance(25 * HOUR).await;
    let up = clock(&duel.ben).await;
    assert_eq!(up.buttons(), ["Claim win", "Give White 8 hours", "Rookery plays on"]);
    bot.press_private(&duel.ben, &up, "Claim win").await;
    said(&duel, "won on time").await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_never_loses_a_game_while_its_server_is_unavailable() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "fast hard").await;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.advance(HOUR).await;
    bot.playground.set_guild_unavailable(guild, true);
    let id = duel.table.parse().unwrap();
    let part = rookery_table::OutageScope::Server(GuildId(guild.0));
    bot.wait_until("that to be heard", || bot.registry.is_lost(part)).await;
    bot.advance(40 * HOUR).await;
    bot.playground.set_guild_unavailable(guild, false);
    bot.wait_until("that it is over", || !bot.registry.is_lost(part)).await;
    bot.advance(22 * HOUR).await;
    assert_eq!(
        *bot.registry.table(id).await.unwrap().status(),
        rookery_table::Status::Running,
        "23 of 24 hours"
    );
    bot.advance(2 * HOUR).await;
    said(&duel, &format!("{} is over", duel.table)).await;
    bot.stop().await;
}
