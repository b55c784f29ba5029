//! A whole game from the challenge to the result, with typed and tapped moves of every kind.

use std::sync::Arc;

use rookery_store::Sqlite;

use crate::duel::{Duel, Way, challenge};
use crate::test_bot::{TestBot, TestSetup, boards};

#[tokio::test(flavor = "multi_thread")]
async fn whole_game_is_played_in_every_way_of_moving() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap());
    let bot = TestBot::of(TestSetup { journal, ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    let ways = [Way::Reply, Way::Mention, Way::Direct, Way::Command, Way::Panel];
    for way in ways.into_iter().cycle() {
        if duel.play.outcome().is_some() {
            break;
        }
        duel.turn(&bot, way).await;
    }
    the_result_is_told(&bot, &duel).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

async fn the_result_is_told(bot: &TestBot, duel: &Duel) {
    let winner = duel.play.outcome().unwrap().winners[0];
    let (winner, side) = if winner.index() == 0 { (&duel.ada, "White") } else { (&duel.ben, "Black") };
    let over = format!("{} is over", duel.table);
    let result =
        duel.ben.wait_for(duel.thread, "the result", |it| it.content().contains(&over)).await.unwrap();
    assert!(result.content().contains(&format!("{} ({side}) won", winner.mention())), "{}", result.content());
    bot.wait_until_idle().await;
    let above = challenge(&duel.ada, bot.games(), &duel.table).await;
    assert!(above.content().contains("won") && above.buttons().is_empty(), "{}", above.content());
    let pressable = boards(&duel.ada, duel.thread).into_iter().filter(|it| !it.buttons().is_empty());
    assert_eq!(pressable.count(), 0, "a finished game has nothing to press");
    let late = duel.ada.reply(&duel.board, "a1-a2/a3").unwrap();
    assert!(bot.answer_to(&duel.ada, &late).await.content().contains("is over"));
}
