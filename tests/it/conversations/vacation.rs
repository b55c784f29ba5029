//! Vacations and weekly rest days: clocks stand, the opponents see it, and a restart loses nothing.

use std::time::Duration;

use jiff::SignedDuration;

use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::calendar::Zone;
use serde_json::json;

use crate::duel::{Duel, Way};
use crate::test_bot::TestBot;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

async fn begin(bot: &TestBot, clock: &str) -> Duel {
    Duel::begin_with(bot, &json!({"game": "amazons", "size": "6x6", "clock": clock})).await
}

async fn said(duel: &Duel, words: &str) -> VisibleMessage {
    duel.ben.wait_for(duel.thread, words, |it| it.content().contains(words)).await.unwrap()
}

fn count(duel: &Duel, words: &str) -> usize {
    duel.ben.messages(duel.thread).into_iter().filter(|it| it.content().contains(words)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn vacation_stops_the_clock_is_told_once_and_ends_early() {
    let mut bot = TestBot::start().await;
    let (slow, live) = (begin(&bot, "fast").await, begin(&bot, "live").await);
    let until_s = bot.now().as_second() + 7 * 24 * 3_600;
    let taken =
        slow.ada.slash(slow.thread, "vacation", &json!({"days": 7})).unwrap().message().await.unwrap();
    assert!(taken.is_ephemeral(), "{}", taken.content());
    for part in [
        format!("on vacation until <t:{until_s}:f>"),
        "Vacation days left: 23 of 30".to_owned(),
        "It stops your clock in one game".to_owned(),
        format!("keeps running in {}", live.table),
    ] {
        assert!(taken.content().contains(&part), "{part}: {}", taken.content());
    }
    let told = said(&slow, "is on vacation").await;
    assert!(told.content().contains(&format!("<t:{until_s}:f>")) && told.pinged().is_empty());

    bot.restart().await;
    bot.advance(3 * DAY).await;
    let ended = slow.ada.slash(slow.thread, "vacation", &json!({})).unwrap().message().await.unwrap();
    bot.press_private(&slow.ada, &ended, "End vacation now").await;
    said(&slow, "is back from vacation").await;
    assert_eq!(count(&slow, "is on vacation"), 1);
    assert!(bot.table(&live.table).await.to_move().is_none(), "the live game went on without them");
    bot.advance(23 * HOUR).await;
    assert!(
        bot.table(&slow.table).await.clock().unwrap().left(rookery_core::Seat::FIRST, bot.now())
            > SignedDuration::ZERO
    );
    bot.advance(2 * HOUR).await;
    said(&slow, "is out of time, but can still move").await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vacation_that_was_planned_begins_by_itself() {
    let bot = TestBot::start().await;
    let duel = begin(&bot, "daily").await;
    let dates = Zone::default().dates(bot.now(), 4);
    let planned = json!({"from": dates[1], "until": dates[3]});
    let told = duel.ben.slash(duel.thread, "vacation", &planned).unwrap().message().await.unwrap();
    assert!(told.content().contains("You have a vacation planned from"), "{}", told.content());
    bot.wait_until_idle().await;
    assert_eq!(count(&duel, "is on vacation"), 0, "not before they begin");
    bot.advance(DAY).await;
    said(&duel, "is on vacation").await;
    let later = json!({"from": Zone::default().dates(bot.now(), 12)[11], "days": 2});
    let apart = duel.ben.slash(duel.thread, "vacation", &later).unwrap().message().await.unwrap();
    assert!(apart.content().contains("You're already on vacation"), "{}", apart.content());
    bot.wait_until_idle().await;
    assert_eq!(count(&duel, "is back"), 0, "the days that go on go on");
    bot.advance(4 * DAY).await;
    bot.wait_until_idle().await;
    assert_eq!(count(&duel, "is back"), 0, "they ended as they were to");
    let wrong = json!({"from": "soon", "days": 3});
    let wrong = duel.ben.slash(duel.thread, "vacation", &wrong).unwrap().message().await.unwrap();
    assert!(wrong.content().contains("`soon` isn't a date"), "{}", wrong.content());
    let many =
        duel.ben.slash(duel.thread, "vacation", &json!({"days": 28})).unwrap().message().await.unwrap();
    assert!(many.content().contains("You have 27 of 30 left"), "{}", many.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vacation_applies_to_games_joined_later() {
    let bot = TestBot::start().await;
    bot.ben().slash(bot.games(), "vacation", &json!({"days": 5})).unwrap().message().await.unwrap();
    let mut duel = begin(&bot, "fast").await;
    said(&duel, "is on vacation").await;
    duel.turn(&bot, Way::Mention).await;
    bot.advance(4 * DAY).await;
    bot.wait_until_idle().await;
    assert_eq!(count(&duel, "is out of time"), 0);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn weekly_free_time_stops_the_clock() {
    let bot = TestBot::start().await;
    let mut duel = begin(&bot, "fast").await;
    let today = Zone::default().local(bot.now()).weekday;
    // The whole of tomorrow in Ada's time zone.
    let from = u32::from((today + 1) % 7) * 1_440;
    let panel =
        duel.ada.slash(duel.thread, "settings", &json!({"zone": "UTC"})).unwrap().message().await.unwrap();
    let value = format!("{from}-{}", (from + 1_440) % 10_080);
    let chosen = duel.ada.choose(&panel, "set:weekly", &[value.as_str()]).unwrap();
    let panel = bot.changed(&duel.ada, &panel, &chosen).await;
    assert!(panel.content().contains("Your clocks stop during your weekly time off"), "{}", panel.content());
    bot.advance(47 * HOUR).await;
    assert_eq!(count(&duel, "is out of time"), 0, "a day of it did not count");
    duel.turn(&bot, Way::Mention).await;
    bot.advance(25 * HOUR).await;
    said(&duel, "is out of time, but can still move").await;
    bot.stop().await;
}
